//! Settings, right and wrong.

use super::*;
use crate::test;

const HASH: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const SECRET: &str = "a secret that has 32 bytes or so";

fn parse(settings: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    Settings::parse(&|name| {
        settings.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    })
}

/// Returns the names of the settings that the error names.
fn wrong(settings: &[(&str, &str)]) -> Vec<&'static str> {
    parse(settings).unwrap_err().0.into_iter().map(|(name, _)| name).collect()
}

fn clients(scopes: &str) -> String {
    format!(r#"[{{"id":"demo","secretHash":"{HASH}","scopes":{scopes}}}]"#)
}

/// Returns the minimal settings with which the value of the setting is valid.
fn around<'v>(setting: &Setting, value: &'v str, clients: &'v str) -> Vec<(&'static str, &'v str)> {
    let mut all: Vec<(&'static str, &'v str)> = vec![
        ("TOKEN_SECRET", SECRET),
        ("API_CLIENTS", clients),
        ("TOKEN_ISSUER", "issuer"),
        ("TOKEN_AUDIENCE", "api"),
        ("TOKEN_JWKS_URL", "https://issuer.example/jwks"),
    ];
    all.retain(|(name, _)| *name != setting.name);
    all.push((setting.name, value));
    all
}

/// Values at the bounds of a setting's own form: those that are right, and those that are not.
fn at_the_bounds(setting: &Setting) -> (Vec<String>, Vec<String>) {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let sized = |sizes: &[usize]| sizes.iter().map(|size| "a".repeat(*size)).collect::<Vec<_>>();
    match setting.values {
        Values::Words(words) => {
            let near = |word: &&str| {
                [word.to_uppercase(), format!("{word} "), format!(" {word}"), format!("{word}0")]
            };
            let mut wrong: Vec<String> = words.iter().flat_map(near).collect();
            wrong.retain(|text| !words.contains(&text.as_str()));
            wrong.extend(owned(&["", "0", "mars", "true"]));
            (owned(words), wrong)
        }
        Values::Seconds(min, max) | Values::Count(min, max) => {
            let wrong = [i64::from(min) - 1, i64::from(max) + 1].map(|number| number.to_string());
            let odd = owned(&["", "-1", "+60", "60.0", "1e2", " 60", "60 ", "99999999999"]);
            ([min, max].map(|number| number.to_string()).into(), [wrong.to_vec(), odd].concat())
        }
        Values::Text(_) => match setting.name {
            "TOKEN_SECRET" | "TOKEN_SECRET_PREVIOUS" => (sized(&[32, 5_000]), sized(&[0, 31])),
            "API_CLIENTS" => {
                let id = |size: usize| clients(r#"["view_test:a"]"#).replace("demo", &"a".repeat(size));
                ([1, 256].map(id).into(), [0, 257].map(id).into())
            }
            "TOKEN_ISSUER" | "TOKEN_AUDIENCE" => {
                (sized(&[1, 512]), [sized(&[0, 513]), owned(&["a b", "\u{7f}"])].concat())
            }
            "TOKEN_JWKS_URL" => (
                owned(&["https://a:1", "https://a:65535", "http://127.0.0.1"]),
                owned(&["", "https://", "https://a:65536", "http://a"]),
            ),
            "CORS_ORIGINS" => (owned(&["*", "https://a"]), owned(&["", "https://a,", "a"])),
            name => panic!("{name} has no values here"),
        },
    }
}

#[test]
fn every_setting_accepts_values_within_its_bounds_and_names_itself_otherwise() {
    let clients = clients(r#"["view_test:a"]"#);
    for setting in SETTINGS {
        let (right, wrong) = at_the_bounds(setting);
        for value in right {
            let parsed = parse(&around(setting, &value, &clients));
            assert!(parsed.is_ok(), "{} = {value:?}: {parsed:?}", setting.name);
        }
        for value in wrong {
            let error = parse(&around(setting, &value, &clients)).unwrap_err();
            assert_eq!(
                error.0.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
                [setting.name],
                "{value:?}"
            );
        }
    }
}

#[test]
fn a_cached_copy_ends_long_before_the_tombstone_that_follows_it() {
    let Values::Seconds(_, max) = KV_CACHE_TTL.values else { panic!("no range") };
    assert!(max * 24 <= crate::contract::kv::TOMBSTONE_SECONDS);
}

#[test]
fn every_default_is_a_value_and_what_applies_without_one() {
    let clients = clients(r#"["view_test:a"]"#);
    let bare = format!("{:?}", parse(&around(&SETTINGS[0], SECRET, &clients)).unwrap());
    for setting in SETTINGS.iter().filter(|setting| !setting.default.is_empty()) {
        let set = parse(&around(setting, setting.default, &clients)).unwrap();
        assert_eq!(format!("{set:?}"), bare, "{}", setting.name);
    }
}

#[test]
fn the_log_level_decides_which_requests_get_a_line() {
    for (text, failed, succeeded) in [
        (None, true, false),
        (Some("errors"), true, false),
        (Some("all"), true, true),
        (Some("off"), false, false),
    ] {
        let given: Vec<(&str, &str)> = text.map(|text| ("LOG", text)).into_iter().collect();
        let log = parse(&given).unwrap().log;
        assert_eq!((log.includes(true), log.includes(false)), (failed, succeeded), "{text:?}");
    }
}

#[test]
fn nothing_set_is_no_issuer_any_origin_and_cached_reads() {
    let settings = parse(&[]).unwrap();
    assert!(!settings.has_issuer());
    assert_eq!((settings.cors, settings.read_default), (None, ReadDefault::Cached));
}

#[test]
fn the_built_in_issuer_needs_a_long_secret_and_clients() {
    let clients = clients(r#"["manage_test:demo","view_test:*"]"#);
    let settings = parse(&[("TOKEN_SECRET", SECRET), ("API_CLIENTS", &clients)]).unwrap();
    let built_in = settings.built_in.unwrap();
    assert_eq!((built_in.ttl, built_in.clients.len(), built_in.clients[0].scopes.len()), (3600, 1, 2));
    assert_eq!(built_in.clients[0].secret_hash, [0xaa; 32]);
    for short in ["", SECRET.trim_start_matches('a')] {
        assert_eq!(wrong(&[("TOKEN_SECRET", short), ("API_CLIENTS", &clients)]), ["TOKEN_SECRET"]);
    }
    assert_eq!(wrong(&[("TOKEN_SECRET", SECRET)]), ["API_CLIENTS"]);
    assert_eq!(wrong(&[("API_CLIENTS", &clients)]), ["TOKEN_SECRET"]);
}

#[test]
fn malformed_clients_are_errors() {
    let one = clients(r#"["view_test:a"]"#);
    let twice = format!("[{0},{0}]", one.trim_matches(['[', ']']));
    let id = |id: &str| one.replace("demo", id);
    for bad in [
        "",
        "{}",
        "[]",
        "[1]",
        "[{}]",
        &twice,
        &one.replace('a', "g"),
        &one.replace(HASH, HASH.strip_prefix('a').unwrap()),
        &one.replace(HASH, &HASH.replace("aa", "\u{e4}")),
        &one.replace(&format!("\"{HASH}\""), "null"),
        &one.replace("\"id\"", "\"Id\""),
        &one.replace('{', "{\"secret\":\"x\","),
        &one.replace('{', "{\"id\":\"demo\","),
        &id(""),
        &id("\u{e4}"),
        &id("\\n"),
        &id(&"a".repeat(257)),
        &clients("[]"),
        &clients("\"view_test:a\""),
        &clients("[1]"),
        &clients("[\"view_test\"]"),
        &clients("[\"view_test:\"]"),
        &clients("[\"view_test:a b\"]"),
        &clients("[\"view_test:**\"]"),
        &clients("[\"view_test:a*\"]"),
        &clients("[\"view_tests:a\"]"),
        &clients("[\"*:a\"]"),
        &format!("{one} x"),
    ] {
        assert_eq!(wrong(&[("TOKEN_SECRET", SECRET), ("API_CLIENTS", bad)]), ["API_CLIENTS"], "{bad}");
    }
}

#[test]
fn a_lifetime_applies_and_is_checked_without_an_issuer_too() {
    let clients = clients(r#"["view_test:a"]"#);
    for (text, seconds) in [("60", 60), ("86400", 86_400), ("0900", 900)] {
        let settings = [("TOKEN_SECRET", SECRET), ("API_CLIENTS", clients.as_str()), ("TOKEN_TTL", text)];
        assert_eq!(parse(&settings).unwrap().built_in.unwrap().ttl, seconds);
    }
    assert_eq!(wrong(&[("TOKEN_TTL", "59")]), ["TOKEN_TTL"]);
}

#[test]
fn an_external_issuer_is_all_three_or_none() {
    let all = [
        ("TOKEN_ISSUER", "https://issuer.example/"),
        ("TOKEN_AUDIENCE", "api"),
        ("TOKEN_JWKS_URL", "https://issuer.example/.well-known/jwks.json?a=b"),
    ];
    let external = parse(&all).unwrap().external.unwrap();
    assert_eq!((external.issuer.as_str(), external.audience.as_str()), (all[0].1, "api"));
    assert_eq!(external.jwks_url, all[2].1);
    assert_eq!(wrong(&all[..1]), ["TOKEN_AUDIENCE", "TOKEN_JWKS_URL"]);
    assert_eq!(wrong(&all[1..]), ["TOKEN_ISSUER"]);
    for bad in ["", "a b", "resource-edge", "\u{e4}", &"a".repeat(513)] {
        assert_eq!(wrong(&[("TOKEN_ISSUER", bad), all[1], all[2]]), ["TOKEN_ISSUER"], "{bad}");
    }
    assert_eq!(wrong(&[all[0], ("TOKEN_AUDIENCE", ""), all[2]]), ["TOKEN_AUDIENCE"]);
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table of cases")]
fn keys_are_fetched_over_https_or_from_this_machine() {
    for good in [
        "https://a.example",
        "https://a.example:8443/jwks",
        "https://[2001:db8::1]/jwks",
        "http://localhost:8080/jwks",
        "http://127.0.0.1/jwks",
        "http://127.8.9.1:1/",
        "http://[::1]:80/jwks?x",
    ] {
        assert_eq!(url::check(good), Ok(()), "{good}");
    }
    for bad in [
        "",
        "a.example",
        "//a.example",
        "http://a.example/jwks",
        "ftp://localhost/",
        "https://",
        "https:///jwks",
        "https:a.example",
        "http://localhost.evil.example/",
        "http://127.0.0.1.evil.example/",
        "http://localhost@evil.example/",
        "http://localhost:80@evil.example/",
        "http://evil.example#localhost",
        "http://evil.example\\@localhost/",
        "http://localhost\\.evil.example/",
        "http://local\thost/",
        "http://localhost%2eevil.example/",
        "http://[::1]evil.example/",
        "http://[::1/",
        "http://[::2]/",
        "http://0.0.0.0/",
        "https://a.example:port/",
        "https://a.example:+1/",
        "https://a.example:99999/",
        "https://a b/",
        "https://a.example/a b",
        "https://a.example/\n",
        "https://a.example/\\b",
        "https://a.example/#b",
        "https://a.example/\u{e4}",
        "https://\u{e4}.example/",
    ] {
        assert!(url::check(bad).is_err(), "{bad}");
    }
}

#[test]
fn origins_are_as_browsers_send_them() {
    let cors = |text| parse(&[("CORS_ORIGINS", text)]).map(|settings| settings.cors);
    assert_eq!(cors("*"), Ok(None));
    assert_eq!(
        cors("https://a.example, http://localhost:3000,capacitor://localhost"),
        Ok(Some(
            ["https://a.example", "http://localhost:3000", "capacitor://localhost"].map(str::to_owned).into()
        ))
    );
    for bad in [
        "",
        ",",
        "https://a.example,",
        "*,https://a.example",
        "https://*.example",
        "https://a.example/",
        "https://A.example",
        "https://a.example:443",
        "http://a.example:80",
        "https://a.example:",
        "a.example",
        "null",
        "://a.example",
        "https://user@a.example",
    ] {
        assert_eq!(wrong(&[("CORS_ORIGINS", bad)]), ["CORS_ORIGINS"], "{bad}");
    }
}

#[test]
fn plain_reads_are_cached_or_fresh() {
    for (text, expected) in [("cached", ReadDefault::Cached), ("fresh", ReadDefault::Fresh)] {
        assert_eq!(parse(&[("READ_DEFAULT", text)]).unwrap().read_default, expected);
    }
}

#[test]
fn all_errors_are_reported_together_and_none_repeats_a_value() {
    let error = parse(&[
        ("TOKEN_SECRET", "hunter2"),
        ("API_CLIENTS", "[{\"id\":\"hunter2\",\"secretHash\":\"hunter2\"}]"),
        ("TOKEN_TTL", "hunter2"),
        ("TOKEN_ISSUER", "hunter2 hunter2"),
        ("TOKEN_JWKS_URL", "http://hunter2"),
        ("CORS_ORIGINS", "hunter2"),
        ("READ_DEFAULT", "hunter2"),
        ("TOKEN_SECRET_PREVIOUS", "hunter2"),
        ("LOCATION_HINT", "hunter2"),
        ("JURISDICTION", "hunter2"),
        ("CONSOLE", "hunter2"),
        ("LIMIT_PERIOD", "hunter2"),
        ("LOG", "hunter2"),
        ("KV_CACHE_TTL", "hunter2"),
    ])
    .unwrap_err();
    let text = error.to_string();
    assert!(!text.contains("hunter2"));
    assert_eq!(
        text,
        "TOKEN_SECRET: expected at least 32 bytes of random text; \
         TOKEN_SECRET_PREVIOUS: expected at least 32 bytes of random text; \
         API_CLIENTS: client 1: secretHash: expected the secret's SHA-256 in 64 hexadecimal digits; \
         TOKEN_TTL: expected whole seconds from 60 to 86400; \
         TOKEN_AUDIENCE: must be set too, because TOKEN_ISSUER, TOKEN_AUDIENCE, TOKEN_JWKS_URL belong together; \
         TOKEN_ISSUER: expected 1 to 512 printable ASCII characters without spaces; \
         TOKEN_JWKS_URL: expected an https address (http only for a loopback host) without user, fragment, or \
         spaces; \
         CORS_ORIGINS: expected * or origins separated by commas, each as browsers send it: scheme://host or \
         scheme://host:port, in lower case, without a path and without the scheme's default port; \
         READ_DEFAULT: expected one of cached, fresh; \
         LOG: expected one of all, errors, off; \
         LIMIT_PERIOD: expected one of 10, 60; \
         LOCATION_HINT: expected one of wnam, enam, sam, weur, eeur, apac, oc, afr, me; \
         JURISDICTION: expected one of eu, fedramp, us; \
         CONSOLE: expected one of on, off; \
         KV_CACHE_TTL: expected whole seconds from 30 to 3600"
    );
}

#[test]
fn settings_print_no_secret() {
    let clients = clients(r#"["view_test:a"]"#);
    let previous = SECRET.replace('a', "b");
    let all =
        [("TOKEN_SECRET", SECRET), ("TOKEN_SECRET_PREVIOUS", &previous), ("API_CLIENTS", clients.as_str())];
    let settings = parse(&all).unwrap();
    let printed = format!("{settings:?}");
    assert!(
        !printed.contains(SECRET)
            && !printed.contains(&previous)
            && !printed.contains("170")
            && !printed.contains(HASH),
        "{printed}"
    );
}
