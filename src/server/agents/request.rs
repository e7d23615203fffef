//! The arguments of a tool as the request of its operation.

use crate::contract::api::endpoint::{BODY_ARGUMENT, CallId, Endpoint};
use crate::contract::api::header::RequestHeader;
use crate::contract::api::media;
use crate::contract::api::path::{self, Segment, Variable};
use crate::contract::error::{ApiError, Member, Reason, quoted};
use crate::contract::param::{ParamId, Refusal};
use crate::shape::types::Role;
use crate::shape::{ObjectId, Shape, System};
use crate::util::json;
use crate::util::nearest::nearest;
use crate::util::percent;
use crate::util::strict_json::{Json, JsonMembers, text_of};
use crate::util::text::{append, concat};
use crate::validate;

use crate::server::http::{HeaderPairs, Request};

use super::tool::{AgentTool, CLEAR, SET, Subject, Tool};

/// The request of an operation, and its body.
pub(crate) struct ToolRequest {
    pub(crate) endpoint: &'static Endpoint,
    pub(crate) request: Request,
    pub(crate) body: Vec<u8>,
}

/// The arguments of a call, and the message that has them.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(super) members: JsonMembers,
    pub(super) message: String,
    /// The body of the request, if it is not the argument.
    pub(super) body: Option<String>,
}

impl Arguments {
    /// Removes an argument and returns it, if it is not null, as [`Arguments::text`] does.
    fn take(&mut self, name: &str) -> Option<String> {
        let value = self.members.remove(name).filter(|value| *value != Json::Null)?;
        Some(self.text(name, &value))
    }

    /// Returns a text as it is, and any other value as JSON.
    fn text(&self, name: &str, value: &Json) -> String {
        if let Json::Text(text) = value { text.clone() } else { self.json(&[name], value) }
    }

    /// Returns a value as the JSON in the message: a number keeps its digits. `path`: the names from the arguments
    /// down.
    fn json(&self, path: &[&str], value: &Json) -> String {
        let in_message = validate::member(&self.message, &[&["params", "arguments"], path].concat());
        in_message.map_or_else(|| value.to_json(), str::to_owned)
    }
}

/// Returns the operation that a tool performs with these arguments, which become those of the operation.
fn operation(
    subject: Subject<'_>,
    tool: Tool,
    arguments: &mut Arguments,
) -> Result<&'static Endpoint, ApiError> {
    let has = |name| arguments.members.get(name).is_some_and(|value| *value != Json::Null);
    let refuse = |reason, argument, sentence| Err(refused(reason, argument, sentence));
    match tool.made {
        Some(AgentTool::Get) if has("key") && has("id") => {
            refuse(Reason::Type, "key", "expected 'id' or 'key', not both")
        }
        Some(AgentTool::Get) if has("key") => Ok(CallId::GetByKey.row()),
        Some(AgentTool::Get) if !has("id") => refuse(Reason::Required, "id", "expected 'id' or 'key'"),
        Some(AgentTool::Update | AgentTool::Delete) if !has("id") => {
            refuse(Reason::Required, "id", "expected the ID of the resource")
        }
        Some(AgentTool::Update | AgentTool::Delete) if !has("version") => {
            refuse(Reason::Required, "version", "expected the version of the resource that you read")
        }
        Some(AgentTool::Update) if !has(SET) && !has(CLEAR) => refuse(Reason::Required, SET, NEW_VALUES),
        Some(AgentTool::Update) => {
            arguments.body = Some(update(subject.shape, arguments)?);
            if !subject.shape.is_declared() {
                arguments
                    .members
                    .insert(RequestHeader::IfMatch.name().to_owned(), Json::Text("*".to_owned()));
            }
            Ok(tool.row)
        }
        _ => Ok(tool.row),
    }
}

const NEW_VALUES: &str = "expected an object with new values of fields, such as {\"key\": \"a\"}";

fn refused(reason: Reason, argument: &str, sentence: &str) -> ApiError {
    Refusal::new(reason, sentence.to_owned()).of(argument).into()
}

