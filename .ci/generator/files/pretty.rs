//! JSON with different white space only: members keep their order, and numbers and strings their text.

/// Returns the text with a line for each member and item. Empty objects and arrays, and arrays of short plain items,
/// are on one line.
pub(super) fn pretty(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut depth = 0;
    while let Some(char) = rest.chars().next() {
        let length = match char {
            '"' => string(rest),
            '{' | '[' => flat(rest).unwrap_or(1),
            _ => 1,
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        match token {
            "{" | "[" => {
                depth += 1;
                out.push_str(token);
                line(&mut out, depth);
            }
            "}" | "]" => {
                depth -= 1;
                line(&mut out, depth);
                out.push_str(token);
            }
            "," => {
                out.push(',');
                line(&mut out, depth);
            }
            ":" => out.push_str(": "),
            _ if token.starts_with('[') => out.push_str(&spaced(token)),
            _ => out.push_str(token),
        }
    }
    out.push('\n');
    out
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// Returns the length of the string at the start of the text.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, char) in text.char_indices().skip(1) {
        match char {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    panic!("a string without an end: {text}");
}

/// Returns the length of the empty object, or of the short array of plain items, at the start of the text.
fn flat(text: &str) -> Option<usize> {
    if text.starts_with("{}") {
        return Some(2);
    }
    let mut at = 1;
    while at < 100 {
        match text.as_bytes()[at] {
            b'"' => at += string(&text[at..]),
            b'{' | b'[' | b'}' => return None,
            b']' => return text.starts_with('[').then_some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// Returns a plain array with a space after each comma between its items.
fn spaced(text: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < text.len() {
        let taken = if text[at..].starts_with('"') { string(&text[at..]) } else { 1 };
        out.push_str(&text[at..at + taken]);
        if &text[at..at + taken] == "," {
            out.push(' ');
        }
        at += taken;
    }
    out
}

#[test]
fn only_white_space_is_added() {
    for text in [
        "{}",
        "[]",
        "{\"a\":{},\"b\":[],\"c\":[1,\"x, y\",null],\"d\":[{\"e\":\"\\\"]}\\\\\"}],\"f\":-1.5e3}",
        "[[1],[]]",
    ] {
        let pretty = pretty(text);
        let (a, b): (serde_json::Value, serde_json::Value) =
            (serde_json::from_str(text).unwrap(), serde_json::from_str(&pretty).unwrap());
        assert_eq!(a, b, "{pretty}");
    }
    assert_eq!(
        pretty("{\"a\":[1,2],\"b\":{\"c\":\"x\"}}"),
        "{\n  \"a\": [1, 2],\n  \"b\": {\n    \"c\": \"x\"\n  }\n}\n"
    );
}
