//! What a client's core gets of a response.

use serde_json::json;

use super::*;

/// The parts of a response that `pkg/src/client/response.ts` describes to the core.
#[derive(Default)]
pub(super) struct Described {
    pub(super) status: u16,
    pub(super) revision: Option<Millis>,
    pub(super) retry_after: Option<Millis>,
    pub(super) tagged_id: String,
    pub(super) resources: Vec<String>,
}

impl Described {
    pub(super) fn of(operation: &Operation, got: Option<&Got>) -> Self {
        let Some(got) = got else { return Self::default() };
        let status = got.status;
        let is_ok = (200..300).contains(&status);
        let data = got.json();
        let results = match &operation.intent {
            Intent::Batch(writes) if is_ok => Some(written(writes, got)),
            _ => data["results"].as_array().filter(|_| is_ok).cloned(),
        };
        if let Some(results) = results {
            let resources = results.iter().flat_map(resource).collect();
            return Self { status, resources, revision: revision(got), ..Self::default() };
        }
        let has_resource = is_ok && data["id"].is_string();
        let is_delete = row(operation).1 == Method::Delete;
        let retry_after = got.header("Retry-After").and_then(|value| value.parse::<Millis>().ok());
        // The IDs of this world need no escapes.
        let tag = got.header("ETag").filter(|_| is_ok && !has_resource);
        let tagged_id = tag.and_then(|tag| tag.strip_prefix('"')?.rsplit_once('.')).map(|(id, _)| id);
        Self {
            status,
            revision: revision(got).filter(|_| !has_resource || is_delete),
            retry_after: retry_after.map(|seconds| seconds * 1_000).filter(|_| !is_ok),
            tagged_id: tagged_id.unwrap_or_default().to_owned(),
            resources: if has_resource { resource(&data).into() } else { Vec::new() },
        }
    }
}

pub(super) fn revision(got: &Got) -> Option<Millis> {
    got.header("Resource-Revision").and_then(|value| value.parse().ok())
}

fn resource(data: &Value) -> [String; 3] {
    ["id", "key", "lastModifiedAt"].map(|name| data[name].as_str().unwrap_or_default().to_owned())
}

/// Returns the resources of a batch. A deleted one has a revision after its last state, which the result is.
pub(super) fn written(writes: &[Operation], got: &Got) -> Vec<Value> {
    let mut data = got.json();
    let results = data["results"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let of = |(operation, mut result): (&Operation, Value)| {
        let mut resource = result["resource"].take();
        let last = resource["lastModifiedAt"].as_str().and_then(time::parse);
        if operation.name == "deleteById" {
            resource["lastModifiedAt"] = json!(last.map(|last| time::format(last + 1)));
        }
        resource
    };
    writes.iter().zip(results).map(of).collect()
}
