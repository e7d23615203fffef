//! A platform in memory, and settings and tokens for tests.

use core::fmt::Write as _;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use base64ct::{Base64UrlUnpadded, Encoding as _};
use sha2::{Digest as _, Sha256};

use crate::contract::error::ApiError;
use crate::server::auth::jwt::TokenRefusal;
use crate::server::auth::{Authenticator, Claims};
use crate::server::platform::{Effect, EffectOutcome, EffectSlot, Host, Port, PublicKey, Unreachable};
use crate::server::settings::Settings;
use crate::util::time::Millis;

pub(crate) const NOW: Millis = 1_800_000_000_000;
/// The same in seconds.
pub(crate) const SECONDS: u64 = NOW / 1000;
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

    pub(crate) fn port(&self) -> Port<&Self> {
        Port::new(self)
    }

    /// Runs what a request does to its end, and performs its effects.
    pub(crate) fn run<T>(&self, port: &Port<&Self>, act: impl Future<Output = T>) -> T {
        let mut act = pin!(act);
        loop {
            if let Some(done) = self.step(port, act.as_mut()) {
                return done;
            }
        }
    }

    /// Runs a request to its next effect, and performs that. Returns the result at its end.
    pub(crate) fn step<T>(&self, port: &Port<&Self>, act: Pin<&mut impl Future<Output = T>>) -> Option<T> {
        let Poll::Ready(done) = act.poll(&mut Context::from_waker(Waker::noop())) else {
            let EffectSlot::Requested(effect) = port.slot.replace(EffectSlot::Idle) else {
                panic!("no effect")
            };
            port.slot.replace(EffectSlot::Done(self.perform(effect)));
            return None;
        };
        Some(done)
    }

    fn perform(&self, effect: Effect) -> EffectOutcome<()> {
        let outcome = match effect {
            Effect::FetchText { url } => {
                assert_eq!(url, JWKS_URL);
                self.fetches.set(self.fetches.get() + 1);
                self.jwks.borrow().clone().map(EffectOutcome::Text)
            }
            Effect::ReadBody { limit, discard } => {
                assert_eq!(limit, discard, "anybody may send a form");
                let body = self.body.borrow().clone().filter(|body| body.len() <= limit);
                if self.body.borrow().is_some() {
                    Ok(EffectOutcome::Body(body))
                } else {
                    Err(Unreachable("broken off".to_owned()))
                }
            }
            Effect::Verify { key, data, signature } => {
                self.asked.borrow_mut().push(Asked { key, data, signature });
                self.verdict.borrow().clone().map(EffectOutcome::Verified)
            }
            other => panic!("tokens need no {other:?}"),
        };
        outcome.unwrap_or_else(|Unreachable(reason)| EffectOutcome::Failed(reason))
    }
}

impl Host for &Fake {
    type Raw = ();

    fn now(&self) -> Millis {
        self.now.get()
    }

    fn random(&self, bytes: &mut [u8]) {
        self.random.set(self.random.get() + 1);
        bytes.fill(self.random.get());
    }

    fn embed(&self, _: &str, (): ()) -> Option<()> {
        None
    }

    fn text(&self, (): ()) -> Option<String> {
        None
    }

    fn length(&self, (): &()) -> usize {
        0
    }

    fn log(&self, line: &str) {
        self.lines.borrow_mut().push(line.to_owned());
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

/// Returns the result of verifying a header's token.
pub(crate) fn authenticate(
    auth: &Authenticator,
    platform: &Fake,
    header: Option<&str>,
) -> Result<Rc<Claims>, ApiError> {
    let port = platform.port();
    platform.run(&port, auth.authenticate(&port, header))
}

/// Returns the result of verifying a token.
pub(crate) fn ask(auth: &Authenticator, platform: &Fake, token: &str) -> Result<Rc<Claims>, ApiError> {
    authenticate(auth, platform, Some(&format!("Bearer {token}")))
}

/// Returns the `error_description` with which a token is refused, after a check of the rest of the error.
#[track_caller]
pub(crate) fn refusal(auth: &Authenticator, platform: &Fake, token: &str) -> String {
    let error = ask(auth, platform, token).unwrap_err();
    assert_eq!((error.status(), error.message()), (401, "invalid_token"));
    let challenge = error.challenge.unwrap();
    let description = challenge.strip_prefix("Bearer error=\"invalid_token\", error_description=\"").unwrap();
    let description = description.strip_suffix('"').unwrap();
    assert!(!description.contains(['"', '\\']) && description.is_ascii());
    description.to_owned()
}

#[track_caller]
pub(in crate::server::auth) fn refused(
    auth: &Authenticator,
    platform: &Fake,
    token: &str,
    expected: TokenRefusal,
) {
    let shown = token.split('.').filter_map(|part| Base64UrlUnpadded::decode_vec(part).ok());
    let shown: Vec<String> = shown.map(|part| String::from_utf8_lossy(&part).into_owned()).collect();
    assert_eq!(refusal(auth, platform, token), expected.description(), "{shown:?}");
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

/// Creates a token of the built-in issuer that is valid for a minute, with members put before its end.
pub(crate) fn issued(auth: &Authenticator, more: &str) -> String {
    issued_token(auth, ISSUED_HEADER, &issued_payload(SECONDS, SECONDS + 60, more))
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
