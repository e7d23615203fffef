//! The operations of the clients: random, on few IDs and keys, so that they conflict.

use std::collections::BTreeMap;

use resource_edge::contract::api::etag;
use serde_json::{Map, Value, json};

use crate::support::own_fields::{Table, has, value, values_of};
use crate::world::simulation::random::Random;

/// The IDs that clients choose; the server generates others.
pub(crate) const IDS: [&str; 4] = ["a", "b", "c", "d"];
pub(crate) const KEYS: [&str; 3] = ["k", "l", "m"];

/// One call of one operation, by one client.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    /// The number of the operation, unique in the simulation. `w` with the number is its idempotency key and the text
    /// that it writes.
    pub(crate) number: u64,
    /// The operation's name in the table.
    pub(crate) name: &'static str,
    /// The path variables after the project.
    pub(crate) variables: [String; 2],
    pub(crate) params: Vec<(&'static str, String)>,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Option<Value>,
    pub(crate) fresh: bool,
    pub(crate) respond_async: bool,
    pub(crate) intent: Intent,
    /// The own fields of the client.
    pub(crate) own: Table,
}

impl Operation {
    pub(crate) fn mark(&self) -> String {
        mark(self.number)
    }

    pub(crate) fn is_write(&self) -> bool {
        matches!(self.intent, Intent::Write(_))
    }

    /// Returns the key in the body; empty if there is none.
    pub(crate) fn body_key(&self) -> &str {
        self.body_text("key")
    }

    /// Returns the ID in the body; empty if there is none.
    pub(crate) fn body_id(&self) -> &str {
        self.body_text("id")
    }

    /// Returns whether two services have the same type of each own field that the operation names.
    pub(crate) fn fits(&self, one: &Table, other: &Table) -> bool {
        let kind = |table: &Table, name: &str| {
            table.fields().find(|(known, _)| *known == name).map(|(_, kind)| kind.to_owned())
        };
        let is_same = |name: &String| kind(one, name).is_some() && kind(one, name) == kind(other, name);
        match &self.intent {
            Intent::Find(Condition::Own(name, _)) | Intent::Exists(Condition::Own(name, _)) => is_same(name),
            Intent::Write(write) => write.own.keys().all(is_same),
            _ => true,
        }
    }

    fn body_text(&self, name: &str) -> &str {
        self.body.as_ref().and_then(|body| body[name].as_str()).unwrap_or_default()
    }
}

/// Returns the name of the operation with that number.
pub(crate) fn mark(number: u64) -> String {
    format!("w{number}")
}

/// The meaning of an operation, for the oracle.
#[derive(Debug, Clone)]
pub(crate) enum Intent {
    Write(Write),
    ReadId(String),
    ReadKey(String),
    Find(Condition),
    Exists(Condition),
}

/// A write (contract, section 3).
#[derive(Debug, Clone)]
pub(crate) struct Write {
    pub(crate) kind: Kind,
    pub(crate) id: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) version: Option<u64>,
    /// `If-Match`: the ID and the revision in the entity tag.
    pub(crate) if_match: Option<(String, u64)>,
    /// The member in which the write leaves its mark; `None`: it changes no field.
    pub(crate) marks: Option<&'static str>,
    /// The own fields that it sets. Null and empty arrays remove the value.
    pub(crate) own: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Operations 6, 8, 9, 13.
    Put,
    /// Operation 7.
    Patch,
    /// Operation 10 with actions.
    Update,
    /// Operation 10 without actions.
    NoUpdate,
    Delete,
}

/// Which resources a query finds.
#[derive(Debug, Clone)]
pub(crate) enum Condition {
    All,
    /// A field is equal to a text.
    Text(&'static str, String),
    Int(u64),
    Version(u64),
    Word(String),
    /// An own field has a value, alone or as an item.
    Own(String, Value),
}

impl Condition {
    /// Returns whether a record of a service with these own fields satisfies the condition.
    pub(crate) fn holds(&self, own: &Table, record: &Value) -> bool {
        let ints = || record["objectTypeProperty"]["arrayOfIntExample"].as_array().into_iter().flatten();
        let strings =
            || record["objectTypeProperty"]["arrayOfStringExample"].as_array().into_iter().flatten();
        match self {
            Self::All => true,
            Self::Text(field, text) => record[field] == *text,
            Self::Int(int) => ints().any(|found| found == int),
            Self::Version(version) => record["version"].as_u64() > Some(*version),
            Self::Word(word) => {
                record["custom"] == *word
                    || record["someProperty"] == *word
                    || strings().any(|found| found == word)
                    || own
                        .fields()
                        .filter(|(_, kind)| kind.starts_with("text"))
                        .any(|(name, _)| has(record, name, &json!(word)))
            }
            Self::Own(name, value) => {
                // A value that was stored when the field had another type is none of a field of integers.
                let is_integer =
                    own.fields().any(|(known, kind)| known == name && kind.starts_with("integer"));
                (value.is_i64() || !is_integer) && has(record, name, value)
            }
        }
    }

