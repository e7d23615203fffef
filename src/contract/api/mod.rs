//! The interface over HTTP: operations, other endpoints, paths, headers, media types, and entity tags.

pub mod endpoint;
pub mod etag;
pub mod header;
pub mod media;
pub mod path;
