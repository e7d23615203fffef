//! The rules of a value beside its type: the keywords of JSON Schema (draft 2020-12) that a shape supports.

pub mod format;
pub mod length;
pub mod multiple;
pub mod pattern;

use std::sync::Arc;

use crate::contract::error::{Member, Members, Reason};
use crate::util::text::append;
use crate::util::{json, number};

pub use self::format::TextFormat;
use self::length::{has_at_least, has_at_most};
use self::multiple::is_multiple;
pub use self::pattern::Pattern;

/// The rules of a value. Most values have none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rules(Option<Arc<RuleSet>>);

/// The rules of a value that has some, in the order in which they are checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RuleSet {
    /// `enum` and `const`: the possible values, as canonical JSON.
    pub choices: Option<Vec<String>>,
    /// In characters (code points).
    pub min_length: Option<usize>,
    pub max_length: Option<usize>,
    pub format: Option<TextFormat>,
    pub pattern: Option<Pattern>,
    pub minimum: Option<f64>,
    pub maximum: Option<f64>,
    pub exclusive_minimum: Option<f64>,
    pub exclusive_maximum: Option<f64>,
    pub multiple_of: Option<f64>,
    pub min_items: Option<usize>,
    pub max_items: Option<usize>,
    pub unique_items: bool,
}

impl Rules {
    /// Returns the rules, if there is one.
    pub fn get(&self) -> Option<&RuleSet> {
        self.0.as_deref()
    }
}

impl From<RuleSet> for Rules {
    fn from(rules: RuleSet) -> Self {
        Self((rules != RuleSet::default()).then(|| Arc::new(rules)))
    }
}

impl RuleSet {
    /// Returns whether the rules need the canonical text of the value: it is compared with others.
    pub fn compares_texts(&self) -> bool {
        self.choices.is_some() || self.unique_items
    }

    pub fn broken_by_text(&self, text: &str) -> Option<Broken> {
        let too_short = self.min_length.is_some_and(|least| !has_at_least(text, least));
        if too_short || self.max_length.is_some_and(|most| !has_at_most(text, most)) {
            return Some(Broken::Length);
        }
        if self.format.is_some_and(|format| !format.fits(text)) {
            return Some(Broken::Format);
        }
        self.pattern.as_ref().is_some_and(|pattern| !pattern.is_match(text)).then_some(Broken::Pattern)
    }

    pub fn broken_by_number(&self, value: f64) -> Option<Broken> {
        let breaks = |bound: Option<f64>, broken: fn(f64, f64) -> bool| {
            bound.is_some_and(|bound| broken(value, bound))
        };
        if breaks(self.minimum, |value, bound| value < bound)
            || breaks(self.maximum, |value, bound| value > bound)
            || breaks(self.exclusive_minimum, |value, bound| value <= bound)
            || breaks(self.exclusive_maximum, |value, bound| value >= bound)
        {
            return Some(Broken::Bounds);
        }
        breaks(self.multiple_of, |value, divisor| !is_multiple(value, divisor)).then_some(Broken::Multiple)
    }

    pub fn broken_by_count(&self, count: usize) -> Option<Broken> {
        let too_few = self.min_items.is_some_and(|least| count < least);
        (too_few || self.max_items.is_some_and(|most| count > most)).then_some(Broken::Count)
    }

