//! The smallest languages: numbers, times, percent-encoding, strings, entity tags, names, and forms of a time.

use resource_edge::contract::api::etag::{self, Condition};
use resource_edge::contract::api::path;
use resource_edge::contract::limits;
use resource_edge::contract::response::receipt;
use resource_edge::util::percent::DecodeError;
use resource_edge::util::{json, number, percent, time};

use super::input::Input;

/// The last instant of the year 9999.
const LATEST: u64 = 253_402_300_799_999;

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    // One language per input, so that more inputs are tried.
    match (input.choice(7), input.text()) {
        (0, _) => bits(f64::from_bits(input.number())),
        (1, _) => instants(input.number() % (LATEST + 1)),
        (2, Some(text)) => read_number(text),
        (3, Some(text)) => moment(text),
        (4, Some(text)) => escapes(text),
        (5, Some(text)) => tags(text, 7),
        (_, Some(text)) => strings(text),
        (_, None) => {}
    }
}

fn instants(instant: u64) {
    assert_eq!(time::parse(&time::format(instant)), Some(instant));
    assert!(serde_json::from_str::<serde_json::Value>(&receipt::json(instant)).is_ok());
}

fn strings(text: &str) {
    let mut quoted = String::new();
    json::string(&mut quoted, text);
    assert_eq!(serde_json::from_str::<String>(&quoted).ok().as_deref(), Some(text));
    if path::is_name(text) {
        assert!((1..=limits::NAME_BYTES).contains(&text.len()) && text != "." && text != "..");
    }
    assert!(!path::is_project_key(text) || text.is_ascii());
}

/// Checks that a finite number is written as JSON with the same value.
fn bits(value: f64) {
    if !value.is_finite() {
        return;
    }
    let mut written = String::new();
    json::number(&mut written, value);
    let read = number::json(&written).unwrap_or_else(|| panic!("{value:?} is written as {written}"));
    // −0 is written as 0.
    assert_eq!(read.to_bits(), (value + 0.0).to_bits(), "{written}");
}

/// Compares JSON's number grammar with another reader.
fn read_number(text: &str) {
    if text != text.trim() {
        return;
    }
    let other = serde_json::from_str::<f64>(text).ok();
    let found = number::json(text);
    // serde_json rejects numbers beyond the range of doubles.
    assert_eq!(
        found.filter(|number| number.is_finite()).map(f64::to_bits),
        other.map(f64::to_bits),
        "{text}"
    );
    if let Some(found) = found.filter(|number| number.is_finite()) {
        assert_eq!(number::decimal(text).map(f64::to_bits), Some(found.to_bits()), "{text}");
    }
}

fn moment(text: &str) {
    let signed = time::parse_signed(text);
    assert_eq!(time::is_valid(text), signed.is_some(), "{text}");
    assert_eq!(time::parse(text), signed.and_then(|instant| u64::try_from(instant).ok()), "{text}");
    if let Some(instant) = time::parse(text) {
        assert_eq!(time::format(instant), text);
    }
}

fn escapes(text: &str) {
    let mut encoded = String::new();
    percent::encode(&mut encoded, text);
    assert!(encoded.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte)));
    check_decoder(text, &encoded, percent::decode, "+");
    check_decoder(text, &encoded, percent::decode_form, " ");
}

/// Checks a decoder for which a plus sign is `plus`.
fn check_decoder(text: &str, encoded: &str, decode: fn(&str) -> Result<String, DecodeError>, plus: &str) {
    assert_eq!(decode(encoded).as_deref(), Ok(text));
    if !text.contains('%') {
        assert_eq!(decode(text), Ok(text.replace('+', plus)));
    }
    if let Ok(decoded) = decode(text) {
        assert!(decoded.len() <= text.len());
        let mut again = String::new();
        percent::encode(&mut again, &decoded);
        assert_eq!(decode(&again), Ok(decoded));
    }
}

fn tags(text: &str, instant: u64) {
    let tag = etag::of(text, instant);
    let own = Condition::parse(&tag).unwrap_or_else(|| panic!("{tag} is no entity tag"));
    assert!(own.matches_strongly(&tag) && !own.matches_weakly(&etag::of(text, instant + 1)));
    if let Some(Condition::Tags(tags)) = Condition::parse(text) {
        let again = Condition::parse(&tags.join(", "));
        assert_eq!(again, Some(Condition::Tags(tags)), "{text}");
    }
}
