//! Small parts of the document that several of its sections have.

use crate::contract::api::endpoint::Access;
use crate::util::json::{self, ObjectWriter};

/// The tag of the paths beside the operations.
pub(super) const SERVICE_TAG: &str = "service";

/// Returns the tag of operations with that access.
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

/// Appends an object whose members the function writes.
pub(super) fn object(out: &mut String, write: impl FnOnce(&mut ObjectWriter<'_>)) {
    let mut object = ObjectWriter::open(out);
    write(&mut object);
    object.close();
}

/// Writes a description; sentences that come from comments begin with a space.
pub(super) fn describe(object: &mut ObjectWriter<'_>, about: &str) {
    object.text("description", about.trim_start());
}

/// Appends a reference to a component.
pub(super) fn reference(out: &mut String, kind: &str, name: &str) {
    out.extend(["{\"$ref\":\"#/components/", kind, "/", name, "\"}"]);
}

/// Appends an array of texts.
pub(super) fn texts(out: &mut String, texts: &[&str]) {
    json::array(out, texts, |out, text| json::string(out, text));
}
