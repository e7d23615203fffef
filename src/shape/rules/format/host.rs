//! Names and addresses of hosts.

use super::label;

/// The longest name: 255 bytes of the DNS, two of which are not part of the text.
const NAME_LENGTH: usize = 253;
const LABEL_LENGTH: usize = 63;

pub(super) fn is_hostname(text: &str) -> bool {
    is_domain(text) && label::are_valid(text)
}

/// Returns whether a text consists of labels with letters, digits, and hyphens (RFC 1123, 2.1).
#[inline(never)]
pub(super) fn is_domain(text: &str) -> bool {
    text.len() <= NAME_LENGTH && text.as_bytes().split(|byte| *byte == b'.').all(is_label)
}

fn is_label(label: &[u8]) -> bool {
    label.len() <= LABEL_LENGTH
        && label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        && !matches!(label, [] | [b'-', ..] | [.., b'-'])
}

pub(super) fn is_ipv4(text: &str) -> bool {
    is_quad(text.as_bytes())
}

#[inline(never)]
fn is_quad(bytes: &[u8]) -> bool {
    let parts = || bytes.split(|byte| *byte == b'.');
    parts().count() == 4 && parts().all(is_octet)
}

/// Returns whether the bytes are a number from 0 to 255 without leading zeros, which some programs read as octal.
fn is_octet(digits: &[u8]) -> bool {
    let is_number = digits.iter().all(u8::is_ascii_digit) && matches!(digits, [_] | [b'1'..=b'9', _, ..]);
    is_number
        && digits.len() <= 3
        && digits.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')) < 256
}

#[inline(never)]
pub(super) fn is_ipv6(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(gap) = bytes.windows(2).position(|pair| pair == b"::") else {
        return groups(bytes, true) == Some(8);
    };
    // The gap means at least one group.
    let before = bytes.get(..gap).and_then(|before| groups(before, false));
    let after = bytes.get(gap + 2..).and_then(|after| groups(after, true));
    before.zip(after).is_some_and(|(before, after)| before + after < 8)
}

/// Returns how many groups of 16 bits an address on one side of its gap has, possibly none. At the end, an IPv4 address
/// may be the last two groups.
#[inline(never)]
fn groups(bytes: &[u8], at_end: bool) -> Option<usize> {
    if bytes.is_empty() {
        return Some(0);
    }
    let mut count = 0;
    let mut parts = bytes.split(|byte| *byte == b':').peekable();
    while let Some(part) = parts.next() {
        count += match part.len() {
            1..=4 if part.iter().all(u8::is_ascii_hexdigit) => 1,
            _ if at_end && parts.peek().is_none() && is_quad(part) => 2,
            _ => return None,
        };
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    /// Random texts of the characters of addresses, so that many are valid, or nearly so.
    fn texts(alphabet: &[&'static str]) -> impl Iterator<Item = String> {
        let mut state = 43_u64;
        let mut next = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        (0..20_000).map(move |_| (0..=next(14)).map(|_| alphabet[next(alphabet.len())]).collect())
    }

    #[test]
    fn addresses_are_those_of_the_standard_library() {
        let mut valid = [0; 2];
        for text in texts(&["1.", "0.", "25.", "255.", "256.", "9", "."]) {
            assert_eq!(is_ipv4(&text), text.parse::<core::net::Ipv4Addr>().is_ok(), "{text}");
            valid[0] += usize::from(is_ipv4(&text));
        }
        for text in texts(&["1", "0", "fE", "abcd", ":", ":", ":", ":", "::", "1.2.3.4", ":1.2.3.4", "g"]) {
            assert_eq!(is_ipv6(&text), text.parse::<core::net::Ipv6Addr>().is_ok(), "{text}");
            valid[1] += usize::from(is_ipv6(&text));
        }
        assert!(valid.iter().all(|count| *count > 20), "{valid:?}");
    }
}
