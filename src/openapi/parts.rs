//! JSON in the order of its members, and small parts of the document that several of its sections have.

use crate::contract::api::endpoint::Access;
use crate::util::json;

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

pub(super) struct JsonText(pub(super) String);

/// Something with a JSON form; `None` if it is absent.
pub(super) trait ToJson {
    fn to_json(self) -> Option<JsonText>;
}

impl ToJson for JsonText {
    fn to_json(self) -> Option<JsonText> {
        Some(self)
    }
}

impl ToJson for &str {
    fn to_json(self) -> Option<JsonText> {
        let mut out = String::new();
        json::string(&mut out, self);
        Some(JsonText(out))
    }
}

impl ToJson for String {
    fn to_json(self) -> Option<JsonText> {
        self.as_str().to_json()
    }
}

impl ToJson for i64 {
    fn to_json(self) -> Option<JsonText> {
        Some(JsonText(self.to_string()))
    }
}

impl ToJson for bool {
    fn to_json(self) -> Option<JsonText> {
        Some(JsonText(self.to_string()))
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn to_json(self) -> Option<JsonText> {
        self?.to_json()
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn to_json(self) -> Option<JsonText> {
        let items: Vec<String> = self.into_iter().filter_map(|item| Some(item.to_json()?.0)).collect();
        Some(JsonText(["[", &items.join(","), "]"].concat()))
    }
}

impl<N: AsRef<str>, V: ToJson> FromIterator<(N, V)> for JsonText {
    /// Returns an object. A member without a value is left out.
    fn from_iter<I: IntoIterator<Item = (N, V)>>(members: I) -> Self {
        let member = |(name, value): (N, V)| Some([name.as_ref().to_json()?.0, value.to_json()?.0].join(":"));
        let members: Vec<String> = members.into_iter().filter_map(member).collect();
        Self(["{", &members.join(","), "}"].concat())
    }
}

impl JsonText {
    /// Returns an object with the members of another after its own.
    pub(super) fn and(self, other: &Self) -> Self {
        let inner = |object: &Self| object.0.get(1..object.0.len() - 1).unwrap_or_default().to_owned();
        let members = [inner(&self), inner(other)];
        let members: Vec<String> = members.into_iter().filter(|members| !members.is_empty()).collect();
        Self(["{", &members.join(","), "}"].concat())
    }
}

/// Returns an object, as [`JsonText`].
macro_rules! object {
    ($($name:expr => $value:expr),* $(,)?) => {
        <$crate::openapi::parts::JsonText as FromIterator<(&str, Option<$crate::openapi::parts::JsonText>)>>::from_iter(
            [$(($name, $crate::openapi::parts::ToJson::to_json($value))),*]
        )
    };
}
pub(super) use object;

fn path(kind: &str, name: &str) -> String {
    ["#/components/", kind, "/", name].concat()
}

pub(super) fn reference(kind: &str, name: &str) -> JsonText {
    object! { "$ref" => path(kind, name) }
}

/// Returns the schema of an object whose schema a member names: the values of the member, each with its schema.
pub(super) fn one_of<'n>(tag: &str, variants: impl Iterator<Item = (&'n str, &'n str)> + Clone) -> JsonText {
    object! {
        "oneOf" => variants.clone().map(|(_, name)| reference("schemas", name)).collect::<Vec<_>>(),
        "discriminator" => object! {
            "propertyName" => tag,
            "mapping" => variants.map(|(value, name)| (value, path("schemas", name))).collect::<JsonText>(),
        },
    }
}

pub(super) fn content(media: &str, schema: JsonText, example: Option<JsonText>) -> JsonText {
    object! { media => object! { "schema" => schema, "example" => example } }
}