    /// Returns whether a record may be found by a word of a field that the service does not have any more. The search
    /// finds it until the next write of the record, which removes the value (D41).
    pub(crate) fn may_hold(&self, record: &Value) -> bool {
        let Self::Word(word) = self else { return false };
        values_of(record).keys().any(|name| has(record, name, &json!(word)))
    }

    fn predicate(&self) -> Option<String> {
        Some(match self {
            Self::All | Self::Word(_) => return None,
            Self::Text(field, text) => format!("{field} = \"{text}\""),
            Self::Int(int) => format!("objectTypeProperty(arrayOfIntExample contains any ({int}))"),
            Self::Version(version) => format!("version > {version}"),
            Self::Own(name, value) => format!("{name} = {value}"),
        })
    }
}

/// The version and the revision of each ID that a client last received.
pub(crate) type Known = BTreeMap<String, (u64, u64)>;

/// Draws the next operation of a client of a service with these own fields.
pub(crate) fn draw(random: &Random, number: u64, known: &Known, own: &Table) -> Operation {
    let drawn = Draw { random, number, known, own };
    match random.below(100) {
        0..18 => drawn.draft("createOrUpdate"),
        18..25 => drawn.draft("createOrOverwrite"),
        25..29 => drawn.draft("overwrite"),
        29..33 => drawn.complex("updateByPath", [mark(number), "two".to_owned()]),
        33..37 => drawn.complex("updateWithUrnLinks", Default::default()),
        37..50 => drawn.update(),
        50..58 => drawn.delete(),
        58..74 => drawn.read("getById", drawn.id(), Intent::ReadId),
        74..88 => drawn.read("getByKey", (*random.pick(&KEYS)).to_owned(), Intent::ReadKey),
        88..92 => drawn.find("query"),
        92..95 => drawn.find("querySorted"),
        95..98 => drawn.search(),
        _ => drawn.find("exists"),
    }
}

struct Draw<'a> {
    random: &'a Random,
    number: u64,
    known: &'a Known,
    own: &'a Table,
}

