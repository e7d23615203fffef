//! The interface over HTTP: operations, other endpoints, paths, headers, and entity tags.

pub mod endpoint;
pub mod etag;
pub mod header;
pub mod path;
