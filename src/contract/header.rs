//! Every header that the contract reads or writes.

macro_rules! request_headers {
    ($($(#[$doc:meta])* $name:ident = $wire:literal,)*) => {
        /// A request header that the contract reads.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum RequestHeader { $($(#[$doc])* $name,)* }

        impl RequestHeader {
            /// Every request header, in the order in which the entry passes them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The header's name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $wire,)* }
            }
        }
    };
}

request_headers! {
    /// The bearer token, or a client's credentials.
    Authorization = "Authorization",
    /// The body's media type.
    ContentType = "Content-Type",
    /// The body's coding; any is refused (section 7).
    ContentEncoding = "Content-Encoding",
    /// Whether errors are wanted as problems.
    Accept = "Accept",
    /// Where the page came from (CORS).
    Origin = "Origin",
    /// The caller's correlation id.
    CorrelationId = "X-Correlation-ID",
    /// `no-cache` reads the truth (D19).
    CacheControl = "Cache-Control",
    /// The oldest revision that the caller takes (D19).
    MinRevision = "Resource-Min-Revision",
    /// D20.
    IfMatch = "If-Match",
    /// D20.
    IfNoneMatch = "If-None-Match",
    /// D18.
    IdempotencyKey = "Idempotency-Key",
    /// `respond-async` (D15).
    Prefer = "Prefer",
    /// Which headers a page wants to send (CORS preflight).
    AccessControlRequestHeaders = "Access-Control-Request-Headers",
}

/// Names of the headers that answers carry.
pub mod answer {
    /// The methods that a path has.
    pub const ALLOW: &str = "Allow";
    /// Always `private, no-cache` (D20).
    pub const CACHE_CONTROL: &str = "Cache-Control";
    /// The body's media type.
    pub const CONTENT_TYPE: &str = "Content-Type";
    /// The correlation id.
    pub const CORRELATION_ID: &str = "X-Correlation-ID";
    /// The entity tag (D16).
    pub const ETAG: &str = "ETag";
    /// `true` where an answer is a replay (D18).
    pub const IDEMPOTENCY_REPLAYED: &str = "Idempotency-Replayed";
    /// Where a created resource is.
    pub const LOCATION: &str = "Location";
    /// Which preference was applied (D15).
    pub const PREFERENCE_APPLIED: &str = "Preference-Applied";
    /// The revision of what was answered (D19).
    pub const RESOURCE_REVISION: &str = "Resource-Revision";
    /// When to try again, in seconds.
    pub const RETRY_AFTER: &str = "Retry-After";
    /// Why a caller was not let in.
    pub const WWW_AUTHENTICATE: &str = "WWW-Authenticate";
    /// What the answer depends on (D20).
    pub const VARY: &str = "Vary";
    /// Set where the object was out of reach and KV's copy was served.
    pub const WARNING: &str = "Warning";
    /// The headers that a page may read beyond the safe-listed ones.
    pub const EXPOSED: &str = "ETag, Location, Idempotency-Replayed, Preference-Applied, Resource-Revision, \
                               Retry-After, Warning, WWW-Authenticate, X-Correlation-ID";
}
