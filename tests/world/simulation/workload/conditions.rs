//! Which resources a query finds.

use resource_edge::predicate::{self, Typed, Variables};
use resource_edge::shape::{DataType, QueryField, System};
use serde_json::{Value, json};

use super::{KEYS, mark};
use crate::native::reference::evaluate::holds;
use crate::native::reference::words::texts;
use crate::support::schemas::values::choices;
use crate::support::schemas::{Design, kind};
use crate::world::simulation::random::Random;

#[derive(Debug, Clone)]
pub(crate) enum Condition {
    All,
    /// A field is equal to a text.
    Text(&'static str, String),
    Int(u64),
    Version(u64),
    Word(String),
    /// A condition on the content of a declared resource, as text.
    Content(String),
}

impl Condition {
    pub(super) fn draw(random: &Random, number: u64, design: &Design) -> Self {
        let earlier = mark(random.within(number.saturating_sub(12), number));
        if design.schema.is_some() && random.chance(700) {
            return Self::Content(Self::of_content(random, design));
        }
        match random.below(8) {
            0..3 => Self::All,
            5 => Self::Text("key", (*random.pick(&KEYS)).to_owned()),
            7 => Self::Version(random.within(1, 4)),
            _ if design.schema.is_some() => Self::All,
            3 => Self::Text("custom", earlier),
            4 => Self::Text("someProperty", earlier),
            _ => Self::Int(random.below(5)),
        }
    }

    /// Returns a condition on the content of a declared resource.
    pub(crate) fn of_content(random: &Random, design: &Design) -> String {
        let mut text = part(random, design, None);
        if random.chance(300) {
            let word = random.pick(&["and", "or", "and not"]);
            text = format!("{text} {word} {}", part(random, design, None));
        }
        assert!(meaning(design, &text).is_some(), "{text} of {design:?}");
        text
    }

    /// Returns whether a resource satisfies the condition, which an edge of the `sender`'s resource reads for an object
    /// of this one.
    pub(crate) fn holds(&self, design: &Design, sender: &Design, record: &Value) -> bool {
        let ints = || record["objectTypeProperty"]["arrayOfIntExample"].as_array().into_iter().flatten();
        match self {
            Self::All => true,
            Self::Text(field, text) => record[field] == *text,
            Self::Int(int) => ints().any(|found| found == int),
            Self::Version(version) => record["version"].as_u64() > Some(*version),
            Self::Word(word) => texts(design, record).iter().any(|text| has_word(text, word)),
            Self::Content(text) => meaning(sender, text).is_some_and(|condition| holds(&condition, record)),
        }
    }

    /// Returns whether a resource may be found by a word of a field that the service does not have any more. The search
    /// finds it until the next write of the resource, which removes the value (D41).
    pub(crate) fn may_hold(&self, record: &Value) -> bool {
        let Self::Word(word) = self else { return false };
        match record {
            Value::String(text) => has_word(text, word),
            Value::Array(items) => items.iter().any(|item| self.may_hold(item)),
            Value::Object(members) => members.values().any(|member| self.may_hold(member)),
            _ => false,
        }
    }

    pub(super) fn predicate(&self) -> Option<String> {
        Some(match self {
            Self::All | Self::Word(_) => return None,
            Self::Text(field, text) => format!("{field} = \"{text}\""),
            Self::Int(int) => format!("objectTypeProperty(arrayOfIntExample contains any ({int}))"),
            Self::Version(version) => format!("version > {version}"),
            Self::Content(text) => text.clone(),
        })
    }

    /// Returns whether an edge of this resource accepts the condition.
    pub(crate) fn is_accepted(&self, design: &Design) -> bool {
        let Self::Content(text) = self else { return true };
        meaning(design, text).is_some()
    }

    /// Returns whether the condition means the same of two resources.
    pub(crate) fn fits(&self, one: &Design, other: &Design) -> bool {
        let Self::Content(text) = self else { return true };
        let condition = meaning(one, text);
        condition.is_some() && condition == meaning(other, text)
    }
}

/// Returns what a condition means for a resource, if it means something.
pub(crate) fn meaning(design: &Design, text: &str) -> Option<Typed> {
    predicate::read(&design.shape, [text], &Variables::default()).ok()
}

/// Returns whether the words of a text have this one.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|char: char| !char.is_alphanumeric()).any(|part| part.to_lowercase() == word)
}

/// Returns a condition on a property inside another one, or of the resource.
fn part(random: &Random, design: &Design, within: Option<(&QueryField, &str)>) -> String {
    let mut names = design.shape.names_within(within.map(|(field, _)| field));
    names.retain(|name| within.is_some() || System::ALL.iter().all(|system| system.name() != *name));
    let name = (*random.pick(&names)).to_owned();
    let field = design.shape.field_of(within.map(|(field, _)| field), &name).expect("a property");
    let path = within.map_or_else(|| name.clone(), |(_, outer)| format!("{outer}.{name}"));
    if let Some(data_type) = field.field_type.data() {
        let property = design.at(&path).expect("a property");
        let single = kind(if field.array { &property["items"] } else { property });
        let times = json!({ "type": "string", "format": "date-time" });
        let values = if data_type == DataType::DateTime { times } else { json!({ "type": single }) };
        return test(random, &name, &choices(&values), field.array);
    }
    match random.below(5) {
        0 => format!("{name} is defined"),
        1 if field.array => format!("{name} is empty"),
        2 => format!("{name}.{}", part(random, design, Some((&field, &path)))),
        _ => {
            let inner = |random| part(random, design, Some((&field, &path)));
            let more = if random.chance(400) { format!(" and {}", inner(random)) } else { String::new() };
            format!("{name}({}{more})", inner(random))
        }
    }
}

/// Returns a test of a property, or of a list, with some of these values.
fn test(random: &Random, name: &str, all: &[Value], is_list: bool) -> String {
    let value = || random.pick(all);
    match random.below(8) {
        0 => format!("{name} is defined"),
        1 => format!("{name} is not defined"),
        2 if is_list => format!("{name} contains all ({}, {})", value(), value()),
        3 if is_list => format!("{name} is empty"),
        2 | 3 => format!("{name} in ({}, {})", value(), value()),
        4 if !all[0].is_boolean() => format!("{name} >= {}", value()),
        5 => format!("{name} != {}", value()),
        _ => format!("{name} = {}", value()),
    }
}
