//! The end of an export: an import that lacks lines is refused, and only a complete one reports that it is complete.

use super::*;

/// Returns a project's lines, with the end.
fn exported(source: &Caller) -> Vec<String> {
    let mut export = Export::default();
    while !export.take(source, "p", 500) {}
    export.lines.into_iter().chain([export.end]).collect()
}

fn source() -> Caller {
    let source = caller_of("p");
    for id in 0..4 {
        source.create(&body(id, Some(id), 5));
    }
    assert_eq!(source.ask("DELETE /p/resource/r1", &[], b"").status, 200);
    source
}

/// Returns the result of importing the lines with a request for each of this many.
fn import_by<'l>(lines: impl IntoIterator<Item = &'l String>, size: usize) -> (Caller, Got) {
    let copy = caller_of("q");
    copy.edge.clock.set(copy.edge.clock.get() + 100_000);
    let lines: Vec<&str> = lines.into_iter().map(String::as_str).collect();
    let mut last = None;
    for lines in lines.chunks(size) {
        last = Some(import(&copy, &lines.join("\n")));
    }
    (copy, last.unwrap())
}

fn is_complete(got: &Got) -> bool {
    assert_eq!(got.status, 200, "{got:?}");
    got.json()["isComplete"] == json!(true)
}

/// Checks that the end is refused, and returns the message.
fn refused(got: &Got) -> String {
    let error: Value = got.json()["errors"][0].clone();
    assert_eq!((got.status, &error["code"]), (400, &json!("InvalidInput")), "{got:?}");
    assert!(error["line"].is_u64(), "{got:?}");
    error["message"].as_str().unwrap().to_owned()
}

#[test]
fn an_import_is_complete_at_the_end_of_an_export_and_not_before() {
    let lines = exported(&source());
    for size in 1..=lines.len() {
        assert!(is_complete(&import_by(&lines, size).1), "{size}");
        let (copy, got) = import_by(&lines[..lines.len() - 1], size);
        assert!(!is_complete(&got), "{size}");
        assert!(is_complete(&import(&copy, &lines[lines.len() - 1])));
        assert!(is_complete(&import(&copy, &lines.join("\n"))));
        let json = import(&copy, &lines.join("\n")).json();
        let counts = ["imported", "skipped", "taken"].map(|name| json[name].as_u64().unwrap());
        assert_eq!(counts, [0, lines.len() as u64 - 1, lines.len() as u64]);
    }
    let (copy, _) = import_by(&lines[..1], 1);
    let alarm = copy.edge.projects.borrow()["q"].database().sqlite.alarm.get();
    assert!(
        alarm.is_some_and(|at| at > copy.edge.clock.get()),
        "a crash before the puts loses none: {alarm:?}"
    );
    let empty = exported(&caller_of("p"));
    assert_eq!(empty.len(), 1);
    assert!(is_complete(&import_by(&empty, 1).1));
}

#[test]
fn an_export_without_one_of_its_lines_is_refused_at_its_end() {
    let lines = exported(&source());
    for missing in 0..lines.len() - 1 {
        let rest = lines.iter().enumerate().filter(|(at, _)| *at != missing).map(|(_, line)| line);
        for size in [1, 2, 9] {
            let (copy, got) = import_by(rest.clone(), size);
            let message = refused(&got);
            if missing == lines.len() - 2 {
                assert!(message.contains("Lines before the end of the export are missing."), "{message}");
            } else {
                assert!(message.contains("The project has 3 of the 4 states of the export."), "{message}");
            }
            let has = copy.get("/q/export").body.lines().count() - 1;
            assert!(if size == 9 { has == 0 } else { has < 4 }, "a request with an error changes nothing");
        }
    }
}

#[test]
fn a_later_export_without_a_page_is_refused_although_the_project_has_all_ids() {
    let source = source();
    let first = exported(&source);
    let (copy, got) = import_by(&first, 9);
    assert!(is_complete(&got));
    for id in [0, 2] {
        assert_eq!(source.write("POST /p/resource", &body(id, Some(id), 9)).status, 200);
    }
    let later = exported(&source);
    // The lines that the copy lacks, but the first, and the end.
    let gap = format!("{}\n{}", later[later.len() - 2], later[later.len() - 1]);
    let message = refused(&import(&copy, &gap));
    assert!(message.contains("The project does not have the states of the export."), "{message}");
    assert!(is_complete(&import(&copy, &later.join("\n"))));
}

#[test]
fn the_end_of_an_earlier_export_says_nothing_about_the_present() {
    let source = source();
    let first = exported(&source);
    source.create(&body(5, None, 9));
    let second = exported(&source);
    // Both files in one request, and the first file again.
    let both: Vec<String> = first.iter().chain(&second[second.len() - 2..]).cloned().collect();
    for size in [1, 2, 9] {
        let (copy, got) = import_by(&both, size);
        assert!(is_complete(&got), "{size}");
        assert!(!is_complete(&import(&copy, &first.join("\n"))));
        assert!(!is_complete(&import(&copy, &format!("{}\n{}", second[second.len() - 1], first[0]))));
    }
    // The end of the first is before lines that are missing.
    let gap: Vec<String> = [&first[first.len() - 1], &second[second.len() - 2]].map(String::clone).into();
    refused(&import_by(&gap, 9).1);
}
