//! Every operation, from the client's request through the server's handler to the call for its object, with the
//! characters that break addresses.

use std::cell::RefCell;

use proptest::prelude::*;
use resource_edge::call::{Call, Change, Lookup, Message, Read};
use resource_edge::client::message::encode;
use resource_edge::client::{self, Client, Options};
use resource_edge::contract::operation::{OPERATIONS, hides_id};
use resource_edge::contract::reply::{CallResult, Reply};
use resource_edge::server::Service;
use resource_edge::server::effect::{Effect, EffectOutcome, Exchange, HandlerStep};
use resource_edge::server::http::{Body, HeaderPairs, Request, RequestBody, Response};
use resource_edge::server::platform::Host;
use resource_edge::util::time::Millis;
use resource_edge::wire;

/// `id` and the hash of `secret`, with every scope.
const CLIENTS: &str = r#"[{"id":"id","secretHash":"2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
    "scopes":["manage_test:p","view_test:p"]}]"#;

/// An edge without KV, whose objects record the messages that they receive.
#[derive(Debug, Default)]
struct Edge {
    messages: RefCell<Vec<Message>>,
}

impl Host for Edge {
    type Raw = String;

    fn now(&self) -> Millis {
        1_704_067_200_000
    }

    fn random(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }

    fn log(&self, _: &str) {}
}

impl Edge {
    fn perform(&self, effect: &Effect) -> EffectOutcome<String> {
        match effect {
            Effect::ReadCopy { .. } => EffectOutcome::Copy(None),
            Effect::ReadPointer { .. } => EffectOutcome::Pointer(None),
            Effect::CallObject { message, .. } => {
                self.messages.borrow_mut().push(wire::decode(message).unwrap());
                let reply: Reply<String> = Reply::new(CallResult::Exists(true), None);
                EffectOutcome::Reply(wire::encode(&reply.head).unwrap(), reply.body)
            }
            Effect::ReadAsset { .. }
            | Effect::FetchText { .. }
            | Effect::Verify { .. }
            | Effect::CountRequest { .. } => EffectOutcome::Failed(String::new()),
        }
    }
}

struct World {
    service: Service,
    edge: Edge,
    client: Client,
    token: String,
}

impl World {
    fn new() -> Self {
        let service = Service::new(&|name| match name {
            "TOKEN_SECRET" => Some("a secret of more than thirty-two bytes".to_owned()),
            "API_CLIENTS" => Some(CLIENTS.to_owned()),
            _ => None,
        });
        let options = Options { project_key: "p", base_url: "https://a.test", ..Options::default() };
        let mut world = Self {
            service,
            edge: Edge::default(),
            client: Client::new(&options).unwrap(),
            token: String::new(),
        };
        let headers =
            [("Authorization", "Basic aWQ6c2VjcmV0"), ("Content-Type", "application/x-www-form-urlencoded")];
        let answer =
            world.send("POST", "https://a.test/oauth/token", &headers, "grant_type=client_credentials");
        let Body::Text(body) = answer.body else { panic!("{answer:?}") };
        let token = body.split('"').nth(3).unwrap();
        world.token = format!("Bearer {token}");
        world
    }

    fn send(&self, method: &str, url: &str, headers: &[(&str, &str)], body: &str) -> Response<String> {
        let target = url.strip_prefix("https://a.test").unwrap();
        let body = RequestBody::Whole(body.as_bytes().to_vec());
        let headers = Box::new(HeaderPairs::new(headers));
        let request = Request::new(method.to_owned(), target.to_owned(), headers, body);
        let mut step = Exchange::start(&self.service, &self.edge, request);
        loop {
            match step {
                HandlerStep::Respond(response, _) => return response,
                HandlerStep::Perform(effect, exchange) => step = exchange.resume(self.edge.perform(&effect)),
            }
        }
    }

