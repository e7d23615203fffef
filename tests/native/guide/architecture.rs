//! The tables that the page on the architecture lists.

use std::rc::Rc;

use serde_json::json;

use crate::native::guide::{page, rows, section};
use crate::support::messages;
use crate::support::shared::Shared;

#[test]
fn the_page_lists_the_tables_of_the_database() {
    let page = page("change/architecture.md");
    let database = Shared::new();
    let project = resource_edge::project::Project::new(database.clone(), Rc::default());
    let _ = project.perform(&messages::post(&json!({"objectTypeProperty": {}})), &messages::at(0));
    let mut listed = Vec::new();
    for row in rows(section(&page, "## What is stored"), "table") {
        listed.extend(row[0].split(", ").map(|name| name.trim_matches('`').to_owned()));
    }
    // A full-text table has internal tables.
    let count =
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'text\\_%' ESCAPE '\\'";
    for name in &listed {
        assert_eq!(database.number(&format!("{count} AND name = '{name}'")), 1, "no table {name}");
    }
    assert_eq!(
        database.number(count),
        i64::try_from(listed.len()).unwrap(),
        "tables that the page does not list"
    );
}
