//! Names of Rust and of the tables as names of JavaScript.

/// Converts a name in upper camel case to lower camel case.
pub(super) fn camel(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_lowercase() + rest
}

/// Converts a name in lower camel case to upper camel case.
pub(super) fn pascal(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

/// Converts a name in snake case, of a field or of a constant, to lower camel case.
pub(super) fn from_snake(name: &str) -> String {
    let name = name.to_lowercase();
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    first + &words.map(pascal).collect::<String>()
}
