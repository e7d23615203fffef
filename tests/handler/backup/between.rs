//! What callers see between two imports, while the object remains in memory.

use resource_edge::contract::limits;

use super::*;

/// Returns the line of a resource at this version and millisecond.
fn line(id: &str, version: u64, ms: u64, text: &str) -> String {
    let caller = caller_of("q");
    let mut body = body(0, None, 0);
    body["id"] = json!(id);
    body["custom"] = json!(text);
    caller.write("POST /q/resource", &body);
    let record = caller
        .get("/q/export")
        .body
        .lines()
        .next()
        .unwrap()
        .replace("\"version\":1,", &format!("\"version\":{version},"));
    let created = record.split("\"createdAt\":\"").nth(1).unwrap()[..24].to_owned();
    let modified = record.split("\"lastModifiedAt\":\"").nth(1).unwrap()[..24].to_owned();
    // The IDs have different times of creation.
    let number = id.bytes().map(u64::from).sum::<u64>() % 100;
    record
        .replace(
            &format!("\"createdAt\":\"{created}"),
            &format!("\"createdAt\":\"2023-01-01T00:00:00.{number:03}Z"),
        )
        .replace(&format!("\"lastModifiedAt\":\"{modified}"), &format!("\"lastModifiedAt\":\"{}", time(ms)))
}

fn deleted(id: &str, version: u64, ms: u64) -> String {
    json!({"deletedAt": time(ms), "id": id, "version": version}).to_string()
}

fn time(ms: u64) -> String {
    resource_edge::util::time::format(START - 1_000 + ms)
}

fn imported(caller: &Caller, line: &str) {
    let got = import(caller, line);
    assert_eq!((got.status, &got.json()["imported"]), (200, &json!(1)), "{got:?}");
}

#[test]
fn a_later_line_of_an_id_has_a_later_version() {
    let copy = caller_of("q");
    let refused = |line: &str, minimum: u64| {
        let before = copy.get("/q/export").body;
        let got = import(&copy, line);
        let error = got.json()["errors"][0].clone();
        assert_eq!((got.status, &error["path"]), (400, &json!("/version")), "{line}: {got:?}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(&format!("must be from {minimum} to")), "{message}");
        assert_eq!(copy.get("/q/export").body, before);
    };
    imported(&copy, &line("a", 5, 1, ""));
    refused(&line("a", 5, 2, ""), 6);
    refused(&line("a", 4, 2, ""), 6);
    refused(&deleted("a", 4, 2), 5);
    imported(&copy, &line("a", 9, 2, ""));
    imported(&copy, &deleted("a", 9, 3));
    refused(&deleted("a", 8, 4), 9);
    refused(&line("a", 9, 4, ""), 10);
    imported(&copy, &line("a", 10, 4, ""));
}

#[test]
fn a_line_is_at_most_a_day_ahead_of_the_clock() {
    let copy = caller_of("q");
    copy.edge.frozen.set(true);
    let latest = copy.edge.clock.get() + limits::IMPORT_AHEAD_MS + 1_000 - START;
    for (ms, status) in [(latest + 1, 400), (latest, 200)] {
        assert_eq!(import(&copy, &deleted("a", 1, ms)).status, status, "{ms}");
    }
}

#[test]
fn totals_and_facets_are_those_of_the_lines_so_far() {
    let copy = caller_of("q");
    let expect = |texts: &Value| {
        let total = texts.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum::<u64>();
        assert_eq!(copy.get("/q/resource?limit=0").json()["total"], json!(total));
        assert_eq!(copy.get("/q/status").json()["resources"], json!(total));
        let facet =
            copy.get("/q/resource/searchApiPattern?limit=0&facet=custom").json()["facets"]["custom"].clone();
        assert_eq!(facet["total"], json!(total), "{facet}");
        let terms = facet["terms"].as_array().unwrap();
        let counts: Value = terms
            .iter()
            .map(|term| (term["term"].as_str().unwrap().to_owned(), term["count"].clone()))
            .collect();
        assert_eq!(&counts, texts);
    };
    expect(&json!({}));
    for (at, id) in ["a", "b", "c"].iter().enumerate() {
        imported(&copy, &line(id, 1, at as u64 + 1, "red"));
    }
    expect(&json!({"red": 3}));
    imported(&copy, &line("a", 2, 4, "blue"));
    expect(&json!({"blue": 1, "red": 2}));
    imported(&copy, &deleted("b", 1, 5));
    expect(&json!({"blue": 1, "red": 1}));
    imported(&copy, &deleted("never", 7, 6));
    expect(&json!({"blue": 1, "red": 1}));
    imported(&copy, &line("b", 2, 7, "red"));
    expect(&json!({"blue": 1, "red": 2}));
    // A request whose last line is rejected changes nothing.
    let got = import(&copy, &format!("{}\n{}", deleted("a", 2, 8), deleted("c", 0, 9)));
    assert_eq!(got.status, 400, "{got:?}");
    expect(&json!({"blue": 1, "red": 2}));
}

#[test]
fn a_stored_response_of_a_resource_that_an_import_replaces_is_still_replayed() {
    let copy = caller_of("q");
    let text = "x".repeat(10_000);
    imported(&copy, &line("a", 1, 1, &text));
    // It changes nothing, so imports may continue.
    let nothing = json!({"version": 1, "actions": []}).to_string();
    let send =
        || -> Got { copy.ask("POST /q/resource/a", &[("Idempotency-Key", "one")], nothing.as_bytes()) };
    let first = send();
    assert_eq!((first.status, &first.json()["custom"]), (200, &json!(text)));
    for (line, status) in [(line("a", 2, 2, "new"), 200), (deleted("a", 2, 3), 404)] {
        imported(&copy, &line);
        assert_eq!(copy.fresh("/q/resource/a").status, status);
        let again = send();
        assert_eq!((again.status, again.header("Idempotency-Replayed")), (200, Some("true")), "{again:?}");
        assert_eq!(again.body, first.body);
    }
}
