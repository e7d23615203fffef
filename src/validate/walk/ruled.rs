//! The rules of a value beside its type.

use std::collections::BinaryHeap;

use super::Walk;
use crate::shape::rules::{Broken, RuleSet, unquoted};
use crate::shape::types::Type;
use crate::util::json::canonical;
use crate::util::nearest::nearest;
use crate::validate::issues::location::Place;
use crate::validate::issues::violation::Violation;
use crate::validate::json::cursor::Fault;
use crate::validate::json::source::{Kind, Source};
use crate::validate::receiver::Sink;

/// Returns the choice that a text was probably meant to be.
fn nearest_choice<'w>(rules: &'w RuleSet, found: &str) -> Option<&'w str> {
    let mut choices = rules.choices.iter().flatten().map(|choice| unquoted(choice));
    nearest(unquoted(found), &mut || choices.next())
}

impl<'w, S: Sink<'w>> Walk<'_, 'w, '_, S> {
    /// Reads a value with rules beside its type. Of those that it breaks, the first is an issue.
    pub(super) fn ruled(&mut self, ty: &'w Type, rules: &'w RuleSet, place: &Place<'_>) -> Result<(), Fault> {
        let at = self.cursor.at();
        let issues = self.issues.mark();
        let kind = self.cursor.kind()?;
        let kept = rules.compares_texts().then(|| self.sink.keep());
        let (mut broken, count) = self.compared(ty, rules, kept, place)?;
        if let Some(start) = kept {
            if let Some(choices) = &rules.choices
                && broken.is_none()
                && self.issues.is_at(issues)
                && !choices.iter().any(|choice| choice == self.sink.kept(start))
            {
                broken = Some(Broken::Choice);
            }
            self.sink.release(start);
        }
        if let Some(broken) = broken {
            let source = self.source(at, kind, true);
            let near = if broken == Broken::Choice { nearest_choice(rules, source.text) } else { None };
            self.issues.add(place, Violation::Rule(broken, rules, near), Some(source), count);
        }
        Ok(())
    }

    /// Reads the value. Returns the rule that it breaks, and how many items it has. `kept`: where its text begins, if
    /// it is compared with others.
    fn compared(
        &mut self,
        ty: &'w Type,
        rules: &'w RuleSet,
        kept: Option<usize>,
        place: &Place<'_>,
    ) -> Result<(Option<Broken>, Option<usize>), Fault> {
        let at = self.cursor.at();
        match (ty, self.cursor.kind()?) {
            (Type::String(format), Kind::String) => {
                let Some((value, _)) = self.string(*format, place)? else { return Ok((None, None)) };
                self.sink.string(&value);
                Ok((rules.broken_by_text(&value), None))
            }
            (Type::Number, Kind::Number) => {
                let value = self.cursor.number()?;
                if !value.is_finite() {
                    self.issue(place, Violation::Double, self.source(at, Kind::Number, false));
                    return Ok((None, None));
                }
                self.sink.number(value);
                Ok((rules.broken_by_number(value), None))
            }
            (Type::Integer { min, max }, Kind::Number) => {
                let value = self.integer(*min, *max, place)?;
                Ok((value.and_then(|value| rules.broken_by_number(value as f64)), None))
            }
            (Type::Array(array), Kind::Array) => {
                let issues = self.issues.mark();
                let mut items = rules.unique_items.then(Vec::new);
                let count = self.items(array, place, items.as_mut())?;
                if let (Some(items), Some(start)) = (items, kept)
                    && self.issues.is_at(issues)
                {
                    self.repeated(&items, start, place);
                }
                Ok((rules.broken_by_count(count), Some(count)))
            }
            _ => self.typed(ty, place).map(|()| (None, None)),
        }
    }

    /// Adds an issue for each item that equals an earlier one. `items`: where each begins and ends in the text.
    fn repeated(&mut self, items: &[(usize, usize)], start: usize, place: &Place<'_>) {
        let texts: Vec<&str> = canonical::items(self.sink.kept(start)).collect();
        let sorted = texts.iter().copied().zip(0..).collect::<BinaryHeap<(&str, usize)>>().into_sorted_vec();
        let pairs = sorted.iter().zip(sorted.iter().skip(1));
        let again = pairs.filter(|(one, other)| one.0 == other.0).map(|(_, other)| other.1);
        for index in again.collect::<BinaryHeap<usize>>().into_sorted_vec() {
            let (from, to) = items.get(index).copied().unwrap_or_default();
            let mut item = self.cursor;
            item.go_to(from);
            let source = Source {
                text: self.cursor.between(from, to),
                kind: item.kind().unwrap_or(Kind::Null),
                quotable: true,
            };
            self.issues.add(&Place::Item(place, index), Violation::NotUnique, Some(source), None);
        }
    }
}
