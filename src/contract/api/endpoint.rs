//! The endpoints: one row for each method of a path. The thirteen operations are the first rows (`interface.md`,
//! Endpoints); tokens, health, the document, and the backups of a project follow (contract, section 8).

mod declared;
mod form;
mod groups;
mod reserved;
mod row;
mod table;

pub use self::declared::DECLARED;
pub use self::form::{FormField, GRANT_TYPE, GRANT_TYPE_FIELD};
pub use self::reserved::{is_reserved_id, reserved_id_parts};
pub use self::row::{
    Access, BODY_ARGUMENT, CallId, Endpoint, MANAGE_SCOPE, Method, OPERATIONS, PROTOCOL, RequestBody,
    ResponseBody, ServiceId, Success, Target, VIEW_SCOPE,
};
pub use self::table::{DOCUMENT_PATH, ENDPOINTS, TOKEN_PATH, operations};

#[cfg(test)]
mod tests;
