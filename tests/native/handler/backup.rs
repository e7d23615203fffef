//! Export and import: every response of an imported project is that of the original except for its name, whatever was
//! written before and during the export.

use proptest::prelude::*;

use super::*;

mod complete;
mod pages;
mod work;

const LINES: (&str, &str) = ("Content-Type", "application/x-ndjson");

#[derive(Debug, Clone)]
enum Step {
    /// Creates or changes a resource.
    Write { id: u8, key: Option<u8>, seed: u32 },
    /// Updates a resource by an action.
    Act { id: u8 },
    /// Deletes a resource.
    Delete { id: u8 },
    /// Exports at most this number of further lines.
    Export(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => (0..5_u8, prop::option::weighted(0.7, 0..3_u8), any::<u32>())
            .prop_map(|(id, key, seed)| Step::Write { id, key, seed }),
        2 => (0..5_u8).prop_map(|id| Step::Act { id }),
        3 => (0..5_u8).prop_map(|id| Step::Delete { id }),
        3 => (0..4_usize).prop_map(Step::Export),
    ];
    prop::collection::vec(step, 0..40)
}

/// Returns a body with some of everything, derived from the seed.
fn body(id: u8, key: Option<u8>, seed: u32) -> Value {
    let bit = |at: u32| seed >> at & 1 == 1;
    let n = i64::from(seed % 7);
    let mut body = json!({"id": format!("r{id}"), "objectTypeProperty": {
        "arrayOfIntExample": vec![n; (seed % 3) as usize],
        "arrayOfUniqueIntExample": [n, -n - 1],
        "arrayOfFloatExample": [f64::from(seed) / 3.0, 1e-7, 1e300],
        "arrayOfStringExample": [format!("red {n}"), "\u{7f}\"\\ é😀"],
    }});
    let arrays = &mut body["objectTypeProperty"];
    if bit(1) {
        arrays["arrayOfTwonumbersExample"] = json!([n, 4]);
        arrays["arrayOfNumberNoDefaultsExample"] = json!([0.1, -n]);
    }
    if bit(2) {
        arrays["arrayOfObjectType"] = json!([{"integerExample": n}, {}, {"integerExampleInt32": 3}]);
    }
    for (at, name, value) in [
        (3, "lastModifiedBy", json!({"firstName": "Ada"})),
        (4, "createdBy", json!({"lastName": ""})),
        (5, "someProperty", json!("blue words")),
        (6, "custom", json!(format!("custom {n}"))),
        (6, "fifteenthProperty", json!("last")),
    ] {
        if bit(at) {
            body[name] = value;
        }
    }
    if let Some(key) = key {
        body["key"] = json!(format!("k{key}"));
    }
    body
}

fn revision(line: &str) -> String {
    let json: Value = serde_json::from_str(line).unwrap();
    let time = json.get("deletedAt").unwrap_or(&json["lastModifiedAt"]).as_str().unwrap();
    resource_edge::util::time::parse(time).unwrap().to_string()
}

/// An export that continues from call to call.
#[derive(Default)]
struct Export {
    lines: Vec<String>,
    /// The history of its positions.
    history: String,
    /// The last line, if the export is complete.
    end: String,
}

impl Export {
    /// Reads at most `max` further lines. Returns whether there were fewer.
    fn take(&mut self, caller: &Caller, project: &str, max: usize) -> bool {
        let after = self.lines.last().map(|line| format!("?after={}.{}", self.history, revision(line)));
        let got = caller.get(&format!("/{project}/export{}", after.unwrap_or_default()));
        assert_eq!((got.status, got.header("Content-Type")), (200, Some(LINES.1)), "{got:?}");
        assert!(got.body.ends_with('\n'));
        let mut lines: Vec<&str> = got.body.lines().collect();
        let position = match got.header("Link") {
            Some(link) => link.split("after=").nth(1).unwrap(),
            None => lines.last().unwrap().split('"').nth(3).unwrap(),
        };
        position.split('.').next().unwrap().clone_into(&mut self.history);
        self.end.clear();
        if lines.len() <= max && got.header("Link").is_none() {
            lines.pop().unwrap().clone_into(&mut self.end);
            assert!(self.end.starts_with("{\"end\":\""), "{}", self.end);
        }
        self.lines.extend(lines.iter().take(max).map(|line| (*line).to_owned()));
        !self.end.is_empty()
    }
}

fn import(caller: &Caller, lines: &str) -> Got {
    caller.ask("POST /q/import", &[LINES], lines.as_bytes())
}

/// Requests that read everything.
const READS: &[&str] = &[
    "resource?limit=500",
    "resource?sort=lastModifiedAt+desc&limit=2&offset=1",
    "resource?sort=arrayOfFloatExample+desc&sort=custom",
    "resource?where=arrayOfIntExample+contains+any+(1,2)+or+custom+is+defined",
    "resource?where=version+%3E+1&where=arrayOfObjectType(integerExample+%3C+4)",
    "resource?arrayOfString=red+1",
    "resource/sorted-query-parameters?where=createdAt+%3E+%222000-01-01T00:00:00.000Z%22&sort=createdAt",
    "resource/searchApiPattern?text.en=red&facet=arrayOfStringExample&facet=version&facet=arrayOfIntExample:range(0+to+3)",
    "resource/searchApiPattern?text.en=bleu&fuzzy=true&filter.query=key:exists",
    "resource/none",
    "resource/key=none",
    "export",
];

