//! The tokens of a source file, without comments and literals.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Returns the tokens of a text: names, `::`, and single characters. A literal is one empty token.
pub(crate) fn read(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    append(text.parse().unwrap_or_else(|error| panic!("{error}: {text}")), &mut tokens);
    tokens
}

fn append(stream: TokenStream, tokens: &mut Vec<String>) {
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                let [open, close] = match group.delimiter() {
                    Delimiter::Parenthesis => ["(", ")"],
                    Delimiter::Brace => ["{", "}"],
                    Delimiter::Bracket => ["[", "]"],
                    Delimiter::None => panic!("only macros have such groups"),
                };
                tokens.push(open.to_owned());
                append(group.stream(), tokens);
                tokens.push(close.to_owned());
            }
            TokenTree::Ident(name) => tokens.push(name.to_string()),
            TokenTree::Literal(_) => tokens.push(String::new()),
            TokenTree::Punct(mark) if mark.as_char() == ':' && mark.spacing() == Spacing::Joint => {
                tokens.push("::".to_owned());
            }
            // The second one of `::`.
            TokenTree::Punct(mark)
                if mark.as_char() == ':' && tokens.last().is_some_and(|last| last == "::") => {}
            TokenTree::Punct(mark) => tokens.push(mark.to_string()),
        }
    }
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
