//! A request becomes a typed call.

pub(crate) mod body;
pub(crate) mod decode;
pub(crate) mod fields;
pub(crate) mod operation_parameters;
pub(crate) mod parameters;
pub(crate) mod query;
pub(crate) mod route;
pub(crate) mod transport;
