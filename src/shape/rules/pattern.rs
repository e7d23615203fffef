//! `pattern`: a regular expression of ECMAScript with the flag `u`, which may match anywhere in a text. WebAssembly has
//! the host's own. Natively, a crate for the same language is in use.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::*;

/// A valid regular expression. Two are equal if their sources are.
#[derive(Debug, Clone)]
pub struct Pattern {
    source: Box<str>,
    compiled: Compiled,
}

impl Pattern {
    /// Returns `None` if the source is not a valid regular expression.
    pub fn new(source: &str) -> Option<Self> {
        Some(Self { source: source.into(), compiled: compile(source)? })
    }

    /// Returns the text between the slashes of a literal.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns whether the regular expression matches anywhere in a text.
    pub fn is_match(&self, text: &str) -> bool {
        matches(&self.compiled, text)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

#[cfg(not(target_arch = "wasm32"))]
type Compiled = regress::Regex;

#[cfg(not(target_arch = "wasm32"))]
fn compile(source: &str) -> Option<Compiled> {
    regress::Regex::with_flags(source, "u").ok()
}

#[cfg(not(target_arch = "wasm32"))]
fn matches(compiled: &Compiled, text: &str) -> bool {
    compiled.find(text).is_some()
}

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = RegExp)]
    #[derive(Debug, Clone)]
    type Compiled;

    /// Unlike that of js-sys, it returns an exception, which an invalid source causes, as an error.
    #[wasm_bindgen(catch, constructor, js_class = RegExp)]
    fn new(source: &str, flags: &str) -> Result<Compiled, JsValue>;

    /// Without the flags `g` and `y`, the host keeps no place between two calls.
    #[wasm_bindgen(method, js_class = RegExp)]
    fn test(this: &Compiled, text: &str) -> bool;
}

#[cfg(target_arch = "wasm32")]
fn compile(source: &str) -> Option<Compiled> {
    Compiled::new(source, "u").ok()
}

#[cfg(target_arch = "wasm32")]
fn matches(compiled: &Compiled, text: &str) -> bool {
    compiled.test(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_pattern_matches_anywhere() {
        for (source, text, expected) in [
            ("", "", true),
            ("am", "lamp", true),
            ("^am", "lamp", false),
            ("^[A-Z]{2}-[0-9]+$", "AB-17", true),
            ("^[A-Z]{2}-[0-9]+$", "AB-17\n", false),
            ("^.$", "\u{1f4a1}", true),
            ("^\\p{Lu}", "\u{c9}t\u{e9}", true),
            ("^\\w+$", "\u{e9}t\u{e9}", false),
            ("^(?<half>.+)\\k<half>$", "tartar", true),
            ("^(?!draft)", "draft-1", false),
            ("a/b", "a/b", true),
            ("\\u{1F4A1}", "\u{1f4a1}", true),
        ] {
            let pattern = Pattern::new(source).expect(source);
            // Twice, because a host's regular expression could keep a place.
            assert_eq!(pattern.is_match(text), expected, "{source} {text:?}");
            assert_eq!(pattern.is_match(text), expected, "{source} {text:?}");
        }
    }

    #[test]
    fn an_invalid_source_is_no_pattern() {
        for source in
            ["(", ")", "[b-a]", "a**", "\\", "{1", "x{2,1}", "\\p{Nope}", "\\-", "(?<a>.)\\k<b>", "]"]
        {
            assert_eq!(Pattern::new(source), None, "{source}");
        }
    }

    #[test]
    fn patterns_are_equal_by_their_sources() {
        let [one, same, other] = ["a+", "a+", "aa*"].map(Pattern::new);
        assert_eq!(one, same);
        assert_ne!(one, other);
        assert_eq!(one.clone().map(|pattern| pattern.source().to_owned()), Some("a+".to_owned()));
    }
}
