//! The settings that the code reads.

use resource_edge::server::settings::SETTINGS;

#[test]
fn plain_workerd_gets_every_setting() {
    let script = include_str!("../../src/worker/self-hosted/serve.ts");
    let (_, rest) = script.split_once("const SETTINGS = [").unwrap();
    let listed = rest.split(']').next().unwrap().split(',').map(|name| name.trim().trim_matches('"'));
    let names: Vec<&str> = listed.filter(|name| !name.is_empty()).collect();
    assert_eq!(names, SETTINGS.iter().map(|setting| setting.name).collect::<Vec<_>>());
}
