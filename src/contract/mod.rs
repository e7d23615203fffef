//! The one definition of the endpoints: what they are, accept, and return.
//!
//! Everything else reads it: the router, the validator, the client, the OpenAPI document and the tests. It imports
//! nothing but [`crate::util`]. A module imports what its row lists, and each of those is above it:
//!
//! | module | contents | imports |
//! |---|---|---|
//! | [`limits`] | every bound, once | nothing |
//! | [`kv`] | KV entries | nothing |
//! | [`position`] | positions in the order of a project's changes | limits |
//! | [`resource`] | the objects of every shape, and the fields that the service uses | nothing |
//! | [`response`] | what only responses have | position, resource |
//! | [`error`] | errors, their codes, and their members | limits, response |
//! | [`param`] | query parameters | limits, resource, error |
//! | [`api`] | endpoints, paths, headers, and entity tags | limits, resource, response, error, param |

/// Defines an enum of names: one row for each value. The comment of a row is its meaning in documents. A row may have a
/// further column, which the brackets define.
macro_rules! names {
    (
        $(#[$about:meta])* $vis:vis enum $enum:ident $name:ident:
        $($(#[doc = $doc:literal])* $id:ident = $text:literal,)*
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $enum { $($(#[doc = $doc])* $id,)* }

        #[allow(dead_code, reason = "few need all of these")]
        impl $enum {
            /// All of them, in the order of the rows.
            $vis const ALL: &'static [Self] = &[$(Self::$id,)*];

            /// Returns the name as others read it.
            $vis const fn $name(self) -> &'static str {
                match self { $(Self::$id => $text,)* }
            }

            /// Returns the meaning, in one sentence.
            $vis const fn about(self) -> &'static str {
                match self { $(Self::$id => $crate::contract::prose(concat!($($doc),*)).trim_ascii_start(),)* }
            }
        }
    };
    (
        $(#[$about:meta])* $vis:vis enum $enum:ident $name:ident [$column:ident: $type:ty]:
        $($(#[doc = $doc:literal])* $id:ident = $text:literal $value:expr,)*
    ) => {
        names! { $(#[$about])* $vis enum $enum $name: $($(#[doc = $doc])* $id = $text,)* }

        impl $enum {
            // Most callers need a part of the value, and a look-up of that is smaller.
            #[inline]
            $vis const fn $column(self) -> $type {
                match self { $(Self::$id => $value,)* }
            }
        }
    };
}

pub(crate) use names;

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
    if cfg!(all(target_arch = "wasm32", not(feature = "worker"))) { "" } else { text }
}