/// Returns a response without the project's name and the headers that differ each time.
fn read_comparable(
    caller: &Caller,
    project: &str,
    request: &str,
    sent: &[u8],
) -> (u16, Vec<(String, String)>, String) {
    let (method, target) = request.split_once(' ').unwrap();
    let got = caller.ask(&format!("{method} /{project}/{target}"), &[("Cache-Control", "no-cache")], sent);
    let kept = got.headers.into_iter().filter(|(name, _)| name != "X-Correlation-ID");
    let headers = kept.map(|(name, value)| (name, value.replace(&format!("/{project}/"), "/")));
    // Each project has its own history.
    let history = got.body.split("{\"end\":\"").nth(1).and_then(|end| end.split('.').next());
    let body = history.map_or_else(|| got.body.clone(), |history| got.body.replace(history, "history"));
    (got.status, headers.collect(), body)
}

fn both(source: &Caller, copy: &Caller, request: &str, sent: &[u8]) -> Result<u16, TestCaseError> {
    let (first, second) =
        (read_comparable(source, "p", request, sent), read_comparable(copy, "q", request, sent));
    prop_assert_eq!(&first, &second, "{}", request);
    Ok(first.0)
}

fn same(source: &Caller, copy: &Caller) -> Result<(), TestCaseError> {
    for read in READS {
        both(source, copy, &format!("GET {read}"), b"")?;
    }
    for id in 0..5 {
        both(source, copy, &format!("GET resource/r{id}"), b"")?;
    }
    for key in 0..3 {
        both(source, copy, &format!("GET resource/key=k{key}"), b"")?;
    }
    both(source, copy, "HEAD resource", b"")?;
    Ok(())
}

/// Checks that KV has exactly the contents of the source of truth.
fn check_kv(caller: &Caller) {
    let calls = caller.edge.object_calls.get();
    for record in caller.get("/q/resource?limit=500").json()["results"].as_array().unwrap() {
        let id = record["id"].as_str().unwrap();
        assert_eq!(caller.get(&format!("/q/resource/{id}")).json(), *record);
        if let Some(key) = record["key"].as_str() {
            assert_eq!(caller.get(&format!("/q/resource/key={key}")).json(), *record);
        }
    }
    assert_eq!(caller.edge.object_calls.get(), calls + 1, "KV served the reads");
    let kv = caller.edge.kv.borrow();
    for (entry, stored) in kv.iter().filter(|(entry, _)| entry.starts_with("k1:")) {
        let key = entry.rsplit(':').next().unwrap();
        let alive = !stored.value.is_empty();
        let truth = kv.values().any(|other| other.metadata.contains(&format!("\"key\":\"{key}\"")));
        assert_eq!(alive, truth, "{entry}");
    }
}

fn caller_of(project: &str) -> Caller {
    let mut caller = Caller::new();
    caller.token = caller.token_for(&format!("manage_test:{project}"));
    caller
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn an_imported_project_responds_as_the_original(
        steps in steps(),
        sizes in prop::collection::vec(1..5_usize, 1..30),
        repeats in prop::collection::vec(any::<bool>(), 30),
    ) {
        let (source, copy) = (caller_of("p"), caller_of("q"));
        let mut export = Export::default();
        for step in &steps {
            match step {
                Step::Write { id, key, seed } => {
                    let got = source.write("POST /p/resource", &body(*id, *key, *seed));
                    prop_assert!([200, 201, 400].contains(&got.status), "{:?}", got);
                }
                Step::Act { id } => {
                    let version = source.fresh(&format!("/p/resource/r{id}")).json()["version"].clone();
                    if !version.is_null() {
                        let actions = json!([{"action": "doSomeThing"}]);
                        source.write(&format!("POST /p/resource/r{id}"), &json!({"version": version, "actions": actions}));
                    }
                }
                Step::Delete { id } => drop(source.ask(&format!("DELETE /p/resource/r{id}"), &[], b"")),
                Step::Export(lines) => drop(export.take(&source, "p", *lines)),
            }
        }
        while !export.take(&source, "p", 500) {}
        let mut rest = export.lines.as_slice();
        // The clock of the copy is before some of the times.
        copy.edge.clock.set(START - 1);
        for (size, repeats) in sizes.iter().cycle().zip(repeats.iter().cycle()) {
            // Puts that a restart finds are not replicated.
            copy.edge.faults.drain_held.set(*repeats);
            let (these, others) = rest.split_at((*size).min(rest.len()));
            let got = import(&copy, &these.join("\n"));
            prop_assert_eq!((got.status, &got.json()["imported"]), (200, &json!(these.len())), "{:?}", got);
            if *repeats {
                let again = import(&copy, &export.lines[..export.lines.len() - others.len()].join("\n"));
                prop_assert_eq!((again.status, &again.json()["imported"]), (200, &json!(0)), "{:?}", again);
                copy.edge.restart();
            }
            rest = others;
            if rest.is_empty() {
                break;
            }
        }
        let done = import(&copy, &export.end).json();
        prop_assert_eq!((&done["isComplete"], &done["isDone"]), (&json!(true), &json!(true)), "{}", done);
        copy.edge.clock.set(source.edge.clock.get() + 10_000);
        copy.edge.faults.drain_held.set(false);
        for project in copy.edge.projects.borrow().values() {
            copy.edge.drain(project);
        }
        same(&source, &copy)?;
        check_kv(&copy);
        copy.edge.restart();
        same(&source, &copy)?;
        // The same writes give the same responses, revisions and versions included.
        for edge in [&source.edge, &copy.edge] {
            edge.frozen.set(true);
            edge.clock.set(START + 1_000_000);
        }
        for id in 0..5 {
            let sent = body(id, None, 77).to_string();
            let status = both(&source, &copy, "POST resource", sent.as_bytes())?;
            prop_assert!([200, 201].contains(&status));
        }
        both(&source, &copy, "DELETE resource/r0", b"")?;
        same(&source, &copy)?;
    }
}
