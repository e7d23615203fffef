//! The walk over a text by its schema: every value is read once, checked, and passed to the sink.

mod hash;
mod seen;

use std::borrow::Cow;

use self::hash::text_hash;
use self::seen::SeenMembers;
use super::allowed::AllowedFields;
use super::duplicates;
use super::format;
use super::issues::list::IssueList;
use super::issues::location::Place;
use super::issues::violation::Violation;
use super::json::cursor::{Cursor, Fault};
use super::json::number::integer;
use super::json::source::{Kind, Source};
use super::part::{BodyPart, PartKind};
use super::receiver::Sink;
use crate::contract::error::Reason;
use crate::shape::System;
use crate::shape::rules::{RuleSet, Rules, unquoted};
use crate::shape::types::{Array, ArrayRule, Format, JsonType, Lacks, Object, Role, Type, Union};
use crate::util::nearest::nearest;

pub(super) struct Walk<'a, 'w, 's, S> {
    cursor: Cursor<'a>,
    issues: &'s mut IssueList<'w>,
    sink: &'s mut S,
    /// Whether values are compared with each other.
    compares: bool,
    /// A hash of the last value, if values are compared.
    hash: u64,
}

impl<'a, 'w, 's, S: Sink<'w>> Walk<'a, 'w, 's, S> {
    /// Walks the whole text and adds its issues. Returns where and why it is not JSON, if it is not.
    pub(super) fn run(
        start: Cursor<'a>,
        schema: &'w Object,
        sink: &'s mut S,
        issues: &'s mut IssueList<'w>,
    ) -> Result<(), (usize, Fault)> {
        let mut walk = Self { cursor: start, issues, sink, compares: false, hash: 0 };
        walk.body(schema).map_err(|fault| (walk.cursor.at(), fault))
    }

    /// Walks the text of a part of a body as [`Self::run`] walks that of a body.
    pub(super) fn run_part(
        start: Cursor<'a>,
        part: BodyPart<'w>,
        sink: &'s mut S,
        issues: &'s mut IssueList<'w>,
    ) -> Result<(), (usize, Fault)> {
        let mut walk = Self { cursor: start, issues, sink, compares: false, hash: 0 };
        walk.part(part).map_err(|fault| (walk.cursor.at(), fault))
    }

    fn part(&mut self, part: BodyPart<'w>) -> Result<(), Fault> {
        let field = Place::Member(&Place::Root, part.name);
        let item = Place::Item(&field, 0);
        let place = Place::Part(if part.is_item { &item } else { &field });
        // Null means absent (D8).
        if self.cursor.kind()? == Kind::Null && !part.is_item {
            if part.required {
                self.issues.add(&place, Violation::Required, None, None);
            }
            return self.cursor.word();
        }
        match part.kind {
            PartKind::Tag(union) => self.tag(union, &place),
            PartKind::Value(ty, rules) => self.value(ty, rules, &place),
        }
    }

    fn body(&mut self, schema: &'w Object) -> Result<(), Fault> {
        self.cursor.space();
        if self.cursor.kind()? == Kind::Object {
            self.object(AllowedFields::of(schema), &Place::Root)?;
        } else {
            self.wrong_type(JsonType::Object, &Place::Root)?;
        }
        self.cursor.finish()
    }

    /// Reads a value. Of the rules that it breaks, the first is an issue.
    fn value(&mut self, ty: &'w Type, rules: &'w Rules, place: &Place<'_>) -> Result<(), Fault> {
        let rules = rules.get();
        let at = self.cursor.at();
        let kind = self.cursor.kind()?;
        let broken = match (ty, kind) {
            (Type::String(format), Kind::String) => {
                let Some(text) = self.text(*format, place)? else { return Ok(()) };
                rules.and_then(|rules| rules.broken_by_text(&text))
            }
            (Type::Integer { min, max }, Kind::Number) => {
                let value = self.integer(*min, *max, place)?;
                rules.and_then(|rules| rules.broken_by_number(value? as f64))
            }
            (Type::Number, Kind::Number) => {
                let value = self.number(rules.is_some(), place)?;
                rules.and_then(|rules| rules.broken_by_number(value?))
            }
            (Type::Boolean, Kind::Boolean) => {
                let text = self.cursor.skip()?.text;
                self.hash = text.len() as u64;
                self.sink.raw(text);
                rules.and_then(|rules| rules.broken_by_choice(text))
            }
            (Type::Array(array), Kind::Array) => return self.array(array, rules, place),
            (Type::Object(object), Kind::Object) => {
                return self.object(AllowedFields::of(object), place);
            }
            (Type::Union(union), Kind::Object) => {
                self.sink.variant(union);
                let variant = self.variant(union)?;
                let shape = variant.map_or_else(|| AllowedFields::unresolved(union), AllowedFields::of);
                return self.object(shape, place);
            }
            (ty, _) => return self.wrong_type(ty.json(), place),
        };
        if let (Some(broken), Some(rules)) = (broken, rules) {
            let source = self.source(at, kind, true);
            self.broken(broken, rules, place, source);
        }
        Ok(())
    }

    #[cold]
    fn broken(&mut self, broken: Reason, rules: &'w RuleSet, place: &Place<'_>, source: Source<'a>) {
        let near = if broken == Reason::Enum { nearest_choice(rules, source.text) } else { None };
        self.issue(place, Violation::Rule(broken, rules, near), source);
    }

    /// Reads a text. Returns it if it is accepted.
    fn text(&mut self, format: Format, place: &Place<'_>) -> Result<Option<Cow<'a, str>>, Fault> {
        let plain = if format == Format::Text { self.cursor.plain_string() } else { None };
        let text = match plain {
            Some(text) => Cow::Borrowed(text),
            None => match self.string(format, place)? {
                Some((text, _)) => text,
                None => return Ok(None),
            },
        };
        if self.compares {
            self.hash = text_hash(&text);
        }
        self.sink.string(&text);
        Ok(Some(text))
    }

    /// Reads a number that must be an integer. Returns it if it is accepted.
    fn integer(&mut self, min: i64, max: i64, place: &Place<'_>) -> Result<Option<i64>, Fault> {
        let start = self.cursor.at();
        let short = self.cursor.short_integer();
        if let Some(value) = short.filter(|value| (min..=max).contains(value)) {
            self.hash = value as u64;
            self.sink.integer(value);
            return Ok(Some(value));
        }
        let double = match short {
            Some(value) => value as f64,
            None => self.cursor.number()?,
        };
        let value = integer(double, min, max);
        if let Some(value) = value {
            self.hash = value as u64;
            self.sink.integer(value);
        } else {
            let source = self.source(start, Kind::Number, double.is_finite());
            self.issue(place, Violation::of_integer(double, min, max), source);
        }
        Ok(value)
    }

    /// Reads a number. Returns it if it is accepted. If it is not needed, it may be another one.
    fn number(&mut self, is_needed: bool, place: &Place<'_>) -> Result<Option<f64>, Fault> {
        let is_needed = is_needed || self.compares || self.sink.wants_values();
        let start = self.cursor.at();
        let value = match self.cursor.short_number(is_needed) {
            Some(value) => value,
            None if is_needed => self.cursor.number()?,
            None => self.cursor.size()?,
        };
        if value.is_finite() {
            self.hash = value.to_bits();
            self.sink.number(value);
            return Ok(Some(value));
        }
        let source = self.source(start, Kind::Number, false);
        self.issue(place, Violation::Double, source);
        Ok(None)
    }

    /// Reads a string. Returns it with its source if it has the format.
    fn string(
        &mut self,
        format: Format,
        place: &Place<'_>,
    ) -> Result<Option<(Cow<'a, str>, Source<'a>)>, Fault> {
        let start = self.cursor.at();
        let text = self.cursor.string()?;
        let source = self.source(start, Kind::String, text.flaw.is_none());
        match format::broken(format, &text) {
            None => Ok(Some((text.value, source))),
            Some(violation) => {
                self.issue(place, violation, source);
                Ok(None)
            }
        }
    }

    fn issue(&mut self, place: &Place<'_>, violation: Violation<'w>, source: Source<'a>) {
        self.issues.add(place, violation, Some(source), None);
    }

    fn source(&self, start: usize, kind: Kind, quotable: bool) -> Source<'a> {
        Source { text: self.cursor.since(start), kind, quotable }
    }

    /// Skips a value of an unexpected type.
    #[cold]
    fn wrong_type(&mut self, expected: JsonType, place: &Place<'_>) -> Result<(), Fault> {
        let source = self.cursor.skip()?;
        self.issue(place, Violation::Type(expected, source.kind), source);
        Ok(())
    }

    /// Reads an array. If its items must differ, and one is a repetition, walks it a second time with the repetitions
    /// known, so that all issues are in document order.
    fn array(
        &mut self,
        array: &'w Array,
        rules: Option<&'w RuleSet>,
        place: &Place<'_>,
    ) -> Result<(), Fault> {
        let is_unique = array.rule == ArrayRule::Unique || rules.is_some_and(|rules| rules.unique_items);
        let start = self.cursor;
        let mark = self.issues.mark();
        let compares = self.compares;
        self.compares |= is_unique;
        let mut hashes = is_unique.then(Vec::new);
        let count = self.items(array, place, hashes.as_mut(), &[])?;
        let repeated = duplicates::find(hashes.unwrap_or_default());
        if !repeated.is_empty() {
            self.cursor = start;
            self.issues.rewind(mark);
            self.items(array, place, None, &repeated)?;
        }
        self.compares = compares;
        let broken =
            rules.and_then(|rules| Some(Violation::Rule(rules.broken_by_count(count)?, rules, None)));
        if let Some(violation) = broken.or_else(|| format::broken_count(array.rule, count)) {
            let source = broken.map(|_| self.source(start.at(), Kind::Array, true));
            self.issues.add(place, violation, source, Some(count));
        }
        Ok(())
    }

    /// Reads the items of an array, and adds the hashes and indexes of those without an issue. Returns their number.
    /// Those at `repeated` are issues.
    fn items(
        &mut self,
        array: &'w Array,
        place: &Place<'_>,
        mut hashes: Option<&mut Vec<(u64, usize)>>,
        repeated: &[bool],
    ) -> Result<usize, Fault> {
        let mut count = 0;
        let mut hash = 0;
        let mut open = self.cursor.open(b']')?;
        self.sink.raw("[");
        while open {
            if count > 0 {
                self.sink.raw(",");
            }
            let start = self.cursor;
            let place = Place::Item(place, count);
            let mark = self.issues.mark();
            self.value(&array.items, &array.item_rules, &place)?;
            if self.compares {
                hash = hash::joined(hash, self.hash);
            }
            if let Some(hashes) = &mut hashes
                && self.issues.is_at(mark)
            {
                hashes.push((self.hash, count));
            }
            if repeated.get(count) == Some(&true) {
                let source = self.source(start.at(), start.kind()?, true);
                self.issue(&place, Violation::NotUnique, source);
            }
            count += 1;
            open = self.cursor.more(b']')?;
        }
        self.sink.raw("]");
        self.hash = hash;
        Ok(count)
    }

    /// Returns the variant that the tag of the object here names, wherever the tag is in the object. The walk does not
    /// move.
    fn variant(&mut self, union: &'w Union) -> Result<Option<&'w Object>, Fault> {
        let start = self.cursor;
        let found = self.cursor.variant(union)?;
        self.cursor = start;
        Ok(found)
    }

    fn object(&mut self, shape: AllowedFields<'w>, place: &Place<'_>) -> Result<(), Fault> {
        let mut members = SeenMembers::default();
        let mut open = self.cursor.open(b'}')?;
        while open {
            let expected = shape.fields.get(members.next);
            if expected.is_some_and(|field| self.cursor.exact(&field.name)) {
                self.known(shape, members.next, &mut members, place)?;
            } else {
                let name = self.cursor.string()?.value;
                match shape.fields.iter().position(|field| field.name == name) {
                    Some(index) => self.known(shape, index, &mut members, place)?,
                    None => self.unknown(shape, &name, place)?,
                }
            }
            open = self.cursor.more(b'}')?;
        }
        self.hash = members.hash;
        if shape.fields.first().is_none_or(|field| field.role == Role::Inner) {
            self.sink.close(members.places);
        }
        let keeps = match shape.lacks {
            Lacks::Absent => false,
            Lacks::Kept => true,
            Lacks::WithVersion => members.has_version,
        };
        for (index, field) in shape.fields.iter().enumerate() {
            let is_absent = field.role == Role::Content && !members.seen.has(index);
            let may_be = keeps || (field.has_default && shape.lacks == Lacks::WithVersion);
            if field.required && !members.given.has(index) && !(is_absent && may_be) {
                self.issues.add(&Place::Member(place, &field.name), Violation::Required, None, None);
            }
        }
        Ok(())
    }

    /// Reads the value of a known member. The cursor is after its name.
    fn known(
        &mut self,
        shape: AllowedFields<'w>,
        index: usize,
        members: &mut SeenMembers,
        place: &Place<'_>,
    ) -> Result<(), Fault> {
        self.cursor.colon()?;
        let Some(field) = shape.fields.get(index) else { return Ok(()) };
        let place = Place::Member(place, &field.name);
        let again = members.seen.add(index);
        members.next = index + 1;
        let is_null = self.cursor.peek() == b'n';
        if !is_null {
            members.given.add(index);
            members.has_version |= field.role == Role::System(System::Version);
        }
        if again {
            let source = self.cursor.skip()?;
            self.issue(&place, Violation::Duplicate, source);
            return Ok(());
        }
        if is_null {
            // Null means absent (D8), or removes the field (D38).
            if shape.lacks != Lacks::Absent && field.role == Role::Content {
                let start = self.sink.begin();
                self.sink.raw("null");
                self.sink.end(field, start);
            }
            return self.cursor.word();
        }
        if let Some(union) = shape.unresolved {
            return self.refuse_tag(union, &place);
        }
        if field.role == Role::Inner {
            self.sink.member(&mut members.places, index, &field.name);
            self.value(&field.ty, &field.rules, &place)?;
            // In any order of the members, the hash of the object is the same.
            if self.compares {
                members.hash = members.hash.wrapping_add(hash::joined(index as u64, self.hash));
            }
            return Ok(());
        }
        let start = self.sink.begin();
        self.value(&field.ty, &field.rules, &place)?;
        self.sink.end(field, start);
        Ok(())
    }

    /// Reads a tag that is validated alone.
    fn tag(&mut self, union: &'w Union, place: &Place<'_>) -> Result<(), Fault> {
        let is_known = union.variants.iter().any(|variant| self.cursor.exact(&variant.tag));
        if is_known { Ok(()) } else { self.refuse_tag(union, place) }
    }

    /// Skips the value of a tag that names no variant.
    #[cold]
    fn refuse_tag(&mut self, union: &'w Union, place: &Place<'_>) -> Result<(), Fault> {
        if self.cursor.kind()? != Kind::String {
            return self.wrong_type(JsonType::String, place);
        }
        if let Some((tag, source)) = self.string(Format::Text, place)? {
            let violation = if self.issues.has_room() {
                Violation::of_tag(union, &tag)
            } else {
                Violation::Tag(union, None)
            };
            self.issue(place, violation, source);
        }
        Ok(())
    }

    /// Skips the value of a member that the shape does not have. The cursor is after its name.
    #[cold]
    fn unknown(&mut self, shape: AllowedFields<'w>, name: &str, place: &Place<'_>) -> Result<(), Fault> {
        self.cursor.colon()?;
        let source = self.cursor.skip()?;
        let has_room = self.issues.has_room();
        // A verdict depends only on whether a variant has this name.
        let names = if has_room || shape.unresolved.is_some() { shape.names() } else { Vec::new() };
        if !names.contains(&name) {
            let mut known = names.into_iter();
            let near = if has_room { nearest(name, &mut || known.next()) } else { None };
            self.issue(&Place::Unknown(place, name), Violation::Unknown(shape, near), source);
        }
        Ok(())
    }
}

/// Returns the choice that a text was probably meant to be.
fn nearest_choice<'w>(rules: &'w RuleSet, found: &str) -> Option<&'w str> {
    let mut choices = rules.choices.iter().flatten().map(|choice| unquoted(choice));
    nearest(unquoted(found), &mut || choices.next())
}

impl Cursor<'_> {
    /// Finds the tag in the object here and returns the variant that it names.
    fn variant<'w>(&mut self, union: &'w Union) -> Result<Option<&'w Object>, Fault> {
        let mut open = self.open(b'}')?;
        while open {
            let is_tag = self.exact(&union.tag.name) || self.string()?.value == union.tag.name;
            self.colon()?;
            if is_tag {
                if self.kind()? != Kind::String {
                    return Ok(None);
                }
                return Ok(union.variant(&self.string()?.value).map(AsRef::as_ref));
            }
            self.skip()?;
            open = self.more(b'}')?;
        }
        Ok(None)
    }
}
