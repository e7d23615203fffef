//! The schema of one value, as the reader accepts it, and the form in which everything else reads it.

use super::keyword::{flag, is_note};
use super::place::{BoxedRefusal, SchemaPlace};
use crate::contract::error::Member;
use crate::contract::limits;
use crate::shape::rules::{BOUNDS, Pattern, RuleSet, TextFormat};
use crate::shape::types::JsonType;
use crate::util::json::{self, ObjectWriter, canonical};
use crate::util::text::concat;

/// How much of a schema is written. Both forms say each rule in one way, without references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shape) enum SchemaForm {
    /// What pages read: without annotations.
    Plain,
    /// What documents have: with the annotations for readers, and with the keywords that begin with `x-`.
    Described,
}

/// The members of a schema that have schemas inside.
pub(super) type Inside = Vec<(&'static str, String)>;

pub(super) struct Node<'t> {
    pub(super) kind: JsonType,
    pub(super) rules: RuleSet,
    pub(super) inside: Inside,
    /// The value of a creation without the field.
    pub(super) default: Option<&'t str>,
    pub(super) marks: Marks,
    /// Whether null is a value. It means the same as absence, so such a field is not required.
    pub(super) nullable: bool,
    /// The annotations, and the keywords of the marks.
    pub(super) notes: Vec<(&'t str, &'t str)>,
}

/// A property of an object.
pub(super) struct SchemaProperty<'t> {
    pub(super) name: &'t str,
    pub(super) is_required: bool,
    pub(super) node: Node<'t>,
}

/// What a shape says about a field beside its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a keyword")]
pub struct Marks {
    /// `x-unique`: no two resources of the project have the same value.
    pub unique: bool,
    /// `x-index`: whether the index has the values.
    pub index: bool,
    /// `x-search`: whether the full-text search finds the words.
    pub search: bool,
    /// `x-title`: the text that names a resource for people.
    pub title: bool,
}

impl Default for Marks {
    fn default() -> Self {
        Self { unique: false, index: true, search: true, title: false }
    }
}

impl Marks {
    /// Returns what a keyword says; `None` if it says nothing here.
    pub(in crate::shape) fn of_keyword(&mut self, name: &str) -> Option<&mut bool> {
        match name {
            "x-unique" => Some(&mut self.unique),
            "x-index" => Some(&mut self.index),
            "x-search" => Some(&mut self.search),
            "x-title" => Some(&mut self.title),
            _ => None,
        }
    }
}

impl<'t> Node<'t> {
    /// Takes a keyword that says something beside the values. Returns whether it is one.
    #[inline(never)]
    pub(super) fn note(
        &mut self,
        name: &'t str,
        value: &'t str,
        at: &SchemaPlace<'_>,
    ) -> Result<bool, BoxedRefusal> {
        if name == "default" {
            self.default = Some(value).filter(|value| *value != "null");
            return Ok(true);
        }
        if let Some(mark) = self.marks.of_keyword(name) {
            *mark = flag(value, at)?;
        } else if !is_note(name) {
            return Ok(false);
        }
        // What is beside a reference replaces what the definition says.
        self.notes.retain(|(known, _)| *known != name);
        self.notes.push((name, value));
        Ok(true)
    }

    /// Adds the annotations that are beside a reference or `anyOf`. A rule there is refused.
    #[inline(never)]
    pub(super) fn with_notes(
        mut self,
        schema: &'t str,
        keyword: &str,
        place: &SchemaPlace<'_>,
    ) -> Result<Self, BoxedRefusal> {
        for (name, value) in canonical::members(schema) {
            let at = SchemaPlace::In(place, name);
            if name != keyword && name != "$defs" && !self.note(name, value, &at)? {
                let message = concat(&["This rule is beside \"", keyword, "\". Write it inside."]);
                return Err(at.refuse(&message));
            }
        }
        Ok(self)
    }

    /// Returns the schema of the values of both. `None` if one of them says more than which values are possible.
    pub(super) fn or(self, other: &Self) -> Option<Self> {
        let mut all = Vec::new();
        for node in [&self, other] {
            let choices = node.rules.choices.as_deref()?;
            let is_only = node.rules == RuleSet::of_choices(choices.to_vec())
                && node.default.is_none()
                && node.marks == Marks::default();
            is_only.then_some(())?;
            all.extend_from_slice(choices);
        }
        let kind = self.kind.or(other.kind)?;
        Some(Self { kind, rules: RuleSet::of_choices(all), notes: Vec::new(), ..self })
    }

    /// Returns the bound of a keyword. An integer always has both.
    fn bound(&self, keyword: Member) -> Option<f64> {
        let widest = match (self.kind, keyword) {
            (JsonType::Integer, Member::Minimum) => Some(-limits::INTEGER_MAX as f64),
            (JsonType::Integer, Member::Maximum) => Some(limits::INTEGER_MAX as f64),
            _ => None,
        };
        self.rules.bound(keyword).or(widest)
    }

    pub(super) fn write(&self, out: &mut String, form: SchemaForm) {
        let mut schema = ObjectWriter::open(out);
        schema.text("type", self.kind.name());
        for (name, value) in &self.inside {
            schema.member(name).push_str(value);
        }
        let RuleSet { choices, format, pattern, unique_items, .. } = &self.rules;
        if let Some(choices) = choices {
            schema.array("enum", choices, |out, choice| out.push_str(choice));
        }
        for keyword in BOUNDS {
            if let Some(bound) = self.bound(keyword) {
                json::number(schema.member(keyword.name()), bound);
            }
        }
        schema.text_if("format", format.map(TextFormat::name));
        schema.text_if("pattern", pattern.as_ref().map(Pattern::source));
        if *unique_items {
            schema.boolean("uniqueItems", true);
        }
        if let Some(default) = self.default {
            schema.member("default").push_str(default);
        }
        let is_written =
            |name| form == SchemaForm::Described && !matches!(name, "$comment" | "$schema" | "$id");
        for (name, value) in self.notes.iter().filter(|(name, _)| is_written(*name)) {
            schema.member(name).push_str(value);
        }
        schema.close();
    }
}

/// Returns the members of the form of an object that has these properties.
pub(super) fn members_of(properties: &[SchemaProperty<'_>], form: SchemaForm) -> Inside {
    let schemas = json::object(|out| {
        for property in properties {
            property.node.write(out.member(property.name), form);
        }
    });
    let required: Vec<&str> =
        properties.iter().filter(|property| property.is_required).map(|property| property.name).collect();
    let mut names = String::new();
    json::array(&mut names, &required, |out, name| json::string(out, name));
    vec![("properties", schemas), ("required", names)]
}
