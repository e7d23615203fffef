//! The operations of the clients: random, on few IDs and keys, so that they conflict.

mod batches;
mod conditions;

use std::collections::BTreeMap;

use resource_edge::contract::api::etag;
use serde_json::{Map, Value, json};

pub(crate) use self::conditions::{Condition, meaning};
use crate::support::schemas::values::{draw as value, members, wrong};
use crate::support::schemas::writes::{Act, Lacking, Members, accepts};
use crate::support::schemas::{Design, kind, required};
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
    /// How old the result of a query may be, in seconds.
    pub(crate) max_age: u64,
    pub(crate) intent: Intent,
}

impl Operation {
    pub(crate) fn mark(&self) -> String {
        mark(self.number)
    }

    pub(crate) fn is_write(&self) -> bool {
        matches!(self.intent, Intent::Write(_) | Intent::Batch(_))
    }

    pub(crate) fn write(&self) -> Option<&Write> {
        if let Intent::Write(write) = &self.intent { Some(write) } else { None }
    }

    /// Returns the writes of a batch, or the operation itself.
    pub(crate) fn each(&self) -> &[Self] {
        if let Intent::Batch(writes) = &self.intent { writes } else { std::slice::from_ref(self) }
    }

    pub(crate) fn is_query(&self) -> bool {
        matches!(self.intent, Intent::Find(_) | Intent::Exists(_))
    }

    /// Returns the key in the body; empty if there is none.
    pub(crate) fn body_key(&self) -> &str {
        self.body_text("key")
    }

    /// Returns the ID in the body; empty if there is none.
    pub(crate) fn body_id(&self) -> &str {
        self.body_text("id")
    }

    fn body_text(&self, name: &str) -> &str {
        self.body.as_ref().and_then(|body| body[name].as_str()).unwrap_or_default()
    }

    /// Returns whether an edge of this resource accepts the operation.
    pub(crate) fn is_accepted(&self, design: &Design) -> bool {
        let Some(schema) = &design.schema else { return true };
        match &self.intent {
            Intent::Find(condition) | Intent::Exists(condition) => condition.is_accepted(design),
            Intent::Write(write) => {
                let is_change = matches!(write.kind, Kind::Update | Kind::NoUpdate | Kind::Delete);
                write.acts.iter().all(|act| act.is_accepted(schema))
                    && (is_change || accepts(schema, &write.content, write.lacking))
            }
            Intent::Batch(writes) => writes.iter().all(|write| write.is_accepted(design)),
            Intent::ReadId(_) | Intent::ReadKey(_) => true,
        }
    }

    /// Returns whether what the operation names has the same types in two resources.
    pub(crate) fn fits(&self, one: &Design, other: &Design) -> bool {
        let is_same = |name: &str| match (one.at(name), other.at(name)) {
            (Some(one), Some(other)) => types(one) == types(other),
            _ => false,
        };
        match &self.intent {
            Intent::Find(condition) | Intent::Exists(condition) => condition.fits(one, other),
            Intent::Write(write) => {
                write.content.keys().all(|name| is_same(name))
                    && write.acts.iter().all(|act| is_same(act.name()))
            }
            Intent::Batch(writes) => writes.iter().all(|write| write.fits(one, other)),
            Intent::ReadId(_) | Intent::ReadKey(_) => true,
        }
    }
}

/// Returns a schema with its types only. Times are not texts in queries.
fn types(schema: &Value) -> Value {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let inner: Map<String, Value> = properties.map(|(name, inner)| (name.clone(), types(inner))).collect();
    let items = if schema["items"].is_object() { types(&schema["items"]) } else { Value::Null };
    json!([kind(schema), schema["format"] == "date-time", inner, items])
}

/// Returns the name of the operation with that number.
pub(crate) fn mark(number: u64) -> String {
    format!("w{number}")
}

