//! Settings, right and wrong.

use super::*;

const HASH: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const SECRET: &str = "a secret that has 32 bytes or so";

fn parse(settings: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    Settings::parse(&|name| {
        settings.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    })
}

/// The names of the settings that are complained of.
fn wrong(settings: &[(&str, &str)]) -> Vec<&'static str> {
    parse(settings).unwrap_err().0.into_iter().map(|(name, _)| name).collect()
}

fn clients(scopes: &str) -> String {
    format!(r#"[{{"id":"demo","secretHash":"{HASH}","scopes":{scopes}}}]"#)
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
    for bad in ["", "ALL", "none", "all "] {
        assert_eq!(wrong(&[("LOG", bad)]), ["LOG"]);
    }
}

#[test]
fn nothing_set_is_no_issuer_any_origin_and_cached_reads() {
    let settings = parse(&[]).unwrap();
    assert!(!settings.has_issuer());
    assert_eq!((settings.cors, settings.read_default), (None, ReadDefault::Cached));
}

#[test]
fn an_own_issuer_needs_a_long_secret_and_clients() {
    let clients = clients(r#"["manage_test:demo","view_test:*"]"#);
    let settings = parse(&[("TOKEN_SECRET", SECRET), ("API_CLIENTS", &clients)]).unwrap();
    let own = settings.own.unwrap();
    assert_eq!((own.ttl, own.clients.len(), own.clients[0].scopes.len()), (3600, 1, 2));
    assert_eq!(own.clients[0].secret_hash, [0xaa; 32]);
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
fn lifetimes_have_bounds() {
    let clients = clients(r#"["view_test:a"]"#);
    let with = |ttl| [("TOKEN_SECRET", SECRET), ("API_CLIENTS", clients.as_str()), ("TOKEN_TTL", ttl)];
    for (text, seconds) in [("60", 60), ("86400", 86_400), ("0900", 900)] {
        assert_eq!(parse(&with(text)).unwrap().own.unwrap().ttl, seconds);
    }
    for bad in ["", "59", "86401", "+60", "-1", "60.0", "1h", " 60", "99999999999"] {
        assert_eq!(wrong(&with(bad)), ["TOKEN_TTL"], "{bad}");
        assert_eq!(wrong(&[("TOKEN_TTL", bad)]), ["TOKEN_TTL"], "{bad}");
    }
}

#[test]
fn an_outside_issuer_is_all_three_or_none() {
    let all = [
        ("TOKEN_ISSUER", "https://issuer.example/"),
        ("TOKEN_AUDIENCE", "api"),
        ("TOKEN_JWKS_URL", "https://issuer.example/.well-known/jwks.json?a=b"),
    ];
    let outside = parse(&all).unwrap().outside.unwrap();
    assert_eq!((outside.issuer.as_str(), outside.audience.as_str()), (all[0].1, "api"));
    assert_eq!(outside.jwks_url, all[2].1);
    assert_eq!(wrong(&all[..1]), ["TOKEN_AUDIENCE", "TOKEN_JWKS_URL"]);
    assert_eq!(wrong(&all[1..]), ["TOKEN_ISSUER"]);
    for bad in ["", "a b", "resource-edge", "\u{e4}", &"a".repeat(513)] {
        assert_eq!(wrong(&[("TOKEN_ISSUER", bad), all[1], all[2]]), ["TOKEN_ISSUER"], "{bad}");
    }
    assert_eq!(wrong(&[all[0], ("TOKEN_AUDIENCE", ""), all[2]]), ["TOKEN_AUDIENCE"]);
}

#[test]
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
    for bad in ["", "Fresh", "truth", "true"] {
        assert_eq!(wrong(&[("READ_DEFAULT", bad)]), ["READ_DEFAULT"]);
    }
}

#[test]
fn every_error_is_told_at_once_and_none_repeats_a_value() {
    let error = parse(&[
        ("TOKEN_SECRET", "hunter2"),
        ("API_CLIENTS", "[{\"id\":\"hunter2\",\"secretHash\":\"hunter2\"}]"),
        ("TOKEN_TTL", "hunter2"),
        ("TOKEN_ISSUER", "hunter2 hunter2"),
        ("TOKEN_JWKS_URL", "http://hunter2"),
        ("CORS_ORIGINS", "hunter2"),
        ("READ_DEFAULT", "hunter2"),
    ])
    .unwrap_err();
    let text = error.to_string();
    assert!(!text.contains("hunter2"));
    assert_eq!(
        text,
        "TOKEN_SECRET: expected at least 32 bytes of random text; \
         API_CLIENTS: client 1: secretHash: expected the secret's SHA-256 in 64 hexadecimal digits; \
         TOKEN_TTL: expected whole seconds from 60 to 86400; \
         TOKEN_AUDIENCE: must be set too, since TOKEN_ISSUER, TOKEN_AUDIENCE, TOKEN_JWKS_URL belong together; \
         TOKEN_ISSUER: expected 1 to 512 printable ASCII characters without spaces; \
         TOKEN_JWKS_URL: expected an https address (http for a loopback host alone), without user, fragment or \
         spaces; \
         CORS_ORIGINS: expected * or origins separated by commas, each as browsers send it: scheme://host or \
         scheme://host:port, in lower case, without a path and without the scheme's usual port; \
         READ_DEFAULT: expected cached or fresh"
    );
}

#[test]
fn settings_print_no_secret() {
    let clients = clients(r#"["view_test:a"]"#);
    let settings = parse(&[("TOKEN_SECRET", SECRET), ("API_CLIENTS", &clients)]).unwrap();
    let printed = format!("{settings:?}");
    assert!(!printed.contains(SECRET) && !printed.contains("170") && !printed.contains(HASH), "{printed}");
}
