//! `multipleOf`, exact for the decimal numbers that people write: 0.0075 is a multiple of 0.0001, although neither is
//! a double.

use crate::util::number;

/// A number as `digits` times ten to the power of `exponent`.
struct Decimal {
    /// At most 17 digits. The last one is not 0, unless the number is.
    digits: u64,
    exponent: i32,
}

/// Returns whether a number is a whole multiple of another, both as their shortest decimal texts (ECMAScript's). No
/// number is a multiple of 0.
pub fn is_multiple(value: f64, divisor: f64) -> bool {
    for power in POWERS {
        if let (Some(value), Some(divisor)) = (scaled(value, power), scaled(divisor, power)) {
            return value.checked_rem(divisor) == Some(0);
        }
    }
    if !value.is_finite() || !divisor.is_finite() || divisor == 0.0 {
        return false;
    }
    let (value, divisor) = (decimal(value), decimal(divisor));
    // The quotient is the value's digits times ten to this power, divided by the divisor's digits.
    let power = value.exponent - divisor.exponent;
    if value.digits == 0 || power < 0 {
        // The last digit is not 0, so ten does not divide the digits.
        return value.digits == 0;
    }
    // Long division, whose remainders are below 10^17. It has a few hundred steps at most.
    let Some(mut rest) = value.digits.checked_rem(divisor.digits) else { return false };
    for _ in 0..power {
        if rest == 0 {
            break;
        }
        rest = (rest * 10).checked_rem(divisor.digits).unwrap_or_default();
    }
    rest == 0
}

/// The powers of ten that most decimal numbers become integers by.
const POWERS: [f64; 5] = [1.0, 10.0, 100.0, 1e3, 1e4];

/// Returns a number times a power of ten, if that is an integer of at most 15 digits: then the shortest text of the
/// number is that of the quotient.
#[allow(clippy::float_cmp, reason = "the quotient is the number, or another one")]
fn scaled(value: f64, power: f64) -> Option<i64> {
    let whole = (value * power) as i64;
    (whole.unsigned_abs() < 1_000_000_000_000_000 && whole as f64 / power == value).then_some(whole)
}

/// Returns the absolute value of a finite number.
fn decimal(value: f64) -> Decimal {
    let text = number::text(value.abs());
    let mut text = text.bytes();
    let (mut digits, mut exponent, mut zeros) = (0, 0, 0);
    let mut is_fraction = false;
    for byte in text.by_ref() {
        match byte {
            b'.' => is_fraction = true,
            b'e' => break,
            digit => {
                exponent -= i32::from(is_fraction);
                // Zeros count only if another digit follows: 1e20 has more digits than fit.
                zeros += 1;
                if digit != b'0' {
                    for _ in 0..zeros {
                        digits *= 10;
                    }
                    digits += u64::from(digit - b'0');
                    zeros = 0;
                }
            }
        }
    }
    let is_negative = text.next() == Some(b'-');
    let written = text.fold(0, |sum, digit| sum * 10 + i32::from(digit - b'0'));
    Decimal { digits, exponent: exponent + zeros + if is_negative { -written } else { written } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn multiples_are_those_of_the_decimal_texts() {
        for (value, divisor, expected) in [
            (12.0, 3.0, true),
            (12.0, 5.0, false),
            (-12.0, 4.0, true),
            (12.0, -4.0, true),
            (0.0, 0.7, true),
            (-0.0, 5.0, true),
            (19.99, 0.01, true),
            (19.999, 0.01, false),
            (0.3, 0.1, true),
            (1.1, 0.1, true),
            (-4.35, 0.05, true),
            (4.36, 0.05, false),
            (7.5, 2.5, true),
            (7.0, 2.5, false),
            (0.1, 1.0, false),
            (1.0, 0.3, false),
            (3e-7, 1e-7, true),
            (3.5e-7, 1e-7, false),
            (1e-8, 1e-8, true),
            (1e21, 0.25, true),
            (1e21, 7.0, false),
            (123_456_789_012_345_680_000.0, 40_000.0, true),
            (123_456_789_012_345_680_000.0, 10.0, true),
            (123_456_789_012_345_680_000.0, 100_000.0, false),
            (9_007_199_254_740_993.0, 2.0, true),
            (1e300, 1e-300, true),
            (1e300, 3e-300, false),
            (1e-300, 1e300, false),
            (f64::MAX, 5e-324, true),
            (f64::MAX, 1.797_693_134_862_315_7e308, true),
            (5e-324, f64::MAX, false),
            (5.0, 0.0, false),
            (5.5, 0.0, false),
            (f64::INFINITY, 2.0, false),
            (f64::NAN, 2.0, false),
            (2.0, f64::INFINITY, false),
        ] {
            assert_eq!(is_multiple(value, divisor), expected, "{value} of {divisor}");
        }
    }
}
