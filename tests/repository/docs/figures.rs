//! Documents have the limits, versions, and figures of the code.

use std::fs;

use resource_edge::client::{ATTEMPTS, Retry, TIMEOUT_MS};
use resource_edge::contract::limits::{self, Limit};

use crate::docs::{on_one_line, root};

/// Returns a number with commas between its thousands.
fn grouped(number: &impl ToString) -> String {
    let digits = number.to_string().into_bytes();
    let groups: Vec<_> = digits.rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

#[test]
fn the_guide_has_the_limits_of_the_code() {
    let guide = fs::read_to_string(root().join("src/guide/operate/limits.md")).unwrap();
    for Limit { name, value, .. } in limits::ALL {
        let value = grouped(value);
        let row = guide.lines().find(|line| line.ends_with(&format!("| `{name}` |")));
        let limit = row.unwrap_or_else(|| panic!("{name} has no row")).split('|').nth(2).unwrap().trim();
        let rest =
            limit.strip_prefix(value.as_str()).unwrap_or_else(|| panic!("{name}: {limit}, not {value}"));
        assert!(
            !rest.starts_with(|char: char| char.is_ascii_digit() || char == ','),
            "{name}: {limit}, not {value}"
        );
    }
}

#[test]
fn the_package_states_the_defaults_of_the_client() {
    let Retry { retries, base_delay, max_delay } = Retry::DEFAULT;
    let [first, max, timeout] = [base_delay, max_delay, TIMEOUT_MS].map(|number| grouped(&number));
    assert_eq!(ATTEMPTS, 3, "the documents say a third");
    let said = [
        format!("How many retries after the first attempt. Default: {retries}. */"),
        format!("before the first retry, in whole milliseconds. Default: {first}. */"),
        format!("before any retry, in whole milliseconds. Default: {max}. */"),
        format!("including retries, in milliseconds. Default: {timeout}. */"),
        "Default: a third of the call's timeout. */".to_owned(),
    ];
    says("pkg/src/client/options.ts", &said);
    let said = [
        format!("Default: {retries} retries, {first} and {max} milliseconds |"),
        format!("a call with its retries. Default: {timeout}."),
        "for an attempt. Default: a third of the call's timeout.".to_owned(),
    ];
    says("src/guide/use/client.md", &said);
}

/// Checks that a document has each sentence, also across line breaks.
#[track_caller]
fn says(file: &str, sentences_of_it: &[String]) {
    let text = on_one_line(&fs::read_to_string(root().join(file)).unwrap());
    for sentence in sentences_of_it {
        assert!(text.contains(sentence), "{file} does not say: {sentence}");
    }
}

/// Returns bytes in KiB or MiB.
fn size(bytes: usize) -> String {
    let kib = bytes / 1024;
    assert_eq!(kib * 1024, bytes);
    if kib.is_multiple_of(1024) { format!("{} MiB", kib / 1024) } else { format!("{kib} KiB") }
}

#[test]
fn the_readme_has_the_limits_of_the_code() {
    let said = [
        format!("A body has at most {},", size(limits::BODY_BYTES)),
        format!("a page {} results and {}.", limits::PAGE_MAX, size(limits::PAGE_BYTES)),
    ];
    says("README.md", &said);
}

/// Returns the value of a constant in a source file, whose line begins with its declaration.
fn constant(file: &str, declaration: &str) -> String {
    let code = fs::read_to_string(root().join(file)).unwrap();
    let line = code.lines().find_map(|line| line.strip_prefix(declaration)?.strip_suffix(';'));
    line.unwrap_or_else(|| panic!("{file} has no line that begins with: {declaration}")).to_owned()
}

#[test]
fn the_changelog_has_the_formats_of_the_code() {
    let format = constant("src/call/wire.rs", "pub const FORMAT: u8 = ");
    let index = constant("src/project/store/tables.rs", "const INDEX: i64 = ");
    says("CHANGELOG.md", &[format!("`FORMAT` {format} (messages)"), format!("`INDEX` {index},")]);
}

#[test]
fn the_documents_have_the_versions_of_the_code() {
    let version = env!("CARGO_PKG_VERSION");
    let said = [
        format!("resource-edge-{version}.tgz"),
        format!("**Versions**: {version} "),
        "Node.js 20.3 or newer".to_owned(),
    ];
    says("README.md", &said);
    let rust = format!("Rust {} or newer", env!("CARGO_PKG_RUST_VERSION"));
    says("CONTRIBUTING.md", &["Node.js 20.3 or newer".to_owned(), rust]);
    for package in ["package.json", "pkg/package.json"] {
        says(package, &["\"node\": \">=20.3\"".to_owned()]);
    }
}
