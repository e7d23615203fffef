//! Numbers from text, and as text.

use super::json as writer;

/// Returns the double nearest to a JSON number, possibly infinite. The result for any other text is unspecified.
#[cold]
#[cfg(not(target_arch = "wasm32"))]
pub fn nearest(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// Returns the double nearest to a JSON number by the host, which can do it anyway: the standard library's way would
/// add 15 kB.
#[cold]
#[cfg(target_arch = "wasm32")]
pub fn nearest(text: &str) -> f64 {
    number(text)
}

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Number)]
    fn number(text: &str) -> f64;

    #[wasm_bindgen(js_name = String)]
    fn text_of(value: f64) -> js_sys::JsString;
}

/// Returns a finite number as ECMAScript prints it, without −0.
#[cfg(not(target_arch = "wasm32"))]
pub fn text(value: f64) -> String {
    let mut out = String::new();
    writer::number(&mut out, value);
    out
}

/// Returns a finite number as ECMAScript prints it, without −0. By the host, whose way costs a page no code; where
/// speed counts, [`writer::number`] does the same.
#[cfg(target_arch = "wasm32")]
pub fn text(value: f64) -> String {
    let text = text_of(value);
    // It is ASCII. A `String` from the host would add what encodes any text to a page.
    (0..text.length()).map(|at| char::from(text.char_code_at(at) as u8)).collect()
}

/// Parses a whole text by JSON's grammar of numbers. The result may be infinite. Returns `None` if it is not a number.
pub fn json(text: &str) -> Option<f64> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    let fits = digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)));
    fits.then(|| nearest(text))
}

/// Parses a parameter's text as a finite number: JSON's grammar, and also a leading `+`, leading zeros, and a point
/// with digits on one side only.
pub fn decimal(text: &str) -> Option<f64> {
    let plain =
        text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    // The host would read the empty text as 0.
    let number = if plain && !text.is_empty() { nearest(text) } else { f64::NAN };
    number.is_finite().then_some(number)
}

/// Appends a finite number as a decimal: 36 is `36.0`.
pub fn push_decimal(out: &mut String, value: f64) {
    let start = out.len();
    writer::number(out, value);
    let whole = out.bytes().skip(start).all(|byte| byte.is_ascii_digit() || byte == b'-');
    if whole {
        out.push_str(".0");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn json_accepts_jsons_numbers_and_parameters_a_little_more() {
        for (text, as_json, as_parameter) in [
            ("0", true, true),
            ("-1.5e+3", true, true),
            ("1E2", true, true),
            ("+1", false, true),
            ("007", false, true),
            (".5", false, true),
            ("5.", false, true),
            ("", false, false),
            ("-", false, false),
            (".", false, false),
            ("1e", false, false),
            ("--1", false, false),
            ("1.2.3", false, false),
            ("NaN", false, false),
            ("inf", false, false),
            ("0x1", false, false),
            (" 1", false, false),
        ] {
            assert_eq!(json(text).is_some(), as_json, "{text}");
            assert_eq!(decimal(text).is_some(), as_parameter, "{text}");
        }
        assert_eq!(json("1e999"), Some(f64::INFINITY));
        assert_eq!(decimal("1e999"), None);
    }
}