/// Returns the body of operation 6 that sets and removes the values of fields: null removes one (D38).
fn update(shape: &Shape, arguments: &mut Arguments) -> Result<String, ApiError> {
    let set = arguments.members.remove(SET).filter(|value| *value != Json::Null);
    let set = set.unwrap_or_else(|| Json::Object(JsonMembers::default()));
    let Some(values) = set.object() else { return Err(refused(Reason::Type, SET, NEW_VALUES)) };
    let cleared = if shape.is_declared() { arguments.members.remove(CLEAR) } else { None };
    let cleared = match cleared {
        None | Some(Json::Null) => Vec::new(),
        Some(name @ Json::Text(_)) => vec![name],
        Some(Json::Array(names)) if names.iter().all(|name| name.text().is_some()) => names,
        Some(_) => return Err(refused(Reason::Type, CLEAR, "expected a list of names of fields")),
    };
    let mut members = Vec::new();
    for name in [System::Id, System::Version].map(System::name) {
        let value = arguments.members.remove(name).unwrap_or(Json::Null);
        members.push(concat(&["\"", name, "\":", &arguments.json(&[name], &value)]));
    }
    let wrapper = shape.object(ObjectId::Draft).fields.iter().find(|field| field.role == Role::Wrapper);
    let is_set = |name: &str| values.get(name).is_some_and(|value| *value != Json::Null);
    if let Some(wrapper) = wrapper.filter(|field| !is_set(&field.name)) {
        members.push(concat(&["\"", &wrapper.name, "\":{}"]));
    }
    // Some models send null for each field that they do not set.
    for (name, value) in values.iter().filter(|(name, _)| is_set(name)) {
        let mut member = String::new();
        json::string(&mut member, name);
        append(&mut member, &[":", &arguments.json(&[SET, name], value)]);
        members.push(member);
    }
    members.extend(cleared.iter().map(|name| concat(&[&name.to_json(), ":null"])));
    Ok(concat(&["{", &members.join(","), "}"]))
}

/// Returns the request that the arguments describe. Reads are from the source of truth: a client of the protocol has no
/// session that would say how new a copy has to be.
pub(crate) fn request(
    subject: Subject<'_>,
    tool: Tool,
    project: &str,
    mut arguments: Arguments,
) -> Result<ToolRequest, ApiError> {
    let endpoint = operation(subject, tool, &mut arguments)?;
    let row = subject.row(endpoint);
    let mut variables = vec![(Variable::ProjectKey, project.to_owned())];
    let names = row.path.iter().copied().filter_map(Segment::variable);
    for variable in names.filter(|variable| *variable != Variable::ProjectKey) {
        let value = arguments.take(variable.name()).unwrap_or_default();
        if value.is_empty() {
            return Err(refused(Reason::Required, variable.name(), "expected a text that is not empty"));
        }
        variables.push((variable, value));
    }
    let mut headers = vec![
        (RequestHeader::ContentType.name(), media::JSON.to_owned()),
        (RequestHeader::CacheControl.name(), "no-cache".to_owned()),
    ];
    headers.extend(
        row.argument_headers().filter_map(|header| Some((header.name(), arguments.take(header.name())?))),
    );
    let body = arguments.body.take().or_else(|| {
        let value = row.json_body().and_then(|_| arguments.members.remove(BODY_ARGUMENT))?;
        (value != Json::Null).then(|| arguments.json(&[BODY_ARGUMENT], &value))
    });
    let mut url = String::new();
    path::render(&mut url, row.path, |wanted| {
        let found = variables.iter().find(|(variable, _)| *variable == wanted);
        found.map_or("", |(_, value)| value)
    });
    let unknown = |name: &str| unknown(&tool.arguments(subject), name);
    push_query(&mut url, row, &arguments, &unknown)?;
    let request = Request::new(row.method.name().to_owned(), url, Box::new(HeaderPairs::new(&headers)));
    Ok(ToolRequest { endpoint, request, body: body.unwrap_or_default().into_bytes() })
}

