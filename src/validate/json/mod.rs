//! The grammar of JSON, read from bytes.

mod canonical;
pub(crate) mod cursor;
pub(crate) mod number;
pub(crate) mod source;
pub(crate) mod string;
