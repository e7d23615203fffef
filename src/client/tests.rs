//! Calls from start to end, with the clock and the jitter of the tests.

mod decisions;
mod overtaken;
mod requests;

use super::message::{TextList, encode};
use super::*;
use crate::contract::api::endpoint::operations;
use crate::contract::limits;
use crate::contract::param::ParamType;
use crate::shape::{ObjectId, Shape};
use crate::test;
use crate::util::time::{self, Millis};
use crate::validate;

const JITTER: u32 = u32::MAX;

fn client() -> Client {
    let retry = Options { retries: 4, base_delay: 200, max_delay: 8000, ..Options::default() };
    Client::new(&Options { project_key: "p", base_url: "https://a.test", ..retry }).unwrap()
}

fn check_json(object: ObjectId, text: &str) -> Option<String> {
    validate::check(Shape::built_in().object(object), text)
}

/// Returns the index of an operation; NaN for a request for a token.
fn index(name: &str) -> f64 {
    operations().position(|row| row.name == name).map_or(f64::NAN, |index| index as f64)
}

/// A call in a test.
#[derive(Debug, Clone, Copy, Default)]
struct Input<'a> {
    name: &'a str,
    fresh: bool,
    respond_async: bool,
    repeated: bool,
    failures: u32,
    max_age: u32,
    variables: [&'a str; 2],
    idempotency_key: Option<&'a str>,
    body_id: &'a str,
    body_key: &'a str,
    params: &'a [(&'a str, &'a str)],
    headers: &'a [(&'a str, &'a str)],
}

impl Input<'_> {
    /// Begins the call. Its time ends at the instant 10,000, and it can renew its token.
    fn begin(&self) -> CallState {
        let [first, second] = self.variables;
        let mut texts =
            vec![self.idempotency_key.unwrap_or("key"), first, second, self.body_id, self.body_key];
        texts.extend(self.params.iter().chain(self.headers).flat_map(|(name, value)| [*name, *value]));
        let flags = [self.fresh, self.respond_async, self.repeated, true];
        let mut numbers = vec![index(self.name)];
        numbers.extend(flags.map(|flag| f64::from(u8::from(flag))));
        let counts = [f64::from(self.failures), self.params.len() as f64, f64::from(self.max_age)];
        numbers.push(10_000.0);
        numbers.extend(counts);
        CallState::new(&encode(&numbers, &texts))
    }

    /// Begins the call, and sends its first request.
    fn start(&self, client: &Client) -> CallState {
        let mut call = self.begin();
        client.render(&mut call, check_json, |_, _| {}).unwrap();
        call
    }
}

fn by<'a>(name: &'a str, variable: &'a str) -> Input<'a> {
    Input { name, variables: [variable, ""], ..Input::default() }
}

/// The address and the headers of a request.
type Request = (String, Vec<(String, String)>);

fn request(client: &Client, call: &Input<'_>) -> Result<Request, String> {
    let mut headers = Vec::new();
    let set = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
    let url = client.render(&mut call.begin(), check_json, set)?;
    Ok((url, headers))
}

fn header(client: &Client, call: &Input<'_>, name: &str) -> Option<String> {
    let (_, headers) = request(client, call).unwrap();
    headers.into_iter().find(|(header, _)| *header == name).map(|(_, value)| value)
}

fn minimum(client: &Client, call: &Input<'_>) -> Option<Millis> {
    header(client, call, "Resource-Min-Revision").map(|value| value.parse().unwrap())
}

