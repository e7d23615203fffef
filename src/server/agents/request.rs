//! The arguments of a tool as the request of its operation.

use crate::contract::api::endpoint::{BODY_ARGUMENT, CallId, Endpoint};
use crate::contract::api::header::RequestHeader;
use crate::contract::api::media;
use crate::contract::api::path::{self, Segment, Variable};
use crate::contract::error::{ApiError, Member, Reason, quoted};
use crate::contract::param::{ParamId, Refusal};
use crate::contract::resource::{OPERATION, WRITES};
use crate::shape::types::Role;
use crate::shape::{ObjectId, Shape, System};
use crate::util::json;
use crate::util::nearest::nearest;
use crate::util::percent;
use crate::util::strict_json::{self, Json, RawMembers, item_texts, member_texts, text_of};
use crate::util::text::concat;

use crate::server::http::{HeaderPairs, Request};

use super::tool::{AgentTool, CLEAR, SET, Subject, TOOL, Tool};

/// The request of an operation, and its body.
pub(crate) struct ToolRequest {
    pub(crate) endpoint: &'static Endpoint,
    pub(crate) request: Request,
    pub(crate) body: Vec<u8>,
}

/// The arguments of a call.
#[derive(Debug)]
pub(crate) struct Arguments {
    members: RawMembers,
    /// The body of the request, if it is not the argument.
    body: Option<String>,
}

pub(super) const NULL: &str = "null";

/// Returns the members of an object. Null means absent: some models send it for each field that they do not set.
fn present(object: &str) -> Option<RawMembers> {
    let mut members = member_texts(object)?;
    members.retain(|_, json| json != NULL);
    Some(members)
}

impl Arguments {
    /// Reads the arguments, which are an object.
    pub(super) fn read(object: &str) -> Option<Self> {
        Some(Self { members: present(object)?, body: None })
    }

    /// Removes an argument and returns it: a text as it is, and any other value as JSON.
    fn take(&mut self, name: &str) -> Option<String> {
        let json = self.members.remove(name)?;
        Some(strict_json::text(&json).unwrap_or(json))
    }
}

/// Returns the operation that a tool performs with these arguments, which become those of the operation.
fn operation(
    subject: Subject<'_>,
    tool: Tool,
    arguments: &mut Arguments,
) -> Result<&'static Endpoint, ApiError> {
    let has = |name| arguments.members.contains_key(name);
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
                arguments.members.insert(RequestHeader::IfMatch.name().to_owned(), "\"*\"".to_owned());
            }
            Ok(tool.row)
        }
        Some(AgentTool::Batch) => {
            arguments.body = Some(batch(subject, arguments)?);
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
    let set = arguments.members.remove(SET).unwrap_or_else(|| "{}".to_owned());
    let values = present(&set).ok_or_else(|| refused(Reason::Type, SET, NEW_VALUES))?;
    let cleared = if shape.is_declared() { arguments.members.remove(CLEAR) } else { None };
    let cleared = cleared.and_then(|names| strict_json::value(names.as_bytes()));
    let cleared = match &cleared {
        None => Some(Vec::new()),
        Some(Json::Text(name)) => Some(vec![name.as_str()]),
        Some(names) => names.texts(),
    };
    let cleared =
        cleared.ok_or_else(|| refused(Reason::Type, CLEAR, "expected a list of names of fields"))?;
    let named = [System::Id, System::Version].map(System::name);
    let named = named.map(|name| (name, arguments.members.remove(name).unwrap_or_default()));
    let wrapper = shape.object(ObjectId::Draft).fields.iter().find(|field| field.role == Role::Wrapper);
    let wrapper = wrapper.filter(|field| !values.contains_key(&*field.name));
    let members = named.iter().map(|(name, json)| (*name, json.as_str()));
    let members = members.chain(wrapper.map(|field| (&*field.name, "{}")));
    let members = members.chain(values.iter().map(|(name, json)| (name.as_str(), json.as_str())));
    Ok(object(members.chain(cleared.into_iter().map(|name| (name, NULL)))))
}

