//! The OpenAPI document, generated from the tables of the contract: operations, parameters, bodies, headers, and
//! errors. It must not import the server.

mod examples;
mod operations;
mod parameters;
mod parts;
mod responses;
mod schema;
mod shapes;

use crate::contract::api::endpoint::{Access, MANAGE_SCOPE, TOKEN_PATH, VIEW_SCOPE};
use crate::contract::api::path;
use crate::util::json::ObjectWriter;

use parts::{BEARER, CLIENT, OAUTH, SERVICE_TAG, describe, object, tag};

/// The version of the specification that the document follows.
const OPENAPI: &str = "3.1.0";

const ABOUT: &str = "Operations on the resources of a project. Every GET path also supports HEAD, and every path \
    OPTIONS; any other method gets 405 with `Allow`. With `Accept: application/problem+json` errors are \
    problems (RFC 9457). Numbers like D18 are those of the specification in the guide.";

/// Returns the document, as JSON without white space.
pub fn document() -> String {
    let mut out = String::with_capacity(96 * 1024);
    object(&mut out, |document| {
        document.text("openapi", OPENAPI);
        object(document.member("info"), info);
        document.member("servers").push_str("[{\"url\":\"/\"}]");
        write_tags(document);
        object(document.member("paths"), operations::write);
        object(document.member("components"), |components| {
            object(components.member("schemas"), |schemas| {
                schema::write(schemas);
                shapes::write(schemas);
            });
            object(components.member("parameters"), parameters::write);
            object(components.member("headers"), responses::write_headers);
            object(components.member("responses"), responses::write_shared);
            object(components.member("securitySchemes"), write_security);
        });
    });
    out
}

fn info(info: &mut ObjectWriter<'_>) {
    info.text("title", env!("CARGO_PKG_NAME"));
    info.text("version", env!("CARGO_PKG_VERSION"));
    info.text("summary", env!("CARGO_PKG_DESCRIPTION"));
    info.text("description", ABOUT);
    object(info.member("license"), |license| {
        license.text("name", env!("CARGO_PKG_LICENSE"));
        license.text("identifier", env!("CARGO_PKG_LICENSE"));
    });
}

fn write_tags(document: &mut ObjectWriter<'_>) {
    let tags = [
        (tag(Access::Read), "Reads, queries and searches: either scope is enough."),
        (tag(Access::Write), "Writes: they need `manage_test`."),
        (
            SERVICE_TAG,
            "Tokens, health, this document, and the status, export, import, restore, and deletion of a project.",
        ),
    ];
    document.array("tags", &tags, |out, (name, about)| {
        object(out, |tag| {
            tag.text("name", name);
            describe(tag, about);
        });
    });
}

fn write_security(schemes: &mut ObjectWriter<'_>) {
    object(schemes.member(BEARER), |bearer| {
        bearer.text("type", "http");
        bearer.text("scheme", "bearer");
        bearer.text("bearerFormat", "JWT");
        describe(bearer, "A token (RFC 9068) whose scope names the project: `manage_test:{projectKey}`.");
    });
    object(schemes.member(OAUTH), |oauth| {
        oauth.text("type", "oauth2");
        describe(oauth, "A request names each scope with its project: `manage_test:{projectKey}`.");
        object(oauth.member("flows"), |flows| {
            object(flows.member("clientCredentials"), |flow| {
                flow.text("tokenUrl", &path::template(TOKEN_PATH));
                object(flow.member("scopes"), |scopes| {
                    scopes.text(MANAGE_SCOPE, "Everything in its project.");
                    scopes.text(VIEW_SCOPE, "Reading in its project.");
                });
            });
        });
    });
    object(schemes.member(CLIENT), |client| {
        client.text("type", "http");
        client.text("scheme", "basic");
        describe(client, "A client's ID and secret, each form-encoded (RFC 6749, 2.3.1).");
    });
}
