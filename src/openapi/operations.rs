//! The paths: the thirteen operations, and the other endpoints.

use crate::contract::api::endpoint::{
    Access, ENDPOINTS, Endpoint, FormField, GRANT_TYPE, GRANT_TYPE_FIELD, LINES, RequestBody,
};
use crate::contract::api::path::{self, Segment};
use crate::contract::response::{ResponseType, services};
use crate::util::json::{self, ObjectWriter};

use super::parts::{BEARER, CLIENT, OAUTH, SERVICE_TAG, describe, object, tag, texts};
use super::{examples, parameters, responses};

const FORM: &str = "application/x-www-form-urlencoded";

/// Writes every path.
pub(super) fn write(paths: &mut ObjectWriter<'_>) {
    for (at, row) in ENDPOINTS.iter().enumerate() {
        // A path is in the place of its first endpoint.
        if ENDPOINTS.iter().take(at).any(|before| before.path == row.path) {
            continue;
        }
        let template = path::template(row.path);
        object(paths.member(&template), |item| {
            if row.path.iter().copied().any(|segment| Segment::variable(segment).is_some()) {
                parameters::refer_to_variables(item.member("parameters"), row.path);
            }
            for row in ENDPOINTS.iter().filter(|other| other.path == row.path) {
                object(item.member(&row.method.name().to_ascii_lowercase()), |operation| {
                    write_endpoint(operation, row);
                });
            }
        });
    }
}

fn write_endpoint(operation: &mut ObjectWriter<'_>, row: &'static Endpoint) {
    let tag = row.access().filter(|_| row.number.is_some()).map_or(SERVICE_TAG, tag);
    texts(operation.member("tags"), &[tag]);
    operation.text("operationId", row.name);
    operation.text("summary", row.summary);
    if row.params().next().is_some() || !row.headers.is_empty() {
        parameters::refer_to_params(operation.member("parameters"), row);
    }
    write_body(operation, row);
    object(operation.member("responses"), |responses| responses::write_of_endpoint(responses, row));
    write_security(operation.member("security"), row);
}

fn write_body(operation: &mut ObjectWriter<'_>, row: &Endpoint) {
    let (media, schema, example) = match row.body {
        RequestBody::Nothing => return,
        RequestBody::Json(body) => ("application/json", ResponseType::Object(body), examples::body(body)),
        RequestBody::Lines => (LINES, ResponseType::Named(&services::LINES), examples::lines()),
        RequestBody::Form(fields) => {
            return object(operation.member("requestBody"), |request| {
                request.member("required").push_str("true");
                object(request.member("content"), |content| {
                    object(content.member(FORM), |media| {
                        object(media.member("schema"), |schema| write_form(schema, fields));
                    });
                });
            });
        }
    };
    object(operation.member("requestBody"), |request| {
        request.member("required").push_str("true");
        responses::write_content(request, media, &schema, Some(&example));
    });
}

/// Appends the security of an endpoint: a token with the access, a client's ID and secret for a form, or nothing.
fn write_security(out: &mut String, row: &Endpoint) {
    out.push('[');
    for (at, scope) in row.access().map_or(&[][..], Access::scopes).iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "," });
        out.extend(["{\"", OAUTH, "\":[\"", scope, "\"]},{\"", BEARER, "\":[\"", scope, "\"]}"]);
    }
    if !row.form().is_empty() {
        // The client may also authenticate in the form.
        out.extend(["{\"", CLIENT, "\":[]},{}"]);
    }
    out.push(']');
}

fn write_form(schema: &mut ObjectWriter<'_>, form: &[FormField]) {
    schema.text("type", "object");
    let required: Vec<&str> = form.iter().filter(|field| field.required).map(|field| field.name).collect();
    texts(schema.member("required"), &required);
    object(schema.member("properties"), |properties| {
        for field in form {
            object(properties.member(field.name), |property| {
                let elsewhere = if field.in_query { " It may be in the query instead." } else { "" };
                describe(property, &[field.about, elsewhere].concat());
                property.text("type", "string");
                if field.name == GRANT_TYPE_FIELD {
                    json::string(property.member("const"), GRANT_TYPE);
                } else if field.required {
                    // A parameter without a value is absent (RFC 6749, 3.2).
                    property.integer("minLength", 1);
                }
            });
        }
    });
}
