//! E-mail addresses: `Mailbox` of RFC 5321, 4.1.2.

use super::host::{is_domain, is_ipv4, is_ipv6};
use crate::util::text::{cut, has};

/// The bytes before the `@` (RFC 5321, 4.5.3.1.1).
const LOCAL_LENGTH: usize = 64;

pub(super) fn is_mailbox(text: &str) -> bool {
    // A quoted local part can have this character, too, but no domain has it.
    let Some(at) = text.bytes().rposition(|byte| byte == b'@') else { return false };
    let (local, domain) = (text.get(..at), text.get(at + 1..));
    local.is_some_and(|local| is_local(local.as_bytes())) && domain.is_some_and(is_host)
}

fn is_local(local: &[u8]) -> bool {
    local.len() <= LOCAL_LENGTH
        && match local {
            [b'"', quoted @ .., b'"'] => is_quoted(quoted),
            _ => local.split(|byte| *byte == b'.').all(is_atom),
        }
}

fn is_atom(atom: &[u8]) -> bool {
    !atom.is_empty()
        && atom.iter().all(|byte| byte.is_ascii_alphanumeric() || has(b"!#$%&'*+-/=?^_`{|}~", *byte))
}

/// Returns whether the bytes can be between quotes: printable, with a backslash before each quote and backslash.
fn is_quoted(mut rest: &[u8]) -> bool {
    loop {
        rest = match rest {
            [] => return true,
            [b'\\', b' '..=b'~', after @ ..] => after,
            [b'\\' | b'"', ..] => return false,
            [b' '..=b'~', after @ ..] => after,
            _ => return false,
        };
    }
}

/// Returns whether a text is a domain, or an address in brackets. IPv6 is the only registered kind with a tag.
fn is_host(text: &str) -> bool {
    let Some(literal) = text.strip_prefix('[') else { return is_domain(text) };
    let Some(address) = literal.strip_suffix(']') else { return false };
    match cut(address, b':') {
        (tag, Some(address)) => tag.eq_ignore_ascii_case("IPv6") && is_ipv6(address),
        (address, None) => is_ipv4(address),
    }
}
