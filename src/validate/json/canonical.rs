//! Any JSON in the canonical form, for values of which no shape is known.

use super::cursor::{Cursor, Fault};
use super::source::Kind;
use crate::util::{json, number};

impl Cursor<'_> {
    /// Appends the value here in the canonical form, without the members that are null. Returns whether it can be
    /// stored: no number is infinite, and no text has U+0000 or a lone surrogate (D7).
    pub(crate) fn canonical(&mut self, out: &mut String) -> Result<bool, Fault> {
        let mut fits = true;
        match self.kind()? {
            Kind::Number => {
                let value = self.number()?;
                fits = value.is_finite();
                out.push_str(&number::text(value));
            }
            Kind::String => fits = self.canonical_string(out)?,
            Kind::Array => {
                out.push('[');
                let mut open = self.open(b']')?;
                while open {
                    if !out.ends_with('[') {
                        out.push(',');
                    }
                    fits &= self.canonical(out)?;
                    open = self.more(b']')?;
                }
                out.push(']');
            }
            Kind::Object => fits = self.canonical_object(out)?,
            Kind::Null | Kind::Boolean | Kind::Foreign(_) => out.push_str(self.skip()?.text),
        }
        Ok(fits)
    }

    fn canonical_object(&mut self, out: &mut String) -> Result<bool, Fault> {
        let mut fits = true;
        out.push('{');
        let mut open = self.open(b'}')?;
        while open {
            let start = out.len();
            if !out.ends_with('{') {
                out.push(',');
            }
            fits &= self.canonical_string(out)?;
            self.colon()?;
            out.push(':');
            if self.kind()? == Kind::Null {
                self.word()?;
                out.truncate(start);
            } else {
                fits &= self.canonical(out)?;
            }
            open = self.more(b'}')?;
        }
        out.push('}');
        Ok(fits)
    }

    fn canonical_string(&mut self, out: &mut String) -> Result<bool, Fault> {
        let text = self.string()?;
        json::string(out, &text.value);
        Ok(text.flaw.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    fn canonical(text: &str) -> Option<String> {
        let mut out = String::new();
        let fits = Cursor::new(text, false).canonical(&mut out).ok()?;
        fits.then_some(out)
    }

    #[test]
    fn a_value_has_no_space_no_null_members_and_canonical_numbers_and_texts() {
        for (text, expected) in [
            (
                r#"{ "b" : [ 1.0 , -0, null ], "n": null, "a": {"x": null}, "m":null }"#,
                r#"{"b":[1,0,null],"a":{}}"#,
            ),
            (r#"["\u0041\/", true,{"n":null,"a":1e2}, []]"#, r#"["A/",true,{"a":100},[]]"#),
        ] {
            assert_eq!(canonical(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["[1e999]", r#"{"a":"\u0000"}"#, r#"["\ud800"]"#, "[1,]", "{\"a\"}"] {
            assert_eq!(canonical(text), None, "{text}");
        }
    }
}
