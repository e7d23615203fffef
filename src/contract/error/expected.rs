//! The valid terms at a place in a text, for programs and for people: JSON, predicates, filters, and facets.

use crate::util::text::append;

/// The names of kinds of parts in a sentence. A term that is not among them is literal text.
pub type Kinds = &'static [(&'static str, &'static str)];

pub const JSON: Kinds = &[
    ("<value>", "a value"),
    ("<name>", "a member name in double quotes"),
    ("\"", "'\"' at the end of a string"),
    ("<escape>", "one of \" \\ / b f n r t u after a backslash"),
    ("<hex>", "four hexadecimal digits"),
    ("<digit>", "a digit"),
    ("<end>", "end of input"),
];

pub const QUERY: Kinds = &[
    ("<field>", "a field name"),
    ("<string>", "a string in double quotes"),
    ("<number>", "a number"),
    ("<date-time>", "a date-time such as \"2015-01-01T00:00:00.000Z\""),
    ("true", "true"),
    ("false", "false"),
    ("<variable>", "a variable (:name)"),
    ("<variable-name>", "a variable name of letters and digits"),
    ("<longitude>", "the longitude as a number"),
    ("<latitude>", "the latitude as a number"),
    ("<radius>", "the radius in meters as a number"),
    ("<values>", "values"),
    ("<alias>", "a name of letters, digits, '-' and '_'"),
    ("\"", "'\"' at the end of the string"),
    ("<escape>", "an escape"),
    ("<end>", "end of input"),
];

/// The expected terms, each an alternative: literal text, or the kind of a part in angle brackets. `["<field>", "not",
/// "("]` is "a field name, 'not' or '('".
pub type Expected = &'static [&'static str];

pub fn push_prose(expected: Expected, kinds: Kinds, out: &mut String) {
    for (at, term) in expected.iter().enumerate() {
        if at > 0 {
            out.push_str(if at + 1 == expected.len() { " or " } else { ", " });
        }
        if let Some((_, kind)) = kinds.iter().find(|(kind, _)| kind == term) {
            out.push_str(kind);
        } else if matches!(term.as_bytes(), [b'=' | b'!' | b'<' | b'>', ..]) {
            out.push_str(term);
        } else {
            append(out, &["'", term, "'"]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    fn prose(expected: Expected) -> String {
        let mut out = String::new();
        push_prose(expected, QUERY, &mut out);
        out
    }

    #[test]
    fn terms_are_a_list_for_programs_and_a_sentence_for_people() {
        assert_eq!(prose(&["<field>", "not", "("]), "a field name, 'not' or '('");
        assert_eq!(prose(&[":"]), "':'");
        assert_eq!(prose(&["=", "<>", "not in"]), "=, <> or 'not in'");
        assert_eq!(prose(&["true", "<end>"]), "true or end of input");
        assert_eq!(prose(&[]), "");
    }
}
