//! The table of settings in the operations guide. The rest of the page is written by hand.

use std::fmt::Write as _;
use std::fs;

use resource_edge::server::settings::{SETTINGS, Setting, SettingKind, Values};

use super::full_path;

pub(super) const PAGE: &str = "src/guide/operate/operations.md";

/// Returns the page with the table of the settings that the code reads.
pub(super) fn page() -> String {
    let page = fs::read_to_string(full_path(PAGE)).unwrap();
    let (_, section) = page.split_once("\n## Settings\n").unwrap();
    let committed = section.split("\n\n").find(|block| block.starts_with("| name |")).unwrap();
    page.replacen(committed, &table(), 1)
}

fn values(setting: &Setting) -> String {
    match setting.values {
        Values::Words(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        Values::Seconds(min, max) => format!("{min} to {max} seconds"),
        Values::Count(min, max) => format!("{min} to {max}"),
        Values::Text(form) => form.to_owned(),
    }
}

fn table() -> String {
    let mut out = "| name | kept as | values | default | meaning |\n|---|---|---|---|---|".to_owned();
    for setting in SETTINGS {
        let kind = match setting.kind {
            SettingKind::Variable => "variable",
            SettingKind::Secret => "secret",
        };
        let default =
            if setting.default.is_empty() { String::new() } else { format!("`{}`", setting.default) };
        let (name, values, about) = (setting.name, values(setting), setting.about);
        write!(out, "\n| `{name}` | {kind} | {values} | {default} | {about} |").unwrap();
    }
    out
}
