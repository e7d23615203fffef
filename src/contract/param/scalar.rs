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
    /// Parses a value, or returns its problem.
    pub fn parse(self, text: &str) -> Result<ParamValue, Refusal> {
        // Rust would also accept `inf` and `nan`.
        let decimal = |ty| number::decimal(text).ok_or_else(|| wrong(ty, "a finite decimal number", text));
        match self {
            Self::String | Self::Json(_) if text.bytes().any(|byte| byte == 0) => {
                Err(Refusal::new(Reason::Characters, "it must not contain U+0000".to_owned()))
            }
            Self::String | Self::Json(_) => Ok(ParamValue::Text(text.to_owned())),
            Self::Boolean => match text {
                "true" => Ok(ParamValue::Boolean(true)),
                "false" => Ok(ParamValue::Boolean(false)),
                _ => Err(wrong("boolean", "true or false", text)),
            },
            Self::Float => decimal("number").map(ParamValue::Float),
            Self::Whole { min, max } => {
                let value = decimal("integer")?;
                // The bounds lie within ±2^53, where the cast is exact.
                let (whole, is_whole) = (value as i64, value.fract() == 0.0);
                if is_whole && (min..=max).contains(&whole) {
                    return Ok(ParamValue::Whole(whole));
                }
                let mut range = concat(&["a whole number from "]);
                json::integer(&mut range, min);
                append(&mut range, &[" to "]);
                json::integer(&mut range, max);
                if !is_whole {
                    return Err(wrong("integer", &range, text));
                }
                let refusal = Refusal::new(Reason::Range, expected(&range, text));
                Err(refusal.with(Member::Minimum, min).with(Member::Maximum, max))
            }
        }
    }
}

#[cold]
#[inline(never)]
fn expected(what: &str, text: &str) -> String {
    concat(&["expected ", what, ", found '", quoted(text), "'"])
}

/// Returns the problem of a text that does not have the type.
#[cold]
#[inline(never)]
fn wrong(ty: &str, what: &str, text: &str) -> Refusal {
    Refusal::new(Reason::Type, expected(what, text)).expecting(&[ty])
}
