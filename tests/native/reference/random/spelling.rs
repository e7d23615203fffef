//! A predicate as text, in one spelling: the others are the subject of `src/predicate/tests`.

use resource_edge::predicate::{Test, Value, Variables};
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

/// Returns the predicate as text. The seed decides which values are variables.
pub fn write(node: &Node, seed: u32) -> Written {
    let mut writer = Writer { variables: Vec::new(), state: seed };
    let text = writer.node(node);
    Written { text, variables: writer.variables }
}

struct Writer {
    variables: Vec<(String, String)>,
    state: u32,
}

impl Writer {
    fn node(&mut self, node: &Node) -> String {
        match node {
            Node::Or(parts) => self.chain(parts, " or ", false),
            Node::And(parts) => self.chain(parts, " and ", true),
            Node::Not(inner) => format!("not {}", self.part(inner, true)),
            Node::Nested(field, inner) => format!("{}({})", field.spelled, self.node(inner)),
            Node::Test(field, test) => format!("{} {}", field.spelled, self.test(test)),
        }
    }

    fn chain(&mut self, parts: &[Node], glue: &str, binds_tighter: bool) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.part(part, binds_tighter)).collect();
        parts.join(glue)
    }

    /// Writes a part of a chain, in parentheses if it needs them. `and` needs none between `or`.
    fn part(&mut self, part: &Node, binds_tighter: bool) -> String {
        let text = self.node(part);
        match part {
            Node::And(_) if binds_tighter => format!("({text})"),
            Node::Or(_) => format!("({text})"),
            _ => text,
        }
    }

    fn test(&mut self, test: &Test) -> String {
        match test {
            Test::Compare(comparison, value) => format!("{} {}", comparison.symbol(), self.value(value)),
            Test::In(list) => format!("in {}", self.list(list)),
            Test::NotIn(list) => format!("not in {}", self.list(list)),
            Test::ContainsAll(list) => format!("contains all {}", self.list(list)),
            Test::ContainsAny(list) => format!("contains any {}", self.list(list)),
            Test::IsEmpty => "is empty".to_owned(),
            Test::IsNotEmpty => "is not empty".to_owned(),
            Test::IsDefined => "is defined".to_owned(),
            Test::IsNotDefined => "is not defined".to_owned(),
            Test::MatchesIgnoreCase(wanted) => {
                format!("matches ignore case {}", self.value(&Value::Text(wanted.clone())))
            }
            Test::WithinCircle { longitude, latitude, metres } => {
                format!("within circle({longitude:?}, {latitude:?}, {metres:?})")
            }
            other => panic!("no predicate has {other:?}"),
        }
    }

    fn list(&mut self, list: &[Value]) -> String {
        if !list.is_empty() && self.is_variable() {
            return self.variable(list);
        }
        let values: Vec<String> = list.iter().map(|value| self.value(value)).collect();
        format!("({})", values.join(", "))
    }

    fn value(&mut self, value: &Value) -> String {
        match value {
            _ if self.is_variable() => self.variable(std::slice::from_ref(value)),
            Value::Number(_) | Value::Boolean(_) => plain(value),
            Value::Text(_) | Value::DateTime(_) => serde_json::Value::from(plain(value)).to_string(),
        }
    }

    /// Returns whether the next value is a variable: one in eight.
    fn is_variable(&mut self) -> bool {
        self.state = self.state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.state >> 29 == 0
    }

    fn variable(&mut self, values: &[Value]) -> String {
        let name = format!("v{}", self.variables.len());
        self.variables.extend(values.iter().map(|value| (name.clone(), plain(value))));
        format!(":{name}")
    }
}

/// Returns the value in the form of a variable.
fn plain(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Number(number) => format!("{number:?}"),
        Value::Boolean(truth) => truth.to_string(),
        Value::DateTime(instant) => {
            let mut text = String::new();
            time::push_signed(&mut text, *instant);
            text
        }
    }
}
