//! Every parameter that is accepted is read.

use super::*;
use crate::contract::api::endpoint::{ENDPOINTS, Target};
use crate::contract::param::Param;
use crate::test;

/// The headers of a write.
#[derive(Debug)]
struct JsonBody;

impl Headers for JsonBody {
    fn get(&self, header: RequestHeader) -> Option<String> {
        (header == RequestHeader::ContentType).then(|| "application/json".to_owned())
    }
}

/// 2024-01-01T00:00:00.000Z
const NOW: Millis = 1_704_067_200_000;

/// How to see that a parameter is read.
enum Seen {
    /// The beginning of the query, and two values that mean different calls. The first one is accepted.
    Changes(&'static str, [&'static str; 2]),
    /// The parameter has no effect, as its description states. The value is rejected, if there is one.
    NoEffect(Option<&'static str>),
}

/// Returns how a parameter is seen in the call. A new parameter does not compile until it has a row here.
fn seen(id: ParamId) -> Seen {
    use Seen::{Changes, NoEffect};
    match id {
        ParamId::StringParameter
        | ParamId::ArrayOfString
        | ParamId::ArrayOfStringWithDescription
        | ParamId::Text => Changes("", ["a", "b"]),
        ParamId::FloatParameter
        | ParamId::IntegerParameter
        | ParamId::WithMarkdownDescription
        | ParamId::Limit
        | ParamId::ChangesLimit
        | ParamId::Offset
        | ParamId::Version
        | ParamId::Wait => Changes("", ["1", "2"]),
        ParamId::ObjectParameter => {
            Changes("", ["%7B%22arrayOfIntExample%22:%5B1%5D%7D", "%7B%22arrayOfIntExample%22:%5B2%5D%7D"])
        }
        ParamId::Fuzzy | ParamId::Prefix => Changes("text.en=resources&", ["true", "false"]),
        ParamId::FuzzyLevel => Changes("text.en=resources&fuzzy=true&", ["0", "1"]),
        ParamId::Staged | ParamId::WithTotal => Changes("", ["true", "false"]),
        ParamId::Filter | ParamId::FilterFacets | ParamId::FilterQuery => {
            Changes("", ["version:1", "version:2"])
        }
        ParamId::Facet => Changes("", ["version", "id"]),
        ParamId::Where => Changes("", ["version=1", "version=2"]),
        ParamId::Sort => Changes("", ["id", "key"]),
        ParamId::Fields => Changes("", ["custom", "someProperty"]),
        ParamId::Var => Changes("where=version=:x&", ["1", "2"]),
        ParamId::Time => Changes("confirm=p&", ["2023-12-31T08:00:00.000Z", "2023-12-31T09:00:00.000Z"]),
        ParamId::Bookmark => Changes("confirm=p&", ["1", "2"]),
        ParamId::After => Changes("", ["a.1", "a.2"]),
        ParamId::Confirm => Changes("", ["p", "q"]),
        ParamId::Expand => NoEffect(Some("%5B")),
        ParamId::QueryParameterOne => NoEffect(Some("x")),
        ParamId::OptionalQueryParameter
        | ParamId::SecondOptionalQueryParameter
        | ParamId::QueryParameterTwo => NoEffect(None),
    }
}

/// Checks that the call depends on the parameter, or that its description states that it has no effect.
fn check(row: &str, param: &Param, decode: impl Fn(&str) -> String) {
    let name = param.id.name().replace("<language>", "en").replace("<name>", "x");
    match seen(param.id) {
        Seen::Changes(context, values) => {
            let calls = values.map(|value| decode(&format!("{context}{name}={value}")));
            assert_ne!(calls[0], calls[1], "{row} does not read {name}");
            assert!(calls[0].starts_with("Ok("), "{row} rejects {name}: {}", calls[0]);
        }
        Seen::NoEffect(refused) => {
            let is_said = ["no effect", "no other effect"].iter().any(|text| param.about.contains(text));
            // WebAssembly has no descriptions.
            assert!(is_said || cfg!(target_arch = "wasm32"), "{row}, {name}: {}", param.about);
            if let Some(value) = refused {
                assert!(
                    decode(&format!("{name}={value}")).starts_with("Err("),
                    "{row} accepts {name}={value}"
                );
            }
        }
    }
}

#[test]
fn every_parameter_that_is_accepted_is_read() {
    let request = |method: &str, query: &str| {
        Request::new(method.to_owned(), format!("https://h/p/x?{query}"), Box::new(JsonBody))
    };
    let decoded = |decoded: Result<(Decoded<'_>, Option<ChosenFields>), ApiError>, body: &str| {
        let (decoded, fields) = decoded?;
        let call = match decoded {
            Decoded::Call(call) => call,
            Decoded::Body(decode) => decode(body.as_bytes())?,
        };
        Ok::<_, ApiError>((call, fields))
    };
    let shape = Shape::built_in();
    let mut checked = Vec::new();
    for row in &ENDPOINTS {
        let Target::Project(id, _) = row.target else { continue };
        let body = if row.json_body().is_some() { "{\"objectTypeProperty\":{}}" } else { "" };
        let variables = vec![(Variable::Id, "a"), (Variable::Key, "a")];
        let route = Route { endpoint: row, variables };
        for param in row.params() {
            // A restore needs a point, besides the confirmation.
            let point =
                if id == CallId::Restore && param.id == ParamId::Confirm { "&bookmark=1" } else { "" };
            check(row.name, param, |query| {
                let request = request(row.method.name(), &[query, point].concat());
                format!("{:?}", decoded(head(&shape, id, &route, &request, ("p", "caller"), || NOW), body))
            });
            checked.push(param.id);
        }
    }
    for id in ParamId::ALL {
        assert!(checked.contains(id), "no path has the parameter {}", id.name());
        assert_eq!(id.pattern().is_some(), id.name().contains('<'), "{}", id.name());
    }
}
