//! The table of settings in the operations guide, printed from the code.

use std::fmt::Write as _;
use std::{env, fs};

use resource_edge::server::settings::{SETTINGS, Setting, SettingKind, Values};

use crate::{page_path, section};

fn values(setting: &Setting) -> String {
    match setting.values {
        Values::Words(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        Values::Seconds(min, max) => format!("{min} to {max} seconds"),
        Values::Text(form) => form.to_owned(),
    }
}

fn table() -> String {
    let mut out = "| name | kept as | values | default | meaning |\n|---|---|---|---|---|".to_owned();
    for setting in &SETTINGS {
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

#[test]
fn the_table_of_settings_is_what_the_code_reads() {
    let path = page_path("operations.md");
    let page = fs::read_to_string(&path).unwrap();
    let settings = section(&page, "## Settings");
    let known = settings.split("\n\n").find(|block| block.starts_with("| name |")).unwrap();
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, page.replacen(known, &table(), 1)).unwrap();
        return;
    }
    assert_eq!(known, table(), "{}: set UPDATE=1", path.display());
}

#[test]
fn plain_workerd_gets_every_setting() {
    let script = include_str!("../../src/worker/self-hosted/serve.mjs");
    let (_, rest) = script.split_once("const SETTINGS = [").unwrap();
    let listed = rest.split(']').next().unwrap().split(',').map(|name| name.trim().trim_matches('"'));
    let names: Vec<&str> = listed.filter(|name| !name.is_empty()).collect();
    assert_eq!(names, SETTINGS.iter().map(|setting| setting.name).collect::<Vec<_>>());
}

#[test]
fn every_setting_is_named_once() {
    for (at, setting) in SETTINGS.iter().enumerate() {
        assert!(SETTINGS.iter().skip(at + 1).all(|other| other.name != setting.name), "{}", setting.name);
    }
}