    /// Returns the call that the operation's object receives.
    fn call(&self, name: &str, variables: [&str; 2], params: &[(&str, &str)], body: &str) -> Call {
        let [first, second] = variables;
        let index = OPERATIONS.iter().position(|row| row.name == name).unwrap();
        let mut texts = vec!["key", first, second];
        texts.extend(params.iter().flat_map(|(name, value)| [*name, *value]));
        let bytes = encode(&[index as f64, 0.0, 0.0, params.len() as f64], &texts);
        let mut headers = vec![("Authorization".to_owned(), self.token.clone())];
        let push = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
        let url = self
            .client
            .render(&client::Call::decode(&bytes), 0, resource_edge::validate::check, push)
            .unwrap();
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let method = OPERATIONS[index].method.name();
        let response = self.send(method, &url, &headers, body);
        assert!(response.status < 300, "{method} {url}: {response:?}");
        self.edge.messages.borrow_mut().pop().unwrap().call
    }

    /// Returns the change that the operation's object receives.
    fn change(&self, name: &str, variables: [&str; 2], params: &[(&str, &str)], body: &str) -> Change {
        match self.call(name, variables, params, body) {
            Call::Write(write) => write.change,
            other => panic!("not a write: {other:?}"),
        }
    }
}

const ARRAYS: &str = r#"{"version":1,"objectTypeProperty":{}}"#;

/// Texts that are valid as an ID, a key, and a path segment (D3).
fn name() -> impl Strategy<Value = String> {
    let special = "[-_.~%/?#&=+;:@!$'()*,<>|^`{}\"\\\\ äß€😀\u{2028}a0]{1,40}";
    prop_oneof![special, any::<String>()].prop_filter("no name", |text| {
        (1..=256).contains(&text.len())
            && !matches!(text.as_str(), "." | "..")
            && !text.chars().any(char::is_control)
            && !hides_id(text)
    })
}

proptest! {
    #[test]
    fn names_and_values_arrive_as_they_left(name in name(), value in name(), other in name()) {
        let world = World::new();
        let by_id = Call::Read(Read::Resource(Lookup::Id(name.clone())));
        prop_assert_eq!(world.call("getById", [&name, ""], &[("optionalQueryParameter", &value)], ""), by_id);
        let by_key = Call::Read(Read::Resource(Lookup::Key(name.clone())));
        prop_assert_eq!(world.call("getByKey", [&name, ""], &[], ""), by_key);
        let delete = Change::DeleteById { id: name.clone(), version: Some(7) };
        prop_assert_eq!(world.change("deleteById", [&name, ""], &[("version", "7")], ""), delete);
        let update = world.change("updateById", [&name, ""], &[], r#"{"version":1,"actions":[]}"#);
        let updates = matches!(&update, Change::UpdateById { id, .. } if *id == name);
        prop_assert!(updates, "{:?}", update);
        for query in ["query", "exists", "querySorted"] {
            let params = [("var.x", value.as_str()), ("where", "key = :x"), ("var.y", &other)];
            let call = world.call(query, ["", ""], &params, "");
            prop_assert!(format!("{call:?}").contains(&format!("{value:?}")), "{call:?}");
        }
        let path = [name.as_str(), &value];
        let params = [("queryParameterTwo", other.as_str()), ("queryParameterOne", "-1.5e3")];
        let change = world.change("updateByPath", path, &params, "{}");
        prop_assert!(matches!(change, Change::UpdateByPath(_)));
        let change = world.change("updateWithUrnLinks", ["", ""], &params, "{}");
        prop_assert!(matches!(change, Change::UpdateWithUrnLinks(_)));
    }
}

#[test]
fn every_operation_reaches_its_own_call() {
    let world = World::new();
    for row in &OPERATIONS {
        let body = match row.name {
            "updateById" => r#"{"version":1,"actions":[]}"#,
            "updateByPath" | "updateWithUrnLinks" => "{}",
            _ => ARRAYS,
        };
        let variables = ["a/b", "c?d"];
        assert_eq!(world.call(row.name, variables, &[], body).operation(), Some(row.id), "{}", row.name);
    }
}

#[test]
fn search_parameters_arrive() {
    let world = World::new();
    let params =
        [("text.de-AT", "a&b=c"), ("text.en", "ä"), ("limit", "1"), ("fuzzy", "true"), ("staged", "false")];
    assert!(matches!(world.call("search", ["", ""], &params, ""), Call::Read(Read::Search(_))));
}
