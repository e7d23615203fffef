//! The tools that agents see: seven that are made for them, or the operations by their names (`AGENT_TOOLS`). Clients
//! send the descriptions and schemas to a model with each question, so they are short, and have nothing that has no
//! effect.

use crate::contract::api::endpoint::{Access, BODY_ARGUMENT, CallId, Endpoint, ResponseBody, operations};
use crate::contract::api::header::RequestHeader;
use crate::contract::api::path::{Segment, Variable};
use crate::contract::error::{ApiError, Code};
use crate::contract::limits;
use crate::contract::names;
use crate::contract::param::{Param, ParamId, ParamType};
use crate::contract::resource::WRITES;
use crate::shape::types::{TEXT, Type, array};
use crate::shape::{ObjectId, Shape};
use crate::util::json::{self, ObjectWriter};
use crate::util::text::concat;

use super::fields;
use super::schema::{self, Detail};

names! {
    /// A tool that is made for agents.
    pub(super) enum AgentTool name:
    /// Finds resources by conditions on their fields. Returns a page of them, and how many there are in total.
    Query = "query",
    /// Reads one resource by its `id` or its `key`. Returns its fields and its version.
    Get = "get",
    /// Finds resources by words in their texts. Returns a page of them, their total, and the facets that you ask for.
    Search = "search",
    /// Creates one resource and returns it with its id and version. If one has the body's `key`, changes that one:
    /// fields that the body lacks keep their values.
    CreateOrUpdate = "createOrUpdate",
    /// Changes some fields of one resource and returns it. Read it before, and name the version that you read.
    Update = "update",
    /// Deletes one resource and returns what it was. Read it before, and name the version that you read.
    Delete = "delete",
    /// Performs several writes of resources in their order, all or nothing. An error says which one is wrong, from 0,
    /// by its `index` or `path`.
    Batch = "batch",
}

impl AgentTool {
    /// Returns the operations that it performs.
    const fn operations(self) -> &'static [CallId] {
        match self {
            Self::Query => &[CallId::Query],
            Self::Get => &[CallId::GetById, CallId::GetByKey],
            Self::Search => &[CallId::Search],
            Self::CreateOrUpdate => &[CallId::CreateOrUpdate],
            Self::Update => &[CallId::CreateOrUpdate, CallId::DeleteById],
            Self::Delete => &[CallId::DeleteById],
            Self::Batch => &[CallId::Batch, CallId::DeleteById],
        }
    }

    /// Returns the tools whose writes may be in a batch. An update of the interface's resource needs a precondition,
    /// which no write in a batch has.
    pub(super) fn in_batches(shape: &Shape) -> &'static [Self] {
        if shape.is_declared() {
            &[Self::CreateOrUpdate, Self::Update, Self::Delete]
        } else {
            &[Self::CreateOrUpdate, Self::Delete]
        }
    }

    /// Returns its arguments as a write of a batch.
    pub(super) fn in_write(self) -> impl Iterator<Item = &'static str> {
        let (names, _) = self.arguments();
        names.iter().copied().filter(|name| !name.contains('-'))
    }

    /// Returns the arguments that an agent needs, and how many of them every call has.
    const fn arguments(self) -> (&'static [&'static str], usize) {
        match self {
            Self::Query => (&["where", "sort", "limit", "offset", "fields"], 0),
            Self::Get => (&["id", "key", "fields"], 0),
            Self::Search => {
                (&["text", "prefix", "fuzzy", "filter", "facet", "sort", "limit", "offset", "fields"], 0)
            }
            // An update names a version, so a repeat does nothing.
            Self::CreateOrUpdate => (&[BODY_ARGUMENT, "If-None-Match", "Idempotency-Key"], 1),
            Self::Update => (&["id", "version", SET, CLEAR], 2),
            Self::Delete => (&["id", "version"], 2),
            Self::Batch => (&[WRITES, "Idempotency-Key"], 1),
        }
    }
}

/// The arguments of `update`: new values, and the names of fields without one.
pub(super) const SET: &str = "set";
pub(super) const CLEAR: &str = "clear";
/// The member of a write of a batch that names its tool.
pub(super) const TOOL: &str = "tool";

/// The resources that tools are about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'s> {
    pub(crate) shape: &'s Shape,
    /// The name of the resource, if the deployment declares it.
    pub(crate) name: Option<&'s str>,
}

impl Subject<'_> {
    /// Returns a sentence about resources with the name of theirs.
    pub(super) fn named(self, sentence: &str) -> String {
        match self.name {
            Some(name) => sentence.replacen("resource", &concat(&["`", name, "` resource"]), 1),
            None => sentence.to_owned(),
        }
    }

    /// Returns the row of an operation on these resources.
    pub(super) fn row(self, row: &'static Endpoint) -> &'static Endpoint {
        if self.shape.is_declared() { row.of_declared() } else { row }
    }
}

