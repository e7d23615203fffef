//! Addresses with a scheme: `URI` of RFC 3986, appendix A.

use super::host::is_ipv6;
use crate::util::text::{cut, has};

pub(super) fn is_uri(text: &str) -> bool {
    let (scheme, Some(rest)) = cut(text, b':') else { return false };
    let (rest, fragment) = cut(rest, b'#');
    let (rest, query) = cut(rest, b'?');
    is_scheme(scheme)
        && is_hierarchy(rest)
        && [query, fragment].into_iter().flatten().all(|part| has_only(part, b":@/?"))
}

fn is_scheme(text: &str) -> bool {
    matches!(text.as_bytes(), [first, rest @ ..] if first.is_ascii_alphabetic()
        && rest.iter().all(|byte| byte.is_ascii_alphanumeric() || has(b"+-.", *byte)))
}

fn is_hierarchy(text: &str) -> bool {
    let path = match text.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = cut(rest, b'/');
            if !is_authority(authority) {
                return false;
            }
            path.unwrap_or_default()
        }
        None => text,
    };
    has_only(path, b":@/")
}

fn is_authority(text: &str) -> bool {
    let (user, host) = match cut(text, b'@') {
        (user, Some(host)) => (user, host),
        (host, None) => ("", host),
    };
    has_only(user, b":") && is_host_and_port(host)
}

fn is_host_and_port(text: &str) -> bool {
    let port = match text.strip_prefix('[') {
        Some(rest) => match cut(rest, b']') {
            (address, Some("")) if is_literal(address) => None,
            // Only a colon may follow the bracket.
            (address, Some(rest)) if is_literal(address) => match cut(rest, b':') {
                ("", port) => port,
                _ => return false,
            },
            _ => return false,
        },
        None => match cut(text, b':') {
            (name, port) if has_only(name, b"") => port,
            _ => return false,
        },
    };
    port.is_none_or(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns whether a text may be between brackets: IPv6, or a later version with its number.
fn is_literal(text: &str) -> bool {
    let (Some("v" | "V"), Some(later)) = (text.get(..1), text.get(1..)) else { return is_ipv6(text) };
    let (version, Some(address)) = cut(later, b'.') else { return false };
    let is_version = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_version && !address.is_empty() && !has(address.as_bytes(), b'%') && has_only(address, b":")
}

/// Returns whether a text has only the characters that are valid in each part, those that are also valid in this one,
/// and percent-encoded bytes.
#[inline(never)]
fn has_only(text: &str, also: &[u8]) -> bool {
    let mut rest = text.as_bytes();
    loop {
        rest = match rest {
            [] => return true,
            [b'%', high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => after,
            [byte, after @ ..] if byte.is_ascii_alphanumeric() || has(b"-._~!$&'()*+,;=", *byte) => after,
            [byte, after @ ..] if has(also, *byte) => after,
            _ => return false,
        };
    }
}
