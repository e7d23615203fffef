//! `CORS_ORIGINS`: the origins whose pages may read responses.

use super::url;

/// Parses the list of origins. `None` means any: there are no cookies that a page could misuse.
pub(super) fn parse(text: &str) -> Result<Option<Vec<String>>, String> {
    if text.trim() == "*" {
        return Ok(None);
    }
    text.split(',')
        .map(|origin| Some(origin.trim()).filter(|origin| is_origin(origin)).map(str::to_owned))
        .collect::<Option<_>>()
        .map(Some)
        .ok_or_else(|| {
            "expected * or origins separated by commas, each as browsers send it: scheme://host or \
             scheme://host:port, in lower case, without a path and without the scheme's default port"
                .to_owned()
        })
}

/// Returns whether the text is an origin in the form that browsers send. Any other would never match.
fn is_origin(text: &str) -> bool {
    let Some((scheme, authority)) = text.split_once("://") else { return false };
    let usual_port = match scheme {
        "https" => ":443",
        "http" => ":80",
        _ => "://",
    };
    scheme.starts_with(|first: char| first.is_ascii_lowercase())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        && url::host(authority).is_some()
        && !authority.ends_with(usual_port)
        && !authority.ends_with(':')
        && !text.bytes().any(|byte| byte.is_ascii_uppercase())
}
