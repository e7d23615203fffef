//! The service of the tests, with a token, and objects that record the messages that they receive.

use resource_edge::call::Message;
use resource_edge::contract::reply::{CallResult, Reply};
use resource_edge::server::Service;
use resource_edge::server::effect::{Effect, EffectOutcome, Exchange, HandlerStep};
use resource_edge::server::http::{Body, Response};
use resource_edge::wire;
use serde_json::Value;

use crate::support::edge::{Edge, Got, Sent, request, send, service};

/// The signing secret of the tests' service (`tests/support/settings.json`).
pub const SECRET: &[u8] = b"a secret that only the tests know, of more than 32 bytes";

pub struct World {
    pub service: Service,
    pub edge: Edge,
    pub token: String,
}

impl World {
    /// Creates a service with these settings on top of those of the tests, and a token for everything in the project
    /// `p`.
    pub fn new(settings: &Value) -> Self {
        let (service, edge) = (service(settings), Edge::new());
        let form =
            "grant_type=client_credentials&client_id=tests&client_secret=tests-secret&scope=manage_test:p";
        let media = ("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned());
        let sent = Sent {
            method: "POST".to_owned(),
            target: "/oauth/token".to_owned(),
            headers: vec![media],
            body: form.as_bytes().to_vec(),
        };
        let token = send(&service, &edge, &sent).json()["access_token"].as_str().expect("a token").to_owned();
        Self { service, edge, token }
    }

    /// Returns the headers of a request with the token and a JSON body.
    pub fn headers(&self) -> Vec<(String, String)> {
        let bearer = format!("Bearer {}", self.token);
        let media = ("Content-Type".to_owned(), "application/json".to_owned());
        vec![("Authorization".to_owned(), bearer), media]
    }

    /// Returns the response to a request. Each effect is performed by the function, or by the edge of the tests.
    pub fn exchange(
        &self,
        sent: &Sent,
        mut perform: impl FnMut(&Effect) -> Option<EffectOutcome<String>>,
    ) -> Got {
        let mut step = Exchange::start(&self.service, &self.edge, request(sent));
        let Response { status, headers, body } = loop {
            match step {
                HandlerStep::Respond(response, _) => break response,
                HandlerStep::Perform(effect, exchange) => {
                    let outcome = perform(&effect).unwrap_or_else(|| self.edge.perform(&effect));
                    step = exchange.resume(outcome);
                }
            }
        };
        self.edge.log.borrow_mut().clear();
        let headers = headers
            .into_iter()
            .map(|(header, value)| (header.name().to_owned(), value.into_owned()))
            .collect();
        let body = match body {
            Body::Empty => String::new(),
            Body::Text(text) | Body::Raw(text) => text,
        };
        Got { status, headers, body }
    }

    /// Returns the response, and the message that the request's object received. The object replies yes to everything.
    pub fn message(&self, sent: &Sent) -> (Got, Option<Message>) {
        let mut found = None;
        let got = self.exchange(sent, |effect| {
            let Effect::CallObject { message, project, .. } = effect else { return None };
            let message: Message = wire::decode(message).expect("a message that the handler wrote");
            assert_eq!(message.project, *project);
            found = Some(message);
            let reply: Reply<String> = Reply::new(CallResult::Exists(true), None);
            Some(EffectOutcome::Reply(wire::encode(&reply.head).expect("a reply"), reply.body))
        });
        (got, found)
    }
}
