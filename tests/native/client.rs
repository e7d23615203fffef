//! Every operation, from the client's request through the server's handler to the call for its object, with the
//! characters that break addresses.

use proptest::prelude::*;
use resource_edge::call::{Call, Change, Lookup, Read};
use resource_edge::client::message::encode;
use resource_edge::client::{self, CallState, Client, Options};
use resource_edge::contract::api::endpoint::{ENDPOINTS, is_reserved_id, operations};
use resource_edge::shape::Shape;
use resource_edge::validate;

use crate::support::caller::Caller;
use crate::support::edge::Sent;

struct World {
    caller: Caller,
    client: Client,
}

impl World {
    fn new() -> Self {
        let options = Options { project_key: "p", base_url: "https://a.test", ..Options::default() };
        Self { caller: Caller::new(), client: Client::new(&options).unwrap() }
    }

    /// Returns the call that the operation's object receives.
    fn call(&self, name: &str, variables: [&str; 2], params: &[(&str, &str)], body: &str) -> Call {
        let [first, second] = variables;
        let index = ENDPOINTS.iter().position(|row| row.name == name).unwrap();
        let number = |name: &&str| match *name {
            "operation" => index as f64,
            "parameters" => params.len() as f64,
            _ => 0.0,
        };
        let numbers: Vec<f64> = client::Call::LAYOUT.numbers.iter().map(number).collect();
        let mut texts = vec!["key", first, second, "", ""];
        texts.extend(params.iter().flat_map(|(name, value)| [*name, *value]));
        let mut call = CallState::new(&encode(&numbers, &texts));
        let mut headers = self.caller.headers();
        let push = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
        let check = |object, text: &str| validate::check(Shape::built_in().object(object), text);
        let url = self.client.render(&mut call, check, push).unwrap();
        let line =
            format!("{} {}", ENDPOINTS[index].method.name(), url.strip_prefix("https://a.test").unwrap());
        let sent = Sent { headers, ..Sent::new(&line, &[], body) };
        let (got, message) = self.caller.message(&sent);
        assert!(got.status < 300, "{sent:?}: {got:?}");
        message.unwrap().call
    }

    /// Returns the change that the operation's object receives.
    fn change(&self, name: &str, variables: [&str; 2], params: &[(&str, &str)], body: &str) -> Change {
        match self.call(name, variables, params, body) {
            Call::Write(write) => write.change,
            other => panic!("not a write: {other:?}"),
        }
    }
}

/// Texts that are valid as an ID, a key, and a path segment (D3).
fn name() -> impl Strategy<Value = String> {
    let special = "[-_.~%/?#&=+;:@!$'()*,<>|^`{}\"\\\\ äß€😀\u{2028}a0]{1,40}";
    prop_oneof![special, any::<String>()].prop_filter("no name", |text| {
        (1..=256).contains(&text.len())
            && !matches!(text.as_str(), "." | "..")
            && !text.chars().any(char::is_control)
            && !is_reserved_id(text)
    })
}

proptest! {
    #[test]
    fn names_and_values_of_parameters_arrive_unchanged(name in name(), value in name(), other in name()) {
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
fn every_operation_has_a_typed_method_in_the_package() {
    let text = include_str!("../../pkg/src/client/client.ts");
    for row in operations() {
        let has = |after| text.contains(&format!("\n  {}{after}", row.name));
        assert!(has("(") || has("<"), "pkg/src/client/client.ts has no method {}", row.name);
    }
}
