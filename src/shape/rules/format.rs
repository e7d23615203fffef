//! `format`: the formats of texts that a shape may name, by the RFCs that JSON Schema names.

mod host;
mod label;
mod mailbox;
mod uri;

use crate::contract::names;
use crate::util::time::rfc3339;

names! {
    /// A format of texts. Its name is that of JSON Schema.
    pub enum TextFormat name:
    /// A date, a time, and an offset, like `2024-02-29T12:00:00+01:00` (RFC 3339).
    DateTime = "date-time",
    /// A day, like `2024-02-29` (RFC 3339).
    Date = "date",
    /// A time of day with an offset, like `12:00:00Z` (RFC 3339).
    Time = "time",
    /// An e-mail address, like `ada@example.com` (RFC 5321).
    Email = "email",
    /// An absolute address, like `https://example.com/a?b#c` (RFC 3986).
    Uri = "uri",
    /// A UUID of any version, like `2eb8aa08-aa98-11ea-b4aa-73b441d16380` (RFC 4122).
    Uuid = "uuid",
    /// A name of a host, like `www.example.com` (RFC 1123, and RFC 5891 for labels that begin with `xn--`).
    Hostname = "hostname",
    /// An address like `192.0.2.1` (RFC 2673).
    Ipv4 = "ipv4",
    /// An address like `2001:db8::1`, without a zone (RFC 4291).
    Ipv6 = "ipv6",
}

impl TextFormat {
    /// Returns the format with a name of JSON Schema.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// Returns whether a text has the format. Calls through a table would add 1 kB to a page: what else it may hold.
    #[inline(never)]
    pub fn fits(self, text: &str) -> bool {
        match self {
            Self::DateTime => rfc3339::is_date_time(text),
            Self::Date => rfc3339::is_date(text),
            Self::Time => rfc3339::is_time(text),
            Self::Email => mailbox::is_mailbox(text),
            Self::Uri => uri::is_uri(text),
            Self::Uuid => is_uuid(text),
            Self::Hostname => host::is_hostname(text),
            Self::Ipv4 => host::is_ipv4(text),
            Self::Ipv6 => host::is_ipv6(text),
        }
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests;
