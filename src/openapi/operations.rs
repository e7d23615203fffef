//! The paths: the thirteen operations, and the other paths.

use crate::contract::api::operation::{Access, OPERATIONS, Operation};
use crate::contract::api::path::{self, Segment, Variable};
use crate::contract::api::service::{
    FormField, GRANT_TYPE, GRANT_TYPE_FIELD, LINES, PROJECT, SERVICES, ServiceId, ServicePath,
};
use crate::contract::response::{ResponseType, services};
use crate::util::json::{self, ObjectWriter};

use super::parts::{BEARER, CLIENT, OAUTH, SERVICE_TAG, describe, object, tag, texts};
use super::{examples, parameters, responses};

const FORM: &str = "application/x-www-form-urlencoded";

/// Writes every path.
pub(super) fn write(paths: &mut ObjectWriter<'_>) {
    for (at, row) in OPERATIONS.iter().enumerate() {
        // A path is in the place of its first operation.
        if OPERATIONS.iter().take(at).any(|before| before.path == row.path) {
            continue;
        }
        let template = path::template(row.path);
        object(paths.member(&template), |item| {
            parameters::refer_to_variables(item.member("parameters"), row.path);
            for row in OPERATIONS.iter().filter(|other| other.path == row.path) {
                object(item.member(&row.method.name().to_ascii_lowercase()), |operation| {
                    write_operation(operation, row);
                });
            }
        });
    }
    for row in &SERVICES {
        object(paths.member(row.path), |item| {
            if row.path.starts_with(PROJECT) {
                parameters::refer_to_variables(
                    item.member("parameters"),
                    &[Segment::Variable(Variable::ProjectKey)],
                );
            }
            object(item.member(&row.method.name().to_ascii_lowercase()), |operation| {
                write_service(operation, row);
            });
        });
    }
}

fn write_operation(operation: &mut ObjectWriter<'_>, row: &'static Operation) {
    texts(operation.member("tags"), &[tag(row.access)]);
    operation.text("operationId", row.name);
    operation.text("summary", row.summary);
    parameters::refer_to_params(operation.member("parameters"), row);
    if let Some(body) = row.body {
        object(operation.member("requestBody"), |request| {
            request.member("required").push_str("true");
            responses::write_content(
                request,
                "application/json",
                &ResponseType::Object(body),
                Some(&examples::body(body)),
            );
        });
    }
    object(operation.member("responses"), |responses| responses::write_of_operation(responses, row));
    write_security(operation.member("security"), row.access);
}

/// Appends the security of a path that needs a token with the access.
fn write_security(out: &mut String, access: Access) {
    out.push('[');
    for (at, scope) in access.scopes().iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "," });
        out.extend(["{\"", OAUTH, "\":[\"", scope, "\"]},{\"", BEARER, "\":[\"", scope, "\"]}"]);
    }
    out.push(']');
}

fn write_service(operation: &mut ObjectWriter<'_>, row: &'static ServicePath) {
    texts(operation.member("tags"), &[SERVICE_TAG]);
    operation.text("operationId", row.name);
    operation.text("summary", row.summary);
    if !row.params.is_empty() {
        parameters::refer_to_query(operation.member("parameters"), row.params);
    }
    if row.id == ServiceId::Import {
        object(operation.member("requestBody"), |request| {
            request.member("required").push_str("true");
            responses::write_content(
                request,
                LINES,
                &ResponseType::Named(&services::LINES),
                Some(&examples::lines()),
            );
        });
    }
    if let Some(access) = row.access {
        write_security(operation.member("security"), access);
    } else if row.form.is_empty() {
        operation.member("security").push_str("[]");
    } else {
        object(operation.member("requestBody"), |request| {
            request.member("required").push_str("true");
            object(request.member("content"), |content| {
                object(content.member(FORM), |media| {
                    object(media.member("schema"), |schema| write_form(schema, row.form));
                });
            });
        });
        // The client may also authenticate in the form.
        object_in_list(operation.member("security"), CLIENT);
    }
    object(operation.member("responses"), |responses| responses::write_of_service(responses, row));
}

/// Appends the security of a path with the scheme, or without any.
fn object_in_list(out: &mut String, scheme: &str) {
    out.extend(["[{\"", scheme, "\":[]},{}]"]);
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
