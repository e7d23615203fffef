//! Small tools that every layer uses. They do not depend on the contract.
//!
//! Each is ours instead of a library, for this reason:
//!
//! | module | instead of | because |
//! |---|---|---|
//! | [`json::canonical`] | `serde_json`, for reading | it builds a tree; parts of a record stay texts |
//! | [`distance`] | `strsim` | it compares every word to the end, with an allocation for each, and heeds case |
//! | [`generations`] | `lru` | it keeps a list in order, for each kind of key and value |
//! | [`json`] | `serde_json`, for writing | it prints 1.0 where ECMAScript prints 1, and is larger in the npm package |
//! | [`number`] | `str::parse::<f64>` | it adds 15 kB to the npm package; the host of WebAssembly can do it already |
//! | [`percent`] | `percent-encoding` | it accepts a malformed escape as text; here that is an error (D26) |
//! | [`swar`] | `memchr` | it searches for at most three bytes, and strings in JSON also end at control characters |
//! | [`text`] | `format!` and `concat` | formatting and inlined copies add bytes to the npm package at each use |
//! | [`time`] | `chrono`, `jiff` | they accept forms that D6 rejects (offsets, second 60), for a larger API |

pub mod distance;
pub mod generations;
pub mod json;
pub mod nearest;
pub mod number;
pub mod percent;
pub mod strict_json;
pub mod swar;
pub mod text;
pub mod time;
