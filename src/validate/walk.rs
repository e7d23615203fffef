//! The walk over a text by its schema: every value is read once, checked, and passed to the sink.

use std::borrow::Cow;

use super::allowed::AllowedFields;
use super::duplicates;
use super::format;
use super::issues::list::IssueList;
use super::issues::location::Place;
use super::issues::violation::{JsonType, Violation};
use super::json::cursor::{Cursor, Fault};
use super::json::number::integer;
use super::json::source::{Kind, Source};
use super::part::{BodyPart, PartKind};
use super::receiver::Sink;
use crate::contract::resource::FieldId;
use crate::contract::resource::schema::{Array, ArrayRule, Field, Format, Object, Type, Union};
use crate::util::nearest::nearest;

pub(super) struct Walk<'a, 's, S> {
    cursor: Cursor<'a>,
    issues: &'s mut IssueList,
    sink: &'s mut S,
}

/// The members of an object so far, a bit for each field.
#[derive(Default)]
struct SeenMembers {
    /// Those that occurred.
    seen: u64,
    /// Those that occurred with a value other than null.
    given: u64,
    /// The field that is expected next, because fields are mostly in order.
    next: usize,
}

impl<'a, 's, S: Sink> Walk<'a, 's, S> {
    /// Walks the whole text and adds its issues. Returns where and why it is not JSON, if it is not.
    pub(super) fn run(
        start: Cursor<'a>,
        schema: &'static Object,
        sink: &'s mut S,
        issues: &'s mut IssueList,
    ) -> Result<(), (usize, Fault)> {
        let mut walk = Self { cursor: start, issues, sink };
        walk.body(schema).map_err(|fault| (walk.cursor.at(), fault))
    }

    /// Walks the text of a part of a body as [`Self::run`] walks that of a body.
    pub(super) fn run_part(
        start: Cursor<'a>,
        part: BodyPart,
        sink: &'s mut S,
        issues: &'s mut IssueList,
    ) -> Result<(), (usize, Fault)> {
        let mut walk = Self { cursor: start, issues, sink };
        walk.part(part).map_err(|fault| (walk.cursor.at(), fault))
    }

