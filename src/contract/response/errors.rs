//! The bodies of errors.

use super::ResponseType::{Code, Constant, Integer, Named, NonEmpty, Text};
use super::{ResponseContent, ResponseSchema, always, optional};
use crate::contract::prose;

/// The `type` of every problem.
pub const PROBLEM_TYPE: &str = "about:blank";

shapes! {
    /// A problem of a request.
    ERROR_ITEM error_item = "ErrorItem" {
        /// The kind of error, such as `InvalidField`, `ResourceNotFound`, or `ConcurrentModification`.
        always CODE = "code": Code,
        /// A sentence for people.
        always MESSAGE = "message": Text,
    }

    /// All known problems of the request.
    ERROR error = "Error" {
        /// The HTTP status.
        always STATUS_CODE = "statusCode": Integer,
        /// The message of the first error.
        always MESSAGE = "message": Text,
        /// The errors, at most 100.
        always ERRORS = "errors": NonEmpty(&Named(&ERROR_ITEM)),
        /// How many errors there are beyond those in `errors`.
        optional MORE_ERRORS = "moreErrors": Integer,
        /// The code, as RFC 6749 and RFC 6750 name it.
        optional ERROR = "error": Text,
        /// The message, as RFC 6749 and RFC 6750 name it.
        optional ERROR_DESCRIPTION = "error_description": Text,
    }

    /// The error as a problem (RFC 9457).
    PROBLEM problem = "Problem" {
        /// There is no page about the problem.
        always TYPE = "type": Constant(PROBLEM_TYPE),
        /// The code of the first error.
        always TITLE = "title": Text,
        /// The HTTP status.
        always STATUS = "status": Integer,
        /// The message of the first error.
        always DETAIL = "detail": Text,
        /// The errors, at most 100.
        always ERRORS = "errors": NonEmpty(&Named(&ERROR_ITEM)),
        /// How many errors there are beyond those in `errors`.
        optional MORE_ERRORS = "moreErrors": Integer,
        /// The code, as RFC 6749 and RFC 6750 name it.
        optional ERROR = "error": Text,
        /// The message, as RFC 6749 and RFC 6750 name it.
        optional ERROR_DESCRIPTION = "error_description": Text,
    }
}
