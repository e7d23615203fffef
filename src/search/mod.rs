//! Product-style search (contract, section 6), its pure part: the words of a text and their similarity, the parsing of
//! filters and facets, and the printing of a facet's counts. Imports the contract, and from predicates the lexer and
//! the typed conditions. The SQL is elsewhere.
//!
//! Filters and facets are short texts of one small language:
//!
//! ```text
//! filter := path ":" ( "exists" | "missing" | ranges | values )
//! facet  := path [ ":" ( ranges | values ) ] [ "as" name ] [ "counting" "products" ]
//! path   := name ("." name)*              name   := [-_A-Za-z0-9]+
//! values := value ("," value)*            value  := string | number | "true" | "false"
//! ranges := "range" range ("," range)*    range  := "(" bound "to" bound ")"
//! bound  := value | "*"
//! ```
//!
//! Strings and numbers have the form of JSON; a time is a string in the form of D6. Keywords may have any case. White
//! space is allowed between any two tokens, but not inside a path.

mod answer;
mod compose;
mod criteria;
mod facet;
mod filter;
mod fold;
mod folding;
mod fuzzy;
mod subject;
mod text;

pub use answer::{FacetResult, RangeResult, TermCount, write_facets};
pub use criteria::{Criteria, PREFIX, SearchWord, decode};
pub use facet::{Bound, Facet, FacetKind, FacetRange, parse_facet};
pub use filter::parse_filter;
pub use fold::fold;
pub use fuzzy::{LEVEL_MAX, Matcher, Outline, default_level, levels};
pub use text::{index_words, match_expression, words};