/// What an agent calls by a name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// The operation that it performs.
    pub(super) row: &'static Endpoint,
    /// `None` for the operation itself.
    pub(super) made: Option<AgentTool>,
}

impl From<AgentTool> for Tool {
    fn from(made: AgentTool) -> Self {
        let [id, ..] = made.operations() else { return Self::from(CallId::Query.row()) };
        Self { name: made.name(), row: id.row(), made: Some(made) }
    }
}

impl From<&'static Endpoint> for Tool {
    fn from(row: &'static Endpoint) -> Self {
        Self { name: row.name, row, made: None }
    }
}

/// Returns the tools of an agent.
pub(super) fn listed(operations_only: bool) -> Vec<Tool> {
    if operations_only {
        operations().map(Tool::from).collect()
    } else {
        AgentTool::ALL.iter().copied().map(Tool::from).collect()
    }
}

/// Returns the tool of a name. Operations are tools also if they are not listed.
pub(super) fn find(name: &str) -> Option<Tool> {
    [false, true].into_iter().flat_map(listed).find(|tool| tool.name == name)
}

impl Tool {
    pub(crate) fn only_reads(self) -> bool {
        self.row.access() == Some(Access::Read)
    }

    /// Returns an error as that of the tool, in which the fields of a resource have no name: not in a write, either.
    pub(crate) fn error(self, error: ApiError) -> ApiError {
        if self.made != Some(AgentTool::Batch) {
            return error;
        }
        error.map_paths(|path| path.replacen("/body/", "/", 1))
    }

    /// Returns the tool as the protocol describes it.
    pub(super) fn describe(self, subject: Subject<'_>) -> String {
        json::object(|tool| {
            tool.text("name", self.name);
            let about = match self.made {
                Some(made) => made.about().to_owned(),
                None => concat(&[subject.row(self.row).summary, advice(self.row)]),
            };
            tool.text("description", &subject.named(&about));
            tool.member("inputSchema").push_str(&self.input(subject));
            let mut annotations = ObjectWriter::open(tool.member("annotations"));
            annotations.boolean("readOnlyHint", self.only_reads());
            if !self.only_reads() {
                annotations.boolean("destructiveHint", true);
            }
            annotations.boolean("openWorldHint", false);
            annotations.close();
        })
    }

    /// Returns the names of its arguments.
    pub(super) fn arguments(self, subject: Subject<'_>) -> Vec<&'static str> {
        self.properties(subject).0.into_iter().map(|(name, _)| name).collect()
    }

    /// Returns its arguments, and the names of those that every call has.
    fn properties(self, subject: Subject<'_>) -> (Vec<Property>, Vec<&'static str>) {
        match self.made {
            Some(made) => {
                let (names, required) = made.arguments();
                let rows = made.operations().iter().map(|id| subject.row(id.row()));
                let known = rows.flat_map(|row| of_row(subject, row, Detail::Written));
                let known: Vec<Property> = known.chain(of_update(subject)).collect();
                let own = (made == AgentTool::Batch).then(|| of_batch(subject.shape, &known));
                let of = |name: &&str| known.iter().chain(&own).find(|(known, _)| known == name).cloned();
                (names.iter().filter_map(of).collect(), names.iter().take(required).copied().collect())
            }
            None => (of_row(subject, subject.row(self.row), Detail::All), required(self.row)),
        }
    }

    /// Returns the schema of its arguments.
    fn input(self, subject: Subject<'_>) -> String {
        let (properties, required) = self.properties(subject);
        let mut out = String::new();
        schema::members(&mut out, &required, "", |object| {
            for (name, schema) in &properties {
                object.member(name).push_str(schema);
            }
        });
        out
    }
}

/// An argument, and its schema.
type Property = (&'static str, String);

/// Returns what an agent has to know besides the summary of an operation.
fn advice(row: &Endpoint) -> &'static str {
    let is = |id: CallId| row.name == id.name();
    if is(CallId::DeleteById) {
        " Without `version`, it is deleted whatever others have changed since."
    } else if is(CallId::UpdateByPath) {
        " The parameters of the path are only checked."
    } else {
        ""
    }
}

fn variables(row: &Endpoint) -> impl Iterator<Item = Variable> {
    let variables = row.path.iter().copied().filter_map(Segment::variable);
    variables.filter(|variable| *variable != Variable::ProjectKey)
}

/// Returns the arguments that every call of an operation has.
fn required(row: &Endpoint) -> Vec<&'static str> {
    variables(row).map(Variable::name).chain(row.json_body().map(|_| BODY_ARGUMENT)).collect()
}

