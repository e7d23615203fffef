//! A collection as a list of records, and the effect of writes on it (contract, section 3).

use std::collections::BTreeMap;

use resource_edge::call::Change;
use resource_edge::shape::{Action, Content, Record, ResourceInput, Shape};
use resource_edge::util::time::Millis;
use serde_json::Value as Json;

/// The live records in the order of creation, and the last versions of deleted IDs (D5).
#[derive(Debug, Clone, Default)]
pub struct Collection {
    pub records: Vec<Record>,
    deleted: BTreeMap<String, u64>,
    newest: Millis,
}

/// An array without items, as JSON: it is no value.
const EMPTY: &str = "[]";

/// The result of a write: the record that it left or removed, or the status of its rejection.
pub type Done = Result<Record, u16>;

impl Collection {
    /// Performs the write with the fields of the shape. A created record whose body has no ID has an empty one: see
    /// [`Self::set_generated_id`].
    pub fn write(&mut self, shape: &Shape, change: &Change, now: Millis) -> Done {
        match change {
            Change::CreateOrOverwrite(input) => self.put(shape, input, true, true, now),
            Change::Overwrite(input) => self.put(shape, input, true, false, now),
            Change::CreateOrUpdate(input)
            | Change::UpdateByPath(input)
            | Change::UpdateWithUrnLinks(input) => self.put(shape, input, false, true, now),
            Change::UpdateById { id, update } => {
                let at = self.place(id).ok_or(404u16)?;
                if self.records[at].version != update.version {
                    return Err(409);
                }
                if update.actions.is_empty() {
                    return Ok(self.records[at].clone());
                }
                let revision = self.revision(now);
                let record = &mut self.records[at];
                update.actions.iter().for_each(|action| act(record, action));
                drop_removed_fields(shape, record);
                record.last_modified_by = None;
                record.version += 1;
                record.revision = revision;
                Ok(record.clone())
            }
            Change::DeleteById { id, version } => {
                let at = self.place(id).ok_or(404u16)?;
                if version.is_some_and(|version| version != self.records[at].version) {
                    return Err(409);
                }
                let record = self.records.remove(at);
                self.deleted.insert(record.id.clone(), record.version);
                self.revision(now);
                Ok(record)
            }
        }
    }

    fn put(
        &mut self,
        shape: &Shape,
        input: &ResourceInput,
        overwrites: bool,
        creates: bool,
        now: Millis,
    ) -> Done {
        let present = self.target(input, overwrites)?;
        match present {
            None if !creates => return Err(404),
            Some(at) if input.version.is_some_and(|version| version != self.records[at].version) => {
                return Err(409);
            }
            _ => {}
        }
        let holder = input.key.as_ref().and_then(|key| self.holder(key));
        if holder.is_some() && holder != present {
            return Err(400);
        }
        let revision = self.revision(now);
        let at = present.unwrap_or_else(|| {
            let id = input.id.clone().unwrap_or_default();
            let version = self.deleted.get(&id).copied().unwrap_or(0);
            self.records.push(blank(id, version, revision, input));
            self.records.len() - 1
        });
        let record = &mut self.records[at];
        if overwrites {
            let is_wrapped = |name: &str| shape.arrays().iter().any(|array| array.name == name);
            record.content = without(&record.content, is_wrapped);
        }
        merge(record, input.clone());
        drop_removed_fields(shape, record);
        record.version += 1;
        record.revision = revision;
        Ok(record.clone())
    }

    /// Returns the place of the record that a body names: by `id`, else by `key`, else a body of operation 7 or 8 names
    /// the only one.
    pub fn target(&self, input: &ResourceInput, overwrites: bool) -> Result<Option<usize>, u16> {
        match (&input.id, &input.key) {
            (Some(id), _) => Ok(self.place(id)),
            (None, Some(key)) => Ok(self.holder(key)),
            (None, None) if !overwrites || self.records.is_empty() => Ok(None),
            (None, None) if self.records.len() == 1 => Ok(Some(0)),
            (None, None) => Err(400),
        }
    }

    /// Sets the ID of the last record, which the collection under test generated.
    pub fn set_generated_id(&mut self, id: &str) {
        let record = self.records.last_mut().filter(|record| record.id.is_empty());
        id.clone_into(&mut record.expect("a record without an ID").id);
    }

    /// Returns the IDs that no record has now, but one had.
    pub fn gone(&self) -> impl Iterator<Item = &String> {
        self.deleted.keys().filter(|id| self.place(id).is_none())
    }

    fn place(&self, id: &str) -> Option<usize> {
        self.records.iter().position(|record| record.id == id)
    }

    fn holder(&self, key: &str) -> Option<usize> {
        self.records.iter().position(|record| record.key.as_deref() == Some(key))
    }

    fn revision(&mut self, now: Millis) -> Millis {
        self.newest = now.max(self.newest + 1);
        self.newest
    }
}

fn blank(id: String, version: u64, created_at: Millis, input: &ResourceInput) -> Record {
    Record {
        id,
        version,
        key: None,
        created_at,
        created_by: input.created_by.clone(),
        revision: created_at,
        last_modified_by: None,
        content: Content::default(),
    }
}

fn act(record: &mut Record, action: &Action) {
    match action {
        Action::Nothing => {}
        Action::Set { field, value } => set(record, field, value.as_deref()),
        Action::Add { field, values } => {
            let all = [items(record.content.get(field)), items(Some(values))].concat();
            set(record, field, Some(&Json::from(all).to_string()));
        }
        Action::Remove { field, values } => {
            let gone = items(Some(values));
            let mut left = items(record.content.get(field));
            left.retain(|item| !gone.contains(item));
            set(record, field, Some(&Json::from(left).to_string()));
        }
    }
}

fn set(record: &mut Record, field: &str, value: Option<&str>) {
    record.content = without(&record.content, |other| other == field);
    if let Some(value) = value.filter(|value| *value != EMPTY) {
        record.content.push(field, value);
    }
}

fn items(array: Option<&str>) -> Vec<Json> {
    serde_json::from_str(array.unwrap_or(EMPTY)).expect("an array is JSON")
}

/// Sets present members and keeps absent ones. `lastModifiedBy` is that of the body (D6, D11).
fn merge(record: &mut Record, input: ResourceInput) {
    fn keep<T>(field: &mut Option<T>, value: Option<T>) {
        if value.is_some() {
            *field = value;
        }
    }
    record.last_modified_by = input.last_modified_by;
    keep(&mut record.key, input.key);
    for (name, value) in input.content.iter() {
        set(record, name, Some(value));
    }
}

/// A write removes what the shape no longer has.
fn drop_removed_fields(shape: &Shape, record: &mut Record) {
    record.content = without(&record.content, |name| shape.content_field(name).is_none());
}

fn without(content: &Content, is_left_out: impl Fn(&str) -> bool) -> Content {
    content.iter().filter(|(name, _)| !is_left_out(name)).collect()
}
