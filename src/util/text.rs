//! Functions on text. They are never inlined, because each byte of the client counts in the size of a page.

/// Appends texts.
#[inline(never)]
pub fn append(out: &mut String, parts: &[&str]) {
    for part in parts {
        out.push_str(part);
    }
}

/// Concatenates texts.
#[inline(never)]
#[must_use]
pub fn concat(parts: &[&str]) -> String {
    let mut text = String::new();
    append(&mut text, parts);
    text
}