/// Returns the arguments of an operation, except those without an effect.
fn of_row(subject: Subject<'_>, row: &Endpoint, detail: Detail) -> Vec<Property> {
    let text = |about: &str| schema::of_type(&TEXT, about);
    let mut properties: Vec<Property> =
        variables(row).map(|variable| (variable.name(), text(variable.about()))).collect();
    for param in row.params().filter(|param| has_effect(row, param.id)) {
        let name = param.id.family_name().unwrap_or_else(|| param.id.name());
        properties.push((name, of_param(subject, param)));
    }
    // Preconditions say little more if the resource must exist.
    let needs_resource =
        row.name != CallId::CreateOrUpdate.name() && row.errors().any(|code| code == Code::ResourceNotFound);
    let is_listed = |header: &RequestHeader| *header == RequestHeader::IdempotencyKey || !needs_resource;
    for header in row.argument_headers().filter(is_listed) {
        properties.push((header.name(), text(of_header(header))));
    }
    if let Some(body) = row.json_body() {
        properties.push((BODY_ARGUMENT, schema::of_body(subject.shape, body, detail)));
    }
    properties
}

/// Returns the arguments that only `update` has.
fn of_update(subject: Subject<'_>) -> Vec<Property> {
    let mut properties = vec![(SET, schema::of_body(subject.shape, ObjectId::Draft, Detail::Set))];
    // Null means absent for the interface's resource, so no operation removes a value (D11).
    let fields = subject.shape.content().filter(|field| subject.shape.is_declared() && !field.required);
    let names: Vec<&str> = fields.map(|field| &*field.name).collect();
    if !names.is_empty() {
        let clear = json::object(|schema| {
            schema.text("type", "array");
            schema.member("items").push_str(&schema::of_names(&names));
            schema.text("description", "The fields whose values to remove.");
        });
        properties.push((CLEAR, clear));
    }
    properties
}

/// Returns the argument that only `batch` has. Schemas have few levels, so the fields of a write are a text.
fn of_batch(shape: &Shape, known: &[Property]) -> Property {
    let tools = AgentTool::in_batches(shape);
    let names: Vec<&str> = tools.iter().map(|tool| tool.name()).collect();
    let is_in_write = |name: &str| tools.iter().any(|tool| tool.in_write().any(|known| known == name));
    let writes = json::object(|schema| {
        schema.text("type", "array");
        schema::members(schema.member("items"), &[TOOL], "", |write| {
            write.member(TOOL).push_str(&schema::of_names(&names));
            for (name, own) in known.iter().filter(|(name, _)| is_in_write(name)) {
                let text = [BODY_ARGUMENT, SET].contains(name).then(|| {
                    let about = ["The `", name, "` of the tool as a JSON text, such as `{\"key\": \"a\"}`."];
                    schema::of_type(&TEXT, &concat(&about))
                });
                write.member(name).push_str(text.as_ref().unwrap_or(own));
            }
        });
        schema.integer("maxItems", limits::BATCH_WRITES as i64);
        schema.text("description", "Each has the name of a tool, and the arguments of that tool.");
    });
    (WRITES, writes)
}

/// Returns whether a parameter changes what an operation returns. The others are only checked (D14, D23, D24, D25).
fn has_effect(row: &Endpoint, id: ParamId) -> bool {
    match id {
        ParamId::OptionalQueryParameter
        | ParamId::SecondOptionalQueryParameter
        | ParamId::QueryParameterOne
        | ParamId::QueryParameterTwo
        | ParamId::Staged
        | ParamId::Expand => false,
        ParamId::Sort | ParamId::Limit | ParamId::Offset | ParamId::WithTotal => {
            !row.may_return(ResponseBody::Nothing)
        }
        _ => true,
    }
}

fn of_param(subject: Subject<'_>, param: &Param) -> String {
    let rule = param.id.rule();
    let about = match param.id {
        // Its language tag selects no field.
        ParamId::Text => "Words that must all occur, such as `blue lamp`.",
        ParamId::Fields => "The only fields to return, with `id` and `version`. Default: all.",
        ParamId::Var => "Values of the variables that predicates name, such as `name` for `key = :name`.",
        _ => param.about,
    };
    let about = fields::about(subject.shape, param.id).unwrap_or_else(|| about.to_owned());
    let ty = match rule.ty {
        _ if param.id == ParamId::Var => return schema::of_variables(&about),
        ParamType::Json(id) => return schema::of_body(subject.shape, id, Detail::All),
        ParamType::String => TEXT,
        ParamType::Float => Type::Number,
        ParamType::Whole { min, max } => Type::Integer { min, max },
        ParamType::Boolean => Type::Boolean,
    };
    let is_list = rule.repeatable && !matches!(param.id, ParamId::Where | ParamId::Text);
    schema::of_type(&if is_list { array(ty) } else { ty }, &about)
}

/// Returns what a header means in a tool, which does not return entity tags.
const fn of_header(header: RequestHeader) -> &'static str {
    match header {
        RequestHeader::IfMatch => "`*`: only if the resource exists.",
        RequestHeader::IfNoneMatch => "`*`: only create, and fail if there is one already.",
        RequestHeader::IdempotencyKey => {
            "A new text for each write. A repeat with it is not performed again."
        }
        _ => header.about(),
    }
}
