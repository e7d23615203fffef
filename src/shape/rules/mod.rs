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

/// The rules of a value that has some.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RuleSet {
    /// `enum` and `const`: the possible values, as canonical JSON.
    pub choices: Option<Vec<String>>,
    pub format: Option<TextFormat>,
    pub pattern: Option<Pattern>,
    pub unique_items: bool,
    /// Those of the keywords of [`BOUNDS`], in their order.
    bounds: [Option<f64>; BOUNDS.len()],
}

/// The keywords that bound a value by a number, in the order of a message. Lengths are in characters (code points).
pub const BOUNDS: [Member; 9] = [
    Member::MinLength,
    Member::MaxLength,
    Member::MinItems,
    Member::MaxItems,
    Member::Minimum,
    Member::ExclusiveMinimum,
    Member::Maximum,
    Member::ExclusiveMaximum,
    Member::MultipleOf,
];

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
    /// Returns the rule that a value is one of these, as canonical JSON.
    pub fn of_choices(choices: Vec<String>) -> Self {
        Self { choices: Some(choices), ..Self::default() }
    }

    /// Returns whether a value is none of the possible ones. `text`: its canonical JSON.
    pub fn broken_by_choice(&self, text: &str) -> Option<Reason> {
        let choices = self.choices.as_ref()?;
        (!choices.iter().any(|choice| choice == text)).then_some(Reason::Enum)
    }

    /// Returns the bound of a keyword of [`BOUNDS`], if the value has it.
    pub fn bound(&self, keyword: Member) -> Option<f64> {
        self.bounds().find(|(known, _)| *known == keyword).map(|(_, bound)| bound)
    }

    /// Sets the bound of a keyword of [`BOUNDS`], or removes it. Returns the bound before.
    pub fn set_bound(&mut self, keyword: Member, bound: Option<f64>) -> Option<f64> {
        let mut places = BOUNDS.iter().zip(&mut self.bounds);
        let place = places.find(|(known, _)| **known == keyword);
        place.and_then(|(_, place)| core::mem::replace(place, bound))
    }

    fn bounds(&self) -> impl Iterator<Item = (Member, f64)> {
        BOUNDS.into_iter().zip(self.bounds).filter_map(|(keyword, bound)| Some((keyword, bound?)))
    }

    pub fn broken_by_text(&self, text: &str) -> Option<Reason> {
        let [min, max, ..] = &self.bounds;
        if min.is_some_and(|least| !has_at_least(text, least as usize))
            || max.is_some_and(|most| !has_at_most(text, most as usize))
        {
            return Some(Reason::Length);
        }
        if self.format.is_some_and(|format| !format.fits(text)) {
            return Some(Reason::Format);
        }
        if self.pattern.as_ref().is_some_and(|pattern| !pattern.is_match(text)) {
            return Some(Reason::Pattern);
        }
        self.choices.as_ref()?;
        let mut canonical = String::new();
        json::string(&mut canonical, text);
        self.broken_by_choice(&canonical)
    }

    pub fn broken_by_number(&self, value: f64) -> Option<Reason> {
        let [.., minimum, above, maximum, below, divisor] = &self.bounds;
        if value < minimum.unwrap_or(f64::NEG_INFINITY)
            || value <= above.unwrap_or(f64::NEG_INFINITY)
            || value > maximum.unwrap_or(f64::INFINITY)
            || value >= below.unwrap_or(f64::INFINITY)
        {
            return Some(Reason::Range);
        }
        if divisor.is_some_and(|divisor| !is_multiple(value, divisor)) {
            return Some(Reason::Multiple);
        }
        self.choices.as_ref()?;
        self.broken_by_choice(&number::text(value))
    }

    pub fn broken_by_count(&self, count: usize) -> Option<Reason> {
        let [_, _, min, max, ..] = &self.bounds;
        let count = count as f64;
        let breaks = count < min.unwrap_or(0.0) || count > max.unwrap_or(f64::INFINITY);
        breaks.then_some(Reason::Count)
    }

    /// Adds the bounds of a broken rule on the wire.
    pub fn describe(&self, broken: Reason, members: &mut dyn Members) {
        match broken {
            Reason::Format => members.texts(Member::Expected, &[self.format.map_or("", TextFormat::name)]),
            Reason::Pattern => {
                members.text(Member::Pattern, self.pattern.as_ref().map_or("", Pattern::source));
            }
            Reason::Enum => {
                let choices: Vec<&str> =
                    self.choices.iter().flatten().map(|choice| unquoted(choice)).collect();
                members.texts(Member::AllowedValues, &choices);
            }
            _ => {
                for (keyword, bound) in self.bounds_of(broken) {
                    members.json(keyword, &number::text(bound));
                }
            }
        }
    }

    /// Appends what a broken rule expects, as a phrase.
    pub fn push_expected(&self, broken: Reason, out: &mut String) {
        match broken {
            Reason::Length => self.push_range(broken, "character", out),
            Reason::Count => self.push_range(broken, "item", out),
            Reason::Format => {
                append(out, &["a text of the format ", self.format.map_or("", TextFormat::name)]);
            }
            Reason::Pattern => {
                append(out, &["a text that matches ", self.pattern.as_ref().map_or("", Pattern::source)]);
            }
            Reason::Range | Reason::Multiple => {
                let mut and = if broken == Reason::Range { "a number " } else { "a " };
                for (keyword, bound) in self.bounds_of(broken) {
                    let words = match keyword {
                        Member::Minimum => "of at least ",
                        Member::ExclusiveMinimum => "above ",
                        Member::Maximum => "of at most ",
                        Member::ExclusiveMaximum => "below ",
                        _ => "multiple of ",
                    };
                    append(out, &[and, words, &number::text(bound)]);
                    and = " and ";
                }
            }
            Reason::Enum => {
                out.push_str("one of");
                for (at, choice) in self.choices.iter().flatten().enumerate() {
                    append(out, &[if at == 0 { " '" } else { ", '" }, unquoted(choice), "'"]);
                }
            }
            _ => {}
        }
    }

    fn bounds_of(&self, broken: Reason) -> impl Iterator<Item = (Member, f64)> {
        self.bounds().filter(move |(keyword, _)| reason_of(*keyword) == broken)
    }

    fn push_range(&self, broken: Reason, unit: &str, out: &mut String) {
        let mut bounds = self.bounds_of(broken).map(|(keyword, bound)| (keyword, bound as i64));
        let (keyword, first) = bounds.next().unwrap_or((Member::MinLength, 0));
        let second = bounds.next().map(|(_, bound)| bound);
        out.push_str(match second {
            Some(second) if second == first => "exactly ",
            Some(_) => "",
            None if matches!(keyword, Member::MinLength | Member::MinItems) => "at least ",
            None => "at most ",
        });
        json::integer(out, first);
        let last = second.unwrap_or(first);
        if last != first {
            out.push_str(" to ");
            json::integer(out, last);
        }
        append(out, &[" ", unit, if last == 1 { "" } else { "s" }]);
    }
}

/// Returns what a value breaks that exceeds the bound of a keyword.
const fn reason_of(keyword: Member) -> Reason {
    match keyword {
        Member::MinLength | Member::MaxLength => Reason::Length,
        Member::MinItems | Member::MaxItems => Reason::Count,
        Member::MultipleOf => Reason::Multiple,
        _ => Reason::Range,
    }
}

/// Returns a possible value as people read it: a text without quotation marks.
pub fn unquoted(choice: &str) -> &str {
    choice.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(choice)
}
