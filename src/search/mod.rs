//! Product-style search (contract, section 6), its pure part: what the words of a text are and which of them are near,
//! what filters and facets say, and how a facet's answer is written. Imports the contract alone; the SQL is elsewhere.

mod fuzzy;
mod text;

pub use fuzzy::{LEVEL_MAX, Matcher, default_level, levels};
pub use text::{FTS5_TOKENIZE, fold, index_text, match_expression, words};