/// Returns an object with the texts of its members.
fn object<'m>(members: impl Iterator<Item = (&'m str, &'m str)>) -> String {
    let mut out = String::new();
    json::members(&mut out, members, String::push_str);
    out
}

/// Returns the body of a batch (D43) with the operations of its writes.
fn batch(subject: Subject<'_>, arguments: &mut Arguments) -> Result<String, ApiError> {
    let writes = arguments.members.remove(WRITES).unwrap_or_default();
    let Some(writes) = item_texts(&writes) else { return Err(refused(Reason::Type, WRITES, SEVERAL_WRITES)) };
    let of = |(index, text)| write(subject, text).map_err(|error: ApiError| error.in_write(index));
    let writes = writes.into_iter().enumerate().map(of).collect::<Result<Vec<_>, _>>()?;
    Ok(json::object(|batch| batch.array(WRITES, &writes, |out, write| out.push_str(write))))
}

const SEVERAL_WRITES: &str = "expected a list of objects, each with the name of a tool and its arguments, such as \
    {\"tool\": \"delete\", \"id\": \"a\", \"version\": 1}";
const FIELDS_AS_TEXT: &str =
    "expected an object of fields as a JSON text, such as \"{\\\"key\\\": \\\"a\\\"}\"";

/// Returns a write of a batch: what its tool does with its arguments. `write`: an object of both.
fn write(subject: Subject<'_>, write: &str) -> Result<String, ApiError> {
    let arguments = Arguments::read(write);
    let mut arguments = arguments.ok_or_else(|| refused(Reason::Type, WRITES, SEVERAL_WRITES))?;
    let name = arguments.take(TOOL).unwrap_or_default();
    let tools = AgentTool::in_batches(subject.shape);
    let Some(tool) = tools.iter().copied().find(|tool| tool.name() == name) else {
        let names: Vec<&str> = tools.iter().map(|tool| tool.name()).collect();
        return Err(refused(Reason::Enum, TOOL, &concat(&["expected one of ", &names.join(", ")])));
    };
    for name in [BODY_ARGUMENT, SET] {
        if let Some(fields) = arguments.members.get_mut(name)
            && let Some(text) = strict_json::text(fields)
        {
            let is_object = strict_json::object(text.as_bytes()).is_some();
            *fields = is_object.then_some(text).ok_or_else(|| refused(Reason::Type, name, FIELDS_AS_TEXT))?;
        }
    }
    let endpoint = operation(subject, Tool::from(tool), &mut arguments)?;
    let write = json::object(|write| {
        write.text(OPERATION, endpoint.name);
        if let Some(body) = arguments.body.take() {
            write.member(BODY_ARGUMENT).push_str(&body);
        }
        for name in tool.in_write() {
            if let Some(json) = arguments.members.remove(name) {
                write.member(name).push_str(&json);
            }
        }
    });
    match arguments.members.first_key_value() {
        Some((name, _)) => {
            let known: Vec<&str> = [TOOL].into_iter().chain(tool.in_write()).collect();
            Err(unknown(&known, name))
        }
        None => Ok(write),
    }
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
    let body = arguments.body.take();
    let body = body.or_else(|| row.json_body().and_then(|_| arguments.members.remove(BODY_ARGUMENT)));
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
fn unknown(known: &[&str], name: &str) -> ApiError {
    let sentence = concat(&["'", quoted(name), "' is unknown; this tool accepts ", &known.join(", ")]);
    let refusal = Refusal::new(Reason::UnknownParameter, sentence).with(Member::AllowedValues, known);
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
    for (name, json) in &arguments.members {
        let family = row.params().find(|param| param.id.family_name() == Some(name));
        let value = strict_json::value(json.as_bytes()).unwrap_or(Json::Null);
        match (family, &value) {
            (Some(param), value) => of_family(param.id, name, value, &mut push)?,
            _ if row.params().all(|param| param.id.matches(name).is_none()) => return Err(unknown(name)),
            (None, Json::Array(_) | Json::Text(_)) => each(name, &value, &mut push),
            (None, _) => push(name, json),
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
