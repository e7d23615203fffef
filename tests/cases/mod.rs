//! The case files of tests/cases against the handler and the collection, natively.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{LazyLock, OnceLock};

use resource_edge::openapi;
use resource_edge::shape::Shape;
use serde_json::{Value, json};

use crate::support::caller::Caller;
use crate::support::{cases, shapes};

#[test]
fn the_example_of_the_readme_is_a_case_file() {
    let example = include_str!("README.md").split("```").nth(1).and_then(|block| block.strip_prefix("json"));
    assert_eq!(cases::run("README.md", example.expect("an example")), 2);
}

/// Sends what the cases do not: bodies of the fields that a team adds, and bodies that break the rules of a declared
/// resource that no field of the interface has.
fn send_bodies_of_other_fields() {
    let document: Value = serde_json::from_str(&openapi::document(&Shape::built_in())).expect("JSON");
    let body = &document["paths"]["/{projectKey}/resource"]["post"]["requestBody"];
    Caller::new().create(&body["content"]["application/json"]["example"]);
    let schema = json!({ "type": "object", "properties": {
        "weight": { "type": "number", "exclusiveMinimum": 0 },
        "share": { "type": "number", "exclusiveMaximum": 1 },
        "count": { "type": "integer", "multipleOf": 5 },
        "code": { "type": "string", "pattern": "^[a-z]+$" },
    } });
    let shape = Shape::of_schema(&schema.to_string()).unwrap_or_else(|refused| panic!("{refused:?}"));
    let wrong = json!({ "weight": 0, "share": 1, "count": 7, "code": "A" });
    let got = Caller::of(&Rc::new(shape)).write("POST /p/resource", &wrong);
    assert_eq!((got.status, got.json()["errors"].as_array().map(Vec::len)), (400, Some(4)), "{got:?}");
}

/// A file of cases, and the members that its responses had.
struct CaseFile {
    name: &'static str,
    text: &'static str,
    seen: OnceLock<BTreeSet<String>>,
}

impl CaseFile {
    /// Runs the file, unless another test has. Returns the members that its responses had.
    fn run(&self) -> &BTreeSet<String> {
        self.seen.get_or_init(|| {
            let count = cases::run(self.name, self.text);
            println!("{}: {count} cases", self.name);
            shapes::seen()
        })
    }
}

macro_rules! files {
    ($($name:ident,)*) => {
        $(
            #[test]
            fn $name() {
                let name = concat!(stringify!($name), ".json");
                FILES.iter().find(|file| file.name == name).expect("a file").run();
            }
        )*

        static FILES: LazyLock<Vec<CaseFile>> = LazyLock::new(|| vec![$(CaseFile {
            name: concat!(stringify!($name), ".json"),
            text: include_str!(concat!(stringify!($name), ".json")),
            seen: OnceLock::new(),
        },)*]);
    };
}

#[test]
fn every_declared_member_of_a_response_is_returned() {
    let mut seen: BTreeSet<String> = FILES.iter().flat_map(CaseFile::run).cloned().collect();
    send_bodies_of_other_fields();
    seen.extend(shapes::seen());
    // The edge in memory has neither a backlog nor a sweep, and keeps no history unless a test requests it.
    // tests/native/project/status.rs and tests/native/handler/restore.rs read these members. Only declared
    // resources have rules: tests/native/handler/rights.rs.
    let elsewhere = [
        "ErrorItem.rule",
        "Restored.undo",
        "Status.backlogAgeMs",
        "Status.lastSweepAt",
        "Status.nextSweepAt",
    ];
    assert_eq!(shapes::unseen(&seen), elsewhere, "members that no case returns: add a case for each");
}

#[test]
fn every_case_file_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let listed: BTreeSet<PathBuf> = FILES.iter().map(|file| folder.join(file.name)).collect();
    let found: BTreeSet<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder of the cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    assert_eq!(listed, found);
}

files! {
    access,
    agents,
    attacks,
    backup,
    batch,
    bodies,
    changes,
    complex,
    conditions,
    cors,
    create,
    delete,
    errors,
    fields,
    fresh,
    idempotency,
    oauth,
    overwrite,
    predicates,
    query,
    reads,
    reasons,
    routing,
    search,
    status,
    unconfigured,
    update,
    where_limits,
}