    fn part(&mut self, part: BodyPart) -> Result<(), Fault> {
        let field = Place::Member(&Place::Root, part.id);
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
            PartKind::Value(ty) => self.value(&ty, part.id, &place),
        }
    }

    fn body(&mut self, schema: &'static Object) -> Result<(), Fault> {
        self.cursor.space();
        if self.cursor.kind()? == Kind::Object {
            self.object(AllowedFields::of(schema), &Place::Root)?;
        } else {
            self.wrong_type(JsonType::Object, &Place::Root)?;
        }
        self.cursor.finish()
    }

    fn value(&mut self, ty: &Type, id: FieldId, place: &Place<'_>) -> Result<(), Fault> {
        let kind = self.cursor.kind()?;
        match (ty, kind) {
            (Type::Integer { min, max }, Kind::Number) => {
                self.integer(*min, *max, id, place)?;
                Ok(())
            }
            (Type::Number, Kind::Number) => self.number(id, place),
            (Type::Boolean, Kind::Boolean) => {
                let source = self.cursor.skip()?;
                self.sink.boolean(id, source.text == "true");
                Ok(())
            }
            (Type::String(Format::Text), Kind::String) => {
                if let Some(value) = self.cursor.plain_string() {
                    self.sink.string(id, Cow::Borrowed(value));
                } else if let Some((value, _)) = self.string(Format::Text, place)? {
                    self.sink.string(id, value);
                }
                Ok(())
            }
            (Type::String(format), Kind::String) => {
                if let Some((value, _)) = self.string(*format, place)? {
                    self.sink.string(id, value);
                }
                Ok(())
            }
            (Type::Array(array), Kind::Array) => self.array(array, id, place),
            (Type::Object(object), Kind::Object) => self.object(AllowedFields::of(object), place),
            (Type::Union(union), Kind::Object) => {
                let shape = match self.variant(union)? {
                    Some(object) => AllowedFields::of(object),
                    None => {
                        AllowedFields { fields: core::slice::from_ref(&union.tag), unresolved: Some(union) }
                    }
                };
                self.object(shape, place)
            }
            (ty, _) => self.wrong_type(JsonType::of(ty), place),
        }
    }

    /// Reads a number that must be an integer. Returns it if it is accepted.
    fn integer(&mut self, min: i64, max: i64, id: FieldId, place: &Place<'_>) -> Result<Option<i64>, Fault> {
        let start = self.cursor.at();
        let short = self.cursor.short_integer();
        if let Some(value) = short.filter(|value| (min..=max).contains(value)) {
            self.sink.integer(id, value);
            return Ok(Some(value));
        }
        let double = match short {
            Some(value) => value as f64,
            None => self.cursor.number()?,
        };
        let value = integer(double, min, max);
        if let Some(value) = value {
            self.sink.integer(id, value);
        } else {
            let source = self.source(start, Kind::Number, double.is_finite());
            self.issue(place, Violation::of_integer(double, min, max), source);
        }
        Ok(value)
    }

    fn number(&mut self, id: FieldId, place: &Place<'_>) -> Result<(), Fault> {
        if !S::VALUES && self.cursor.short_number() {
            self.sink.number(id, 0.0);
            return Ok(());
        }
        let start = self.cursor.at();
        let value = if S::VALUES { self.cursor.number()? } else { self.cursor.size()? };
        if value.is_finite() {
            self.sink.number(id, value);
        } else {
            let source = self.source(start, Kind::Number, false);
            self.issue(place, Violation::Double, source);
        }
        Ok(())
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

    fn issue(&mut self, place: &Place<'_>, violation: Violation, source: Source<'a>) {
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

    fn array(&mut self, array: &'static Array, id: FieldId, place: &Place<'_>) -> Result<(), Fault> {
        if let (ArrayRule::Unique, Type::Integer { min, max }) = (array.rule, array.items) {
            return self.unique_integers(min, max, id, place);
        }
        let objects = matches!(array.items, Type::Object(_) | Type::Union(_));
        let mut count = 0;
        let mut open = self.cursor.open(b']')?;
        while open {
            if objects {
                self.sink.item(id);
            }
            self.value(&array.items, id, &Place::Item(place, count))?;
            count += 1;
            open = self.cursor.more(b']')?;
        }
        if let Some(violation) = format::broken_count(array.rule, count) {
            self.issues.add(place, violation, None, Some(count));
        }
        Ok(())
    }

    /// Reads an array of integers without duplicates. If an item is a duplicate, walks the array a second time with the
    /// duplicates known, so that all issues are in document order.
    fn unique_integers(&mut self, min: i64, max: i64, id: FieldId, place: &Place<'_>) -> Result<(), Fault> {
        let start = self.cursor;
        let mark = self.issues.mark();
        let values = self.integers(min, max, id, place, &[])?;
        let duplicates = duplicates::find(values);
        if !duplicates.is_empty() {
            self.cursor = start;
            self.issues.rewind(mark);
            self.integers(min, max, id, place, &duplicates)?;
        }
        Ok(())
    }

    /// Reads an array of integers. Returns the accepted ones with their indexes. Those at `duplicates` are issues.
    fn integers(
        &mut self,
        min: i64,
        max: i64,
        id: FieldId,
        place: &Place<'_>,
        duplicates: &[bool],
    ) -> Result<Vec<(i64, usize)>, Fault> {
        let mut values = Vec::new();
        let mut index = 0;
        let mut open = self.cursor.open(b']')?;
        while open {
            let place = Place::Item(place, index);
            if self.cursor.kind()? == Kind::Number {
                let start = self.cursor.at();
                if let Some(value) = self.integer(min, max, id, &place)? {
                    values.push((value, index));
                }
                if duplicates.get(index) == Some(&true) {
                    let source = self.source(start, Kind::Number, true);
                    self.issue(&place, Violation::NotUnique, source);
                }
            } else {
                self.wrong_type(JsonType::Integer, &place)?;
            }
            index += 1;
            open = self.cursor.more(b']')?;
        }
        Ok(values)
    }

    /// Returns the variant that the tag of the object here names, wherever the tag is in the object. The walk does not
    /// move.
    fn variant(&mut self, union: &Union) -> Result<Option<&'static Object>, Fault> {
        let start = self.cursor;
        let found = self.cursor.variant(union)?;
        self.cursor = start;
        Ok(found)
    }

    fn object(&mut self, shape: AllowedFields, place: &Place<'_>) -> Result<(), Fault> {
        let mut members = SeenMembers::default();
        let mut open = self.cursor.open(b'}')?;
        while open {
            let expected = shape.fields.get(members.next);
            if expected.is_some_and(|field| self.cursor.exact(field.name())) {
                self.known(shape, members.next, &mut members, place)?;
            } else {
                let name = self.cursor.string()?.value;
                match shape.fields.iter().position(|field| field.name() == name) {
                    Some(index) => self.known(shape, index, &mut members, place)?,
                    None => self.unknown(shape, &name, place)?,
                }
            }
            open = self.cursor.more(b'}')?;
        }
        for (index, field) in shape.fields.iter().enumerate() {
            if field.required && members.given & (1 << index) == 0 {
                self.issues.add(&Place::Member(place, field.id), Violation::Required, None, None);
            }
        }
        Ok(())
    }

    /// Reads the value of a known member. The cursor is after its name.
    fn known(
        &mut self,
        shape: AllowedFields,
        index: usize,
        members: &mut SeenMembers,
        place: &Place<'_>,
    ) -> Result<(), Fault> {
        self.cursor.colon()?;
        let Some(field) = shape.fields.get(index) else { return Ok(()) };
        let place = Place::Member(place, field.id);
        let bit = 1 << index;
        let again = members.seen & bit != 0;
        members.seen |= bit;
        members.next = index + 1;
        if self.cursor.peek() != b'n' {
            members.given |= bit;
        }
        if again {
            let source = self.cursor.skip()?;
            self.issue(&place, Violation::Duplicate, source);
            return Ok(());
        }
        // Null means absent (D8).
        if members.given & bit == 0 {
            return self.cursor.word();
        }
        match shape.unresolved {
            Some(union) => self.refuse_tag(union, &place),
            None => self.field(field, &place),
        }
    }

    fn field(&mut self, field: &Field, place: &Place<'_>) -> Result<(), Fault> {
        let scalar =
            matches!(field.ty, Type::Integer { .. } | Type::Number | Type::Boolean | Type::String(_));
        if scalar {
            return self.value(&field.ty, field.id, place);
        }
        self.sink.begin(field.id);
        self.value(&field.ty, field.id, place)?;
        self.sink.end(field.id);
        Ok(())
    }

    /// Reads a tag that is validated alone.
    fn tag(&mut self, union: &'static Union, place: &Place<'_>) -> Result<(), Fault> {
        let is_known = union.variants().iter().any(|(name, _)| self.cursor.exact(name));
        if is_known { Ok(()) } else { self.refuse_tag(union, place) }
    }

    /// Skips the value of a tag that names no variant.
    #[cold]
    fn refuse_tag(&mut self, union: &'static Union, place: &Place<'_>) -> Result<(), Fault> {
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
    fn unknown(&mut self, shape: AllowedFields, name: &str, place: &Place<'_>) -> Result<(), Fault> {
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

impl Cursor<'_> {
    /// Finds the tag in the object here and returns the variant that it names.
    fn variant(&mut self, union: &Union) -> Result<Option<&'static Object>, Fault> {
        let tag = union.tag.name();
        let mut open = self.open(b'}')?;
        while open {
            let is_tag = self.exact(tag) || self.string()?.value == tag;
            self.colon()?;
            if is_tag {
                if let Some((_, object)) = union.variants().iter().find(|(name, _)| self.exact(name)) {
                    return Ok(Some(object));
                }
                if self.kind()? != Kind::String {
                    return Ok(None);
                }
                let named = self.string()?.value;
                return Ok(union
                    .variants()
                    .iter()
                    .find(|(name, _)| named == *name)
                    .map(|(_, object)| *object));
            }
            self.skip()?;
            open = self.more(b'}')?;
        }
        Ok(None)
    }
}
