//! Tokens, and a caller with a token for one project.

use std::rc::Rc;

use base64ct::{Base64UrlUnpadded, Encoding as _};
use hmac::{Hmac, KeyInit as _, Mac as _};
use resource_edge::call::{CallResult, Message, Reply, wire};
use resource_edge::server::Service;
use resource_edge::server::effect::{Effect, EffectOutcome};
use resource_edge::server::settings::BUILT_IN_ISSUER;
use resource_edge::shape::{Resources, Shape};
use serde_json::{Value, json};
use sha2::Sha256;

use super::edge::{Edge, Got, Sent, drive, request, send, service};
use super::invariants;
use super::settings::settings;

pub const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

/// Returns the request for a token with the scopes. The secret of a client of settings.json is its name with `-secret`.
pub fn token_request(client: &str, scopes: &str) -> Sent {
    let scopes = scopes.replace(' ', "+");
    let form = format!(
        "grant_type=client_credentials&client_id={client}&client_secret={client}-secret&scope={scopes}"
    );
    Sent::new("POST /oauth/token", &[FORM], form)
}

pub fn token_in(got: &Got) -> String {
    got.json()["access_token"].as_str().unwrap_or_else(|| panic!("no token: {got:?}")).to_owned()
}

pub struct Caller {
    pub service: Service<String>,
    pub edge: Edge,
    pub token: String,
}

/// Returns resources of which every project has this shape.
fn of_shape(shape: &Rc<Shape>) -> Rc<Resources> {
    Rc::new(Rc::clone(shape).into())
}

impl Caller {
    pub fn new() -> Self {
        Self::with(&json!({}))
    }

    /// Creates a caller of a service with these settings on top of those of the tests.
    pub fn with(settings: &Value) -> Self {
        Self::with_resources(settings, &Rc::default())
    }

    /// Creates a caller of a service of this shape.
    pub fn of(shape: &Rc<Shape>) -> Self {
        Self::serving(&of_shape(shape))
    }

    /// Creates a caller of a service of these resources.
    pub fn serving(resources: &Rc<Resources>) -> Self {
        Self::with_resources(&json!({}), resources)
    }

    /// Creates a caller of a service with these settings and resources.
    pub fn with_resources(settings: &Value, resources: &Rc<Resources>) -> Self {
        let service = service(settings).with_resources(Rc::clone(resources));
        let mut caller = Self { service, edge: Edge::of(resources), token: String::new() };
        caller.token = caller.token_for("manage_test:p");
        caller
    }

    /// Deploys the service of the tests with another shape.
    pub fn deploy(&mut self, shape: &Rc<Shape>) {
        self.serve(&of_shape(shape));
    }

    /// Deploys the service of the tests with other resources.
    pub fn serve(&mut self, resources: &Rc<Resources>) {
        self.service = service(&json!({})).with_resources(Rc::clone(resources));
        self.edge.deploy(resources);
    }

    pub fn token_for(&self, scope: &str) -> String {
        token_in(&send(&self.service, &self.edge, &token_request("tests", scope)))
    }

    /// Returns a token without a scope, with these claims beside those of every token.
    pub fn token_of_user(&self, claims: &Value) -> String {
        let secret = settings(&json!({}))["TOKEN_SECRET"].clone();
        let now = self.edge.clock.get() / 1000;
        let mut payload = json!({"iss": BUILT_IN_ISSUER, "aud": BUILT_IN_ISSUER, "client_id": "page", "jti": "1",
            "iat": now, "exp": now + 3600});
        payload.as_object_mut().unwrap().extend(claims.as_object().unwrap().clone());
        let encoded = |text: &str| Base64UrlUnpadded::encode_string(text.as_bytes());
        let signed = [encoded(r#"{"typ":"at+jwt","alg":"HS256"}"#), encoded(&payload.to_string())].join(".");
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(signed.as_bytes());
        [signed, Base64UrlUnpadded::encode_string(&mac.finalize().into_bytes())].join(".")
    }

    /// Returns the headers of a request with the token and a JSON body.
    pub fn headers(&self) -> Vec<(String, String)> {
        let bearer = format!("Bearer {}", self.token);
        let media = ("Content-Type".to_owned(), "application/json".to_owned());
        vec![("Authorization".to_owned(), bearer), media]
    }

    /// Returns the response to a request with the token and the headers, after checking the invariants of every
    /// response.
    pub fn ask(&self, line: &str, headers: &[(&str, &str)], body: &[u8]) -> Got {
        let mut sent = Sent::new(line, headers, body);
        let has_media = headers.iter().any(|(name, _)| *name == "Content-Type");
        let count = if body.is_empty() || has_media { 1 } else { 2 };
        sent.headers.extend(self.headers().into_iter().take(count));
        let got = send(&self.service, &self.edge, &sent);
        // A record may have fields of a shape that was deployed before.
        let is_of_shape = got.status >= 400 || self.edge.deployments.get() == 0;
        if is_of_shape && let Some(broken) = invariants::broken(&self.edge.shape_for(&sent), &sent, &got) {
            panic!("{line}: {broken}: {got:?}");
        }
        got
    }

    pub fn get(&self, target: &str) -> Got {
        self.ask(&format!("GET {target}"), &[], b"")
    }

    /// Reads from the source of truth.
    pub fn fresh(&self, target: &str) -> Got {
        self.ask(&format!("GET {target}"), &[("Cache-Control", "no-cache")], b"")
    }

    pub fn write(&self, line: &str, body: &Value) -> Got {
        self.ask(line, &[], body.to_string().as_bytes())
    }

    /// Creates a resource and returns its record.
    pub fn create(&self, body: &Value) -> Value {
        let got = self.write("POST /p/resource", body);
        assert_eq!(got.status, 201, "{got:?}");
        got.json()
    }

    /// Returns the response to a request. The function performs each effect, or the edge if it returns `None`.
    pub fn drive(&self, sent: &Sent, perform: impl FnMut(&Effect) -> Option<EffectOutcome<String>>) -> Got {
        drive(&self.service, &self.edge, request(sent), sent, perform).0
    }

    /// Does the same, and discards the log.
    pub fn exchange(
        &self,
        sent: &Sent,
        perform: impl FnMut(&Effect) -> Option<EffectOutcome<String>>,
    ) -> Got {
        let got = self.drive(sent, perform);
        self.edge.log.borrow_mut().clear();
        got
    }

    /// Returns the response, and the message that the request's object received. The object replies yes to everything.
    pub fn message(&self, sent: &Sent) -> (Got, Option<Message>) {
        let mut found = None;
        let got = self.exchange(sent, |effect| {
            let (Effect::CallObject { message, project, .. }
            | Effect::Listen { message, project }
            | Effect::Stream { message, project, .. }) = effect
            else {
                return None;
            };
            let message: Message = wire::decode(message).expect("a message that the handler wrote");
            assert_eq!(message.project, *project);
            found = Some(message);
            let reply: Reply<String> = Reply::new(CallResult::Performed, None);
            Some(EffectOutcome::Reply(wire::encode(&reply.head).expect("a reply"), reply.body))
        });
        (got, found)
    }
}
