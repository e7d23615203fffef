//! Small parts of the document that several of its sections have.

use std::borrow::Cow;

use crate::contract::api::endpoint::{Access, DECLARED, ENDPOINTS, Endpoint};
use crate::shape::{RuleTexts, Shape};

use super::json_value::{JsonObject, JsonValue};

/// The tag of the paths beside the operations.
pub(super) const SERVICE_TAG: &str = "service";

/// What the document is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Described<'d> {
    pub(super) shape: &'d Shape,
    /// The project in examples.
    pub(super) project: &'d str,
    /// The rules of the project.
    pub(super) rules: Option<&'d RuleTexts>,
}

pub(super) fn endpoints(shape: &Shape) -> &'static [Endpoint] {
    if shape.is_declared() { &DECLARED } else { &ENDPOINTS }
}

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
    ($($name:expr => $value:expr),* $(,)?) => {
        $crate::openapi::parts::object_of(vec![$(($name.into(), $value.into())),*])
    };
}
pub(super) use object;

#[inline(never)]
pub(super) fn object_of(members: Vec<(Cow<'static, str>, JsonValue)>) -> JsonValue {
    members.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

/// Returns an object with the members of both, in their order.
pub(super) fn join(mut one: JsonValue, other: JsonValue) -> JsonValue {
    if let (JsonValue::Object(one), JsonValue::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}

/// Any text that the service accepts (D7).
pub(super) const TEXT: &str = "^[^\\u0000]*$";

/// Returns the keywords of an integer.
pub(super) fn bounds(min: i64, max: i64) -> JsonObject {
    let format = if max <= i64::from(i32::MAX) { "int32" } else { "int64" };
    [("format", format.into()), ("minimum", min.into()), ("maximum", max.into())].into_iter().collect()
}

fn path(kind: &str, name: &str) -> String {
    ["#/components/", kind, "/", name].concat()
}

pub(super) fn reference(kind: &str, name: &str) -> JsonValue {
    object! { "$ref" => path(kind, name) }
}

/// Returns the schema of an object whose schema a member names: the values of the member, each with its schema.
pub(super) fn one_of<'n>(tag: &str, variants: impl Iterator<Item = (&'n str, &'n str)> + Clone) -> JsonValue {
    object! {
        "oneOf" => variants.clone().map(|(_, name)| reference("schemas", name)).collect::<Vec<_>>(),
        "discriminator" => object! {
            "propertyName" => tag.to_owned(),
            "mapping" => variants.map(|(value, name)| (value.to_owned(), path("schemas", name).into())).collect::<JsonValue>(),
        },
    }
}

pub(super) fn content(media: &'static str, schema: JsonValue, example: Option<JsonValue>) -> JsonValue {
    object! { media => object! { "schema" => schema, "example" => example } }
}
