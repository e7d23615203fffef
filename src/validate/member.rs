//! The text of one value in a JSON text, for callers that pass it on as it is.

use super::json::cursor::Cursor;
use super::json::source::Kind;

/// Returns the text of the value that the names lead to, each a member of the object before. `None` if there is none,
/// and if one of the names has an escape in the text.
pub fn member<'t>(text: &'t str, names: &[&str]) -> Option<&'t str> {
    let mut cursor = Cursor::new(text, false);
    cursor.space();
    for name in names {
        enter(&mut cursor, name)?;
    }
    cursor.skip().ok().map(|value| value.text)
}

/// Moves to the value of a member of the object that starts here.
fn enter(cursor: &mut Cursor<'_>, name: &str) -> Option<()> {
    if cursor.kind().ok()? != Kind::Object {
        return None;
    }
    let mut open = cursor.open(b'}').ok()?;
    while open {
        let is_its = cursor.exact(name);
        if !is_its {
            cursor.string().ok()?;
        }
        cursor.colon().ok()?;
        if is_its {
            return Some(());
        }
        cursor.skip().ok()?;
        open = cursor.more(b'}').ok()?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_value_is_found_by_its_names_and_keeps_its_text() {
        let text =
            r#" { "a" : [1, {"b": 2}], "b\"" : {}, "b": {"a": 0.30000000000000004 , "c": {"d" : "}" } } } "#;
        for (names, expected) in [
            (&["a"] as &[&str], Some(r#"[1, {"b": 2}]"#)),
            (&["b", "a"], Some("0.30000000000000004")),
            (&["b", "c"], Some(r#"{"d" : "}" }"#)),
            (&["b", "c", "d"], Some(r#""}""#)),
            (&["a", "b"], None),
            (&["c"], None),
            (&["b", "c", "d", "e"], None),
        ] {
            assert_eq!(member(text, names), expected, "{names:?}");
        }
        for text in ["", "[]", "{", "{\"a\"", "{\"a\":", "{\"a\":}", "{\"b\":1 \"a\":1}"] {
            assert_eq!(member(text, &["a"]), None, "{text}");
        }
    }
}
