//! Addresses that the service fetches: https, or http only on this machine.

use std::net::{Ipv4Addr, Ipv6Addr};

const WANTED: &str =
    "expected an https address (http only for a loopback host) without user, fragment, or spaces";

/// Checks whether the address of a JWKS is unambiguous and secure.
pub(super) fn check(text: &str) -> Result<(), String> {
    if is_fetchable(text) { Ok(()) } else { Err(WANTED.to_owned()) }
}

fn is_fetchable(text: &str) -> bool {
    // URL parsers drop or convert some characters (tabs, line ends, backslashes), which could change the host.
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'#'));
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let Some(host) = host(authority) else { return false };
    plain
        && match scheme {
            "https" => true,
            "http" => is_loopback(host),
            _ => false,
        }
}

/// Returns the host of `host` or `host:port`. `None` if it is malformed, or has a user before it.
pub(super) fn host(authority: &str) -> Option<&str> {
    let (host, port) = if authority.starts_with('[') {
        let end = authority.find(']')? + 1;
        authority.split_at_checked(end)?
    } else {
        authority.split_at_checked(authority.find(':').unwrap_or(authority.len()))?
    };
    let valid_port = port.is_empty()
        || port.strip_prefix(':').is_some_and(|digits| {
            digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.parse::<u16>().is_ok()
        });
    let valid_host = match host.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        Some(inner) => inner.parse::<Ipv6Addr>().is_ok(),
        None => {
            !host.is_empty()
                && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
        }
    };
    (valid_host && valid_port).then_some(host)
}

fn is_loopback(host: &str) -> bool {
    let inner = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || inner.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
        || inner.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback())
}
