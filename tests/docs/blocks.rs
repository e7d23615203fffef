//! Every block of code in a document belongs to a named test, or to an exception with its reason.

use std::fs;
use std::path::Path;

use crate::docs::named::has_test;
use crate::docs::{documents, root};

/// The evidence that a block is correct.
enum Shown {
    /// A file, and the name of a test in it.
    By(&'static str, &'static str),
    /// Nothing does; the reason.
    Not(&'static str),
}
use Shown::{By, Not};

/// Which blocks: the document, their language, and how one of their lines begins. An empty beginning is any line. A
/// block belongs to the first row that fits.
type Row = (&'static str, &'static str, &'static str, Shown);

const COMMANDS: Shown =
    By("tests/docs/commands.rs", "the_make_targets_and_variables_that_documents_name_exist");
const SESSION: Shown =
    By("tests/e2e/readme.test.mjs", "each line of the session gets the response in its comment");
const FORM: Shown =
    By("tests/pkg/readme.test.mjs", "the form and the list work in a project of Vite, step by step");
const REACT: Shown = By("tests/pkg/recipes.test.mjs", "the hook and the queries of the README work");
const PARTS: Shown =
    By("tests/pkg/parts.test.mjs", "the README's programs of parts print the output in their comments");
const MOVING: Shown =
    By("tests/e2e/backup.test.mjs", "the guide's commands move a project, and may be repeated");

const BLOCKS: &[Row] = &[
    ("README.md", "sh", "make dev", COMMANDS),
    ("README.md", "sh", "make pkg", COMMANDS),
    (
        "README.md",
        "js",
        "",
        By("tests/docs/commands.rs", "the_readme_and_the_readme_of_the_package_have_the_same_program"),
    ),
    (
        "README.md",
        "sh",
        "npx wrangler",
        By("tests/e2e/commands.test.mjs", "the command of the README creates a signing secret"),
    ),
    ("README.md", "sh", "TOKEN=", SESSION),
    ("README.md", "sh", "json $API", SESSION),
    ("README.md", "json", "", SESSION),
    ("CONTRIBUTING.md", "text", "", Not("a picture of the order of calls")),
    ("CONTRIBUTING.md", "sh", "make ", COMMANDS),
    (
        "benches/README.md",
        "sh",
        "node benches/",
        By(
            "tests/e2e/bench.test.mjs",
            "a quick run of the benchmark measures every workload on both sides and loses no connection",
        ),
    ),
    (
        "examples/README.md",
        "text",
        "http://",
        By(
            "tests/pkg/examples.test.mjs",
            "the form shows the service's errors while a person types, and saves",
        ),
    ),
    (
        "pkg/README.md",
        "sh",
        "npm create vite",
        Not("it needs the network; the test of the form writes the same files and builds them with Vite"),
    ),
    (
        "pkg/README.md",
        "sh",
        "npm install resource-edge",
        By("tests/pkg/readme.test.mjs", "the first ten lines work in Node without a change"),
    ),
    ("pkg/README.md", "html", "", FORM),
    (
        "pkg/README.md",
        "js",
        "  const created = await",
        By("tests/pkg/readme.test.mjs", "the first ten lines work in Node without a change"),
    ),
    ("pkg/README.md", "js", "ready.then(", FORM),
    ("pkg/README.md", "js", "form.addEventListener(", FORM),
    ("pkg/README.md", "js", "async function list", FORM),
    (
        "pkg/README.md",
        "js",
        "const maybe = ",
        By(
            "tests/pkg/readme.test.mjs",
            "the pages of the sample show the progress, and missing and unchanged resources are undefined",
        ),
    ),
    (
        "pkg/README.md",
        "jsx",
        "import { standardSchemaResolver }",
        Not(
            "react-hook-form is no development dependency; tests/pkg/types/standard.ts checks the Standard Schema that its resolver accepts",
        ),
    ),
    (
        "pkg/README.md",
        "jsx",
        "const form = useForm({ defaultValues, validators",
        Not(
            "TanStack Form is no development dependency; tests/pkg/types/standard.ts checks the Standard Schema that it accepts",
        ),
    ),
    ("pkg/README.md", "jsx", "export function useResource", REACT),
    ("pkg/README.md", "jsx", "export const listQuery", REACT),
    (
        "pkg/README.md",
        "js",
        "hydrateRoot(",
        By(
            "tests/pkg/recipes.test.mjs",
            "a page that the server rendered waits for the validator, as in the README",
        ),
    ),
    (
        "pkg/README.md",
        "js",
        "  async fetch(request, env)",
        By("tests/pkg/readme.test.mjs", "a Worker calls the service by its binding"),
    ),
    (
        "pkg/README.md",
        "js",
        "const client = new ResourceClient({ ...options, fetch: shareReads() })",
        By(
            "tests/pkg/readme.test.mjs",
            "identical reads become one request, and the hooks receive the attempts",
        ),
    ),
    (
        "pkg/README.md",
        "js",
        "  onRetry: ",
        By(
            "tests/pkg/readme.test.mjs",
            "identical reads become one request, and the hooks receive the attempts",
        ),
    ),
    (
        "pkg/README.md",
        "js",
        "async function repeat",
        By(
            "tests/pkg/readme.test.mjs",
            "a repeat of a write whose responses were lost writes once, as in the recipe",
        ),
    ),
    (
        "pkg/README.md",
        "js",
        "const client = new ResourceClient({ ...options, token: async",
        By("tests/pkg/readme.test.mjs", "a page's own server provides the token, as in the recipe"),
    ),
    (
        "pkg/README.md",
        "js",
        "  if (!error.isConflict)",
        By("tests/pkg/readme.test.mjs", "a conflict has the members that the recipe reads"),
    ),
    (
        "pkg/README.md",
        "js",
        "test(\"a lost response",
        By(
            "tests/pkg/testing-package.test.mjs",
            "the README's test runs from the tarball, and its process exits",
        ),
    ),
    (
        "pkg/README.md",
        "js",
        "const server = createServer",
        By("tests/pkg/testing-package.test.mjs", "the README's mock server responds over HTTP"),
    ),
    (
        "pkg/README.md",
        "js",
        "await page.route",
        By("tests/pkg/testing-package.test.mjs", "the README's route for Playwright responds to a page"),
    ),
    (
        "pkg/README.md",
        "js",
        "http.all(",
        By(
            "tests/pkg/testing-package.test.mjs",
            "the README's handler for Mock Service Worker responds to a program",
        ),
    ),
    (
        "pkg/README.md",
        "js",
        "const result = validate(\"resourceDraft\", { objectTypeProperty: { arrayOfIntExample: [1, 2.5] } })",
        By("tests/pkg/readme.test.mjs", "validation prints the output in the program's comment"),
    ),
    (
        "pkg/README.md",
        "js",
        "const de = {",
        By("tests/pkg/readme.test.mjs", "reasons are translated to the messages in the program's comments"),
    ),
    ("pkg/README.md", "js", "import { fieldSchema }", PARTS),
    ("pkg/README.md", "js", "import { resourceDraft } from \"resource-edge/json-schema\"", PARTS),
    ("pkg/README.md", "js", "import { limits }", PARTS),
    ("pkg/README.md", "js", "import { operations }", PARTS),
    ("pkg/README.md", "js", "import { and, not, predicate, variable, where }", PARTS),
    ("pkg/README.md", "js", "const { loadSyntax }", PARTS),
    (
        "src/guide/guarantees.md",
        "sh",
        "auth ",
        By(
            "tests/e2e/readme.test.mjs",
            "the commands of the guarantees read the caller's own write, and the next page",
        ),
    ),
    (
        "src/guide/language.md",
        "json",
        "{\"id\"",
        By("tests/guide/language.rs", "the_examples_of_predicates_find_the_documented_matches"),
    ),
    (
        "src/guide/language.md",
        "json",
        "  \"custom\": {",
        By("tests/guide/language.rs", "the_example_of_facets_is_a_response_of_the_service"),
    ),
    (
        "src/guide/make-it-yours.md",
        "diff",
        "",
        By("tests/guide/fork.rs", "make_it_yours_quotes_every_line_that_the_patch_changes"),
    ),
    ("src/guide/make-it-yours.md", "sh", "make generate", COMMANDS),
    (
        "src/guide/operations.md",
        "toml",
        "",
        By("tests/e2e/commands.test.mjs", "wrangler accepts the configuration that the guide shows"),
    ),
    (
        "src/guide/operations.md",
        "sh",
        "make serve",
        By(
            "tests/e2e/serve.test.mjs",
            "the guide's commands print valid settings, and the guide's unit starts the service",
        ),
    ),
    (
        "src/guide/operations.md",
        "ini",
        "ExecStart=",
        By(
            "tests/e2e/serve.test.mjs",
            "the guide's commands print valid settings, and the guide's unit starts the service",
        ),
    ),
    (
        "src/guide/operations.md",
        "sh",
        "TOKEN=",
        By("tests/e2e/commands.test.mjs", "the command of the guide gets a token, which opens the project"),
    ),
    (
        "src/guide/operations.md",
        "sh",
        "if [ -s position ]",
        By(
            "tests/e2e/restore.test.mjs",
            "the guide's standby follows its source, and ends when that is restored",
        ),
    ),
    ("src/guide/operations.md", "sh", "next=", MOVING),
    ("src/guide/operations.md", "sh", "for page in", MOVING),
    (
        "src/guide/operations.md",
        "sh",
        "curl -sS --fail-with-body -X POST",
        By("tests/e2e/restore.test.mjs", "the guide's command sends a restore"),
    ),
    (
        "src/guide/operations.md",
        "sql",
        "INSERT INTO meta",
        By("tests/docs/blocks.rs", "a_test_runs_the_documented_statement_that_forces_the_sweep"),
    ),
    (
        "src/guide/operations.md",
        "sh",
        "while done=",
        By(
            "tests/e2e/backup.test.mjs",
            "a project is deleted in several turns, and its data does not return",
        ),
    ),
    (
        "src/guide/package.md",
        "ts",
        "",
        By("tests/pkg/reference.test.mjs", "the package reference is generated from the types"),
    ),
    (
        "src/guide/specification.md",
        "json",
        "",
        By("tests/guide/shapes.rs", "the_documented_errors_have_the_members_of_the_services_errors"),
    ),
    (
        "tests/cases/README.md",
        "json",
        "",
        By("tests/docs/blocks.rs", "the_example_of_a_case_file_has_the_members_of_case_files"),
    ),
];

/// The number of a block's first line, its language, and its lines.
type Block<'t> = (usize, String, Vec<&'t str>);

/// Returns the blocks of a document.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (number, line) in (1..).zip(text.lines()) {
        match (line.trim_start().strip_prefix("```"), open.as_mut()) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(language), None) => open = Some((number, language.to_owned(), Vec::new())),
            (None, Some((.., lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block has no end: {open:?}");
    found
}

/// Returns the number of the row that the block belongs to.
fn row_of(document: &Path, language: &str, lines: &[&str]) -> Option<usize> {
    BLOCKS.iter().position(|(file, expected, beginning, _)| {
        Path::new(file) == document
            && *expected == language
            && lines
                .iter()
                .any(|line| line.starts_with(beginning) || line.trim_start().starts_with(beginning))
    })
}

#[test]
fn every_block_of_a_document_has_a_test_or_is_an_exception() {
    assert_eq!(blocks("a\n```sh\nb\n```\n   ```js\n   c\n   ```")[1], (5, "js".to_owned(), vec!["   c"]));
    let mut used = vec![false; BLOCKS.len()];
    let mut lacking = Vec::new();
    for document in documents() {
        let inside = document.strip_prefix(root()).unwrap();
        for (number, language, lines) in blocks(&fs::read_to_string(&document).unwrap()) {
            match row_of(inside, &language, &lines) {
                Some(row) => used[row] = true,
                None => lacking.push(format!("{}:{number} ({language})", inside.display())),
            }
        }
    }
    assert!(lacking.is_empty(), "no row of BLOCKS (tests/docs/blocks.rs) fits: {lacking:#?}");
    let unused: Vec<_> = BLOCKS
        .iter()
        .zip(used)
        .filter(|(_, used)| !used)
        .map(|((file, _, start, _), _)| (file, start))
        .collect();
    assert!(unused.is_empty(), "rows of BLOCKS without a block: {unused:#?}");
}

#[test]
fn the_tests_of_blocks_exist_and_read_their_documents() {
    let mut exceptions = 0;
    for (document, _, beginning, shown) in BLOCKS {
        match shown {
            By(file, name) => {
                assert!(has_test(file, name), "{document}: {file} has no test '{name}'");
                let text = fs::read_to_string(root().join(file)).unwrap();
                let name = Path::new(document).file_name().unwrap().to_str().unwrap();
                let reads = text.contains(name) || file.starts_with("tests/docs/");
                let runs_the_same = ["examples/README.md", "benches/README.md", "src/guide/package.md"];
                assert!(reads || runs_the_same.contains(document), "{document}: {file} does not read it");
            }
            Not(reason) => {
                assert!(reason.split(' ').count() > 4, "{document}, {beginning}: the reason");
                exceptions += 1;
            }
        }
    }
    assert!(exceptions <= 4, "{exceptions} exceptions");
}

#[test]
fn a_test_runs_the_documented_statement_that_forces_the_sweep() {
    let text = fs::read_to_string(root().join("src/guide/operations.md")).unwrap();
    let statement = text.split("```sql\n").nth(1).unwrap().split(";\n").next().unwrap();
    let run = fs::read_to_string(root().join("tests/e2e/faulty.mjs")).unwrap();
    assert!(run.contains(&format!("\"{statement}\"")), "tests/e2e/faulty.mjs does not run: {statement}");
}

/// Returns the names of all members of a JSON text.
fn members(text: &str) -> Vec<&str> {
    let parts: Vec<&str> = text.split('"').collect();
    parts.windows(2).filter(|pair| pair[1].starts_with(':')).map(|pair| pair[0]).collect()
}

#[test]
fn the_example_of_a_case_file_has_the_members_of_case_files() {
    assert_eq!(members(r#"{"a": "b", "c": {"d": 1}}"#), ["a", "c", "d"]);
    let text = fs::read_to_string(root().join("tests/cases/README.md")).unwrap();
    let example = text.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    serde_json::from_str::<serde_json::Value>(example).unwrap();
    let files = crate::docs::files(|path| path.parent() == Some(root().join("tests/cases").as_path()));
    let cases: String = files
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let known = members(&cases);
    // The names that the example chooses itself.
    let chosen = ["nothing", "a", "etag"];
    let unknown: Vec<_> =
        members(example).into_iter().filter(|name| !known.contains(name) && !chosen.contains(name)).collect();
    assert!(unknown.is_empty(), "no case file has {unknown:?}");
}
