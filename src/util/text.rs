//! Functions on text. They are never inlined, because each byte of the client counts in the size of a page.

#[inline(never)]
pub fn append(out: &mut String, parts: &[&str]) {
    for part in parts {
        out.push_str(part);
    }
}

#[inline(never)]
pub fn concat(parts: &[&str]) -> String {
    let mut text = String::new();
    append(&mut text, parts);
    text
}

/// Returns whether all characters are printable ASCII, such as the space.
#[inline(never)]
pub fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..0x7f).contains(&byte))
}

/// Returns whether a short list has the byte.
#[inline(never)]
#[allow(clippy::manual_contains, reason = "`contains` has more code, for long lists")]
pub fn has(list: &[u8], byte: u8) -> bool {
    list.iter().any(|other| *other == byte)
}

/// Splits a text at an ASCII byte. Returns the text before it, and the text after it if the byte occurs.
#[inline(never)]
pub fn cut(text: &str, at: u8) -> (&str, Option<&str>) {
    match text.bytes().position(|byte| byte == at) {
        Some(end) => (text.get(..end).unwrap_or_default(), text.get(end + 1..)),
        None => (text, None),
    }
}

/// Appends a name as a part of a JSON Pointer (RFC 6901).
#[inline(never)]
pub fn push_pointer(name: &str, out: &mut String) {
    // Between escapes the name is copied whole, because most names have none.
    let mut from = 0;
    for (at, byte) in name.bytes().enumerate() {
        let escape = match byte {
            b'~' => "~0",
            b'/' => "~1",
            _ => continue,
        };
        out.push_str(name.get(from..at).unwrap_or_default());
        out.push_str(escape);
        from = at + 1;
    }
    out.push_str(name.get(from..).unwrap_or_default());
}
