//! Parts of JSON that this crate wrote: without white space, and valid. They are copied in one pass, without values.

use super::canonical::{string_end, value_end};

/// Which parts of a value to copy. An array has the parts of each item, and a value that is neither an object nor an
/// array is copied as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    Everything,
    /// These members of an object, in the order of their names, and whether to copy the others. `None` omits a member.
    Members(Vec<(String, Option<Selection>)>, bool),
}

impl Selection {
    /// Returns the selection of nothing yet.
    pub const fn empty() -> Self {
        Self::Members(Vec::new(), false)
    }

    /// Adds what is at a path: the value, with all that is in it.
    pub fn add<'n>(&mut self, mut names: impl Iterator<Item = &'n str>) {
        let Self::Members(members, _) = self else { return };
        let Some(name) = names.next() else {
            *self = Self::Everything;
            return;
        };
        let found = members.binary_search_by(|(known, _)| known.as_str().cmp(name));
        let at = found.unwrap_or_else(|at| {
            members.insert(at, (name.to_owned(), Some(Self::empty())));
            at
        });
        if let Some((_, Some(inner))) = members.get_mut(at) {
            inner.add(names);
        }
    }

    /// Returns what to copy of a member of an object; `None` to omit it.
    pub fn of(&self, name: &str) -> Option<&Self> {
        let Self::Members(members, others) = self else { return Some(self) };
        match members.binary_search_by(|(known, _)| known.as_str().cmp(name)) {
            Ok(at) => members.get(at)?.1.as_ref(),
            Err(_) => others.then_some(&Self::Everything),
        }
    }

    /// Returns the parts of a text. `None` if the text is not JSON of this crate.
    pub fn of_text(&self, text: &str) -> Option<String> {
        let mut out = String::with_capacity(text.len() / 2);
        self.copy(text, &mut out)?.is_empty().then_some(out)
    }

    /// Appends the parts of the value at the start of a text, and returns the text after the value.
    fn copy<'t>(&self, text: &'t str, out: &mut String) -> Option<&'t str> {
        match text.as_bytes().first() {
            Some(b'{') if *self != Self::Everything => self.copy_members(text.get(1..)?, out),
            Some(b'[') if *self != Self::Everything => self.copy_items(text.get(1..)?, out),
            _ => {
                let (value, after) = split(text)?;
                out.push_str(value);
                Some(after)
            }
        }
    }

    fn copy_members<'t>(&self, mut rest: &'t str, out: &mut String) -> Option<&'t str> {
        let mut before = '{';
        while let Some(start) = rest.strip_prefix('"') {
            let (name, after) = start.split_at_checked(string_end(start)?)?;
            let value = after.strip_prefix("\":")?;
            rest = match self.of(name) {
                Some(inner) => {
                    out.push(core::mem::replace(&mut before, ','));
                    out.extend(["\"", name, "\":"]);
                    inner.copy(value, out)?
                }
                None => split(value)?.1,
            };
            rest = rest.strip_prefix(',').unwrap_or(rest);
        }
        if before == '{' {
            out.push('{');
        }
        out.push('}');
        rest.strip_prefix('}')
    }

    fn copy_items<'t>(&self, mut rest: &'t str, out: &mut String) -> Option<&'t str> {
        let mut before = '[';
        loop {
            if let Some(after) = rest.strip_prefix(']') {
                out.push_str(if before == '[' { "[]" } else { "]" });
                return Some(after);
            }
            out.push(core::mem::replace(&mut before, ','));
            rest = self.copy(rest, out)?;
            rest = rest.strip_prefix(',').unwrap_or(rest);
        }
    }
}

/// Splits a text after the value at its start.
fn split(text: &str) -> Option<(&str, &str)> {
    text.split_at_checked(value_end(text)?).filter(|(value, _)| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use crate::util::json::canonical::tests::json;
    use proptest::prelude::*;
    use serde_json::Value;

    fn selection(paths: &[String]) -> Selection {
        let mut all = Selection::empty();
        for path in paths {
            all.add(path.split('.'));
        }
        all
    }

    /// Returns what the paths select, after one of them has led to the value.
    fn selected(value: &Value, paths: &[&str]) -> Value {
        match value {
            _ if paths.contains(&"") => value.clone(),
            Value::Array(items) => items.iter().map(|item| selected(item, paths)).collect(),
            Value::Object(members) => Value::Object(
                members
                    .iter()
                    .filter_map(|(name, value)| {
                        let inside = paths.iter().filter_map(|path| {
                            let (first, rest) = path.split_once('.').unwrap_or((path, ""));
                            (first == name).then_some(rest)
                        });
                        let inside: Vec<&str> = inside.collect();
                        (!inside.is_empty()).then(|| (name.clone(), selected(value, &inside)))
                    })
                    .collect(),
            ),
            other => other.clone(),
        }
    }

    proptest! {
        #[test]
        fn the_parts_of_a_text_are_those_of_its_value(
            value in json("[a-c]{1,2}"),
            paths in prop::collection::vec("[a-c]{1,2}([.][a-c]{1,2}){0,2}", 0..6),
        ) {
            let text = selection(&paths).of_text(&value.to_string());
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            prop_assert_eq!(text, Some(selected(&value, &paths).to_string()));
        }

        #[test]
        fn no_text_ends_the_program(text in "[\\[\\]{}\",:ab\\\\]{0,16}") {
            selection(&["a".to_owned(), "b.a".to_owned()]).of_text(&text);
        }
    }

    #[test]
    fn members_keep_their_order_and_a_wider_path_includes_a_narrower_one() {
        let text = r#"{"c":[{"b":1,"a":"]}"},[],3],"a":{"b":{"c":1},"a":null},"b":{}}"#;
        let of = |paths: &[&str]| {
            let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
            selection(&paths).of_text(text).unwrap()
        };
        assert_eq!(of(&["a.a", "c.b", "b.x"]), r#"{"c":[{"b":1},[],3],"a":{"a":null},"b":{}}"#);
        assert_eq!(of(&["a.b.c", "a"]), r#"{"a":{"b":{"c":1},"a":null}}"#);
        assert_eq!(of(&["a", "a.b.c"]), of(&["a"]));
        assert_eq!(of(&[]), "{}");
        let page = Selection::Members(
            vec![("a".to_owned(), None), ("b".to_owned(), Some(Selection::empty()))],
            true,
        );
        assert_eq!(page.of_text(text).unwrap(), r#"{"c":[{"b":1,"a":"]}"},[],3],"b":{}}"#);
    }
}
