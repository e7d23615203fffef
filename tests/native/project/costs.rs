//! The cost of a query: how many statements it runs, and that a page takes no more steps in a larger collection.

use super::*;

/// Returns the reply to a read, and how many statements it ran.
fn read(project: &Collection, read: Read) -> (Reply<String>, usize) {
    project.database().statements.take();
    let reply = perform(project, &message(Call::Read(read)), 2_000);
    (reply, project.database().statements.take().len())
}

fn page(project: &Collection, of: Read) -> (Value, usize) {
    let (reply, statements) = read(project, of);
    (serde_json::from_str(body(&reply)).expect("a body is JSON"), statements)
}

/// Returns the small body of the benchmarks.
fn small(id: &str, number: u32) -> Value {
    json!({
        "id": id,
        "objectTypeProperty": {
            "arrayOfIntExample": [number, 6, 7],
            "arrayOfUniqueIntExample": [number, number + 1],
            "arrayOfTwonumbersExample": [13, 52],
            "arrayOfFloatExample": [f64::from(number) + 0.5],
            "arrayOfNumberNoDefaultsExample": [1.25],
            "arrayOfStringExample": [format!("item {number}"), "blue"],
            "arrayOfObjectType": [{"integerExample": number, "integerExampleInt32": 2}],
        },
        "someProperty": format!("resource {number}"),
    })
}

fn of_resources(count: u32) -> Collection {
    let project = open();
    for number in 0..count {
        resource(&perform(&project, &post(&small(&format!("r{number}"), 100 + number)), 1_000));
        project.follow().unwrap();
    }
    // The size is counted once, and so is whether there are long texts.
    read(&project, Read::QuerySorted(query("", &[])));
    read(&project, Read::QuerySorted(query("", &["custom"])));
    project
}

#[test]
fn a_query_runs_one_statement_and_one_more_if_it_compares_indexes() {
    let project = of_resources(40);
    for (predicate, sort, statements) in [
        ("", &[][..], 1),
        ("", &["createdAt desc"], 1),
        ("", &["lastModifiedAt desc"], 1),
        ("", &["id"], 1),
        ("", &["someProperty"], 1),
        ("", &["arrayOfIntExample desc", "id"], 1),
        ("", &["version desc"], 1),
        // Half of a page has no key.
        ("", &["key"], 2),
        ("arrayOfIntExample = 6", &[], 1),
        ("arrayOfIntExample contains any (6)", &["createdAt desc"], 1),
        ("arrayOfIntExample contains any (6, 101)", &[], 1),
        ("arrayOfIntExample = 6", &["someProperty"], 1),
        ("arrayOfIntExample = 6 and someProperty = \"resource 101\"", &[], 2),
        ("arrayOfObjectType(integerExample = 101)", &[], 1),
        ("arrayOfIntExample = 5 and version = 1", &[], 1),
        ("not (arrayOfIntExample < 100)", &[], 1),
        ("custom is not defined", &["someProperty desc"], 1),
    ] {
        for with_total in [false, true] {
            let query = Query { with_total, ..query(predicate, sort) };
            for call in [Read::QuerySorted(query.clone()), Read::Query(query)] {
                let (page, found) = page(&project, call);
                assert_eq!(found, statements, "{predicate} {sort:?} {with_total}");
                assert_eq!(page.get("total").is_some(), with_total);
                assert_eq!(page["count"], page["results"].as_array().unwrap().len());
            }
        }
    }
}

/// Checks that each page takes no more steps with the second number of resources than with the first.
#[track_caller]
fn check_steps(resources: [u32; 2], pages: &[(&str, &str)]) {
    let collections = resources.map(of_resources);
    for (predicate, sort) in pages {
        let steps = |project: &Collection| {
            let query = Query { with_total: false, ..query(predicate, &[*sort]) };
            project.database().sqlite.steps.take();
            read(project, Read::QuerySorted(query));
            project.database().sqlite.steps.take()
        };
        let [few, many] = collections.each_ref().map(steps);
        assert!(many <= few + few / 10, "{predicate} {sort}: {few} and {many}");
    }
}

#[test]
fn a_page_along_an_index_takes_no_more_steps_in_a_larger_collection() {
    let pages = [
        ("", "someProperty"),
        ("", "someProperty desc"),
        ("", "arrayOfIntExample desc"),
        ("arrayOfIntExample = 6", "createdAt desc"),
    ];
    check_steps([40, 400], &pages);
}

#[test]
fn a_set_ends_where_the_guess_that_it_is_small_is_wrong() {
    check_steps([1_100, 3_300], &[("someProperty >= \"\"", "createdAt")]);
}
