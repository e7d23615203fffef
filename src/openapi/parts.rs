//! Small parts of the document that several of its sections have.

use serde_json::Value;

use crate::contract::api::endpoint::Access;
/// The tag of the paths beside the operations.
pub(super) const SERVICE_TAG: &str = "service";

pub(super) const fn tag(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
    }
}

/// The name of the scheme for tokens of any issuer.
pub(super) const BEARER: &str = "bearer";
/// The name of the scheme for issued tokens.
pub(super) const OAUTH: &str = "oauth2";
/// The name of the scheme for API clients at the token endpoints.
pub(super) const CLIENT: &str = "client";

/// Returns an object. A member whose value is null is left out.
macro_rules! object {
    ($($name:expr => $value:expr),* $(,)?) => {{
        let members: Vec<(String, ::serde_json::Value)> = vec![$(($name.into(), $value.into())),*];
        members.into_iter().filter(|(_, value)| !value.is_null()).collect::<::serde_json::Value>()
    }};
}
pub(super) use object;

/// Returns JSON that the contract wrote. An error would be in the document.
pub(super) fn parsed(json: &str) -> Value {
    json.parse().unwrap_or_else(|error: serde_json::Error| Value::from(error.to_string()))
}

/// Returns an object with the members of both, in their order.
pub(super) fn join(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}

fn path(kind: &str, name: &str) -> String {
    ["#/components/", kind, "/", name].concat()
}

pub(super) fn reference(kind: &str, name: &str) -> Value {
    object! { "$ref" => path(kind, name) }
}

/// Returns the schema of an object whose schema a member names: the values of the member, each with its schema.
pub(super) fn one_of<'n>(tag: &str, variants: impl Iterator<Item = (&'n str, &'n str)> + Clone) -> Value {
    object! {
        "oneOf" => variants.clone().map(|(_, name)| reference("schemas", name)).collect::<Vec<_>>(),
        "discriminator" => object! {
            "propertyName" => tag,
            "mapping" => variants.map(|(value, name)| (value, path("schemas", name))).collect::<Value>(),
        },
    }
}

pub(super) fn content(media: &str, schema: Value, example: Option<Value>) -> Value {
    object! { media => object! { "schema" => schema, "example" => example } }
}
