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
    /// The query, and two continuations that mean different calls.
    Changes(&'static str, [&'static str; 2]),
    /// The parameter has no effect, as its description states. The value is rejected, if there is one.
    NoEffect(Option<&'static str>),
}

/// Returns how a parameter is seen in the call. A new parameter does not compile until it has a row here.
#[allow(clippy::too_many_lines, reason = "a table: a line for each parameter")]
fn seen(id: ParamId) -> Seen {
    use Seen::{Changes, NoEffect};
    match id {
        ParamId::StringParameter => Changes("", ["stringParameter=a", "stringParameter=b"]),
        ParamId::FloatParameter => Changes("", ["floatParameter=1", "floatParameter=2"]),
        ParamId::IntegerParameter => Changes("", ["integerParameter=1", "integerParameter=2"]),
        ParamId::WithMarkdownDescription => {
            Changes("", ["withMarkdownDescription=1", "withMarkdownDescription=2"])
        }
        ParamId::ObjectParameter => Changes(
            "",
            [
                "objectParameter=%7B%22arrayOfIntExample%22:%5B1%5D%7D",
                "objectParameter=%7B%22arrayOfIntExample%22:%5B2%5D%7D",
            ],
        ),
        ParamId::ArrayOfString => Changes("", ["arrayOfString=a", "arrayOfString=b"]),
        ParamId::ArrayOfStringWithDescription => {
            Changes("", ["arrayOfStringWithDescription=a", "arrayOfStringWithDescription=b"])
        }
        ParamId::Fuzzy => Changes("text.en=resources&", ["fuzzy=true", "fuzzy=false"]),
        ParamId::FuzzyLevel => Changes("text.en=resources&fuzzy=true&", ["fuzzyLevel=0", "fuzzyLevel=1"]),
        ParamId::Prefix => Changes("text.en=resources&", ["prefix=true", "prefix=false"]),
        ParamId::Staged => Changes("", ["staged=true", "staged=false"]),
        ParamId::Filter => Changes("", ["filter=version:1", "filter=version:2"]),
        ParamId::FilterFacets => Changes("", ["filter.facets=version:1", "filter.facets=version:2"]),
        ParamId::FilterQuery => Changes("", ["filter.query=version:1", "filter.query=version:2"]),
        ParamId::Facet => Changes("", ["facet=version", "facet=id"]),
        ParamId::Text => Changes("", ["text.en=a", "text.en=b"]),
        ParamId::Where => Changes("", ["where=version=1", "where=version=2"]),
        ParamId::Sort => Changes("", ["sort=id", "sort=key"]),
        ParamId::Limit | ParamId::ChangesLimit => Changes("", ["limit=1", "limit=2"]),
        ParamId::Offset => Changes("", ["offset=1", "offset=2"]),
        ParamId::WithTotal => Changes("", ["withTotal=true", "withTotal=false"]),
        ParamId::Expand => NoEffect(Some("expand=%5B")),
        ParamId::Var => Changes("where=version=:x&", ["var.x=1", "var.x=2"]),
        ParamId::QueryParameterOne => NoEffect(Some("queryParameterOne=x")),
        ParamId::OptionalQueryParameter
        | ParamId::SecondOptionalQueryParameter
        | ParamId::QueryParameterTwo => NoEffect(None),
        ParamId::Version => Changes("", ["version=1", "version=2"]),
        ParamId::Time => {
            Changes("confirm=p&", ["time=2023-12-31T08:00:00.000Z", "time=2023-12-31T09:00:00.000Z"])
        }
        ParamId::Bookmark => Changes("confirm=p&", ["bookmark=1", "bookmark=2"]),
        ParamId::After => Changes("", ["after=a.1", "after=a.2"]),
        ParamId::Confirm => Changes("", ["confirm=p", "confirm=q"]),
        ParamId::Wait => Changes("", ["wait=1", "wait=2"]),
    }
}

/// Checks that the call depends on the parameter, or that its description states that it has no effect.
fn check(name: &str, param: &Param, decode: impl Fn(&str) -> String) {
    let (id, of) = (param.id.name(), |query: &str| format!("{name}, {query}"));
    match seen(param.id) {
        Seen::Changes(context, [one, other]) => {
            let calls = [one, other].map(|query| decode(&[context, query].concat()));
            assert_ne!(calls[0], calls[1], "{} and {other}: {id} is not read", of(one));
            // Confirm has one value that is accepted.
            assert!(calls[0].starts_with("Ok("), "{} is rejected: {}", of(one), calls[0]);
        }
        Seen::NoEffect(refused) => {
            let is_said = ["no effect", "no other effect"].iter().any(|text| param.about.contains(text));
            // WebAssembly has no descriptions.
            assert!(is_said || cfg!(target_arch = "wasm32"), "{name}, {id}: {}", param.about);
            if let Some(query) = refused {
                assert!(decode(query).starts_with("Err("), "{} is accepted", of(query));
            }
        }
    }
}

#[test]
fn every_parameter_that_is_accepted_is_read() {
    let request = |method: &str, query: &str| {
        Request::new(method.to_owned(), format!("https://h/p/x?{query}"), Box::new(JsonBody))
    };
    let decoded = |decoded: Result<Decoded<'_>, ApiError>, body: &str| match decoded? {
        Decoded::Call(call) => Ok(call),
        Decoded::Body(decode) => decode(body.as_bytes()),
    };
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
                format!("{:?}", decoded(head(id, &route, &request, ("p", "caller"), || NOW), body))
            });
            checked.push(param.id);
        }
    }
    for id in ParamId::ALL {
        assert!(checked.contains(id), "no path has the parameter {}", id.name());
        assert_eq!(id.pattern().is_some(), id.name().contains('<'), "{}", id.name());
    }
}
