//! Schema-directed validation in a single pass over the bytes.
