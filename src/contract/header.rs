//! Every header that the contract reads or writes.

use super::{limits, prose};

macro_rules! request_headers {
    ($(#[doc = $doc:literal] $name:ident = $wire:literal,)*) => {
        /// A request header that the contract reads.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum RequestHeader { $(#[doc = $doc] $name,)* }

        impl RequestHeader {
            /// Every request header, in the order in which the entry passes them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The header's name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $wire,)* }
            }

            /// Its meaning, in one sentence.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self { $(Self::$name => prose($doc).trim_ascii_start(),)* }
            }
        }
    };
}

request_headers! {
    /// The bearer token, or a client's credentials.
    Authorization = "Authorization",
    /// The body's media type.
    ContentType = "Content-Type",
    /// The body's coding; the service rejects any (section 7).
    ContentEncoding = "Content-Encoding",
    /// `application/problem+json` requests errors as problems (RFC 9457).
    Accept = "Accept",
    /// The origin of the page (CORS).
    Origin = "Origin",
    /// The caller's correlation ID: 8 to 256 printable characters; any other value is ignored.
    CorrelationId = "X-Correlation-ID",
    /// `no-cache` reads from the source of truth (D19).
    CacheControl = "Cache-Control",
    /// The minimum revision that the caller accepts (D19).
    MinRevision = "Resource-Min-Revision",
    /// Entity tags, or `*`: the resource must still have one of them (D20).
    IfMatch = "If-Match",
    /// Entity tags, or `*`: the resource must have none of them (D20).
    IfNoneMatch = "If-None-Match",
    /// A repeat of the request with the same key gets the first response again (D18).
    IdempotencyKey = "Idempotency-Key",
    /// `respond-async` asks for a receipt (D15).
    Prefer = "Prefer",
    /// The headers that a page wants to send (CORS preflight).
    AccessControlRequestHeaders = "Access-Control-Request-Headers",
    /// The caller's trace (W3C Trace Context). The request's line in the log names it. A malformed value is ignored.
    TraceParent = "traceparent",
    /// The caller's address, which the platform sets. Only the rate limit of the token endpoints reads it.
    ConnectingIp = "CF-Connecting-IP",
}

/// What an `Idempotency-Key` must be, as the end of a sentence (D18).
pub const IDEMPOTENCY_KEY: &str = "expected 1 to 255 printable ASCII characters";

/// Whether a text can be an `Idempotency-Key`.
#[must_use]
pub fn is_idempotency_key(text: &str) -> bool {
    (1..=limits::IDEMPOTENCY_KEY_CHARS).contains(&text.len())
        && text.bytes().all(|byte| (b' '..0x7f).contains(&byte))
}

macro_rules! answer_headers {
    ($(#[doc = $doc:literal] $name:ident = $wire:literal,)*) => {
        $(#[doc = $doc] pub const $name: &str = $wire;)*

        /// Every response header, with its meaning.
        pub const ALL: &[(&str, &str)] = &[$(($wire, super::prose($doc)),)*];
    };
}

/// Names of response headers.
pub mod answer {
    answer_headers! {
        /// The methods that the path supports.
        ALLOW = "Allow",
        /// `private, no-cache` on responses of operations (D20).
        CACHE_CONTROL = "Cache-Control",
        /// The body's media type.
        CONTENT_TYPE = "Content-Type",
        /// The correlation ID.
        CORRELATION_ID = "X-Correlation-ID",
        /// The entity tag (D16).
        ETAG = "ETag",
        /// `true` if the response is a replay (D18).
        IDEMPOTENCY_REPLAYED = "Idempotency-Replayed",
        /// The next page of an export; absent on the last one.
        LINK = "Link",
        /// The address of a created resource.
        LOCATION = "Location",
        /// The preference that was applied (D15).
        PREFERENCE_APPLIED = "Preference-Applied",
        /// The revision of the state in the response (D19).
        RESOURCE_REVISION = "Resource-Revision",
        /// How long to wait before the next attempt, in seconds.
        RETRY_AFTER = "Retry-After",
        /// Why the service rejected the credentials.
        WWW_AUTHENTICATE = "WWW-Authenticate",
        /// The request headers that the response depends on (D20).
        VARY = "Vary",
        /// Set if the object was unavailable and the response is KV's cache copy.
        WARNING = "Warning",
    }

    /// The headers that a page may read beyond the safe-listed ones.
    pub const EXPOSED: &str = "ETag, Link, Location, Idempotency-Replayed, Preference-Applied, Resource-Revision, \
                               Retry-After, Warning, WWW-Authenticate, X-Correlation-ID";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_about_an_idempotency_key_names_its_limit() {
        assert!(IDEMPOTENCY_KEY.contains(&format!(" {} ", limits::IDEMPOTENCY_KEY_CHARS)));
        let most = "a".repeat(limits::IDEMPOTENCY_KEY_CHARS);
        assert!(is_idempotency_key(&most) && is_idempotency_key(" ~"));
        for bad in ["", &format!("{most}a"), "a\nb", "ä", "\x7f"] {
            assert!(!is_idempotency_key(bad), "{bad}");
        }
    }
}