impl Draw<'_> {
    fn operation(&self, name: &'static str, intent: Intent) -> Operation {
        Operation {
            number: self.number,
            name,
            variables: Default::default(),
            params: Vec::new(),
            headers: Vec::new(),
            body: None,
            fresh: false,
            respond_async: false,
            intent,
            own: self.own.clone(),
        }
    }

    fn id(&self) -> String {
        let known: Vec<&String> = self.known.keys().collect();
        if known.is_empty() || self.random.chance(600) {
            (*self.random.pick(&IDS)).to_owned()
        } else {
            (*self.random.pick(&known)).clone()
        }
    }

    /// Returns the version that the client last received, or sometimes another one.
    fn version(&self, id: Option<&String>) -> u64 {
        let known = id.and_then(|id| self.known.get(id)).map_or(1, |(version, _)| *version);
        if self.random.chance(100) { self.random.within(1, 5) } else { known }
    }

    fn arrays(&self) -> Value {
        let mut arrays = Map::new();
        if self.random.chance(500) {
            arrays.insert("arrayOfIntExample".to_owned(), json!([self.number % 5, self.number % 3]));
        }
        if self.random.chance(300) {
            arrays.insert("arrayOfStringExample".to_owned(), json!([mark(self.number), "red"]));
        }
        Value::Object(arrays)
    }

    /// Returns values of some own fields.
    fn own(&self) -> BTreeMap<String, Value> {
        let some = self.own.fields().filter(|_| self.random.chance(250));
        some.map(|(name, kind)| (name.to_owned(), value(kind, self.random))).collect()
    }

    /// Returns the target of operations 6 to 9 and 13. Operations 7 and 8 always name one.
    fn target(&self, needed: bool) -> (Option<String>, Option<String>) {
        let random = self.random;
        let id = random.chance(650).then(|| self.id());
        let key = random.chance(500).then(|| (*random.pick(&KEYS)).to_owned());
        if needed && id.is_none() && key.is_none() { (Some(self.id()), None) } else { (id, key) }
    }

    /// Returns a body with the number of the operation as its mark.
    fn body(
        &self,
        own: &BTreeMap<String, Value>,
        id: Option<&String>,
        version: &Value,
        key: Option<&String>,
    ) -> Value {
        let mut body = json!({ "id": id, "version": version, "key": key, "custom": mark(self.number) });
        for (name, value) in own {
            body[name] = value.clone();
        }
        body
    }

    fn draft(&self, name: &'static str) -> Operation {
        let optional = name == "createOrUpdate";
        let (id, key) = self.target(!optional);
        let version = (!optional || self.random.chance(250)).then(|| self.version(id.as_ref()));
        let own = self.own();
        let mut body = self.body(&own, id.as_ref(), &json!(version), key.as_ref());
        body["objectTypeProperty"] = self.arrays();
        let kind = if name == "overwrite" { Kind::Patch } else { Kind::Put };
        let write = Write { kind, id, key, version, if_match: None, marks: Some("custom"), own };
        self.write(name, write, Some(body))
    }

    fn complex(&self, name: &'static str, variables: [String; 2]) -> Operation {
        let (id, key) = self.target(false);
        let version = self.random.chance(250).then(|| self.version(id.as_ref()));
        let text = version.map_or_else(|| "any".to_owned(), |version| version.to_string());
        let own = self.own();
        let body = self.body(&own, id.as_ref(), &json!(text), key.as_ref());
        let write = Write { kind: Kind::Put, id, key, version, if_match: None, marks: Some("custom"), own };
        let operation = self.write(name, write, Some(body));
        Operation { variables, respond_async: self.random.chance(300), ..operation }
    }

    fn update(&self) -> Operation {
        let id = self.id();
        let version = Some(self.version(Some(&id)));
        let change = json!({ "action": "changeSomeProperty", "someProperty": mark(self.number) });
        let (kind, mut actions, marks) = match self.random.below(10) {
            0 => (Kind::NoUpdate, Vec::new(), None),
            1 => (Kind::Update, vec![json!({ "action": "doSomeThing" })], None),
            _ => (Kind::Update, vec![json!({ "action": "doSomeThing" }), change], Some("someProperty")),
        };
        let own = if kind == Kind::Update { self.own_or_none() } else { BTreeMap::new() };
        actions.extend(own.iter().map(
            |(name, value)| json!({ "action": name.replacen("own", "setOwn", 1), name.clone(): value }),
        ));
        let body = json!({ "version": version, "actions": actions });
        let write = Write { kind, id: Some(id.clone()), key: None, version, if_match: None, marks, own };
        let operation = self.write("updateById", write, Some(body));
        Operation { variables: [id, String::new()], ..operation }
    }

    /// Returns values of some own fields, some of which are to be removed.
    fn own_or_none(&self) -> BTreeMap<String, Value> {
        let value = |value| if self.random.chance(300) { Value::Null } else { value };
        self.own().into_iter().map(|(name, new)| (name, value(new))).collect()
    }

    fn delete(&self) -> Operation {
        let id = self.id();
        let version = self.random.chance(400).then(|| self.version(Some(&id)));
        let (id_of, own) = (Some(id.clone()), BTreeMap::new());
        let kind = Kind::Delete;
        let write = Write { kind, id: id_of, key: None, version, if_match: None, marks: None, own };
        let params = version.map(|version| ("version", version.to_string())).into_iter().collect();
        Operation { variables: [id, String::new()], params, ..self.write("deleteById", write, None) }
    }

    fn write(&self, name: &'static str, mut write: Write, body: Option<Value>) -> Operation {
        let id = write.id.clone().filter(|_| self.random.chance(60));
        let known = id.and_then(|id| self.known.get(&id).map(|(_, revision)| (id, *revision)));
        let headers = known.iter().map(|(id, revision)| ("If-Match", etag::of(id, *revision))).collect();
        write.if_match = known;
        Operation { headers, body, ..self.operation(name, Intent::Write(write)) }
    }

    fn read(&self, name: &'static str, what: String, intent: fn(String) -> Intent) -> Operation {
        let fresh = self.random.chance(150);
        Operation { variables: [what.clone(), String::new()], fresh, ..self.operation(name, intent(what)) }
    }

    fn condition(&self) -> Condition {
        let earlier = mark(self.random.within(self.number.saturating_sub(12), self.number));
        let own: Vec<_> = self.own.fields().collect();
        if !own.is_empty() && self.random.chance(300) {
            let (name, kind) = *self.random.pick(&own);
            return Condition::Own(name.to_owned(), value(kind.trim_end_matches("[]"), self.random));
        }
        match self.random.below(8) {
            0..3 => Condition::All,
            3 => Condition::Text("custom", earlier),
            4 => Condition::Text("someProperty", earlier),
            5 => Condition::Text("key", (*self.random.pick(&KEYS)).to_owned()),
            6 => Condition::Int(self.random.below(5)),
            _ => Condition::Version(self.random.within(1, 4)),
        }
    }

    fn find(&self, name: &'static str) -> Operation {
        let condition = self.condition();
        let mut params: Vec<_> = condition.predicate().map(|text| ("where", text)).into_iter().collect();
        let intent = if name == "exists" {
            Intent::Exists(condition)
        } else {
            params.push(("limit", "500".to_owned()));
            Intent::Find(condition)
        };
        Operation { params, ..self.operation(name, intent) }
    }

    fn search(&self) -> Operation {
        let word = if self.random.chance(300) {
            "red".to_owned()
        } else {
            mark(self.random.within(self.number.saturating_sub(12), self.number))
        };
        let params =
            vec![("text.en", word.clone()), ("limit", "500".to_owned()), ("sort", "createdAt".to_owned())];
        Operation { params, ..self.operation("search", Intent::Find(Condition::Word(word))) }
    }
}