/// Returns the refusal of an argument that a tool does not have.
fn unknown(known: &[String], name: &str) -> ApiError {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let sentence = concat(&["'", quoted(name), "' is unknown; this tool accepts ", &known.join(", ")]);
    let refusal = Refusal::new(Reason::UnknownParameter, sentence).with(Member::AllowedValues, &*known);
    let mut names = known.iter().copied();
    match nearest(name, &mut || names.next()) {
        Some(near) => refusal.with(Member::Suggestion, near).of(name).into(),
        None => refusal.of(name).into(),
    }
}

/// Appends the arguments as the query of the address.
fn push_query(
    url: &mut String,
    row: &Endpoint,
    arguments: &Arguments,
    unknown: &dyn Fn(&str) -> ApiError,
) -> Result<(), ApiError> {
    let mut separator = "?";
    let mut push = |name: &str, value: &str| {
        url.push_str(core::mem::replace(&mut separator, "&"));
        percent::encode(url, name);
        url.push('=');
        percent::encode(url, value);
    };
    for (name, value) in &arguments.members {
        let family = row.params().find(|param| param.id.family_name() == Some(name));
        match (family, value) {
            (_, Json::Null) => {}
            (Some(param), value) => of_family(param.id, name, value, &mut push)?,
            _ if row.params().all(|param| param.id.matches(name).is_none()) => return Err(unknown(name)),
            (None, Json::Array(_)) => each(name, value, &mut push),
            (None, value) => push(name, &arguments.text(name, value)),
        }
    }
    Ok(())
}

/// Passes on the parameters of a family: an object that has them by name, like `{"a": 1}` or `{"var.a": 1}`, or a list
/// of objects like `{"name": "a", "value": 1}`. Words need no language, because it selects no field.
fn of_family(
    id: ParamId,
    family: &str,
    value: &Json,
    push: &mut impl FnMut(&str, &str),
) -> Result<(), ApiError> {
    let words = id == ParamId::Text;
    match value {
        Json::Null => Ok(()),
        Json::Object(members) => {
            members.iter().try_for_each(|(name, value)| named(id, family, name, value, push))
        }
        Json::Array(items) => items.iter().try_for_each(|item| {
            let pair = item.object().and_then(|pair| Some((text_of(pair, "name")?, pair.get("value")?)));
            match pair {
                Some((name, value)) => named(id, family, name, value, push),
                None => of_family(id, family, item, push),
            }
        }),
        value if words => named(id, family, "en", value, push),
        _ => Err(refused(Reason::Type, family, expected(id))),
    }
}

const fn expected(id: ParamId) -> &'static str {
    match id {
        ParamId::Text => "expected words such as \"lamp\", or an object such as {\"en\": \"lamp\"}",
        _ => "expected an object such as {\"color\": \"red\"}, or a list of objects with name and value",
    }
}

/// Passes on a parameter of a family, whose name may lack the family.
fn named(
    id: ParamId,
    family: &str,
    name: &str,
    value: &Json,
    push: &mut impl FnMut(&str, &str),
) -> Result<(), ApiError> {
    let has_family = name.strip_prefix(family).is_some_and(|rest| rest.starts_with('.'));
    let name = if has_family { name.to_owned() } else { concat(&[family, ".", name]) };
    if *value != Json::Null {
        if id.matches(&name).is_none() {
            let sentence = concat(&["'", quoted(&name), "' is unknown; ", expected(id)]);
            return Err(refused(Reason::UnknownParameter, family, &sentence));
        }
        each(&name, value, push);
    }
    Ok(())
}

/// Passes on each item of a list: a parameter that is repeated.
fn each(name: &str, value: &Json, push: &mut impl FnMut(&str, &str)) {
    match value {
        Json::Array(items) => items.iter().for_each(|item| each(name, item, push)),
        Json::Text(text) => push(name, text),
        other => push(name, &other.to_json()),
    }
}
