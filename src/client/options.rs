//! The options of a client, and the service address that they determine (contract, section 9).

use super::message::message;
use crate::contract::api::path::is_project_key;
use crate::contract::error::quoted;
use crate::util::text::{concat, cut, has};
use crate::util::time::Millis;

message! {
    /// The options of a client. An option that the caller left out is empty.
    Options {
        numbers {
            /// How many retries follow the first attempt.
            retries: u32,
            /// The longest pause before the first retry, in milliseconds; it doubles with each retry.
            base_delay: u32,
            /// The longest pause before any retry, in milliseconds.
            max_delay: u32,
        }
        texts {
            project_key,
            /// With `cloud_provider` and `domain`, the host is `api.{region}.{cloudProvider}.{domain}`.
            region,
            /// See `region`.
            cloud_provider,
            /// See `region`.
            domain,
            /// The whole address, instead of these three.
            base_url,
        }
    }
}

/// How many retries a call has, and their pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// See [`Options::retries`].
    pub retries: u32,
    /// See [`Options::base_delay`].
    pub base_delay: u32,
    /// See [`Options::max_delay`].
    pub max_delay: u32,
}

impl Retry {
    /// The retries of a client whose caller does not set them.
    pub const DEFAULT: Self = Self { retries: 4, base_delay: 200, max_delay: 8_000 };

    /// Returns the pause before the retry with that number (from 0): the service's `Retry-After` if there is one, else
    /// a backoff, if there are retries at all.
    pub(super) fn pause(&self, retry: u32, retry_after: Option<Millis>, jitter: u32) -> Millis {
        let backoff = || if self.retries == 0 { 0 } else { self.backoff(retry, jitter) };
        retry_after.unwrap_or_else(backoff)
    }

    /// Returns a random pause. Its upper bound doubles with each retry, up to the limit (full jitter).
    fn backoff(&self, retry: u32, jitter: u32) -> Millis {
        let factor = 1_u32.checked_shl(retry).unwrap_or(u32::MAX);
        let span = self.base_delay.saturating_mul(factor).min(self.max_delay);
        (u64::from(span) * u64::from(jitter)) >> 32
    }
}

/// The timeout of a call with its retries if the caller does not set it, in milliseconds.
pub const TIMEOUT_MS: u32 = 30_000;
/// The part of a call's timeout that an attempt has if the caller does not set its limit: a hung attempt leaves time
/// for two others.
pub const ATTEMPTS: u32 = 3;

impl Options<'_> {
    pub(super) fn retry(&self) -> Retry {
        Retry { retries: self.retries, base_delay: self.base_delay, max_delay: self.max_delay }
    }

    /// Returns the service's address without a slash at its end, or what is wrong with the options, as a sentence.
    pub fn base(&self) -> Result<String, String> {
        if !is_project_key(self.project_key) {
            return Err(wrong("projectKey", "1 to 128 of A-Z a-z 0-9 _ -", self.project_key));
        }
        let parts =
            [("region", self.region), ("cloudProvider", self.cloud_provider), ("domain", self.domain)];
        let own = !self.base_url.is_empty();
        for (name, value) in parts {
            // Only the domain may have more than one label.
            let fits = if own { value.is_empty() } else { is_label(value, name == "domain") };
            if !fits {
                return Err(wrong(name, if own { "no value beside baseUrl" } else { LABEL }, value));
            }
        }
        if !own {
            return Ok(concat(&["https://api.", self.region, ".", self.cloud_provider, ".", self.domain]));
        }
        if !is_address(self.base_url) {
            // The text before an @ may be a password.
            return Err(wrong("baseUrl", ADDRESS, cut(self.base_url, b'@').1.unwrap_or(self.base_url)));
        }
        Ok(self.base_url.strip_suffix('/').unwrap_or(self.base_url).to_owned())
    }
}

const LABEL: &str = "a DNS label (a-z 0-9 -) or the option baseUrl";
const ADDRESS: &str = "a URL such as https://api.example.com";

/// Returns whether a text is one label of a host name, or several labels with dots between them, so that it cannot
/// change another part of an address.
#[inline(never)]
fn is_label(text: &str, several: bool) -> bool {
    let (label, more) = if several { cut(text, b'.') } else { (text, None) };
    (1..=63).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
        && more.is_none_or(|more| is_label(more, true))
}

