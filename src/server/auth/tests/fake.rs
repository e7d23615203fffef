//! A platform in memory, and settings and tokens for tests.

use core::fmt::Write as _;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use base64ct::{Base64UrlUnpadded, Encoding as _};
use sha2::{Digest as _, Sha256};

use crate::call::Message;
use crate::call::reply::Reply;
use crate::server::auth::Authenticator;
use crate::server::platform::{Asset, CacheCopy, Host, Limiter, Platform, Pointer, PublicKey, Unreachable};
use crate::server::settings::Settings;
use crate::util::time::Millis;

pub(crate) const NOW: Millis = 1_800_000_000_000;
pub(crate) const SECRET: &str = "0123456789abcdef0123456789abcdef";
pub(crate) const JWKS_URL: &str = "https://issuer.example/jwks";
pub(crate) const EXTERNAL: &str = "https://issuer.example";

/// A call of `verify`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) key: PublicKey,
    pub(crate) data: Vec<u8>,
    pub(crate) signature: Vec<u8>,
}

pub(crate) struct Fake {
    pub(crate) now: Cell<Millis>,
    pub(crate) jwks: RefCell<Result<String, Unreachable>>,
    pub(crate) fetches: Cell<u32>,
    pub(crate) asked: RefCell<Vec<Asked>>,
    pub(crate) verdict: RefCell<Result<bool, Unreachable>>,
    pub(crate) lines: RefCell<Vec<String>>,
    /// The body of the request; `None` if the caller broke it off.
    pub(crate) body: RefCell<Option<Vec<u8>>>,
    random: Cell<u8>,
}

impl Fake {
    pub(crate) fn new() -> Self {
        Self {
            now: Cell::new(NOW),
            jwks: RefCell::new(Ok(jwks(&[rsa_key("r1"), ec_key("e1")]))),
            fetches: Cell::new(0),
            asked: RefCell::default(),
            verdict: RefCell::new(Ok(true)),
            lines: RefCell::default(),
            body: RefCell::new(Some(Vec::new())),
            random: Cell::new(0),
        }
    }

    pub(crate) fn pass(&self, millis: Millis) {
        self.now.set(self.now.get() + millis);
    }

    pub(crate) fn cut_off(&self) {
        *self.jwks.borrow_mut() = Err(Unreachable("cut off".to_owned()));
    }
}

/// Is pending once, as anything of the network is.
struct Turn(bool);

