//! The value of a parameter, by its type.

use super::id::ParamType;
use super::refusal::Refusal;
use crate::contract::error::{Member, Reason, quoted};
use crate::util::text::{append, concat};
use crate::util::{json, number};

#[derive(Debug, Clone, PartialEq)]
pub enum ParamValue {
    /// A string, or a JSON text that is not validated yet.
    Text(String),
    Float(f64),
    Whole(i64),
    Boolean(bool),
}

impl ParamType {
    /// Parses a value. Returns its problem as the end of a sentence.
    pub fn parse(self, text: &str) -> Result<ParamValue, String> {
        let expected = |what: &str| expected(what, text);
        // Rust would also accept `inf` and `nan`.
        let decimal = || number::decimal(text).ok_or_else(|| expected("a finite decimal number"));
        match self {
            Self::String | Self::Json(_) if text.bytes().any(|byte| byte == 0) => {
                Err("it must not contain U+0000".to_owned())
            }
            Self::String | Self::Json(_) => Ok(ParamValue::Text(text.to_owned())),
            Self::Boolean => match text {
                "true" => Ok(ParamValue::Boolean(true)),
                "false" => Ok(ParamValue::Boolean(false)),
                _ => Err(expected("true or false")),
            },
            Self::Float => decimal().map(ParamValue::Float),
            Self::Whole { min, max } => {
                let value = decimal()?;
                // The bounds lie within ±2^53, where the cast is exact.
                let whole = value as i64;
                if value.fract().abs() <= 0.0 && (min..=max).contains(&whole) {
                    return Ok(ParamValue::Whole(whole));
                }
                let mut range = concat(&["a whole number from "]);
                json::integer(&mut range, min);
                append(&mut range, &[" to "]);
                json::integer(&mut range, max);
                Err(expected(&range))
            }
        }
    }
}

#[cold]
#[inline(never)]
fn expected(what: &str, text: &str) -> String {
    concat(&["expected ", what, ", found '", quoted(text), "'"])
}

/// Returns the refusal of a text that does not have the type. Apart from [`ParamType::parse`], whose sentence it has,
/// because the npm package needs only the sentence, and has no room for more.
pub(super) fn refusal(ty: ParamType, text: &str, sentence: String) -> Refusal {
    let wrong = match ty {
        ParamType::String | ParamType::Json(_) => return Refusal::new(Reason::Characters, sentence),
        ParamType::Whole { min, max } if number::decimal(text).is_some_and(|value| value.fract() == 0.0) => {
            let refusal = Refusal::new(Reason::Range, sentence);
            return refusal.with(Member::Minimum, min).with(Member::Maximum, max);
        }
        ParamType::Boolean => "boolean",
        ParamType::Float => "number",
        ParamType::Whole { .. } => "integer",
    };
    Refusal::new(Reason::Type, sentence).expecting(&[wrong])
}
