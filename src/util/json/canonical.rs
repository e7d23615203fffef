//! Reading JSON that this crate wrote: without white space, and valid. Of other text, the functions return something,
//! and never panic.

use std::borrow::Cow;

use crate::util::{number, swar};

/// The members of an object, each with its name as written, without its quotation marks, and the text of its value.
#[derive(Debug, Clone)]
pub struct MemberTexts<'t> {
    rest: &'t str,
}

impl MemberTexts<'_> {
    /// Returns whether all members were read. If not after the last one, the text is no object.
    pub fn ended(&self) -> bool {
        self.rest.is_empty()
    }
}

impl<'t> Iterator for MemberTexts<'t> {
    type Item = (&'t str, &'t str);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let start = self.rest.strip_prefix('"')?;
        let (name, after) = start.split_at_checked(string_end(start)?)?;
        let after = after.strip_prefix("\":")?;
        let (value, more) = after.split_at_checked(value_end(after)?)?;
        if value.is_empty() {
            return None;
        }
        // After a comma another member follows. If not, the comma is left, and the object has no end.
        self.rest = more.strip_prefix(',').filter(|rest| !rest.is_empty()).unwrap_or(more);
        Some((name, value))
    }
}

#[inline(never)]
pub fn members(object: &str) -> MemberTexts<'_> {
    // What is no object has a rest that no member begins.
    let inside = object.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    MemberTexts { rest: inside.unwrap_or("}") }
}

/// The texts of the items of an array.
#[derive(Debug, Clone)]
pub struct ItemTexts<'t> {
    rest: &'t str,
}

impl<'t> Iterator for ItemTexts<'t> {
    type Item = &'t str;

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let (value, more) = self.rest.split_at_checked(value_end(self.rest)?)?;
        self.rest = more.strip_prefix(',').unwrap_or_default();
        (!value.is_empty()).then_some(value)
    }
}

/// Returns the texts of the items of an array; none for another value.
#[inline(never)]
pub fn items(array: &str) -> ItemTexts<'_> {
    let inside = array.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    ItemTexts { rest: inside.unwrap_or_default() }
}

/// Returns the text of a member; `None` if the object lacks it.
#[inline(never)]
pub fn member<'t>(object: &'t str, name: &str) -> Option<&'t str> {
    members(object).find(|(other, _)| *other == name).map(|(_, value)| value)
}

/// Returns the value of a string; `None` for another value.
#[inline(never)]
pub fn text(value: &str) -> Option<Cow<'_, str>> {
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    if swar::run(inner.as_bytes()) == inner.len() {
        return Some(Cow::Borrowed(inner));
    }
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            out.push(char);
            continue;
        }
        out.push(match chars.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let mut code = 0;
                for _ in 0..4 {
                    code = code << 4 | chars.next()?.to_digit(16)?;
                }
                // Only control characters are written so.
                char::from_u32(code)?
            }
            other => other,
        });
    }
    Some(Cow::Owned(out))
}

/// Returns the value of a number; `None` for another value.
#[inline(never)]
pub fn number(value: &str) -> Option<f64> {
    number::json(value).filter(|number| number.is_finite())
}

/// Returns the value of a whole number; `None` for another value.
#[inline(never)]
pub fn integer(value: &str) -> Option<i64> {
    match value.parse() {
        Ok(integer) => Some(integer),
        // Beyond what a double holds exactly, ECMAScript prints integers in other forms.
        Err(_) => number(value)
            .filter(|number| number.fract() == 0.0 && number.abs() < 1e18)
            .map(|number| number as i64),
    }
}

#[inline(never)]
pub fn boolean(value: &str) -> Option<bool> {
    match value {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Returns where the string ends whose first character is at the start: the place of its quotation mark. `None` if it
/// does not end.
#[inline(never)]
pub(super) fn string_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += swar::run(bytes.get(at..).unwrap_or_default());
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') => return Some(at),
            None => return None,
            Some(_) => at += 1,
        }
    }
}

/// Returns where the value at the start ends; `None` if it does not end.
#[inline(never)]
pub(super) fn value_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0_usize, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at += 1 + string_end(text.get(at + 1..)?)?,
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' if depth == 0 => return Some(at),
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    (depth == 0).then_some(bytes.len())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::test;
    use crate::util::json;
    use proptest::prelude::*;
    use serde_json::Value;

    pub(in crate::util::json) fn json(names: &'static str) -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[\u{0}-\u{ff}\"\\\\]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(names, inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_are_those_of_an_independent_parser(value in json("[a-z]{1,4}")) {
            let text = value.to_string();
            match &value {
                Value::Array(expected) => {
                    let found: Vec<&str> = items(&text).collect();
                    prop_assert_eq!(found, expected.iter().map(Value::to_string).collect::<Vec<_>>());
                }
                Value::Object(expected) => {
                    let found: Vec<(&str, &str)> = members(&text).collect();
                    prop_assert_eq!(found.len(), expected.len());
                    for (name, value) in found {
                        prop_assert_eq!(value, expected[name].to_string());
                        prop_assert_eq!(member(&text, name), Some(value));
                    }
                }
                Value::String(expected) => prop_assert_eq!(super::text(&text), Some(Cow::Borrowed(expected.as_str()))),
                Value::Number(expected) => {
                    prop_assert_eq!(integer(&text), expected.as_i64());
                    prop_assert_eq!(number(&text), expected.as_f64());
                }
                Value::Bool(expected) => prop_assert_eq!(boolean(&text), Some(*expected)),
                Value::Null => prop_assert_eq!((integer(&text), boolean(&text)), (None, None)),
            }
        }

        #[test]
        fn a_string_is_the_one_that_was_written(value in any::<String>()) {
            let mut text = String::new();
            json::string(&mut text, &value);
            prop_assert_eq!(super::text(&text), Some(Cow::Borrowed(value.as_str())));
        }

        #[test]
        fn an_object_that_is_cut_is_not_read_to_its_end(value in "[a-z}\\]{}\",:]{0,9}", at in any::<prop::sample::Index>()) {
            let text = serde_json::json!({ "a": 1, "b": value }).to_string();
            // Also if the last character looks like the end of the object.
            let cut = format!("{}}}", text.get(..at.index(text.len() - 1)).unwrap());
            if cut != r#"{"a":1}"# && cut != "{}" {
                let mut members = members(&cut);
                members.by_ref().for_each(drop);
                prop_assert!(!members.ended(), "{}", cut);
            }
        }

        #[test]
        fn no_text_panics(text in "[\\[\\]{}\",:\\\\a-c0-9é]{0,20}") {
            let _ = members(&text).count() + items(&text).count();
            let _ = (super::text(&text), number(&text), integer(&text));
        }
    }
}
