//! The sizes of pages of an export, and of imports.

use resource_edge::contract::limits;

use super::*;

#[test]
fn a_page_of_an_export_has_at_most_the_lines_of_one_import_and_links_to_the_next() {
    let source = caller_of("p");
    // With the end, each page has the most lines.
    let count = limits::EXPORT_LINES * 2 - 1;
    for number in 0..count {
        source.create(&json!({"id": format!("r{number}"), "objectTypeProperty": {}}));
    }
    let first = source.get("/p/export");
    assert_eq!(first.body.lines().count(), limits::EXPORT_LINES);
    let last = revision(first.body.lines().last().unwrap());
    let link = first.header("Link").unwrap();
    let target = link.strip_prefix('<').and_then(|link| link.strip_suffix(">; rel=\"next\"")).unwrap();
    assert!(target.starts_with("/p/export?after=") && target.ends_with(&format!(".{last}")), "{link}");
    let second = source.get(target);
    assert_eq!((second.body.lines().count(), second.header("Link")), (limits::EXPORT_LINES, None));
    assert_eq!(source.ask("HEAD /p/export", &[], b"").header("Link"), Some(link));
    let copy = caller_of("q");
    copy.edge.clock.set(source.edge.clock.get());
    let both = [first.body.as_str(), &second.body].concat();
    let got = import(&copy, &both);
    got.is_refused(413, "ContentTooLarge");
    assert_eq!([import(&copy, &first.body).status, import(&copy, &second.body).status], [200, 200]);
    assert_eq!(copy.get("/q/resource").json()["total"], count);
}

#[test]
fn a_page_of_an_export_has_at_most_the_bytes_of_a_body() {
    let source = caller_of("p");
    let text = |bytes: usize| "x".repeat(bytes);
    let empty = source.create(&json!({"id": "r0", "objectTypeProperty": {}, "custom": ""})).to_string().len();
    let largest = limits::BODY_BYTES - empty;
    for (id, bytes) in
        [("r1", largest), ("r2", 500_000), ("r3", 500_000), ("r4", 100_000), ("r5", 0), ("r6", 500_000)]
    {
        source.create(&json!({"id": id, "objectTypeProperty": {}, "custom": text(bytes)}));
    }
    let copy = caller_of("q");
    let (mut target, mut counts) = ("/p/export".to_owned(), Vec::new());
    loop {
        let page = source.get(&target);
        let lines = page.body.trim_end();
        let max = if lines.lines().count() == 1 { limits::BODY_BYTES } else { limits::BATCH_BYTES };
        assert!(lines.len() <= max, "{}", lines.len());
        counts.push(lines.lines().count());
        copy.edge.clock.set(source.edge.clock.get());
        assert_eq!(import(&copy, lines).status, 200);
        let Some(link) = page.header("Link") else { break };
        target = link.trim_start_matches('<').split('>').next().unwrap().to_owned();
    }
    // The end is one of the lines, so it is not beside the last resource, which alone is larger than a page.
    assert_eq!(counts, [1, 1, 1, 1, 2, 1, 1]);
    assert_eq!(
        read_comparable(&source, "p", "GET resource?limit=500", b""),
        read_comparable(&copy, "q", "GET resource?limit=500", b"")
    );
}
