//! The tokens of a source file, without comments, literals, and what only tests compile.

/// Returns the tokens of a text: names, `::`, and single characters. A literal is one empty token.
#[allow(clippy::too_many_lines, reason = "a loop over all kinds of tokens")]
pub(crate) fn read(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let at = |index: usize| chars.get(index).copied().unwrap_or('\0');
    let is_name = |char: char| char.is_alphanumeric() || char == '_';
    let (mut tokens, mut i) = (Vec::new(), 0);
    while i < chars.len() {
        let start = i;
        match at(i) {
            '/' if at(i + 1) == '/' => {
                while i < chars.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            '/' if at(i + 1) == '*' => {
                while i < chars.len() && !(at(i) == '*' && at(i + 1) == '/') {
                    i += 1;
                }
                i += 2;
            }
            'r' if at(i + 1) == '"' || (at(i + 1) == '#' && matches!(at(i + 2), '#' | '"')) => {
                let marks = chars[i + 1..].iter().take_while(|char| **char == '#').count();
                i += marks + 2;
                while i < chars.len() && !(at(i) == '"' && (1..=marks).all(|mark| at(i + mark) == '#')) {
                    i += 1;
                }
                i += marks + 1;
                tokens.push(String::new());
            }
            '"' => {
                i += 1;
                while i < chars.len() && at(i) != '"' {
                    i += if at(i) == '\\' { 2 } else { 1 };
                }
                i += 1;
                tokens.push(String::new());
            }
            // A character, unlike a lifetime, has a second mark.
            '\'' if at(i + 1) == '\\' || at(i + 2) == '\'' => {
                i += if at(i + 1) == '\\' { 3 } else { 2 };
                while i < chars.len() && at(i) != '\'' {
                    i += 1;
                }
                i += 1;
                tokens.push(String::new());
            }
            char if is_name(char) => {
                while is_name(at(i)) {
                    i += 1;
                }
                tokens.push(chars[start..i].iter().collect());
            }
            ':' if at(i + 1) == ':' => {
                i += 2;
                tokens.push("::".to_owned());
            }
            char => {
                i += 1;
                if !char.is_whitespace() {
                    tokens.push(char.to_string());
                }
            }
        }
    }
    tokens
}

/// Removes the items that only tests compile. Returns the names of removed modules that have separate files.
pub(crate) fn remove_tests(tokens: &mut Vec<String>) -> Vec<String> {
    let mut modules = Vec::new();
    let mut kept = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while i < tokens.len() {
        if !is_test_attribute(&tokens[i..]) {
            kept.push(tokens[i].clone());
            i += 1;
            continue;
        }
        while tokens.get(i).is_some_and(|token| token == "#") {
            i = after_group(tokens, i + 1);
        }
        let start = i;
        while let Some(token) = tokens.get(i) {
            match token.as_str() {
                ";" => break,
                "{" => {
                    i = after_group(tokens, i) - 1;
                    break;
                }
                "(" | "[" => i = after_group(tokens, i),
                _ => i += 1,
            }
        }
        if let [word, name, end] = &tokens[start..=i.min(tokens.len() - 1)]
            && word == "mod"
            && end == ";"
        {
            modules.push(name.clone());
        }
        i += 1;
    }
    *tokens = kept;
    modules
}

/// Returns whether the tokens begin with `#[cfg(test)]` or `#[cfg(all(test, …))]`.
fn is_test_attribute(tokens: &[String]) -> bool {
    let begins =
        |words: &[&str]| tokens.iter().map(String::as_str).take(words.len()).eq(words.iter().copied());
    begins(&["#", "[", "cfg", "(", "test", ")"]) || begins(&["#", "[", "cfg", "(", "all", "(", "test", ","])
}

/// Returns the index after the group that opens at the index.
fn after_group(tokens: &[String], mut i: usize) -> usize {
    let mut depth = 0;
    while let Some(token) = tokens.get(i) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        i += 1;
        if depth == 0 {
            break;
        }
    }
    i
}

/// Returns the names of the types that are visible in other files.
pub(crate) fn types(tokens: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token != "pub" {
            continue;
        }
        let next = if tokens[at + 1] == "(" { after_group(tokens, at + 1) } else { at + 1 };
        let is_type = matches!(tokens[next].as_str(), "struct" | "enum" | "trait" | "type");
        // A macro gets its types' names from where it is used.
        if is_type && tokens[next + 1] != "$" {
            names.push(tokens[next + 1].clone());
        }
    }
    names
}

#[test]
fn code_and_modules_of_tests_are_removed() {
    let mut tokens = read(
        "/// crate::no\nuse a::{b, c}; /* x */ const C: char = '\\''; fn f<'a>(x: &'a str) { r#\"\"crate::no\"#; \"\\\"\" }\n\
         #[cfg(test)]\nmod attacks;\n#[cfg(test)]\n#[rustfmt::skip]\npub(super) fn g(x: [u8; 3]) -> u8 { { 1 } }\nstruct S;\n\
         #[cfg(test)]\nmod tests { use super::*; }\npub(crate) enum E {}",
    );
    assert_eq!(remove_tests(&mut tokens), ["attacks"]);
    let text = tokens.join(" ");
    for gone in ["no", "x */", "attacks", "g", "tests", "super"] {
        assert!(!text.split(' ').any(|token| token == gone), "{gone} in {text}");
    }
    assert!(text.ends_with("struct S ; pub ( crate ) enum E { }"), "{text}");
    assert_eq!(types(&tokens), ["E"]);
}
