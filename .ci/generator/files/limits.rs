//! The limits that callers can exceed, as constants for JavaScript, printed from `src/contract/limits.rs` with its
//! comments.

use std::fmt::Write as _;

use resource_edge::contract::limits;

use super::head;
use super::names::from_snake;

const SOURCE: &str = include_str!("../../../src/contract/limits.rs");

/// The limits that only the service itself can exceed, or an operator who moves data.
#[cfg(test)]
const INTERNAL: [&str; 22] = [
    "QUOTED_CHARS",
    "SEARCH_REPEATS",
    "SEARCH_RESOURCE_WORDS",
    "FORM_BYTES",
    "IDEMPOTENCY_BODY_BYTES",
    "IDEMPOTENCY_BYTES",
    "IDEMPOTENCY_CALLER_BYTES",
    "EXAMINED_ROWS",
    "EXAMINED_BYTES",
    "FRAME_ROWS",
    "LISTENER_BYTES",
    "EVENTS_SECONDS",
    "EXPORT_LINES",
    "BATCH_BYTES",
    "WAIT_SECONDS",
    "CLEAR_ROWS",
    "RESTORE_MS",
    "IMPORT_VERSION_MAX",
    "IMPORT_AHEAD_MS",
    "DATABASE_BYTES",
    "DATABASE_WARNING_PERCENT",
    "DATABASE_FULL_PERCENT",
];

/// A limit: its name in Rust, the suffix of its name in JavaScript, and its value.
struct Limit {
    name: &'static str,
    suffix: &'static str,
    value: u64,
}

macro_rules! limits {
    ($($name:ident,)*) => {
        [$(Limit { name: stringify!($name), suffix: "", value: u64::try_from(limits::$name).unwrap() },)*]
    };
}

fn exported() -> Vec<Limit> {
    let mut all: Vec<Limit> = limits! {
        BODY_BYTES, BODY_DEPTH, ISSUES, NAME_BYTES, PROJECT_KEY_CHARS, ACTIONS, INTEGER_MAX, PAGE_DEFAULT, PAGE_MAX,
        OFFSET_MAX, PAGE_BYTES, OBJECT_ITEMS, OWN_FIELDS, OWN_NAME_CHARS, SEARCH_TEXT_CHARS, SEARCH_WORDS, SEARCH_PREFIX_WORDS, SEARCH_EXPRESSION_BYTES, SEARCH_FILTERS,
        SEARCH_FACETS, SEARCH_RANGES, FACET_TERMS, IDEMPOTENCY_MS, IDEMPOTENCY_ROWS, IDEMPOTENCY_KEY_CHARS,
        TARGET_BYTES, TOKEN_BYTES, PREDICATE_BYTES, PREDICATE_DEPTH, PREDICATE_VARIABLE_BYTES, PREDICATE_VALUE_COST,
    }
    .into();
    let chars = limits::CORRELATION_ID_CHARS;
    for (suffix, value) in [("_MIN", *chars.start()), ("_MAX", *chars.end())] {
        all.push(Limit { name: "CORRELATION_ID_CHARS", suffix, value: value as u64 });
    }
    all
}

/// Returns the text of `limits.ts`.
pub(super) fn typescript() -> String {
    let mut out = head("the limits (src/contract/limits.rs)");
    out.push_str(
        "\n/** The limits of the service. */\nexport const limits = /* @__PURE__ */ Object.freeze({\n",
    );
    for limit in exported() {
        let name = from_snake(&[limit.name, limit.suffix].concat());
        writeln!(out, "  /** {} */\n  {name}: {},", about(limit.name), limit.value).unwrap();
    }
    out.push_str("});\n");
    out
}

/// Returns the names of the constants in the source, and those that are exported or internal, each list sorted.
#[cfg(test)]
pub(crate) fn names() -> (Vec<String>, Vec<String>) {
    let public = SOURCE.split("pub mod work").next().unwrap();
    let mut there: Vec<String> = public
        .lines()
        .filter_map(|line| line.strip_prefix("pub const ")?.split(':').next())
        .map(str::to_owned)
        .collect();
    let mut known: Vec<String> = exported().iter().map(|limit| limit.name.to_owned()).collect();
    known.extend(INTERNAL.map(str::to_owned));
    there.sort();
    known.sort();
    known.dedup();
    (there, known)
}

/// Returns the comment above a constant, without the sources in parentheses.
fn about(name: &str) -> String {
    let before = SOURCE.split(&format!("\npub const {name}:")).next().unwrap();
    let mut lines: Vec<&str> = before.lines().rev().map_while(|line| line.strip_prefix("/// ")).collect();
    lines.reverse();
    let mut text = lines.join(" ");
    for source in [" (D", " (contract, "] {
        while let Some((before, rest)) = text.split_once(source) {
            let (_, after) = rest.split_once(')').unwrap();
            text = format!("{before}{after}");
        }
    }
    while let Some((before, rest)) = text.split_once("[`") {
        let (other, after) = rest.split_once("`]").unwrap();
        text = format!("{before}`{}`{after}", from_snake(other));
    }
    text
}
