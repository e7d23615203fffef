//! Calls from begin to end, under a clock and dice of the test's own.

use super::*;
use crate::contract::etag;
use crate::contract::operation::OPERATIONS;
use crate::contract::time::Millis;

const DICE: u32 = u32::MAX;

fn client() -> Client {
    let options = Options { project_key: "p", base_url: "https://a.test", ..Options::default() };
    Client::new(&options).unwrap()
}

/// The text of a call: letters, variables, pairs of parameters.
fn text(name: &str, letters: &str, variables: [&str; 2], params: &[(&str, &str)]) -> String {
    let [first, second] = variables;
    let number = OPERATIONS.iter().position(|row| row.name == name).unwrap().to_string();
    let mut text = [&number, letters, "key", "", first, second].join("\0");
    for (name, value) in params {
        text.push_str(&["", name, value].join("\0"));
    }
    text
}

fn by(name: &str, variable: &str) -> String {
    text(name, "", [variable, ""], &[])
}

fn request(client: &Client, text: &str) -> Result<String, String> {
    let call = Call::parse(text).unwrap();
    client.request(&call, client.floor(&call))
}

fn header(client: &Client, text: &str, name: &str) -> Option<String> {
    let request = request(client, text).unwrap();
    let (_, mut headers) = read(&request);
    headers.find(|(header, _)| *header == name).map(|(_, value)| value.to_owned())
}

fn asked(client: &Client, text: &str) -> Option<Millis> {
    header(client, text, "Resource-Min-Revision").map(|value| value.parse().unwrap())
}

/// A call that was begun just now, may take ten seconds from the instant 0, and may have another token.
fn stage(client: &Client, call: &Call<'_>) -> Stage {
    Stage { asked: client.floor(call), deadline: 10_000, retries: 0, renewable: true }
}

/// What follows the answer to a call that was begun just now.
fn after(client: &mut Client, text: &str, answer: &str) -> Next {
    let call = Call::parse(text).unwrap();
    let stage = stage(client, &call);
    client.next(Some(&call), stage, &Answer::parse(answer), 0, DICE)
}

/// What follows an answer to a read that stands as the change says.
fn at(change: impl Fn(Stage) -> Stage, answer: &str, now: Millis) -> Next {
    let mut client = client();
    let text = by("getById", "a");
    let call = Call::parse(&text).unwrap();
    let stage = change(stage(&client, &call));
    client.next(Some(&call), stage, &Answer::parse(answer), now, DICE)
}

/// The answer with a record: status, revision, id, key.
fn record(revision: Millis, id: &str, key: &str) -> String {
    format!("200\0{revision}\0\0\0{id}\0{key}\x001")
}

#[test]
fn calls_that_a_pause_may_help_are_tried_again() {
    for status in [0, 429, 502, 503, 504] {
        let next = after(&mut client(), &by("getById", "a"), &status.to_string());
        assert_eq!(next, Next::Again(199), "{status}");
    }
}

#[test]
fn calls_that_a_pause_cannot_help_are_not() {
    for status in [301, 304, 400, 403, 404, 405, 409, 412, 413, 415, 422, 500, 501] {
        assert_eq!(
            after(&mut client(), &by("getById", "a"), &status.to_string()),
            Next::Fail(false),
            "{status}"
        );
    }
}

#[test]
fn retries_end() {
    let nexts: Vec<Next> = (0..5).map(|retries| at(|stage| Stage { retries, ..stage }, "503", 0)).collect();
    assert_eq!(
        nexts,
        [Next::Again(199), Next::Again(399), Next::Again(799), Next::Again(1599), Next::Fail(true)]
    );
}

#[test]
fn a_request_for_a_token_is_tried_again_too() {
    let stage = Stage { asked: 0, deadline: Millis::MAX, retries: 0, renewable: false };
    for (answer, next) in [("0", Next::Again(199)), ("503", Next::Again(199)), ("200", Next::Done)] {
        assert_eq!(client().next(None, stage, &Answer::parse(answer), 0, DICE), next, "{answer}");
    }
    for answer in ["400", "401", "404"] {
        assert_eq!(
            client().next(None, stage, &Answer::parse(answer), 0, DICE),
            Next::Fail(false),
            "{answer}"
        );
    }
}

#[test]
fn the_service_says_how_long_to_wait() {
    assert_eq!(after(&mut client(), &by("getById", "a"), "503\0\x007000"), Next::Again(7000));
}

#[test]
fn a_pause_that_outlasts_the_call_is_not_begun() {
    assert_eq!(at(|stage| stage, "503\0\x007000", 3000), Next::Fail(true));
    assert_eq!(at(|stage| stage, "503\0\x007000", 2999), Next::Again(7000));
}

#[test]
fn a_refused_token_is_renewed_where_another_may_be_had() {
    assert_eq!(at(|stage| stage, "401", 0), Next::Renew);
    assert_eq!(at(|stage| Stage { renewable: false, ..stage }, "401", 0), Next::Fail(false));
}