    /// Adds the bounds of a rule on the wire.
    pub fn describe(&self, broken: Broken, members: &mut dyn Members) {
        let mut add = |member, bound: Option<f64>| {
            if let Some(bound) = bound {
                members.json(member, &number::text(bound));
            }
        };
        match broken {
            Broken::Bounds => {
                add(Member::Minimum, self.minimum);
                add(Member::Maximum, self.maximum);
                add(Member::ExclusiveMinimum, self.exclusive_minimum);
                add(Member::ExclusiveMaximum, self.exclusive_maximum);
            }
            Broken::Multiple => add(Member::MultipleOf, self.multiple_of),
            Broken::Length | Broken::Count => {
                let (least, most) = self.range(broken);
                let (min, max) = if broken == Broken::Length {
                    (Member::MinLength, Member::MaxLength)
                } else {
                    (Member::MinItems, Member::MaxItems)
                };
                for (member, bound) in [(min, least), (max, most)] {
                    if let Some(bound) = bound {
                        members.integer(member, bound as i64);
                    }
                }
            }
            Broken::Format => members.texts(Member::Expected, &[self.format.map_or("", TextFormat::name)]),
            Broken::Pattern => {
                members.text(Member::Pattern, self.pattern.as_ref().map_or("", Pattern::source));
            }
            Broken::Choice => {
                let choices: Vec<&str> =
                    self.choices.iter().flatten().map(|choice| unquoted(choice)).collect();
                members.texts(Member::AllowedValues, &choices);
            }
        }
    }

    /// Appends what a rule expects, as a phrase.
    pub fn push_expected(&self, broken: Broken, out: &mut String) {
        match broken {
            Broken::Length => self.push_range(broken, "character", out),
            Broken::Count => self.push_range(broken, "item", out),
            Broken::Format => {
                append(out, &["a text of the format ", self.format.map_or("", TextFormat::name)]);
            }
            Broken::Pattern => {
                append(out, &["a text that matches ", self.pattern.as_ref().map_or("", Pattern::source)]);
            }
            Broken::Bounds => {
                let bounds = [
                    (" of at least ", self.minimum),
                    (" above ", self.exclusive_minimum),
                    (" of at most ", self.maximum),
                    (" below ", self.exclusive_maximum),
                ];
                out.push_str("a number");
                for (at, (word, bound)) in bounds.iter().filter(|(_, bound)| bound.is_some()).enumerate() {
                    append(
                        out,
                        &[if at == 0 { "" } else { " and" }, word, &number::text(bound.unwrap_or_default())],
                    );
                }
            }
            Broken::Multiple => {
                append(out, &["a multiple of ", &number::text(self.multiple_of.unwrap_or_default())]);
            }
            Broken::Choice => {
                out.push_str("one of");
                for (at, choice) in self.choices.iter().flatten().enumerate() {
                    append(out, &[if at == 0 { " '" } else { ", '" }, unquoted(choice), "'"]);
                }
            }
        }
    }

    /// Returns the least and the greatest number of characters or items.
    fn range(&self, broken: Broken) -> (Option<usize>, Option<usize>) {
        if broken == Broken::Length {
            (self.min_length, self.max_length)
        } else {
            (self.min_items, self.max_items)
        }
    }

    fn push_range(&self, broken: Broken, unit: &str, out: &mut String) {
        let (least, most) = self.range(broken);
        let (words, first, second) = match (least, most) {
            (Some(least), Some(most)) if least == most => ("exactly ", least, None),
            (Some(least), Some(most)) => ("", least, Some(most)),
            (Some(least), None) => ("at least ", least, None),
            (None, most) => ("at most ", most.unwrap_or_default(), None),
        };
        out.push_str(words);
        json::integer(out, first as i64);
        if let Some(second) = second {
            out.push_str(" to ");
            json::integer(out, second as i64);
        }
        let count = second.unwrap_or(first);
        append(out, &[" ", unit, if count == 1 { "" } else { "s" }]);
    }
}

/// A rule that a value breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    Choice,
    Length,
    Format,
    Pattern,
    Bounds,
    Multiple,
    Count,
}

impl Broken {
    pub const fn reason(self) -> Reason {
        match self {
            Self::Choice => Reason::Enum,
            Self::Length => Reason::Length,
            Self::Format => Reason::Format,
            Self::Pattern => Reason::Pattern,
            Self::Bounds => Reason::Range,
            Self::Multiple => Reason::Multiple,
            Self::Count => Reason::Count,
        }
    }
}

/// Returns a possible value as people read it: a text without quotation marks.
pub fn unquoted(choice: &str) -> &str {
    choice.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(choice)
}
