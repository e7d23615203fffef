//! Parses numbers: returns the double of a JSON text, correctly rounded.
//!
//! Ours instead of `str::parse`, because that adds 15 kB to the npm package, and needs the end of the number first.
//! Numbers that are hard to round go to the host ([`nearest`]).

use super::cursor::{Cursor, Fault};
use crate::util::number::nearest;

/// The powers of ten that a double represents exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The digits of a number as one integer.
#[derive(Default)]
struct Mantissa {
    value: u64,
    /// Whether there are more digits than fit the integer.
    long: bool,
}

/// The mantissa and the power of ten of a number as written, without its sign.
struct Decimal {
    mantissa: Mantissa,
    exponent: i64,
}

impl Cursor<'_> {
    /// Parses an integer that has few digits and nothing else, which is the common case. Returns `None` without moving
    /// if there is another number or none.
    #[inline]
    pub(crate) fn short_integer(&mut self) -> Option<i64> {
        const MAX_DIGITS: usize = 15;
        let rest = self.rest();
        let (negative, digits) = match rest {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        let mut value = 0;
        let mut count = 0;
        for byte in digits.iter().take(MAX_DIGITS) {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value * 10 + i64::from(digit);
            count += 1;
        }
        // There are digits, without a leading zero, and the number ends after them.
        let ends = matches!(digits.get(count), Some(b',' | b']' | b'}'));
        if !ends || count == 0 || (count > 1 && digits.first() == Some(&b'0')) {
            return None;
        }
        self.advance(count + usize::from(negative));
        Some(if negative { -value } else { value })
    }

    /// Parses a number of digits with or without a point, short enough to be finite, which is the common case. Returns
    /// `None` without moving if there is another number or none, or if its value `is_needed` and has more digits than
    /// every double. A value that is not needed may be another one.
    #[inline]
    pub(crate) fn short_number(&mut self, is_needed: bool) -> Option<f64> {
        const MAX_BYTES: usize = 40;
        const EXACT_BYTES: usize = 16;
        let rest = self.rest();
        let digits = rest.strip_prefix(b"-").unwrap_or(rest);
        let mut count = 0;
        let mut mantissa = 0_u64;
        // The index of the point; `MAX_BYTES` until there is one.
        let mut point = MAX_BYTES;
        for byte in digits.iter().take(MAX_BYTES) {
            let digit = byte.wrapping_sub(b'0');
            if digit <= 9 {
                mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
            } else if *byte == b'.' && point == MAX_BYTES {
                point = count;
            } else {
                break;
            }
            count += 1;
        }
        let whole = point.min(count);
        let ends = matches!(digits.get(count), Some(b',' | b']' | b'}'));
        let leading_zero = whole > 1 && digits.first() == Some(&b'0');
        if !ends || whole == 0 || point + 1 == count || leading_zero || (is_needed && count >= EXACT_BYTES) {
            return None;
        }
        let power = POWERS.get(count.saturating_sub(point + 1)).copied().unwrap_or(1.0);
        self.advance(count + rest.len() - digits.len());
        let size = mantissa as f64 / power;
        Some(if rest.len() == digits.len() || size == 0.0 { size } else { -size })
    }

    /// Parses the number that starts here; infinite if it is too large, and never −0.
    pub(crate) fn number(&mut self) -> Result<f64, Fault> {
        let start = self.at();
        let negative = self.peek() == b'-';
        let decimal = self.decimal()?;
        let size = exact(&decimal).unwrap_or_else(|| nearest(self.since(start)).abs());
        // A zero loses its sign, because JSON writers would print −0 as 0 (D7).
        Ok(if negative && size != 0.0 { -size } else { size })
    }

    /// Skips the number that starts here. The result is finite if and only if the number fits a double. Cheaper than
    /// parsing the value.
    pub(crate) fn size(&mut self) -> Result<f64, Fault> {
        // A mantissa that is not long has at most 19 digits, and the largest double has 309.
        const SURELY_FINITE: i64 = 309 - 19 - 1;
        let start = self.at();
        let decimal = self.decimal()?;
        let small = !decimal.mantissa.long && decimal.exponent <= SURELY_FINITE;
        Ok(if small { 0.0 } else { nearest(self.since(start)) })
    }

    fn decimal(&mut self) -> Result<Decimal, Fault> {
        let negative = self.peek() == b'-';
        if negative {
            self.advance(1);
        }
        let mut mantissa = Mantissa::default();
        if self.peek() == b'0' {
            self.advance(1);
            if self.peek().is_ascii_digit() {
                return Err(Fault::LeadingZero);
            }
        } else {
            self.digits(&mut mantissa)?;
        }
        let mut exponent = 0;
        if self.peek() == b'.' {
            self.advance(1);
            exponent = -self.digits(&mut mantissa)?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.advance(1);
            exponent += self.exponent()?;
        }
        Ok(Decimal { mantissa, exponent })
    }

    /// Parses digits, at least one, and returns how many there are.
    fn digits(&mut self, mantissa: &mut Mantissa) -> Result<i64, Fault> {
        const FULL: u64 = 1_000_000_000_000_000_000;
        let mut count = 0;
        for byte in self.rest().iter().take_while(|byte| byte.is_ascii_digit()) {
            if mantissa.value < FULL {
                mantissa.value = mantissa.value * 10 + u64::from(byte - b'0');
            } else {
                mantissa.long = true;
            }
            count += 1;
        }
        if count == 0 {
            return Err(Fault::Digit);
        }
        self.advance(count);
        Ok(count as i64)
    }

    /// Parses the sign and the digits of an exponent. An absurdly large value is replaced by an equivalent one.
    fn exponent(&mut self) -> Result<i64, Fault> {
        let negative = self.peek() == b'-';
        if matches!(self.peek(), b'-' | b'+') {
            self.advance(1);
        }
        let mut digits = Mantissa::default();
        self.digits(&mut digits)?;
        // Far beyond any count of digits after the point, so that the two cannot cancel out.
        let value = digits.value.min(1 << 60) as i64;
        Ok(if negative { -value } else { value })
    }
}