#[test]
fn what_is_wrong_with_a_call_is_said() {
    let params = |pairs: &[(&str, &str)]| text("getById", "", ["a", ""], pairs);
    let names = "what a path can carry";
    for (text, message) in [
        (by("getById", ""), format!("id: expected {names}, found ''.")),
        (by("deleteById", "."), format!("id: expected {names}, found '.'.")),
        (by("getById", "searchApiPattern"), format!("id: expected {names}, found 'searchApiPattern'.")),
        (by("getById", "key=a"), format!("id: expected {names}, found 'key=a'.")),
        (by("getById", "a\nb"), format!("id: expected {names}, found 'a\nb'.")),
        (by("getByKey", &"a".repeat(257)), format!("key: expected {names}, found '{}'.", "a".repeat(100))),
        (by("getByKey", ".."), format!("key: expected {names}, found '..'.")),
        (
            text("updateByPath", "", ["..", ".."], &[]),
            format!("uriParameterTwo: expected {names}, found '..'."),
        ),
        (text("updateByPath", "", ["", "a"], &[]), format!("uriParameterOne: expected {names}, found ''.")),
        (
            params(&[("expand", "a"), ("expnd", "a")]),
            "parameters: expected those of the operation, found 'expnd'.".into(),
        ),
        (params(&[("version", "1")]), "parameters: expected those of the operation, found 'version'.".into()),
        (
            params(&[("optionalQueryParameter", "a"), ("optionalQueryParameter", "b")]),
            "optionalQueryParameter: expected one value, found 'several'.".into(),
        ),
        (params(&[("", ""), ("X A", "b")]), "headers: expected printable ASCII, found 'X A'.".into()),
        (params(&[("", ""), ("X-A", "\n")]), "headers: expected printable ASCII, found 'X-A'.".into()),
        (params(&[("", ""), ("X-Ä", "b")]), "headers: expected printable ASCII, found 'X-Ä'.".into()),
        ("10\0\0a\nb\0\0id\0".into(), "headers: expected printable ASCII, found 'Idempotency-Key'.".into()),
        (params(&[("expand", &"a".repeat(70_000))]), "The path and the query are too long.".into()),
    ] {
        assert_eq!(request(&client(), &text).unwrap_err(), message);
    }
    for none in ["", "13", "query"] {
        assert!(Call::parse(none).is_none(), "{none}");
    }
}

#[test]
fn parameters_are_sent_in_the_order_of_presentation() {
    let params = [
        ("var.b", "2"),
        ("expand", "x.y"),
        ("sort", "id asc"),
        ("where", "a = \"ä&+%\""),
        ("var.a", ""),
        ("sort", "key"),
        ("limit", "5"),
    ];
    let request = request(&client(), &text("querySorted", "", ["", ""], &params)).unwrap();
    assert_eq!(
        read(&request).0,
        "https://a.test/p/resource/sorted-query-parameters?where=a%20%3D%20%22%C3%A4%26%2B%25%22&sort=id%20asc&sort=key\
         &limit=5&expand=x.y&var.b=2&var.a="
    );
}

#[test]
fn headers_say_what_is_asked_for() {
    let update = text("updateWithUrnLinks", "a", ["", ""], &[("", ""), ("X-Correlation-ID", "correlation")]);
    let fresh = text("getById", "f", ["a", ""], &[]);
    for (text, name, value) in [
        (&update, "Content-Type", Some("application/json")),
        (&update, "Idempotency-Key", Some("key")),
        (&update, "Prefer", Some("respond-async")),
        (&update, "X-Correlation-ID", Some("correlation")),
        (&update, "Cache-Control", None),
        (&fresh, "Cache-Control", Some("no-cache")),
        (&fresh, "Content-Type", None),
        (&fresh, "Idempotency-Key", None),
        (&fresh, "Resource-Min-Revision", None),
        (&by("deleteById", "a"), "Idempotency-Key", Some("key")),
        (&by("deleteById", "a"), "Content-Type", None),
    ] {
        assert_eq!(header(&client(), text, name).as_deref(), value, "{name}");
    }
}

#[test]
fn a_client_reads_its_own_writes_by_id_and_by_key() {
    for write in ["createOrUpdate", "overwrite", "createOrOverwrite"] {
        let mut client = client();
        assert_eq!(after(&mut client, &by(write, ""), &record(70, "a", "k")), Next::Done);
        assert_eq!(asked(&client, &by("getById", "a")), Some(70), "{write}");
        assert_eq!(asked(&client, &by("getByKey", "k")), Some(70), "{write}");
        assert_eq!(asked(&client, &by("getById", "k")), None, "{write}");
        // A write needs no floor: it is decided where the truth is.
        assert_eq!(asked(&client, &by("updateById", "a")), None, "{write}");
    }
}

