//! The arguments of a tool as the request of its operation.

use crate::contract::api::endpoint::{BODY_ARGUMENT, Endpoint};
use crate::contract::api::header::RequestHeader;
use crate::contract::api::media;
use crate::contract::api::path::{self, Segment, Variable};
use crate::contract::error::{ApiError, Reason};
use crate::contract::param::Refusal;
use crate::util::percent;
use crate::util::strict_json::{Json, JsonMembers};
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
    push_query(&mut url, row, &arguments);
    let request = Request::new(row.method.name().to_owned(), url, Box::new(HeaderPairs::new(&headers)));
    Ok(ToolRequest { request, body: body.unwrap_or_default().into_bytes() })
}

/// Appends the arguments as the query of the address.
fn push_query(url: &mut String, row: &Endpoint, arguments: &Arguments) {
    let mut separator = "?";
    let mut push = |name: &str, value: &str| {
        url.push_str(core::mem::replace(&mut separator, "&"));
        percent::encode(url, name);
        url.push('=');
        percent::encode(url, value);
    };
    for (name, value) in arguments.members.iter() {
        let is_family = row.params().any(|param| param.id.family_name() == Some(name));
        match value {
            Json::Null => {}
            Json::Object(members) if is_family => {
                let values = members.iter().filter(|(_, value)| **value != Json::Null);
                values.for_each(|(name, value)| each(name, value, &mut push));
            }
            Json::Array(_) => each(name, value, &mut push),
            value => push(name, &arguments.text(name, value)),
        }
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
