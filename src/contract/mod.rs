//! The one definition of the endpoints: what they are, accept, and return.
//!
//! Everything else reads it: the router, the validator, the client, the OpenAPI document and the tests. It imports
//! nothing but [`crate::util`]. A room imports what its row lists, and each of those is above it:
//!
//! | room | contents | imports |
//! |---|---|---|
//! | [`limits`] | every bound, once | nothing |
//! | [`kv`] | KV entries | nothing |
//! | [`position`] | positions in the order of a project's changes | limits |
//! | [`resource`] | the schema, the fields, and the values of clients | limits |
//! | [`response`] | what only responses have | position, resource |
//! | [`error`] | errors, their codes, and their members | limits, response |
//! | [`param`] | query parameters | limits, resource, error |
//! | [`api`] | endpoints, paths, headers, and entity tags | limits, resource, response, error, param |

/// Defines the IDs of a table's rows, and `ALL` of them.
macro_rules! ids {
    ($(#[$about:meta])* $name:ident: $($id:ident,)*) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the table's rows describe them")]
        pub enum $name { $($id,)* }

        impl $name {
            /// All of them, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$id,)*];
        }
    };
}

pub mod api;
pub mod error;
pub mod kv;
pub mod limits;
pub mod param;
pub mod position;
pub mod resource;
pub mod response;

/// Returns the text for documents. It is empty in WebAssembly builds that print no documents, which makes them smaller.
pub(crate) const fn prose(text: &'static str) -> &'static str {
    if cfg!(target_arch = "wasm32") { "" } else { text }
}