/// Returns whether a text is an absolute address to which a path can be appended.
fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or_default();
    !matches!(rest.as_bytes(), [] | [b'/' | b':', ..])
        && rest.bytes().all(|byte| byte > b' ' && byte != 0x7f && !has(b"?#\\@\"<>", byte))
}

/// Returns the sentence about a wrong option.
#[cold]
#[inline(never)]
fn wrong(name: &str, expected: &str, found: &str) -> String {
    concat(&[name, ": expected ", expected, ", found '", quoted(found), "'."])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    fn hosted(region: &str, cloud_provider: &str, domain: &str) -> Result<String, String> {
        Options { project_key: "p", region, cloud_provider, domain, ..Options::default() }.base()
    }

    fn based(base_url: &str) -> Result<String, String> {
        Options { project_key: "p", base_url, ..Options::default() }.base()
    }

    #[test]
    fn region_and_cloud_provider_determine_the_host() {
        assert_eq!(
            hosted("europe-west1", "gcp", "example.com").as_deref(),
            Ok("https://api.europe-west1.gcp.example.com")
        );
    }

    #[test]
    fn neither_region_nor_cloud_provider_can_change_the_host() {
        for bad in [
            "a.b",
            "evil.com/",
            "a/b",
            "a@b",
            "a:1",
            "-a",
            "a-",
            "a b",
            "ä",
            "a\n",
            "a?b",
            "a#",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ] {
            let message = hosted(bad, "gcp", "example.com").unwrap_err();
            assert!(message.starts_with("region: expected a DNS label"), "{bad}: {message}");
            assert!(hosted("eu", bad, "example.com").is_err(), "{bad}");
        }
        for bad in [".", "a..b", "example.com.", "example.com/x", "example.com:80"] {
            assert!(hosted("eu", "gcp", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_base_address_is_accepted_unchanged() {
        assert_eq!(based("http://127.0.0.1:8787/").as_deref(), Ok("http://127.0.0.1:8787"));
        assert_eq!(based("https://example.com/api/v1").as_deref(), Ok("https://example.com/api/v1"));
        for bad in [
            "example.com",
            "ftp://a",
            "https://",
            "https:///x",
            "https://:80",
            "https://a?b",
            "https://a#b",
            "https://a b",
            "https://a\\b",
        ] {
            assert!(based(bad).is_err(), "{bad}");
        }
        let message = based("https://user:secret@example.com").unwrap_err();
        assert!(!message.contains("secret"), "{message}");
    }

    #[test]
    fn what_is_missing_or_too_much_is_named() {
        let missing = Options { project_key: "p", region: "eu", ..Options::default() };
        assert!(missing.base().unwrap_err().starts_with("cloudProvider: expected"));
        let both = Options { base_url: "https://a", ..missing };
        assert_eq!(both.base().unwrap_err(), "region: expected no value beside baseUrl, found 'eu'.");
        assert!(Options::default().base().unwrap_err().starts_with("projectKey: expected"));
    }

    #[test]
    fn pauses_are_random_out_of_a_span_that_doubles_to_a_bound() {
        let retry = Retry { retries: 9, base_delay: 100, max_delay: 1000 };
        let longest: Vec<_> = (0..9).map(|at| retry.backoff(at, u32::MAX)).collect();
        assert_eq!(longest, [99, 199, 399, 799, 999, 999, 999, 999, 999]);
        assert_eq!(retry.backoff(3, 0), 0);
        assert_eq!(retry.backoff(3, u32::MAX / 2), 399);
        assert_eq!(retry.backoff(200, u32::MAX), 999);
    }

    #[test]
    fn retry_after_precedes_the_backoff() {
        let retry = Retry { retries: 4, base_delay: 200, max_delay: 8000 };
        assert_eq!([retry.pause(0, Some(7000), 5), retry.pause(9, Some(7000), 5)], [7000; 2]);
        assert_eq!(retry.pause(9, None, u32::MAX), 7999);
        let none = Retry { retries: 0, ..retry };
        assert_eq!([none.pause(0, Some(7000), 5), none.pause(0, None, u32::MAX)], [7000, 0]);
    }
}
