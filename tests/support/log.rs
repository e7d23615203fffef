//! The lines of the log that a request has.

use serde_json::Value;

use super::edge::Sent;

/// Checks that each request has one line of JSON, with no secret and nothing from a body.
pub fn check_log(lines: &[String], sent: &Sent, status: u16) {
    let parsed: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}")))
        .collect();
    let requests = parsed.iter().filter(|line| line["status"].is_number()).collect::<Vec<_>>();
    assert_eq!(requests.len(), 1, "one line a request, found {lines:#?}");
    assert_eq!(requests[0]["status"], status, "{lines:#?}");
    let is_authorization = |name: &str| name.eq_ignore_ascii_case("Authorization");
    for (name, value) in &sent.headers {
        if is_authorization(name) {
            let secret = value.rsplit(' ').next().unwrap_or_default();
            // A caller that also sends it as its correlation ID requests that it be logged.
            let elsewhere =
                sent.headers.iter().any(|(name, value)| !is_authorization(name) && value.contains(secret));
            assert!(
                secret.len() < 20 || elsewhere || !lines.concat().contains(secret),
                "the log contains a secret: {lines:#?}"
            );
        }
    }
    let body = String::from_utf8_lossy(&sent.body);
    for word in
        body.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| word.starts_with("secret"))
    {
        assert!(!lines.concat().contains(word), "the log contains a part of the body: {lines:#?}");
    }
}