#[test]
fn a_page_raises_the_floor_of_each_result() {
    for query in ["query", "querySorted", "search"] {
        let mut client = client();
        let page = "200\0\0\0\0a\0k\x001970-01-01T00:00:00.070Z\0b\0\x001970-01-01T00:00:00.080Z";
        assert_eq!(after(&mut client, &by(query, ""), page), Next::Done);
        assert_eq!(asked(&client, &by("getById", "b")), Some(80), "{query}");
        assert_eq!(asked(&client, &by("getByKey", "k")), Some(70), "{query}");
    }
}

#[test]
fn a_delete_and_a_404_raise_the_floor_too() {
    let mut client = client();
    after(&mut client, &by("getById", "a"), &record(70, "a", "k"));
    after(&mut client, &by("deleteById", "a"), &record(90, "a", "k"));
    assert_eq!(
        (asked(&client, &by("getById", "a")), asked(&client, &by("getByKey", "k"))),
        (Some(90), Some(90))
    );
    assert_eq!(after(&mut client, &by("getById", "a"), "404\x0095"), Next::Fail(false));
    // The key that it bore last is gone with it.
    assert_eq!(
        (asked(&client, &by("getById", "a")), asked(&client, &by("getByKey", "k"))),
        (Some(95), Some(95))
    );
    assert_eq!(after(&mut client, &by("getByKey", "k"), "404\x0099"), Next::Fail(false));
    assert_eq!(asked(&client, &by("getByKey", "k")), Some(99));
}

#[test]
fn a_complex_update_raises_the_floor_of_the_id_in_its_tag_and_of_the_key_in_its_body() {
    let mut client = client();
    let answer = format!("200\x0070\0\0{}", etag::of("a", 70));
    after(&mut client, "12\0\0\0k\0\0", &answer);
    assert_eq!(asked(&client, &by("getById", "a")), Some(70));
    assert_eq!(asked(&client, &by("getByKey", "k")), Some(70));
}

#[test]
fn an_older_answer_than_asked_for_ends_the_detour_through_the_truth() {
    let mut client = client();
    // Enough names to push some out.
    for number in 0..3000_u64 {
        after(&mut client, &by("getById", "a"), &record(1000 + number, &number.to_string(), ""));
    }
    let floor = asked(&client, &by("getById", "old")).unwrap();
    assert!((1000..4000).contains(&floor), "{floor}");
    after(&mut client, &by("getById", "old"), &record(7, "old", "k"));
    assert_eq!(asked(&client, &by("getById", "old")), Some(7));
    assert_eq!(asked(&client, &by("getByKey", "k")), Some(7));
}

#[test]
fn absence_is_an_answer_where_existence_is_asked() {
    assert_eq!(after(&mut client(), &by("exists", ""), "404"), Next::Done);
    assert_eq!(after(&mut client(), &by("exists", ""), "200"), Next::Done);
}

#[test]
fn every_operation_can_be_called() {
    for row in &OPERATIONS {
        let plain = request(&client(), &text(row.name, "", ["a", "b"], &[])).unwrap();
        let params: Vec<_> = row.params().map(|param| param.id.name().replace(['<', '>'], "")).collect();
        let url = read(&plain).0.to_owned();
        assert!(url.starts_with("https://a.test/p/resource"), "{url}");
        for name in params {
            // `text.language` is no language tag.
            let name = name.replace("language", "en");
            let passed = request(&client(), &text(row.name, "", ["a", "b"], &[(&name, "1")])).unwrap();
            assert_eq!(read(&passed).0, format!("{url}?{name}=1"), "{}", row.name);
        }
    }
}

#[test]
fn a_copy_older_than_what_was_seen_of_its_id_is_asked_for_fresh_once() {
    let mut client = client();
    after(&mut client, &by("getById", "a"), &record(90, "a", ""));
    // By a key that was never seen, by another key that it bore, and from a read that had begun before.
    for (call, asked) in [(by("getByKey", "k"), 0), (by("getByKey", "old"), 50), (by("getById", "a"), 0)] {
        let next = |client: &mut Client, text: &str, answer: &str| {
            let call = Call::parse(text).unwrap();
            let stage = Stage { asked, ..stage(client, &call) };
            client.next(Some(&call), stage, &Answer::parse(answer), 0, DICE)
        };
        assert_eq!(next(&mut client, &call, &record(70, "a", "k")), Next::Refresh, "{call}");
        let fresh = call.replacen('\0', "\0f", 1);
        assert_eq!(next(&mut client, &fresh, &record(70, "a", "k")), Next::Done, "{call}: the truth");
        assert_eq!(next(&mut client, &call, &record(90, "a", "k")), Next::Done, "{call}");
    }
    // What a write answers is the truth, and a page shows many.
    assert_eq!(after(&mut client, &by("updateById", "a"), &record(80, "a", "")), Next::Done);
}

#[test]
fn what_the_client_asks_for_goes_before_headers_of_the_callers() {
    let text = text("getById", "f", ["a", ""], &[]) + "\0\0\0cache-control\0max-age=9";
    let request = request(&client(), &text).unwrap();
    let (_, headers) = read(&request);
    assert_eq!(headers.collect::<Vec<_>>(), [("Cache-Control", "no-cache")]);
}
