//! The model: a map of records, which decides each write by the contract's table (section 3).

use std::collections::BTreeMap;

use resource_edge::contract::resource::schema::{ARRAYS, RESOURCE};
use serde_json::{Value, json};

/// The response that the contract requires.
#[derive(Debug)]
pub(super) enum Wanted {
    /// This record with this status, without the fields that the server generates.
    Record(u16, Value),
    /// The seven arrays or a receipt, with the record behind them.
    Arrays(u16, Value),
    Conflict(u64),
    Error(u16, &'static str),
}

#[derive(Default)]
pub(super) struct Model {
    /// The records in the order of creation, without the times.
    pub(super) records: Vec<Value>,
    pub(super) deleted: BTreeMap<String, u64>,
}

impl Model {
    pub(super) fn find(&self, member: &str, value: &str) -> Option<usize> {
        self.records.iter().position(|record| record[member] == value)
    }

    fn version(&self, at: usize) -> u64 {
        self.records[at]["version"].as_u64().expect("a version")
    }

    /// Operations 6 to 9 and 13.
    pub(super) fn write(&mut self, how: &How, body: &Value) -> Wanted {
        let (id, key) = (body["id"].as_str(), body["key"].as_str());
        let target = match (id, key) {
            (Some(id), _) => self.find("id", id),
            (None, Some(key)) => self.find("key", key),
            (None, None) if !how.whole => None,
            (None, None) if self.records.len() > 1 => return Wanted::Error(400, "InvalidOperation"),
            (None, None) => (!self.records.is_empty()).then_some(0),
        };
        if let Some(at) = target {
            if how.expected.is_some_and(|expected| expected != self.version(at)) {
                return Wanted::Conflict(self.version(at));
            }
        } else if how.must_exist {
            return Wanted::Error(404, "ResourceNotFound");
        }
        let holder = key.and_then(|key| self.find("key", key));
        if holder.is_some() && holder != target {
            return Wanted::Error(400, "DuplicateField");
        }
        let at = target.unwrap_or_else(|| self.create(id));
        let record = &mut self.records[at];
        if target.is_some() {
            record["version"] = json!(record["version"].as_u64().expect("a version") + 1);
        }
        let arrays = ["arrayOfIntExample", "arrayOfStringExample"];
        for name in arrays {
            match body["objectTypeProperty"].get(name) {
                Some(items) => record["objectTypeProperty"][name] = items.clone(),
                None if how.whole => record["objectTypeProperty"][name] = json!([]),
                None => {}
            }
        }
        for name in ["key", "someProperty", "custom"] {
            if let Some(value) = body.get(name) {
                record[name] = value.clone();
            }
        }
        modified_by(record, body.get("lastModifiedBy"));
        let record = record.clone();
        match (how.arrays, target) {
            (Some(receipt), _) => Wanted::Arrays(if receipt { 202 } else { 200 }, record),
            (None, None) => Wanted::Record(201, record),
            (None, Some(_)) => Wanted::Record(200, record),
        }
    }

    fn create(&mut self, id: Option<&str>) -> usize {
        let version = id.and_then(|id| self.deleted.get(id)).unwrap_or(&0) + 1;
        let mut record = json!({"id": id, "version": version, "objectTypeProperty": {}});
        for field in ARRAYS.fields {
            record["objectTypeProperty"][field.name()] = json!([]);
        }
        for field in RESOURCE.fields.iter().filter(|field| field.ty.is_array()) {
            record[field.name()] = json!([]);
        }
        self.records.push(record);
        self.records.len() - 1
    }

    pub(super) fn update(&mut self, id: &str, version: u64, some: &[Option<u8>]) -> Wanted {
        let Some(at) = self.find("id", id) else { return Wanted::Error(404, "ResourceNotFound") };
        if self.version(at) != version {
            return Wanted::Conflict(self.version(at));
        }
        let record = &mut self.records[at];
        if !some.is_empty() {
            record["version"] = json!(version + 1);
            modified_by(record, None);
        }
        for text in some.iter().flatten() {
            record["someProperty"] = json!(format!("s{text}"));
        }
        Wanted::Record(200, record.clone())
    }

    pub(super) fn delete(&mut self, id: &str, version: Option<u64>) -> Wanted {
        let Some(at) = self.find("id", id) else { return Wanted::Error(404, "ResourceNotFound") };
        if version.is_some_and(|version| version != self.version(at)) {
            return Wanted::Conflict(self.version(at));
        }
        self.deleted.insert(id.to_owned(), self.version(at));
        Wanted::Record(200, self.records.remove(at))
    }
}

fn modified_by(record: &mut Value, person: Option<&Value>) {
    let members = record.as_object_mut().expect("a record");
    members.remove("lastModifiedBy");
    if let Some(person) = person {
        members.insert("lastModifiedBy".to_owned(), person.clone());
    }
}

/// The differences between operations 6 to 9 and 13.
pub(super) struct How {
    pub(super) expected: Option<u64>,
    /// 7, 8: arrays are replaced as a whole, and the body need not name the only resource.
    pub(super) whole: bool,
    /// 7
    pub(super) must_exist: bool,
    /// 9, 13: the response has the arrays, or a receipt.
    pub(super) arrays: Option<bool>,
}
