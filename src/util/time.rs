//! Instants as the contract writes them (D6), and as HTTP does.

use core::fmt::Write as _;

/// Milliseconds since 1970 in UTC; a resource's `lastModifiedAt` in this form is its revision (D6).
pub type Millis = u64;

const DAY_MS: u64 = 86_400_000;

#[derive(Clone, Copy)]
struct Civil {
    year: u64,
    month: u64,
    day: u64,
    hour: u64,
    minute: u64,
    second: u64,
    milli: u64,
}

/// Splits an instant by the days-from-civil method (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn civil(instant: i64) -> Civil {
    let days = instant.div_euclid(DAY_MS as i64);
    let rest = instant.rem_euclid(DAY_MS as i64) as u64;
    // Not negative from the year 0 on.
    let z = (days + 719_468) as u64;
    let era = z / 146_097;
    let doe = z % 146_097;
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    Civil {
        year: yoe + era * 400 + u64::from(month <= 2),
        month,
        day: doy - (153 * mp + 2) / 5 + 1,
        hour: rest / 3_600_000,
        minute: rest / 60_000 % 60,
        second: rest / 1000 % 60,
        milli: rest % 1000,
    }
}

/// Returns the instant as `YYYY-MM-DDThh:mm:ss.mmmZ`.
pub fn format(instant: Millis) -> String {
    let mut out = String::with_capacity(24);
    push(&mut out, instant);
    out
}

pub fn push(out: &mut String, instant: Millis) {
    push_signed(out, instant as i64);
}

/// Like [`push`], also for an instant before 1970: milliseconds since then, from the year 1 on.
pub fn push_signed(out: &mut String, instant: i64) {
    let c = civil(instant);
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        c.year, c.month, c.day, c.hour, c.minute, c.second, c.milli
    );
}

/// Parses `YYYY-MM-DDThh:mm:ss.mmmZ`. Returns `None` if the text has another form, if it is no real moment (years
/// 0001–9999, no 24:00, no second 60: D6), or if it is before 1970, because no revision is.
pub fn parse(text: &str) -> Option<Millis> {
    Millis::try_from(parse_signed(text)?).ok()
}

/// Parses the same form to milliseconds since 1970, negative before that: for bounds that no record reaches.
pub fn parse_signed(text: &str) -> Option<i64> {
    let Civil { year, month, day, hour, minute, second, milli } = fields(text)?;
    let of_day = ((hour * 60 + minute) * 60 + second) * 1000 + milli;
    // The years are four digits, so that all of it stays far below 2^63.
    Some(days(year as i64, month as i64, day as i64)? * DAY_MS as i64 + of_day as i64)
}

/// Returns the days from 1970 to a day of the years 0000 to 9999, negative before that. `None` if there is no such day.
pub fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) || !(1..=days_in_month(year, month)).contains(&day) {
        return None;
    }
    // Years begin in March, so that the leap day is the last one, and 400 years early, so that none is negative.
    let (y, m) = if month <= 2 { (year + 399, month + 9) } else { (year + 400, month - 3) };
    Some(365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468 - 146_097)
}

pub fn is_valid(text: &str) -> bool {
    fields(text).is_some()
}

fn fields(text: &str) -> Option<Civil> {
    const PATTERN: &[u8; 24] = b"0000-00-00T00:00:00.000Z";
    let bytes: &[u8; 24] = text.as_bytes().try_into().ok()?;
    let fits = bytes.iter().zip(PATTERN).all(|(byte, want)| match want {
        b'0' => byte.is_ascii_digit(),
        other => byte == other,
    });
    if !fits {
        return None;
    }
    let number = |from: usize, to: usize| {
        bytes.iter().take(to).skip(from).fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'))
    };
    let fields = Civil {
        year: number(0, 4),
        month: number(5, 7),
        day: number(8, 10),
        hour: number(11, 13),
        minute: number(14, 16),
        second: number(17, 19),
        milli: number(20, 23),
    };
    let real = fields.year >= 1
        && days(fields.year as i64, fields.month as i64, fields.day as i64).is_some()
        && fields.hour <= 23
        && fields.minute <= 59
        && fields.second <= 59;
    real.then_some(fields)
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

/// Returns the instant as HTTP writes dates, like `Tue, 29 Feb 2000 12:34:56 GMT` (RFC 9110).
pub fn http_date(instant: Millis) -> String {
    let c = civil(instant as i64);
    // 1970 began on a Thursday.
    let weekday = (instant / DAY_MS % 7) as usize;
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"].get(weekday).unwrap_or(&"");
    let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        .get(c.month as usize - 1)
        .unwrap_or(&"");
    format!("{weekday}, {:02} {month} {:04} {:02}:{:02}:{:02} GMT", c.day, c.year, c.hour, c.minute, c.second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn instants_survive_writing_and_reading() {
        for instant in [0, 951_782_400_000, 1_709_164_799_999, 4_102_444_800_000, 253_402_300_799_999] {
            assert_eq!(parse(&format(instant)), Some(instant), "{}", format(instant));
        }
        assert_eq!(format(951_827_696_789), "2000-02-29T12:34:56.789Z");
    }

    #[test]
    fn moments_that_never_were_are_rejected() {
        for text in [
            "2023-02-29T00:00:00.000Z",
            "1900-02-29T00:00:00.000Z",
            "2024-13-01T00:00:00.000Z",
            "2024-00-01T00:00:00.000Z",
            "2024-04-31T00:00:00.000Z",
            "0000-01-01T00:00:00.000Z",
            "2024-01-01T24:00:00.000Z",
            "2024-01-01T23:59:60.000Z",
            "2024-01-01T00:00:00Z",
            "2024-01-01T00:00:00.000+00:00",
            "2024-01-01 00:00:00.000Z",
            "",
        ] {
            assert!(!is_valid(text), "{text}");
        }
        assert!(is_valid("0001-01-01T00:00:00.000Z"));
        assert_eq!(parse("0001-01-01T00:00:00.000Z"), None);
        assert_eq!(parse_signed("0001-01-01T00:00:00.000Z"), Some(-62_135_596_800_000));
        assert_eq!(parse_signed("1969-12-31T23:59:59.999Z"), Some(-1));
    }

    #[test]
    fn a_date_of_http_names_weekday_and_month() {
        assert_eq!(http_date(951_827_696_789), "Tue, 29 Feb 2000 12:34:56 GMT");
        assert_eq!(http_date(784_111_777_000), "Sun, 06 Nov 1994 08:49:37 GMT");
    }
}
