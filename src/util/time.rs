//! Instants as the contract writes them (D6), and as HTTP does.

pub mod rfc3339;

use core::fmt::Write as _;

/// Milliseconds since 1970 in UTC; a resource's `lastModifiedAt` in this form is its revision (D6).
pub type Millis = u64;

const DAY_MS: u64 = rfc3339::DAY_MS as u64;

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
    const PATTERN: &[u8; 24] = b"0000-00-00T00:00:00.000Z";
    const SECOND: core::ops::Range<usize> = 17..19;
    let fits = text.len() == PATTERN.len()
        && text.bytes().zip(PATTERN).all(|(byte, want)| match want {
            b'0' => byte.is_ascii_digit(),
            other => byte == *other,
        });
    // RFC 3339 has a year 0, and leap seconds.
    let is_real = fits && !text.starts_with("0000") && text.get(SECOND) != Some("60");
    if is_real { rfc3339::instant(text) } else { None }
}

pub fn is_valid(text: &str) -> bool {
    parse_signed(text).is_some()
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