/// The meaning of an operation, for the oracle.
#[derive(Debug, Clone)]
pub(crate) enum Intent {
    Write(Write),
    /// Several writes, all or nothing (D43).
    Batch(Vec<Operation>),
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
    /// The member in which the write of an interface's resource leaves its mark; `None`: it changes no field.
    pub(crate) marks: Option<&'static str>,
    /// The values of a declared resource in the body. Null removes one if the body says what changes.
    pub(crate) content: Members,
    /// What the body of a declared resource says about the fields that it lacks.
    pub(crate) lacking: Lacking,
    /// The actions on a declared resource.
    pub(crate) acts: Vec<Act>,
}

impl Write {
    fn of(kind: Kind) -> Self {
        Self {
            kind,
            id: None,
            key: None,
            version: None,
            if_match: None,
            marks: None,
            content: Members::new(),
            lacking: Lacking::Created,
            acts: Vec::new(),
        }
    }

    /// Returns whether it changes something, unless it is refused.
    pub(crate) fn changes(&self) -> bool {
        self.kind != Kind::NoUpdate
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Operations 6, 8, 9, 13 of the interface's resource; 8, and 6 without a version, of a declared one.
    Put,
    /// Operation 7.
    Patch,
    /// Operations 9 and 13, and 6 with a version, of a declared resource.
    Merge,
    /// Operation 10 with actions.
    Update,
    /// Operation 10 without actions.
    NoUpdate,
    Delete,
}

/// The version and the revision of each ID that a client last received.
pub(crate) type Known = BTreeMap<String, (u64, u64)>;

/// Draws the next operation of a client of this resource.
pub(crate) fn draw(random: &Random, number: u64, known: &Known, design: &Design) -> Operation {
    let drawn = Draw { random, number, known, design };
    match random.below(108) {
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
        98..100 => drawn.find("exists"),
        _ => drawn.batch(),
    }
}

struct Draw<'a> {
    random: &'a Random,
    number: u64,
    known: &'a Known,
    design: &'a Design,
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
            max_age: *self.random.pick(&[0, 1, 5]),
            intent,
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

    /// Returns the content of a body of a declared resource. At times it breaks a rule.
    fn content(&self, lacking: Lacking) -> Members {
        let Some(schema) = &self.design.schema else { return Members::new() };
        let random = self.random;
        let mut content = members(schema, 500, random);
        let names: Vec<String> = self.design.properties().map(|(name, _)| name.clone()).collect();
        let name = random.pick(&names);
        if random.chance(60) {
            content.insert(name.clone(), wrong(&schema["properties"][name], random));
        }
        if lacking == Lacking::Kept {
            content.retain(|_, _| random.chance(500));
            if random.chance(400) && (random.chance(100) || required(schema).all(|other| other != name)) {
                content.insert(name.clone(), Value::Null);
            }
        }
        content
    }

    /// Returns the target of operations 6 to 9 and 13. Operations 7 and 8 always name one.
    fn target(&self, needed: bool) -> (Option<String>, Option<String>) {
        let random = self.random;
        let id = random.chance(650).then(|| self.id());
        let key = random.chance(500).then(|| (*random.pick(&KEYS)).to_owned());
        if needed && id.is_none() && key.is_none() { (Some(self.id()), None) } else { (id, key) }
    }

    /// Returns a body, and lets the write have its content.
    fn body(&self, write: &mut Write, version: &Value) -> Value {
        let mut body = json!({ "id": write.id, "version": version, "key": write.key });
        if self.design.schema.is_some() {
            write.content = self.content(write.lacking);
            write.marks = None;
            let members = body.as_object_mut().expect("an object");
            // Null names no version, so the body would be full (D38).
            members.retain(|_, value| !value.is_null());
            members.extend(write.content.clone());
        } else {
            write.marks = Some("custom");
            body["custom"] = json!(mark(self.number));
        }
        body
    }