/// A response in a test.
#[derive(Debug, Clone, Default)]
struct Got {
    status: u32,
    revision: Option<Millis>,
    tagged_id: &'static str,
    /// ID, key, and revision of each resource.
    resources: Vec<(String, &'static str, Millis)>,
}

impl Got {
    /// Returns the step after the attempt with this response. The call stays as it is.
    fn after(&self, client: &mut Client, call: &CallState) -> Step {
        let times: Vec<_> = self.resources.iter().map(|(_, _, revision)| time::format(*revision)).collect();
        let resources = self.resources.iter().zip(&times);
        let texts: Vec<_> =
            resources.flat_map(|((id, key, _), time)| [id.as_str(), *key, time.as_str()]).collect();
        let bytes = encode(&[], &texts);
        let Self { status, revision, tagged_id, .. } = self;
        let resources = TextList::decode(&bytes);
        let plain = Response { jitter: JITTER, ..Response::default() };
        let response = Response { status: *status, revision: *revision, tagged_id, resources, ..plain };
        client.next(&mut call.clone(), &response).step
    }
}

fn status(status: u32) -> Got {
    Got { status, ..Got::default() }
}

/// Creates a response with one resource.
fn record(revision: Millis, id: &str, key: &'static str) -> Got {
    let resources = vec![(id.to_owned(), key, revision)];
    Got { revision: Some(revision), resources, ..status(200) }
}

/// Returns the step after the response to a call that has just started.
fn after(client: &mut Client, call: &Input<'_>, response: &Got) -> Step {
    let call = call.start(client);
    response.after(client, &call)
}

#[test]
fn a_client_reads_its_own_writes_by_id_and_by_key() {
    for write in ["createOrUpdate", "overwrite", "createOrOverwrite"] {
        let mut client = client();
        assert_eq!(after(&mut client, &by(write, ""), &record(70, "a", "k")), Step::Done);
        assert_eq!(minimum(&client, &by("getById", "a")), Some(70), "{write}");
        assert_eq!(minimum(&client, &by("getByKey", "k")), Some(70), "{write}");
        assert_eq!(minimum(&client, &by("getById", "k")), None, "{write}");
        // A write needs no minimum: the source of truth decides it.
        assert_eq!(minimum(&client, &by("updateById", "a")), None, "{write}");
    }
}

#[test]
fn each_result_of_a_page_is_observed() {
    for query in ["query", "querySorted", "search"] {
        let mut client = client();
        let resources = vec![("a".to_owned(), "k", 70), ("b".to_owned(), "", 80)];
        assert_eq!(after(&mut client, &by(query, ""), &Got { resources, ..status(200) }), Step::Done);
        assert_eq!(minimum(&client, &by("getById", "b")), Some(80), "{query}");
        assert_eq!(minimum(&client, &by("getByKey", "k")), Some(70), "{query}");
    }
}

/// Observes resources without keys that came in no response.
fn observe(client: &mut Client, resources: &[(&str, Millis)]) {
    let times: Vec<_> = resources.iter().map(|(_, revision)| time::format(*revision)).collect();
    let texts: Vec<_> = resources.iter().zip(&times).flat_map(|((id, _), time)| [*id, "", time]).collect();
    client.observe(TextList::decode(&encode(&[], &texts)));
}

#[test]
fn each_resource_of_a_frame_is_observed_even_if_the_session_has_a_newer_state_of_another() {
    let mut client = client();
    after(&mut client, &by("updateById", "a"), &record(90, "a", ""));
    observe(&mut client, &[("a", 80), ("b", 85)]);
    assert_eq!(minimum(&client, &by("getById", "a")), Some(90));
    assert_eq!(minimum(&client, &by("getById", "b")), Some(85));
}

#[test]
fn a_delete_and_a_404_are_observed_too() {
    let missing = |revision| Got { revision: Some(revision), ..status(404) };
    let minimums =
        |client: &Client| (minimum(client, &by("getById", "a")), minimum(client, &by("getByKey", "k")));
    let mut client = client();
    after(&mut client, &by("getById", "a"), &record(70, "a", "k"));
    after(&mut client, &by("deleteById", "a"), &record(90, "a", "k"));
    assert_eq!(minimums(&client), (Some(90), Some(90)));
    assert_eq!(after(&mut client, &by("getById", "a"), &missing(95)), Step::Fail);
    // Dropping it drops its last key too.
    assert_eq!(minimums(&client), (Some(95), Some(95)));
    assert_eq!(after(&mut client, &by("getByKey", "k"), &missing(99)), Step::Fail);
    assert_eq!(minimum(&client, &by("getByKey", "k")), Some(99));
}

#[test]
fn a_complex_update_observes_the_id_in_its_tag_and_the_key_in_its_body() {
    let mut client = client();
    let response = Got { revision: Some(70), tagged_id: "a", ..status(200) };
    after(&mut client, &Input { body_key: "k", ..by("updateWithUrnLinks", "") }, &response);
    assert_eq!(minimum(&client, &by("getById", "a")), Some(70));
    assert_eq!(minimum(&client, &by("getByKey", "k")), Some(70));
}

#[test]
fn a_complex_update_without_a_tag_observes_what_its_body_names() {
    let response = Got { revision: Some(70), ..status(200) };
    let (by_id, by_key) = (by("getById", "a"), by("getByKey", "k"));
    for (body_id, body_key, minimums) in
        [("a", "k", [Some(70); 2]), ("a", "", [Some(70), None]), ("", "k", [None, Some(70)])]
    {
        let mut client = client();
        let variables = ["a", "b"];
        after(&mut client, &Input { variables, body_id, body_key, ..by("updateByPath", "") }, &response);
        assert_eq!([minimum(&client, &by_id), minimum(&client, &by_key)], minimums);
    }
}

#[test]
fn a_304_is_a_result_and_its_revision_is_observed() {
    for call in [by("getById", "a"), by("getByKey", "k")] {
        let mut client = client();
        let unchanged = |revision| Got { revision: Some(revision), ..status(304) };
        assert_eq!(after(&mut client, &call, &unchanged(70)), Step::Done);
        assert_eq!(minimum(&client, &call), Some(70));
        assert_eq!(after(&mut client, &call, &unchanged(60)), Step::Refresh, "the copy is older");
    }
}

#[test]
fn an_outdated_response_is_refreshed_once_and_no_minimum_falls() {
    for call in [by("getById", "a"), by("getByKey", "k")] {
        let mut client = client();
        after(&mut client, &by("updateById", "a"), &record(5000, "a", "k"));
        // An intermediary ignores the minimum revision.
        for older in [record(4000, "a", "k"), Got { revision: Some(4000), ..status(404) }] {
            assert_eq!(after(&mut client, &call, &older), Step::Refresh, "{call:?}");
            assert_eq!(minimum(&client, &call), Some(5000));
            let done = if older.status == 404 { Step::Fail } else { Step::Done };
            assert_eq!(after(&mut client, &Input { fresh: true, ..call }, &older), done);
            assert_eq!(minimum(&client, &call), Some(5000));
        }
    }
}

#[test]
fn a_response_below_the_minimum_ends_reads_from_the_source_of_truth() {
    let mut client = client();
    // Enough names to drop some.
    for number in 0..3000_u64 {
        after(&mut client, &by("getById", "a"), &record(1000 + number, &number.to_string(), ""));
    }
    let default = minimum(&client, &by("getById", "old")).unwrap();
    assert!((1000..4000).contains(&default), "{default}");
    after(&mut client, &by("getById", "old"), &record(7, "old", "k"));
    assert_eq!(minimum(&client, &by("getById", "old")), Some(7));
    assert_eq!(minimum(&client, &by("getByKey", "k")), Some(7));
}

#[test]
fn absence_is_a_result_of_exists() {
    assert_eq!(after(&mut client(), &by("exists", ""), &status(404)), Step::Done);
    assert_eq!(after(&mut client(), &by("exists", ""), &status(200)), Step::Done);
}

#[test]
fn every_operation_can_be_called() {
    for row in operations() {
        let call = Input { variables: ["a", "b"], ..by(row.name, "") };
        let (url, _) = request(&client(), &call).unwrap();
        assert!(url.starts_with("https://a.test/p/resource"), "{url}");
        for param in row.params() {
            // `text.language` is not a language tag.
            let name = param.id.name().replace(['<', '>'], "").replace("language", "en");
            let value = match param.id.rule().ty {
                ParamType::Boolean => "true",
                ParamType::Json(_) => "{}",
                _ => "1",
            };
            let (passed, _) = request(&client(), &Input { params: &[(&name, value)], ..call }).unwrap();
            assert_eq!(passed, format!("{url}?{name}={}", value.replace("{}", "%7B%7D")), "{}", row.name);
        }
    }
}
