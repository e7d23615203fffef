//! The work of an import has a bound, whatever its lines replace.

use resource_edge::contract::limits;

use super::*;

/// Creates resources of this many bytes, imports them into the copy, and returns the lines that follow `change`.
fn changed_after_import(bytes: usize, change: impl Fn(&Caller)) -> (Caller, Caller, String) {
    let (source, copy) = (caller_of("p"), caller_of("q"));
    for id in 0..8 {
        let mut body = body(id, Some(id), 0);
        body["custom"] = json!("x".repeat(bytes));
        source.create(&body);
    }
    let mut export = Export::default();
    while !export.take(&source, "p", 1) {}
    copy.edge.clock.set(source.edge.clock.get());
    for line in &export.lines {
        assert_eq!(import(&copy, line).json()["imported"], 1);
    }
    let known = export.lines.len();
    change(&source);
    copy.edge.clock.set(source.edge.clock.get());
    while !export.take(&source, "p", 500) {}
    let lines = export.lines[known..].join("\n");
    (source, copy, lines)
}

#[test]
fn an_import_stops_when_what_it_removes_exceeds_the_bytes_of_a_page() {
    let (source, copy, lines) = changed_after_import(100_000, |source| {
        for id in 0..8 {
            assert_eq!(source.ask(&format!("DELETE /p/resource/r{id}"), &[], b"").status, 200);
        }
    });
    let counts = |got: &Got| {
        let json = got.json();
        ["imported", "skipped", "taken", "isDone"].map(|name| json[name].clone())
    };
    assert_eq!(counts(&import(&copy, &lines)), [json!(3), json!(0), json!(3), json!(false)]);
    // What was taken is kept, and a total between two requests is true.
    assert_eq!(copy.get("/q/resource?limit=0").json()["total"], 5);
    copy.edge.restart();
    // The whole request again, or only its rest.
    assert_eq!(counts(&import(&copy, &lines)), [json!(3), json!(3), json!(6), json!(false)]);
    let rest = format!("\n{}\n\n", lines.split_inclusive('\n').skip(6).collect::<String>());
    assert_eq!(counts(&import(&copy, &rest)), [json!(2), json!(0), json!(3), json!(true)]);
    super::same(&source, &copy).unwrap();
}

#[test]
fn an_import_counts_the_record_that_loses_its_key_to_another() {
    // The lines of the holders' newer states are missing, as in an export that ran during the writes.
    let (_, copy, lines) = changed_after_import(200_000, |source| {
        for id in 0..4 {
            let holder =
                json!({"id": format!("r{id}"), "key": format!("moved{id}"), "objectTypeProperty": {}});
            assert_eq!(source.write("POST /p/resource", &holder).status, 200);
            source
                .create(&json!({"id": format!("n{id}"), "key": format!("k{id}"), "objectTypeProperty": {}}));
        }
    });
    let lines: Vec<&str> = lines.lines().filter(|line| line.starts_with("{\"id\":\"n")).collect();
    assert_eq!(lines.len(), 4);
    let first = import(&copy, &lines.join("\n")).json();
    assert_eq!((&first["imported"], &first["isDone"]), (&json!(2), &json!(false)));
    let holder = copy.fresh("/q/resource/r0").json();
    assert_eq!((&holder["key"], &holder["version"]), (&Value::Null, &json!(1)));
    assert_eq!(copy.fresh("/q/resource/key=k0").json()["id"], "n0");
}

fn time(ms: u64) -> String {
    resource_edge::util::time::format(START - 1_000 + ms)
}

fn deleted(id: &str, version: u64, ms: u64) -> String {
    json!({"deletedAt": time(ms), "id": id, "version": version}).to_string()
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
