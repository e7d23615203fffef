//! Every header that the contract reads or writes.

use crate::contract::limits;
use crate::util::text::is_printable;

names! {
    /// A request header that the contract reads. JavaScript receives the names in this order, and uses their numbers.
    pub enum RequestHeader name:
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
    /// `no-cache` reads from the source of truth (D19). `max-age=n` accepts a reply to a query that is `n` seconds old.
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
    /// The headers that a page asks to send (CORS preflight).
    AccessControlRequestHeaders = "Access-Control-Request-Headers",
    /// The caller's trace (W3C Trace Context). The request's line in the log names it. A malformed value is ignored.
    TraceParent = "traceparent",
    /// The revision of the Model Context Protocol.
    McpProtocolVersion = "MCP-Protocol-Version",
    /// The method in the message, for proxies. It has to be the same.
    McpMethod = "Mcp-Method",
    /// The tool in the message, for proxies. It has to be the same.
    McpName = "Mcp-Name",
    /// `websocket` asks for a socket to the feed of changes (D36).
    Upgrade = "Upgrade",
    /// The protocols of a socket: that of the feed, and the bearer token of a page (D36).
    WebSocketProtocol = "Sec-WebSocket-Protocol",
    /// The position that a reader of events has reached (D36). It precedes `after`.
    LastEventId = "Last-Event-ID",
    /// The caller's address, which the platform sets. Only the rate limit of the token endpoints reads it.
    ConnectingIp = "CF-Connecting-IP",
}

/// The form of an `Idempotency-Key`, as the end of a sentence (D18).
pub const IDEMPOTENCY_KEY: &str = "expected 1 to 255 printable ASCII characters";

/// Returns whether a text can be an `Idempotency-Key`.
pub fn is_idempotency_key(text: &str) -> bool {
    (1..=limits::IDEMPOTENCY_KEY_CHARS).contains(&text.len()) && is_printable(text)
}

names! {
    /// A header of responses. JavaScript receives the names in this order, and uses their numbers.
    pub enum ResponseHeader name:
    /// The methods that the path supports.
    Allow = "Allow",
    /// `private, no-cache` on responses of operations (D20).
    CacheControl = "Cache-Control",
    /// The body's media type.
    ContentType = "Content-Type",
    /// The correlation ID.
    CorrelationId = "X-Correlation-ID",
    /// The entity tag (D16).
    ETag = "ETag",
    /// `true` if the response is a replay (D18).
    IdempotencyReplayed = "Idempotency-Replayed",
    /// The next page of an export or of changes; absent on the last one.
    Link = "Link",
    /// The address of a created resource.
    Location = "Location",
    /// `no-cache` on the responses of the token endpoints (RFC 6749, 5.1).
    Pragma = "Pragma",
    /// The preference that was applied (D15).
    PreferenceApplied = "Preference-Applied",
    /// The revision of the state in the response (D19); of a page, the newest of the project (D45).
    ResourceRevision = "Resource-Revision",
    /// How long to wait before the next attempt, in seconds.
    RetryAfter = "Retry-After",
    /// The protocol of a socket.
    WebSocketProtocol = "Sec-WebSocket-Protocol",
    /// Why the service rejected the credentials.
    WwwAuthenticate = "WWW-Authenticate",
    /// The request headers that the response depends on (D20).
    Vary = "Vary",
    /// Set if the object was unavailable and the response is KV's cache copy.
    Warning = "Warning",
    /// The origin whose pages may read the response (CORS).
    AllowOrigin = "Access-Control-Allow-Origin",
    /// The headers that those pages may read.
    ExposeHeaders = "Access-Control-Expose-Headers",
    /// The methods that a page may use (CORS preflight).
    AllowMethods = "Access-Control-Allow-Methods",
    /// The headers that a page may send (CORS preflight).
    AllowHeaders = "Access-Control-Allow-Headers",
    /// How long a browser may cache the preflight, in seconds.
    MaxAge = "Access-Control-Max-Age",
    /// `no` on a stream of events: nginx and others then pass each event on at once.
    AccelBuffering = "X-Accel-Buffering",
}

impl ResponseHeader {
    /// Returns whether only browsers read it, before a page gets the response (CORS).
    pub fn is_cors(self) -> bool {
        self.name().starts_with("Access-Control-")
    }
}

/// The response headers that a page may read beyond the safe-listed ones.
pub const EXPOSED: &str = "ETag, Link, Location, Idempotency-Replayed, Preference-Applied, Resource-Revision, \
                           Retry-After, Warning, WWW-Authenticate, X-Correlation-ID";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn the_sentence_about_an_idempotency_key_names_its_limit() {
        assert!(IDEMPOTENCY_KEY.contains(&format!(" {} ", limits::IDEMPOTENCY_KEY_CHARS)));
        let max = "a".repeat(limits::IDEMPOTENCY_KEY_CHARS);
        assert!(is_idempotency_key(&max) && is_idempotency_key(" ~"));
        for bad in ["", &format!("{max}a"), "a\nb", "ä", "\x7f"] {
            assert!(!is_idempotency_key(bad), "{bad}");
        }
    }
}
