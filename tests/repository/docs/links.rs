//! Links lead to files and headings.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::docs::{documents, prose};

/// Returns the targets of a document's links: what is in `](…)`, and after `[…]: `.
fn targets(text: &str) -> Vec<String> {
    let prose = prose(text);
    let inline = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let defined =
        prose.lines().filter(|line| line.starts_with('[')).filter_map(|line| line.split_once("]: "));
    inline.chain(defined.map(|(_, target)| target)).map(str::to_owned).collect()
}

/// Returns the anchors of a document's headings, as GitHub generates them: repeated ones are numbered.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.split("```").step_by(2).flat_map(str::lines).filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let text = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        text.chars().filter(|char| char.is_alphanumeric() || matches!(char, '-' | '_')).collect()
    };
    let mut times: HashMap<String, usize> = HashMap::new();
    let mut number = |anchor: String| {
        let time = times.entry(anchor.clone()).or_default();
        *time += 1;
        if *time == 1 { anchor } else { format!("{anchor}-{}", *time - 1) }
    };
    headings.map(|heading| number(anchor(heading))).collect()
}

fn check_link(document: &Path, target: &str) -> Result<(), String> {
    let fail = |what: &str| Err(format!("{}: {target} {what}", document.display()));
    if target.starts_with("https://") {
        return Ok(());
    }
    if target.contains("://") {
        return fail("is not https");
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { document.to_owned() } else { document.with_file_name(file) };
    if !path.exists() {
        return fail("does not exist");
    }
    if !anchor.is_empty() && !anchors(&fs::read_to_string(&path).unwrap()).iter().any(|one| one == anchor) {
        return fail("names no heading");
    }
    Ok(())
}

#[test]
fn relative_links_lead_to_files_and_headings() {
    let documents = documents();
    assert!(documents.len() >= 5, "{documents:?}");
    let mut checked = 0;
    for document in documents {
        for target in targets(&fs::read_to_string(&document).unwrap()) {
            check_link(&document, &target).unwrap();
            checked += 1;
        }
    }
    assert!(checked >= 10, "{checked} links");
}
