//! Batches: several writes of one request, all or nothing (D43).

use super::*;

impl Draw<'_> {
    /// Returns a batch of writes without preconditions. They know the versions that earlier ones leave. The first one
    /// changes something, so that a repeat is a replay.
    pub(super) fn batch(&self) -> Operation {
        let mut known = self.known.clone();
        let mut writes = Vec::new();
        for at in 0..self.random.within(2, 3) {
            let operation = Draw { known: &known, ..*self }.of_batch(at > 0);
            if let Intent::Write(write) = &operation.intent
                && write.changes()
                && let Some((version, _)) = write.id.as_ref().and_then(|id| known.get_mut(id))
            {
                *version += 1;
            }
            writes.push(operation);
        }
        let body = json!({ "writes": writes.iter().map(in_body).collect::<Vec<_>>() });
        Operation { body: Some(body), ..self.operation("batch", Intent::Batch(writes)) }
    }

    fn of_batch(&self, any: bool) -> Operation {
        let mut operation = match self.random.below(if any { 10 } else { 6 }) {
            0..4 => self.draft("createOrUpdate"),
            4 => self.draft("createOrOverwrite"),
            5 => self.draft("overwrite"),
            6..9 => self.update(),
            _ => self.delete(),
        };
        operation.headers.clear();
        if let Intent::Write(write) = &mut operation.intent {
            write.if_match = None;
        }
        operation
    }
}

/// Returns a write as the body of a batch has it.
fn in_body(operation: &Operation) -> Value {
    let mut members = json!({ "operation": operation.name });
    if let Some(body) = &operation.body {
        members["body"] = body.clone();
    }
    if let Intent::Write(Write { kind: Kind::Update | Kind::NoUpdate | Kind::Delete, id, version, .. }) =
        &operation.intent
    {
        members["id"] = json!(id);
        if let (None, Some(version)) = (&operation.body, version) {
            members["version"] = json!(version);
        }
    }
    members
}
