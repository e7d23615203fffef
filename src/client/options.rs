//! What a client is set up with, and where that leads (contract, section 9).

use super::text::{Parts, cut, say, wrong};
use crate::contract::path::is_project_key;

/// How a client is set up. What is empty was not given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options<'a> {
    /// The project.
    pub project_key: &'a str,
    /// With `cloud_provider` and `domain`: the host is `api.{region}.{cloudProvider}.{domain}`.
    pub region: &'a str,
    /// See `region`.
    pub cloud_provider: &'a str,
    /// See `region`.
    pub domain: &'a str,
    /// The address itself, instead of the three.
    pub base_url: &'a str,
    /// How often and how soon to try again.
    pub retry: Retry,
}

/// How often and how soon a call is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// How many times after the first.
    pub retries: u32,
    /// The longest pause before the first retry, in milliseconds; each next one may be twice as long.
    pub base_delay: u32,
    /// The longest pause of all, in milliseconds.
    pub max_delay: u32,
}

impl Default for Retry {
    fn default() -> Self {
        Self { retries: 4, base_delay: 200, max_delay: 8000 }
    }
}

impl<'a> Options<'a> {
    /// The options that the text describes: project key, region, cloud provider, domain, base address, retries, first and
    /// longest pause; U+0000 between them.
    #[must_use]
    pub fn parse(text: &'a str) -> Self {
        let mut parts = Parts::of(text);
        // Only JavaScript's own numbers come here, which it has checked.
        let number = |parts: &mut Parts<'_>| parts.number().unwrap_or_default() as u32;
        Self {
            project_key: parts.word(),
            region: parts.word(),
            cloud_provider: parts.word(),
            domain: parts.word(),
            base_url: parts.word(),
            retry: Retry {
                retries: number(&mut parts),
                base_delay: number(&mut parts),
                max_delay: number(&mut parts),
            },
        }
    }

    /// The service's address without a slash at its end; or what is wrong with the options, as a sentence.
    pub fn base(&self) -> Result<String, String> {
        if !is_project_key(self.project_key) {
            return Err(wrong("projectKey", "1 to 128 of A-Z a-z 0-9 _ -", self.project_key));
        }
        let parts =
            [("region", self.region), ("cloudProvider", self.cloud_provider), ("domain", self.domain)];
        let own = !self.base_url.is_empty();
        for (name, value) in parts {
            // The domain alone may have more than one label.
            let fits = if own { value.is_empty() } else { is_label(value, name == "domain") };
            if !fits {
                return Err(wrong(name, if own { "nothing beside baseUrl" } else { LABEL }, value));
            }
        }
        if !own {
            return Ok(say(&["https://api.", self.region, ".", self.cloud_provider, ".", self.domain]));
        }
        if !is_address(self.base_url) {
            // What stands before an @ may be a password.
            return Err(wrong("baseUrl", ADDRESS, cut(self.base_url, b'@').1.unwrap_or(self.base_url)));
        }
        Ok(self.base_url.strip_suffix('/').unwrap_or(self.base_url).to_owned())
    }
}

const LABEL: &str = "a DNS label (a-z 0-9 -), or baseUrl instead";
const ADDRESS: &str = "an address such as https://api.example.com";

/// Whether a text is one label of a host's name (or several with dots between them), so that it can change nothing else of
/// an address.
#[inline(never)]
fn is_label(text: &str, several: bool) -> bool {
    let (label, more) = if several { cut(text, b'.') } else { (text, None) };
    (1..=63).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
        && more.is_none_or(|more| is_label(more, true))
}

/// Whether a text is an absolute address to which a path can be appended.
fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or_default();
    !rest.is_empty()
        && !rest.starts_with(['/', ':'])
        && rest.bytes().all(|byte| byte > b' ' && byte != 0x7f && !b"?#\\@\"<>".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosted(region: &str, cloud_provider: &str, domain: &str) -> Result<String, String> {
        Options { project_key: "p", region, cloud_provider, domain, ..Options::default() }.base()
    }

    fn based(base_url: &str) -> Result<String, String> {
        Options { project_key: "p", base_url, ..Options::default() }.base()
    }

    #[test]
    fn region_and_cloud_provider_make_the_host() {
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
    fn a_base_address_is_taken_as_it_is() {
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
    fn options_are_read_from_one_text() {
        let retry = Retry { retries: 1, base_delay: 2, max_delay: 3 };
        let expected = Options { project_key: "p", base_url: "https://a", retry, ..Options::default() };
        assert_eq!(Options::parse("p\0\0\0\0https://a\x001\x002\x003"), expected);
    }

    #[test]
    fn what_is_missing_or_too_much_is_named() {
        let missing = Options { project_key: "p", region: "eu", ..Options::default() };
        assert!(missing.base().unwrap_err().starts_with("cloudProvider: expected"));
        let both = Options { base_url: "https://a", ..missing };
        assert_eq!(both.base().unwrap_err(), "region: expected nothing beside baseUrl, found 'eu'.");
        assert!(Options::default().base().unwrap_err().starts_with("projectKey: expected"));
    }
}
