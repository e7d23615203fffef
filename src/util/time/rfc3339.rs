//! Dates and times of RFC 3339.

/// A day in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// Returns the instant of a date-time in milliseconds since 1970, negative before that, without smaller parts. The leap
/// second is the same instant as the second after it. Returns `None` if the text is not a date-time.
pub fn instant(text: &str) -> Option<i64> {
    let (date, time) = text.as_bytes().split_at_checked(10)?;
    let [b'T' | b't', time @ ..] = time else { return None };
    // The year has four digits, so that all of it stays far below 2^63.
    Some(days(date)? * DAY_MS + millis(time)?)
}

pub fn is_date_time(text: &str) -> bool {
    instant(text).is_some()
}

pub fn is_date(text: &str) -> bool {
    days(text.as_bytes()).is_some()
}

pub fn is_time(text: &str) -> bool {
    millis(text.as_bytes()).is_some()
}

/// Returns the number that all of the bytes are the digits of.
#[inline(never)]
fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0')))
}

/// Returns the days from 1970 to a `full-date`, negative before that.
#[inline(never)]
fn days(bytes: &[u8]) -> Option<i64> {
    let (year, [b'-', m1, m2, b'-', d1, d2]) = bytes.split_at_checked(4)? else { return None };
    let (year, month, day) = (number(year)?, number(&[*m1, *m2])?, number(&[*d1, *d2])?);
    if !(1..=12).contains(&month) || !(1..=days_in_month(year, month)).contains(&day) {
        return None;
    }
    // Years begin in March, so that the leap day is the last one, and 400 years early, so that none is negative.
    let (y, m) = if month <= 2 { (year + 399, month + 9) } else { (year + 400, month - 3) };
    Some(365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468 - 146_097)
}

const fn days_in_month(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the milliseconds from midnight in UTC to a `full-time`. An offset can move it to another day.
#[inline(never)]
fn millis(bytes: &[u8]) -> Option<i64> {
    let [h1, h2, b':', m1, m2, b':', s1, s2, rest @ ..] = bytes else { return None };
    let (hour, minute, second) = (number(&[*h1, *h2])?, number(&[*m1, *m2])?, number(&[*s1, *s2])?);
    let (millis, zone) = fraction(rest)?;
    let minutes = hour * 60 + minute - offset(zone)?;
    // A leap second is the last of a day in UTC.
    let is_leap = second == 60 && minutes.rem_euclid(24 * 60) == 24 * 60 - 1;
    let is_time = hour < 24 && minute < 60 && (second < 60 || is_leap);
    is_time.then_some((minutes * 60 + second) * 1000 + millis)
}

/// Returns the milliseconds of a fraction, 0 if there is none, and what follows.
fn fraction(bytes: &[u8]) -> Option<(i64, &[u8])> {
    let [b'.', digits @ ..] = bytes else { return Some((0, bytes)) };
    let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = digits.split_at_checked(count)?;
    let milli = |at: usize| digits.get(at).map_or(0, |digit| i64::from(digit - b'0'));
    (count > 0).then_some((milli(0) * 100 + milli(1) * 10 + milli(2), rest))
}

/// Returns the minutes of an offset: how much the local time is ahead of UTC.
fn offset(bytes: &[u8]) -> Option<i64> {
    let [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] = bytes else {
        return matches!(bytes, [b'Z' | b'z']).then_some(0);
    };
    let (hour, minute) = (number(&[*h1, *h2])?, number(&[*m1, *m2])?);
    let minutes = hour * 60 + minute;
    (hour < 24 && minute < 60).then_some(if *sign == b'-' { -minutes } else { minutes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn an_instant_counts_milliseconds_from_1970() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("1970-01-01t00:00:00.0019z", Some(1)),
            ("1970-01-01T01:00:00.5+01:00", Some(500)),
            ("1969-12-31T23:59:59.999Z", Some(-1)),
            ("2000-02-29T12:34:56.789Z", Some(951_827_696_789)),
            ("2000-02-29T02:34:56.78-10:00", Some(951_827_696_780)),
            ("2000-03-01T02:34:56+14:00", Some(951_827_696_000)),
            ("9999-12-31T23:59:59.999999Z", Some(253_402_300_799_999)),
            ("0001-01-01T00:00:00Z", Some(-62_135_596_800_000)),
            ("0000-01-01T00:00:00Z", Some(-62_167_219_200_000)),
            ("2016-12-31T23:59:60Z", Some(1_483_228_800_000)),
            ("2017-01-01T00:59:60.25+01:00", Some(1_483_228_800_250)),
            ("2016-12-31T23:59:60+01:00", None),
            ("2016-12-31", None),
            ("2016-12-31 23:59:59Z", None),
            ("2016-12-31T23:59:59", None),
            ("2016-12-31T23:59:59.Z", None),
        ] {
            assert_eq!(instant(text), expected, "{text}");
        }
    }
}
