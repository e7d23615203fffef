//! Resources that a deployment declares: bodies, defaults, unique values, actions, imports, and queries.

mod actions;
mod bodies;
mod import;
mod queries;
mod renewal;
mod unique;

use std::rc::Rc;

use resource_edge::call::{Call, CallResult, Change, Lookup, Outcome, Query, Read, Reply, Search};
use resource_edge::contract::api::endpoint::CallId;
use resource_edge::contract::error::{ApiError, Member, MemberValue};
use resource_edge::contract::param;
use resource_edge::predicate::{self, Typed, Variables};
use resource_edge::project::Project;
use resource_edge::search;
use resource_edge::shape::{ObjectId, Shape};
use resource_edge::util::time::Millis;
use resource_edge::validate;
use serde_json::{Value, json};

use crate::support::messages::{at, message, once, resource, status, write};
use crate::support::shared::Shared;

/// A project, and the shape of its deployment.
struct Declared {
    project: Project<Shared>,
    shape: Rc<Shape>,
    now: Millis,
    /// How many records a part of a renewal of the index has, how many parts a query renews, and how many bytes of
    /// other records a write may read, if they are not as many as in a service.
    parts: Option<(i64, u32, usize)>,
}

/// Returns the schema of a resource with these properties.
fn schema(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

fn shape(schema: &Value) -> Rc<Shape> {
    Rc::new(Shape::of_schema(&schema.to_string()).unwrap_or_else(|refused| panic!("{schema}: {refused:?}")))
}

impl Declared {
    fn new(schema: &Value) -> Self {
        let shape = shape(schema);
        let project = Project::new(Shared::new(), Rc::clone(&shape));
        project.set_epoch(Some(""));
        project.make_ready().unwrap();
        Self { project, shape, now: 1_000, parts: None }
    }

    /// Begins again on the same data with another shape.
    fn begin(&mut self, schema: &Value) {
        self.shape = shape(schema);
        self.crash();
        self.project.make_ready().unwrap();
    }

    /// The same, and renews the index.
    fn deploy(&mut self, schema: &Value) {
        self.begin(schema);
        while !self.project.renew(1).unwrap() {}
    }

    /// Begins again on the same data, as after a crash.
    fn crash(&mut self) {
        let project = Project::new(self.project.database().clone(), Rc::clone(&self.shape));
        self.project = match self.parts {
            Some((records, parts, bytes)) => project.with_parts(records, parts, bytes),
            None => project,
        };
        self.project.set_epoch(Some(""));
    }

    fn call(&mut self, call: Call) -> Reply<String> {
        self.now += 1;
        self.project.perform(&message(call), &at(self.now)).unwrap()
    }

    fn change(
        &mut self,
        id: ObjectId,
        body: &Value,
        of: fn(resource_edge::shape::ResourceInput) -> Change,
    ) -> Reply<String> {
        let input = validate::resource_input(&self.shape, id, body.to_string().as_bytes());
        let input = input.map_err(|rejection| rejection.into_error().to_json()).unwrap();
        let Call::Write(write) = write(of(input)).call else { panic!("a write") };
        self.call(Call::Write(write))
    }

    /// Performs operation 6.
    fn post(&mut self, body: &Value) -> Reply<String> {
        self.change(ObjectId::Draft, body, Change::CreateOrUpdate)
    }

    /// Performs operation 7.
    fn put(&mut self, body: &Value) -> Reply<String> {
        self.change(ObjectId::Overwrite, body, Change::Overwrite)
    }

    /// Performs operation 8.
    fn patch(&mut self, body: &Value) -> Reply<String> {
        self.change(ObjectId::Draft, body, Change::CreateOrOverwrite)
    }

    /// Performs operation 9.
    fn merge(&mut self, body: &Value) -> Reply<String> {
        self.change(ObjectId::Complex, body, Change::UpdateByPath)
    }

    /// Performs operation 10. Returns the error of the body if it has one.
    fn update(&mut self, id: &str, version: u64, actions: &Value) -> Result<Reply<String>, ApiError> {
        let body = json!({"version": version, "actions": actions});
        let update = validate::update_input(&self.shape, body.to_string().as_bytes());
        let update = update.map_err(validate::Rejection::into_error)?;
        let Call::Write(write) = write(Change::UpdateById { id: id.to_owned(), update }).call else {
            panic!("a write")
        };
        Ok(self.call(Call::Write(write)))
    }

    /// Creates a resource. Returns its body.
    fn create(&mut self, body: &Value) -> Value {
        let reply = self.post(body);
        assert_eq!(resource(&reply).outcome, Outcome::Created, "{body}");
        content(&reply)
    }

    /// Returns the text of a resource.
    fn text(&mut self, id: &str) -> String {
        let reply = self.call(Call::Read(Read::Resource(Lookup::Id(id.to_owned()))));
        reply.body.unwrap_or_else(|| panic!("{id}: {:?}", reply.head.result))
    }

    fn get(&mut self, id: &str) -> Value {
        without_system(&self.text(id))
    }

    fn condition(&self, text: &str) -> Typed {
        let written = Some(text).filter(|text| !text.is_empty());
        predicate::read(&self.shape, written, &Variables::default())
            .unwrap_or_else(|error| panic!("{text}: {}", error.to_json()))
    }

    fn query(&self, text: &str, sort: &[&str]) -> Query {
        let condition = self.condition(text);
        let sort = sort.iter().map(|text| predicate::parse_sort(&self.shape, text).unwrap()).collect();
        Query { condition, sort, limit: 500, offset: 0, with_total: true }
    }

    /// Returns the page of a query.
    fn page(&mut self, text: &str, sort: &[&str]) -> Value {
        let query = self.query(text, sort);
        let reply = self.call(Call::Read(Read::Query(query)));
        assert!(!matches!(reply.head.result, CallResult::Error(_)), "{text}: {reply:?}");
        serde_json::from_str(&reply.body.unwrap()).unwrap()
    }

    fn ids(&mut self, text: &str, sort: &[&str]) -> Vec<String> {
        let page = self.page(text, sort);
        let results = page["results"].as_array().unwrap();
        assert_eq!(page["total"], results.len(), "{text}");
        results.iter().map(|result| result["id"].as_str().unwrap().to_owned()).collect()
    }

    fn searching(&self, parameters: &str) -> Call {
        let passed = param::decode(CallId::Search.row().params, parameters).unwrap();
        let criteria =
            search::decode(&self.shape, &passed).unwrap_or_else(|error| panic!("{parameters}: {error:?}"));
        Call::Read(Read::Search(Search { criteria, sort: Vec::new(), limit: 500, offset: 0 }))
    }

    fn search(&mut self, parameters: &str) -> Value {
        let reply = self.call(self.searching(parameters));
        assert!(!matches!(reply.head.result, CallResult::Error(_)), "{parameters}: {reply:?}");
        serde_json::from_str(&reply.body.unwrap()).unwrap()
    }

    fn found(&mut self, parameters: &str) -> Vec<String> {
        let page = self.search(parameters);
        let ids = page["results"].as_array().unwrap().iter();
        ids.map(|result| result["id"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns everything that an export has, without its end.
    fn export(&mut self) -> Vec<String> {
        let reply = self.call(Call::Export(None));
        let lines: Vec<String> = reply.body.unwrap().lines().map(str::to_owned).collect();
        lines[..lines.len() - 1].to_vec()
    }

    fn import(&mut self, lines: &[String]) -> Reply<String> {
        self.call(Call::Import(lines.join("\n")))
    }
}

/// Returns the content of a reply's resource.
fn content(reply: &Reply<String>) -> Value {
    without_system(reply.body.as_deref().unwrap_or_else(|| panic!("{reply:?}")))
}

fn without_system(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).unwrap();
    let members = value.as_object_mut().unwrap();
    for name in ["id", "version", "key", "createdAt", "createdBy", "lastModifiedAt", "lastModifiedBy"] {
        members.remove(name);
    }
    value
}

/// Returns a text member of a reply's error.
fn member(reply: &Reply<String>, wanted: Member) -> String {
    let CallResult::Error(error) = &reply.head.result else { panic!("{reply:?}") };
    let item = error.items().next().unwrap();
    match item.members.iter().find(|(member, _)| *member == wanted) {
        Some((_, MemberValue::Text(text))) => text.clone(),
        other => panic!("{other:?} in {}", error.to_json()),
    }
}
