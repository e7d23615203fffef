//! Product-style search (contract, section 6), its pure part: what the words of a text are and which of them are near,
//! what filters and facets say, and how a facet's answer is written. Imports the contract alone; the SQL is elsewhere.
//!
//! Filters and facets are short texts of one small language:
//!
//! ```text
//! filter := path ":" ( "exists" | "missing" | ranges | values )
//! facet  := path [ ":" ( ranges | values ) ] [ "as" name ] [ "counting" "products" ]
//! path   := name ("." name)*              name   := [-_A-Za-z0-9]+
//! values := value ("," value)*            value  := string | number
//! ranges := "range" range ("," range)*    range  := "(" bound "to" bound ")"
//! bound  := value | "*"
//! ```
//!
//! Strings and numbers are JSON's; a time is a string in the form of D6. Keywords may have any case. White space may
//! stand between any two tokens, and nowhere inside a path.

mod answer;
mod criteria;
mod facet;
mod filter;
mod fold;
mod fuzzy;
mod lexer;
mod subject;
mod text;

pub use answer::{FacetResult, RangeResult, TermCount, write_facets};
pub use criteria::{Criteria, SearchWord, decode};
pub use facet::{Bound, Facet, FacetKind, FacetRange, parse_facet};
pub use filter::{Filter, FilterRange, FilterTest, parse_filter};
pub use fold::fold;
pub use fuzzy::{LEVEL_MAX, Matcher, Outline, default_level, levels};
pub use lexer::ExpressionError;
pub use subject::{DataType, Value};
pub use text::{FTS5_TOKENIZE, index_text, match_expression, words};
