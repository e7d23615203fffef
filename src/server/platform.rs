//! What the handler needs from where it runs: KV, objects, keys of outside issuers, time and randomness.

use crate::call::Message;
use crate::contract::kv::Metadata;
use crate::contract::reply::Answer;
use crate::contract::time::Millis;

/// An entry of KV.
#[derive(Debug, Clone)]
pub struct Entry<B> {
    /// Its value, untouched.
    pub value: B,
    /// Its metadata.
    pub metadata: Metadata,
}

/// Something outside could not be reached, or answered what makes no sense; the cause is for the log alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreachable(pub String);

/// A public key of an outside issuer, as its JWKS states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    /// The algorithm that the key is for.
    pub algorithm: Algorithm,
    /// The key as JWK (JSON), ready for WebCrypto's `importKey`.
    pub jwk: String,
}

/// A signature algorithm of outside issuers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
    /// ECDSA on P-256 with SHA-256.
    Es256,
}

/// Where the handler runs.
#[allow(async_fn_in_trait, reason = "one thread: no future of these is ever sent to another")]
pub trait Platform {
    /// A value of KV that is passed through untouched.
    type Raw;

    /// The time in milliseconds since 1970.
    fn now(&self) -> Millis;

    /// Fills the bytes with unpredictable ones.
    fn random(&self, bytes: &mut [u8]);

    /// Writes one line to the log.
    fn log(&self, line: &str);

    /// The resource's entry `entry` of KV, its value untouched; `None` where there is none.
    async fn kv_raw(&self, entry: &str) -> Result<Option<Entry<Self::Raw>>, Unreachable>;

    /// The key's entry `entry` of KV, its value as text; `None` where there is none.
    async fn kv_text(&self, entry: &str) -> Result<Option<Entry<String>>, Unreachable>;

    /// The answer of the project's object to the message.
    async fn object(&self, message: &Message) -> Result<Answer, Unreachable>;

    /// The text at an address (the JWKS of an outside issuer).
    async fn fetch_text(&self, url: &str) -> Result<String, Unreachable>;

    /// Whether the signature over the data was made with the key's private half.
    async fn verify(&self, key: &PublicKey, data: &[u8], signature: &[u8]) -> Result<bool, Unreachable>;
}
