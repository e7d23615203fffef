//! The arguments of a tool as the request of its operation.

use crate::contract::api::endpoint::{BODY_ARGUMENT, Endpoint};
use crate::contract::api::header::RequestHeader;
use crate::contract::api::media;
use crate::contract::api::path::{self, Segment, Variable};
use crate::contract::error::{ApiError, Reason};
use crate::contract::param::{ParamId, Refusal};
use crate::util::percent;
use crate::util::strict_json::{Json, JsonMembers, text_of};
use crate::util::text::concat;
use crate::validate;

use crate::server::http::{HeaderPairs, Request};

/// The request of an operation, and its body.
pub(crate) struct ToolRequest {
    pub(crate) request: Request,
    pub(crate) body: Vec<u8>,
}

/// The arguments of a call, and the message that has them.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(super) members: JsonMembers,
    pub(super) message: String,
}

impl Arguments {
    /// Removes an argument and returns it, if it is not null, as [`Arguments::text`] does.
    fn take(&mut self, name: &str) -> Option<String> {
        let value = self.members.remove(name).filter(|value| *value != Json::Null)?;
        Some(self.text(name, &value))
    }

    /// Returns a text as it is, and any other value as the JSON in the message: a number keeps its digits.
    fn text(&self, name: &str, value: &Json) -> String {
        let in_message = || validate::member(&self.message, &["params", "arguments", name]);
        match value {
            Json::Text(text) => text.clone(),
            _ => in_message().map_or_else(|| value.to_json(), str::to_owned),
        }
    }
}

/// Returns the request that the arguments describe. An argument that the operation does not have becomes a query
/// parameter, which is refused with the others. Reads are from the source of truth: a client of the protocol has no
/// session that would say how new a copy has to be.
pub(crate) fn request(
    row: &Endpoint,
    project: &str,
    mut arguments: Arguments,
) -> Result<ToolRequest, ApiError> {
    let mut variables = vec![(Variable::ProjectKey, project.to_owned())];
    let names = row.path.iter().copied().filter_map(Segment::variable);
    for variable in names.filter(|variable| *variable != Variable::ProjectKey) {
        let value = arguments.take(variable.name()).unwrap_or_default();
        if value.is_empty() {
            let sentence = "expected a text that is not empty".to_owned();
            return Err(Refusal::new(Reason::Required, sentence).of(variable.name()).into());
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
    let body = row.json_body().and_then(|_| match arguments.members.remove(BODY_ARGUMENT)? {
        Json::Null => None,
        // As it is, it would be read as JSON.
        text @ Json::Text(_) => Some(text.to_json()),
        value => Some(arguments.text(BODY_ARGUMENT, &value)),
    });
    let mut url = String::new();
    path::render(&mut url, row.path, |wanted| {
        let found = variables.iter().find(|(variable, _)| *variable == wanted);
        found.map_or("", |(_, value)| value)
    });
    push_query(&mut url, row, &arguments)?;
    let request = Request::new(row.method.name().to_owned(), url, Box::new(HeaderPairs::new(&headers)));
    Ok(ToolRequest { request, body: body.unwrap_or_default().into_bytes() })
}

/// Appends the arguments as the query of the address.
fn push_query(url: &mut String, row: &Endpoint, arguments: &Arguments) -> Result<(), ApiError> {
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
    match value {
        Json::Null => {}
        Json::Object(members) => members.iter().for_each(|(name, value)| named(family, name, value, push)),
        Json::Array(items) => {
            for item in items {
                let pair = item.object().and_then(|pair| Some((text_of(pair, "name")?, pair.get("value")?)));
                match pair {
                    Some((name, value)) => named(family, name, value, push),
                    None => of_family(id, family, item, push)?,
                }
            }
        }
        words if id == ParamId::Text => named(family, "en", words, push),
        _ => {
            let sentence =
                "expected an object such as {\"color\": \"red\"}, or a list of objects with name and value";
            return Err(Refusal::new(Reason::Type, sentence.to_owned()).of(family).into());
        }
    }
    Ok(())
}

/// Passes on a parameter of a family, whose name may lack the family.
fn named(family: &str, name: &str, value: &Json, push: &mut impl FnMut(&str, &str)) {
    match value {
        Json::Null => {}
        _ if name.strip_prefix(family).is_some_and(|rest| rest.starts_with('.')) => each(name, value, push),
        _ => each(&concat(&[family, ".", name]), value, push),
    }
}

/// Passes on each item of a list: a parameter that is repeated.
fn each(name: &str, value: &Json, push: &mut impl FnMut(&str, &str)) {
    match value {
        Json::Array(items) => items.iter().for_each(|item| each(name, item, push)),
        Json::Text(text) => push(name, text),
        other => push(name, &other.to_json()),
    }
}
