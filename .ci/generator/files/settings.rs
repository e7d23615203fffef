//! The table of settings in the operations guide, whose other text is written by hand, and the list of their names.

use std::fmt::Write as _;
use std::fs;

use resource_edge::server::settings::{SETTINGS, Setting, SettingKind, Values};

use super::{full_path, head};

pub(super) const PAGE: &str = "src/guide/operate/operations.md";
pub(super) const LIST: &str = "src/worker/self-hosted/settings.ts";

/// Returns the page with the table of the settings that the code reads.
pub(super) fn page() -> String {
    let page = fs::read_to_string(full_path(PAGE)).unwrap();
    let (_, section) = page.split_once("\n## Settings\n").unwrap();
    let committed = section.split("\n\n").find(|block| block.starts_with("| name |")).unwrap();
    page.replacen(committed, &table(), 1)
}

/// Returns the list of the settings' names, which plain workerd passes on.
pub(super) fn list() -> String {
    let names: String = SETTINGS.iter().map(|setting| format!("  \"{}\",\n", setting.name)).collect();
    head("the settings (src/server/settings/table.rs)") + "\nexport const SETTINGS = [\n" + &names + "];\n"
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
