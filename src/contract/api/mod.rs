//! The interface over HTTP: operations, other endpoints, paths, headers, and entity tags.

pub mod etag;
pub mod header;
pub mod operation;
pub mod path;
pub mod service;