impl Future for Turn {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if core::mem::replace(&mut self.0, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Host for Fake {
    type Raw = ();

    fn now(&self) -> Millis {
        self.now.get()
    }

    fn random(&self, bytes: &mut [u8]) {
        self.random.set(self.random.get() + 1);
        bytes.fill(self.random.get());
    }

    fn text(&self, (): ()) -> Option<String> {
        None
    }

    fn log(&self, line: &str) {
        self.lines.borrow_mut().push(line.to_owned());
    }
}

impl Platform for Fake {
    async fn read_copy(&self, _: String) -> Result<Option<CacheCopy<()>>, Unreachable> {
        panic!("tokens are not in KV")
    }

    async fn read_pointer(&self, _: String) -> Result<Option<Pointer>, Unreachable> {
        panic!("tokens are not in KV")
    }

    async fn call_object(&self, _: Message) -> Result<Reply<()>, Unreachable> {
        panic!("tokens are not in objects")
    }

    async fn stream_changes(&self, _: Message, _: u32) -> Result<Reply<()>, Unreachable> {
        panic!("tokens are not in objects")
    }

    async fn read_asset(&self, _: &'static str) -> Result<Asset<()>, Unreachable> {
        panic!("tokens are not static files")
    }

    async fn fetch_text(&self, url: &str) -> Result<String, Unreachable> {
        assert_eq!(url, JWKS_URL);
        self.fetches.set(self.fetches.get() + 1);
        Turn(false).await;
        self.jwks.borrow().clone()
    }

    async fn read_body(&self, limit: usize, discard: usize) -> Result<Option<Vec<u8>>, Unreachable> {
        assert_eq!(limit, discard, "anybody may send a form");
        let body = self.body.borrow().clone().ok_or_else(|| Unreachable("broken off".to_owned()))?;
        Ok((body.len() <= limit).then_some(body))
    }

    async fn verify(&self, key: &PublicKey, data: &[u8], signature: &[u8]) -> Result<bool, Unreachable> {
        let (data, signature) = (data.to_vec(), signature.to_vec());
        self.asked.borrow_mut().push(Asked { key: key.clone(), data, signature });
        Turn(false).await;
        self.verdict.borrow().clone()
    }

    async fn is_within_limit(&self, _: Limiter, _: String) -> Result<bool, Unreachable> {
        panic!("verifying a token counts nothing")
    }
}

pub(crate) fn hex_hash(secret: &str) -> String {
    let mut out = String::new();
    for byte in Sha256::digest(secret) {
        write!(out, "{byte:02x}").unwrap();
    }
    out
}

/// Clients `demo` (two scopes in one project) and `any` (any project), secrets `s3cret` and `wild card:+%`.
pub(crate) fn clients() -> String {
    format!(
        r#"[{{"id":"demo","secretHash":"{}","scopes":["manage_test:demo","view_test:demo"]}},
            {{"id":"any one","secretHash":"{}","scopes":["view_test:*","manage_test:own"]}}]"#,
        hex_hash("s3cret"),
        hex_hash("wild card:+%").to_uppercase(),
    )
}

pub(crate) fn authenticator(settings: &[(&str, &str)]) -> Authenticator {
    Authenticator::new(Settings::parse(&|name| {
        settings.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    }))
}

/// Creates an authenticator with both issuers.
pub(crate) fn both() -> Authenticator {
    authenticator(&[
        ("TOKEN_SECRET", SECRET),
        ("API_CLIENTS", &clients()),
        ("TOKEN_ISSUER", EXTERNAL),
        ("TOKEN_AUDIENCE", "api"),
        ("TOKEN_JWKS_URL", JWKS_URL),
    ])
}

pub(crate) fn part(text: &str) -> String {
    Base64UrlUnpadded::encode_string(text.as_bytes())
}

/// Creates a token signed with the secret of the built-in issuer.
pub(crate) fn issued_token(auth: &Authenticator, header: &str, payload: &str) -> String {
    auth.settings.built_in.as_ref().unwrap().sign(header, payload)
}

pub(crate) const ISSUED_HEADER: &str = r#"{"typ":"at+jwt","alg":"HS256"}"#;

/// Returns the payload of a built-in token, with members put before its end.
pub(crate) fn issued_payload(iat: u64, exp: u64, more: &str) -> String {
    format!(
        r#"{{"iss":"resource-edge","aud":"resource-edge","sub":"demo","client_id":"demo","jti":"j","iat":{iat},"exp":{exp}{more}}}"#
    )
}

pub(crate) const EXTERNAL_PAYLOAD: &str = r#"{"iss":"https://issuer.example","aud":["other","api"],"sub":"user","client_id":"app","jti":"j","iat":1800000000,"exp":1800003600,"scope":"openid manage_test:demo manage_test:* x:y"}"#;

/// Creates a token of the external issuer; the platform decides whether its signature is valid.
pub(crate) fn external_token(alg: &str, kid: &str, payload: &str) -> String {
    let signature = vec![7; if alg == "ES256" { 64 } else { 256 }];
    let header = format!(r#"{{"alg":"{alg}","kid":"{kid}","typ":"AT+JWT"}}"#);
    format!("{}.{}.{}", part(&header), part(payload), Base64UrlUnpadded::encode_string(&signature))
}

pub(crate) fn jwks(keys: &[String]) -> String {
    format!(r#"{{"keys":[{}]}}"#, keys.join(","))
}

pub(crate) fn modulus() -> String {
    Base64UrlUnpadded::encode_string(&[0xab; 256])
}

pub(crate) fn rsa_key(kid: &str) -> String {
    format!(
        r#"{{"kty":"RSA","kid":"{kid}","use":"sig","alg":"RS256","x5t":"odd","n":"{}","e":"AQAB"}}"#,
        modulus()
    )
}

pub(crate) fn ec_key(kid: &str) -> String {
    let coordinate = Base64UrlUnpadded::encode_string(&[5; 32]);
    format!(
        r#"{{"kty":"EC","crv":"P-256","kid":"{kid}","key_ops":["verify"],"x":"{coordinate}","y":"{coordinate}"}}"#
    )
}
