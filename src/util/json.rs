//! Writing JSON: strings, numbers as ECMAScript prints them, and members in the order they are given.

pub mod canonical;
pub mod selection;

use super::swar;

pub fn string(out: &mut String, text: &str) {
    let digit = |half: u8| char::from_digit(u32::from(half & 15), 16).unwrap_or('0');
    out.push('"');
    let mut rest = text;
    loop {
        // The bytes that need an escape are ASCII, so both ends are character boundaries.
        let (clean, after) = rest.split_at_checked(swar::run(rest.as_bytes())).unwrap_or((rest, ""));
        out.push_str(clean);
        let Some(byte) = after.bytes().next() else { break };
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            8 => "\\b",
            12 => "\\f",
            _ => {
                out.push_str("\\u00");
                out.push(digit(byte >> 4));
                out.push(digit(byte));
                ""
            }
        };
        out.push_str(escape);
        rest = after.get(1..).unwrap_or_default();
    }
    out.push('"');
}

/// Returns JSON for a log: a line of printable ASCII. Terminals, editors, and readers of lines act on more characters
/// than JSON has to escape.
pub fn log_line(json: String) -> String {
    let is_plain = |char: char| (' '..='~').contains(&char);
    if json.chars().all(is_plain) {
        return json;
    }
    let mut out = String::with_capacity(json.len() * 2);
    for char in json.chars() {
        if is_plain(char) {
            out.push(char);
            continue;
        }
        // JSON has such characters only in its strings.
        for unit in char.encode_utf16(&mut [0; 2]) {
            out.push_str("\\u");
            for shift in [12, 8, 4, 0] {
                out.push(char::from_digit(u32::from(*unit >> shift) & 15, 16).unwrap_or('0'));
            }
        }
    }
    out
}

/// Appends a finite number as ECMAScript prints it: 1.0 is `1`, −0 is `0`.
pub fn number(out: &mut String, value: f64) {
    let whole = value as i64;
    if value.fract() == 0.0 && whole.unsigned_abs() < 1 << 53 {
        integer(out, whole);
    } else {
        out.push_str(ryu_js::Buffer::new().format_finite(value));
    }
}

pub fn boolean(out: &mut String, value: bool) {
    out.push_str(if value { "true" } else { "false" });
}

/// Appends an integer. Without the standard library's formatting, which the npm package does without.
pub fn integer(out: &mut String, value: i64) {
    if value < 0 {
        out.push('-');
    }
    let mut rest = value.unsigned_abs();
    let mut digits = [b'0'; 20];
    let mut unused = digits.len();
    for digit in digits.iter_mut().rev() {
        *digit += (rest % 10) as u8;
        rest /= 10;
        unused -= 1;
        if rest == 0 {
            break;
        }
    }
    out.extend(digits.iter().skip(unused).map(|digit| char::from(*digit)));
}

/// Returns an object with the members that the function writes.
pub fn object(write: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    let mut out = String::with_capacity(512);
    let mut object = ObjectWriter::open(&mut out);
    write(&mut object);
    object.close();
    out
}

#[derive(Debug)]
pub struct ObjectWriter<'a> {
    out: &'a mut String,
    first: bool,
}

impl<'a> ObjectWriter<'a> {
    pub fn open(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, first: true }
    }

    /// Writes a member's name and returns where its value goes. Names need no escaping.
    pub fn member(&mut self, name: &str) -> &mut String {
        if !self.first {
            self.out.push(',');
        }
        self.first = false;
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
        self.out
    }

    pub fn text(&mut self, name: &str, value: &str) {
        string(self.member(name), value);
    }

    pub fn text_if(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    pub fn integer(&mut self, name: &str, value: i64) {
        integer(self.member(name), value);
    }

    pub fn boolean(&mut self, name: &str, value: bool) {
        boolean(self.member(name), value);
    }

    pub fn array<T>(&mut self, name: &str, items: &[T], write: impl FnMut(&mut String, &T)) {
        array(self.member(name), items, write);
    }

    pub fn close(self) {
        self.out.push('}');
    }
}

/// Appends an object whose names may need escaping.
pub fn members<'m, T: 'm + ?Sized>(
    out: &mut String,
    members: impl IntoIterator<Item = (&'m str, &'m T)>,
    mut write: impl FnMut(&mut String, &T),
) {
    out.push('{');
    for (at, (name, value)) in members.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        string(out, name);
        out.push(':');
        write(out, value);
    }
    out.push('}');
}

pub fn array<T>(out: &mut String, items: &[T], mut write: impl FnMut(&mut String, &T)) {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(']');
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "numbers must survive exactly")]

    use super::*;
    use crate::test;
    use proptest::prelude::*;

    fn written(write: impl FnOnce(&mut String)) -> String {
        let mut out = String::new();
        write(&mut out);
        out
    }

    proptest! {
        #[test]
        fn strings_are_read_back_by_an_independent_parser(text in any::<String>()) {
            let json = written(|out| string(out, &text));
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }

        #[test]
        fn numbers_are_read_back_exactly(value in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL) {
            let json = written(|out| number(out, value));
            prop_assert_eq!(json.parse::<f64>().unwrap(), value);
        }
    }

    proptest! {
        #[test]
        fn a_log_line_is_printable_ascii_and_the_same_json(text in any::<String>()) {
            let json = written(|out| string(out, &text));
            let line = log_line(json);
            prop_assert!(line.bytes().all(|byte| (0x20..0x7f).contains(&byte)), "{}", line);
            prop_assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
        }
    }

    #[test]
    fn integers_are_written_as_the_standard_library_writes_them() {
        for value in [0, 1, -1, 9, 10, 99, 100, 1_000_000_000_000, i64::MAX, i64::MIN] {
            assert_eq!(written(|out| integer(out, value)), value.to_string());
        }
    }

    #[test]
    fn numbers_read_as_ecmascript_prints_them() {
        for (value, text) in [
            (1.0, "1"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (5e-324, "5e-324"),
            (-1.5e-7, "-1.5e-7"),
            (9_007_199_254_740_991.0, "9007199254740991"),
        ] {
            assert_eq!(written(|out| number(out, value)), text);
        }
    }
}
