//! A predicate as text, in one of many spellings.

use std::fmt::Write as _;

use resource_edge::predicate::{Comparison, Test, Value, Variables};
use resource_edge::util::time;

use super::predicates::Node;

/// A predicate as in a request.
#[derive(Debug, Clone)]
pub struct Written {
    pub text: String,
    pub variables: Vec<(String, String)>,
}

impl Written {
    pub fn variables(&self) -> Variables {
        self.variables.iter().cloned().collect()
    }
}

/// Returns the predicate as text. The seed decides how each part is spelled.
pub fn write(node: &Node, seed: u32) -> Written {
    let mut writer = Writer {
        written: Written { text: String::new(), variables: Vec::new() },
        state: u64::from(seed) << 1 | 1,
    };
    writer.or(node);
    writer.written
}

struct Writer {
    written: Written,
    state: u64,
}

impl Writer {
    /// Returns a number below `ways`, mostly 0.
    fn way(&mut self, ways: u64) -> u64 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = (self.state >> 33) % (ways * 2);
        if drawn < ways { drawn } else { 0 }
    }

    fn push(&mut self, text: &str) {
        self.written.text.push_str(text);
    }

    /// Appends optional white space.
    fn gap(&mut self) {
        let gap = [" ", "", "\t", "\r\n ", "  "][self.way(5) as usize];
        self.push(gap);
    }

    /// Appends required white space.
    fn space(&mut self) {
        let space = [" ", "\n", "  \t"][self.way(3) as usize];
        self.push(space);
    }

    fn keyword(&mut self, word: &str) {
        let word = match self.way(3) {
            0 => word.to_owned(),
            1 => word.to_uppercase(),
            _ => word
                .char_indices()
                .map(|(at, c)| if at % 2 == 0 { c.to_ascii_uppercase() } else { c })
                .collect(),
        };
        self.push(&word);
    }

    fn keywords(&mut self, words: &str) {
        for (at, word) in words.split(' ').enumerate() {
            if at > 0 {
                self.space();
            }
            self.keyword(word);
        }
    }

    fn parentheses(&mut self, inner: impl FnOnce(&mut Self)) {
        self.push("(");
        if self.way(3) == 1 {
            self.gap();
        }
        inner(self);
        self.gap();
        self.push(")");
    }

    /// Writes a predicate where everything is allowed.
    fn or(&mut self, node: &Node) {
        match node {
            Node::Or(parts) => self.chain(parts, "or", Self::and),
            other => self.and(other),
        }
    }

    /// Writes a predicate where `or` needs parentheses.
    fn and(&mut self, node: &Node) {
        match node {
            Node::And(parts) => self.chain(parts, "and", Self::not),
            other => self.not(other),
        }
    }

    fn chain(&mut self, parts: &[Node], word: &str, part: fn(&mut Self, &Node)) {
        for (at, one) in parts.iter().enumerate() {
            if at > 0 {
                self.space();
                self.keyword(word);
                self.space();
            }
            part(self, one);
        }
    }

    fn not(&mut self, node: &Node) {
        if matches!(node, Node::Or(_) | Node::And(_)) || self.way(8) == 1 {
            return self.parentheses(|writer| writer.or(node));
        }
        match node {
            Node::Not(inner) => {
                self.keyword("not");
                self.space();
                self.not(inner);
            }
            Node::Nested(field, inner) => {
                self.path(&field.spelled);
                self.gap();
                self.parentheses(|writer| writer.or(inner));
            }
            Node::Test(field, asked) => {
                self.path(&field.spelled);
                self.asked(asked);
            }
            Node::Or(_) | Node::And(_) => {}
        }
    }

    fn path(&mut self, spelled: &str) {
        for (at, name) in spelled.split('.').enumerate() {
            if at > 0 && self.way(4) == 1 {
                self.push(" . ");
            } else if at > 0 {
                self.push(".");
            }
            self.push(name);
        }
    }

    fn asked(&mut self, asked: &Test) {
        if let Test::Compare(comparison, given) = asked {
            let symbol = match (comparison, self.way(2)) {
                (Comparison::Ne, 1) => "<>",
                (other, _) => other.symbol(),
            };
            self.gap();
            self.push(symbol);
            self.gap();
            return self.given(given);
        }
        self.space();
        match asked {
            Test::In(list) => self.list("in", list),
            Test::NotIn(list) => self.list("not in", list),
            Test::ContainsAll(list) => self.list("contains all", list),
            Test::ContainsAny(list) => self.list("contains any", list),
            Test::IsEmpty => self.keywords("is empty"),
            Test::IsNotEmpty => self.keywords("is not empty"),
            Test::IsDefined => self.keywords("is defined"),
            Test::IsNotDefined => self.keywords("is not defined"),
            Test::MatchesIgnoreCase(text) => {
                self.keywords("matches ignore case");
                self.space();
                self.given(&Value::Text(text.clone()));
            }
            Test::WithinCircle { longitude, latitude, metres } => {
                self.keywords("within circle");
                self.gap();
                self.commas(&[longitude, latitude, metres], |writer, number| {
                    let number = writer.number(**number);
                    writer.push(&number);
                });
            }
            other => panic!("no predicate has {other:?}"),
        }
    }

    fn commas<T>(&mut self, items: &[T], write: impl Fn(&mut Self, &T)) {
        self.parentheses(|writer| {
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    writer.push(",");
                    writer.gap();
                }
                write(writer, item);
            }
        });
    }

    fn list(&mut self, words: &str, list: &[Value]) {
        self.keywords(words);
        self.gap();
        if self.way(4) == 1 {
            let texts: Vec<String> = list.iter().map(|given| self.plain(given)).collect();
            return self.variable(texts);
        }
        self.commas(list, Self::given);
    }

    fn given(&mut self, given: &Value) {
        let text = self.plain(given);
        match given {
            _ if self.way(4) == 1 => self.variable(vec![text]),
            Value::Number(_) | Value::Boolean(_) => self.push(&text),
            Value::Text(_) | Value::DateTime(_) => self.string(&text),
        }
    }

    /// Returns the value in the form of a variable.
    fn plain(&mut self, given: &Value) -> String {
        match given {
            Value::Text(text) => text.clone(),
            Value::Number(number) => self.number(*number),
            Value::Boolean(truth) => truth.to_string(),
            Value::DateTime(instant) => {
                let mut text = String::new();
                time::push_signed(&mut text, *instant);
                text
            }
        }
    }

    fn variable(&mut self, texts: Vec<String>) {
        let name = format!("v{}", self.written.variables.len());
        self.push(":");
        self.push(&name);
        self.written.variables.extend(texts.into_iter().map(|text| (name.clone(), text)));
    }

    fn number(&mut self, number: f64) -> String {
        match self.way(4) {
            0 => format!("{number:?}"),
            1 => format!("{number}"),
            2 => format!("{number:e}"),
            _ => format!("{number:E}").replace('E', "E+").replace("E+-", "E-0"),
        }
    }

    fn string(&mut self, text: &str) {
        self.push("\"");
        let escapes = self.way(3);
        for c in text.chars() {
            let written = match c {
                '"' | '\\' => format!("\\{c}"),
                '/' if escapes == 1 => "\\/".to_owned(),
                '\n' if escapes == 1 => "\\n".to_owned(),
                c if escapes == 2 || c < ' ' => {
                    let mut units = String::new();
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        let _ = write!(units, "\\u{unit:04X}");
                    }
                    units
                }
                c => c.to_string(),
            };
            self.push(&written);
        }
        self.push("\"");
    }
}