    fn draft(&self, name: &'static str) -> Operation {
        let optional = name == "createOrUpdate";
        let is_declared = self.design.schema.is_some();
        let has_version = !optional || self.random.chance(250);
        let is_change = is_declared && optional && has_version;
        let (kind, lacking) = match name {
            "overwrite" => (Kind::Patch, Lacking::Replaced),
            "createOrOverwrite" => (Kind::Put, Lacking::Replaced),
            _ if is_change => (Kind::Merge, Lacking::Kept),
            _ => (Kind::Put, Lacking::Created),
        };
        let mut write = Write { lacking, ..Write::of(kind) };
        (write.id, write.key) = self.target(!optional || is_change);
        write.version = has_version.then(|| self.version(write.id.as_ref()));
        let version = json!(write.version);
        let mut body = self.body(&mut write, &version);
        if !is_declared {
            body["objectTypeProperty"] = self.arrays();
        }
        self.write(name, write, Some(body))
    }

    fn complex(&self, name: &'static str, variables: [String; 2]) -> Operation {
        let is_declared = self.design.schema.is_some();
        let kind = if is_declared { Kind::Merge } else { Kind::Put };
        let mut write = Write { lacking: Lacking::Kept, ..Write::of(kind) };
        (write.id, write.key) = self.target(is_declared);
        write.version = self.random.chance(250).then(|| self.version(write.id.as_ref()));
        let version = write.version.map_or_else(|| "any".to_owned(), |version| version.to_string());
        let version = if is_declared { json!(write.version) } else { json!(version) };
        let body = self.body(&mut write, &version);
        let operation = self.write(name, write, Some(body));
        Operation { variables, respond_async: self.random.chance(300), ..operation }
    }

    fn update(&self) -> Operation {
        let id = self.id();
        let version = Some(self.version(Some(&id)));
        let change = json!({ "action": "changeSomeProperty", "someProperty": mark(self.number) });
        let lacking = Lacking::Kept;
        let mut write = Write { id: Some(id.clone()), version, lacking, ..Write::of(Kind::Update) };
        let actions = match (&self.design.schema, self.random.below(10)) {
            (_, 0) => {
                write.kind = Kind::NoUpdate;
                Vec::new()
            }
            (Some(schema), _) => {
                write.acts = (0..=self.random.below(3)).map(|_| self.act(schema)).collect();
                write.acts.iter().map(Act::to_json).collect()
            }
            (None, 1) => vec![json!({ "action": "doSomeThing" })],
            (None, _) => {
                write.marks = Some("someProperty");
                vec![json!({ "action": "doSomeThing" }), change]
            }
        };
        let body = json!({ "version": version, "actions": actions });
        let operation = self.write("updateById", write, Some(body));
        Operation { variables: [id, String::new()], ..operation }
    }

    /// Returns an action on a declared resource. At times it breaks a rule.
    fn act(&self, schema: &Value) -> Act {
        let random = self.random;
        let all: Vec<(&String, &Value)> = self.design.properties().collect();
        let (name, property) = *random.pick(&all);
        let is_list = kind(property) == "array" && kind(&property["items"]) != "object";
        match random.below(10) {
            0 => Act::Set(name.clone(), wrong(property, random)),
            1 | 2 if required(schema).all(|other| other != name) => Act::Set(name.clone(), Value::Null),
            3..9 if is_list => {
                let items = (0..random.below(3)).map(|_| value(&property["items"], random)).collect();
                if random.chance(600) {
                    Act::Add(name.clone(), items)
                } else {
                    Act::Remove(name.clone(), items)
                }
            }
            _ => Act::Set(name.clone(), value(property, random)),
        }
    }

    fn delete(&self) -> Operation {
        let id = self.id();
        let version = self.random.chance(400).then(|| self.version(Some(&id)));
        let write = Write { id: Some(id.clone()), version, ..Write::of(Kind::Delete) };
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
        Condition::draw(self.random, self.number, self.design)
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
        let earlier = || mark(self.random.within(self.number.saturating_sub(12), self.number));
        let is_written = self.design.schema.is_some() || self.random.chance(300);
        let word =
            if is_written { (*self.random.pick(&["red", "blue", "lamp"])).to_owned() } else { earlier() };
        let params =
            vec![("text.en", word.clone()), ("limit", "500".to_owned()), ("sort", "createdAt".to_owned())];
        Operation { params, ..self.operation("search", Intent::Find(Condition::Word(word))) }
    }
}