/// Returns the double of a mantissa and a power of ten that are both exact, so that one operation rounds once (Clinger,
/// "How to Read Floating Point Numbers Accurately"); `None` for others.
fn exact(&Decimal { ref mantissa, exponent }: &Decimal) -> Option<f64> {
    if mantissa.long || mantissa.value > 1 << 53 {
        return None;
    }
    let power = POWERS.get(usize::try_from(exponent.unsigned_abs()).ok()?)?;
    let value = mantissa.value as f64;
    Some(if exponent < 0 { value / power } else { value * power })
}

/// Converts a double to the integer that it equals, if it is within the bounds (D7).
pub(crate) fn integer(value: f64, min: i64, max: i64) -> Option<i64> {
    // The bounds are within ±2^53, where every integer is a double.
    let whole = value.fract() == 0.0 && value >= min as f64 && value <= max as f64;
    whole.then_some(value as i64)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "numbers must be read exactly")]

    use super::*;
    use crate::test;
    use proptest::prelude::*;

    fn read(text: &str) -> Option<f64> {
        let mut cursor = Cursor::new(text, false);
        let value = cursor.number().ok()?;
        cursor.ended().then_some(value)
    }

    #[test]
    fn numbers_are_those_of_the_grammar() {
        for (text, value) in [
            ("0", 0.0),
            ("-0", 0.0),
            ("-0.0e5", 0.0),
            ("12", 12.0),
            ("-1.5", -1.5),
            ("1e2", 100.0),
            ("1E+2", 100.0),
            ("25e-1", 2.5),
            ("0.1", 0.1),
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("123456789012345678901234567890", 123_456_789_012_345_678_901_234_567_890.0),
            ("5e-324", 5e-324),
            ("1e-400", 0.0),
            ("-1e-400", 0.0),
            ("0e999999999999999999999", 0.0),
            ("1e23", 1e23),
            ("1.7976931348623157e308", f64::MAX),
            ("1e309", f64::INFINITY),
            ("-1e99999999999999999999", f64::NEG_INFINITY),
        ] {
            let found = read(text);
            assert_eq!(found, Some(value), "{text}");
            assert!(value != 0.0 || found.unwrap().is_sign_positive(), "{text}");
        }
        let others = ["", "-", "01", "-01", "1.", ".5", "1e", "1e+", "+1", "1.e5", "0x1", "1_0", "NaN", "1f"];
        for text in others.into_iter().chain(["1:", "1/"]) {
            assert_eq!(read(text), None, "{text}");
            assert_eq!(Cursor::new(&format!("{text},"), false).short_integer(), None, "{text}");
        }
    }

    #[test]
    fn a_long_fraction_and_its_exponent_do_not_cancel_out_wrongly() {
        let zeros = "0".repeat(100_000);
        assert_eq!(read(&format!("0.{zeros}1e100001")), Some(1.0));
        assert_eq!(read(&format!("0.{zeros}1e18446744073709651617")), Some(f64::INFINITY));
        assert_eq!(read(&format!("1{zeros}e-100000")), Some(1.0));
    }

    proptest! {
        #[test]
        fn every_number_is_the_one_that_the_standard_library_reads(text in "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,25})?([eE][-+]?[0-9]{1,3})?") {
            let expected: f64 = text.parse().unwrap();
            prop_assert_eq!(read(&text), Some(expected));
        }
    }

    proptest! {
        #[test]
        fn short_numbers_are_those_that_the_long_way_reads(
            text in "-?[0-9]{0,17}(\\.[0-9]{0,20})?([eE][0-9])?[ ,}x]?|[-.0-9,]{0,6}",
        ) {
            let long = |text: &str| {
                let mut cursor = Cursor::new(text, false);
                cursor.number().ok().map(|value| (value, cursor.at()))
            };
            let mut cursor = Cursor::new(&text, false);
            if let Some(value) = cursor.short_integer() {
                prop_assert_eq!(long(&text), Some((value as f64, cursor.at())));
            }
            let mut cursor = Cursor::new(&text, false);
            if cursor.short_number(false).is_some() {
                prop_assert_eq!(long(&text).map(|(_, at)| at), Some(cursor.at()));
            } else {
                prop_assert_eq!(cursor.at(), 0);
            }
            let mut cursor = Cursor::new(&text, false);
            if let Some(value) = cursor.short_number(true) {
                prop_assert_eq!(long(&text), Some((value, cursor.at())));
                prop_assert!(value != 0.0 || value.is_sign_positive());
            } else {
                prop_assert_eq!(cursor.at(), 0);
            }
        }
    }

    #[test]
    fn most_numbers_are_short() {
        for text in ["0,", "-1]", "123456789012345}"] {
            assert!(Cursor::new(text, false).short_integer().is_some(), "{text}");
        }
        for text in ["0,", "-1.5]", "14286.142857142857}", "0.000000001,"] {
            assert!(Cursor::new(text, false).short_number(false).is_some(), "{text}");
        }
    }

    #[test]
    fn a_size_is_finite_if_the_number_is() {
        let zeros = "0".repeat(300);
        for text in [
            "0",
            "-1.5",
            "1e289",
            "1e290",
            "1e308",
            "1.8e308",
            "1e309",
            "-1e309",
            "9999999999999999999e288",
            "9999999999999999999e289",
            "9999999999999999999e290",
            "12345678901234567890e289",
            "0.1e310",
            "0e999",
            &format!("1{zeros}"),
            &format!("1{zeros}00000000"),
            &format!("1{zeros}0000000000"),
            &format!("0.{zeros}1e609"),
            &format!("0.{zeros}1e610"),
            "1e99999999999999999999",
            "1e-99999999999999999999",
        ] {
            let finite = Cursor::new(text, false).size().unwrap().is_finite();
            assert_eq!(finite, text.parse::<f64>().unwrap().is_finite(), "{text}");
        }
    }

    #[test]
    fn integers_are_checked_as_doubles() {
        let safe = crate::contract::limits::INTEGER_MAX;
        for (text, value) in [
            ("1.0", Some(1)),
            ("1e2", Some(100)),
            ("9007199254740990.4", Some(9_007_199_254_740_990)),
            ("9007199254740991", Some(safe)),
            ("-9007199254740991", Some(-safe)),
            ("9007199254740992", None),
            ("1.5", None),
            ("1e400", None),
        ] {
            assert_eq!(integer(read(text).unwrap(), -safe, safe), value, "{text}");
        }
    }
}
