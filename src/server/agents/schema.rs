//! The schemas of arguments. If the provider of a model does not support one schema, it refuses all tools. So they have
//! only what every provider supports (tests/native/handler/schemas.rs). Null means absent (D8), and no schema mentions
//! it. The other rules of a field are sentences in its description.

use crate::contract::error::{Member, Reason};
use crate::contract::limits;
use crate::shape::rules::{RuleSet, Rules};
use crate::shape::types::{ArrayRule, Field, Format, Object, Role, TEXT, Type, Union};
use crate::shape::{ObjectId, Shape, System};
use crate::util::json::{self, ObjectWriter, canonical};
use crate::util::text::{append, concat};

/// The longest pattern in a description, in bytes. A model reads a longer one in the errors.
const PATTERN: usize = 100;

/// What the schema of a body says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Every field, with its rules.
    All,
    /// What an agent writes, with its rules.
    Written,
    /// What an agent sets in an update: another schema has the rules, and no field is required.
    Set,
}

impl Detail {
    fn includes(self, field: &Field) -> bool {
        match field.role {
            // The times are checked, but the server sets them (D6).
            Role::System(System::CreatedAt | System::LastModifiedAt) => false,
            Role::System(system) => self == Self::All || system == System::Key,
            _ => true,
        }
    }
}

pub(super) fn of_body(shape: &Shape, id: ObjectId, detail: Detail) -> String {
    let mut out = String::new();
    let about = if detail == Detail::Set {
        "New values of fields, by the same rules as in `createOrUpdate`."
    } else {
        ""
    };
    Writer { shape, detail }.object(&mut out, shape.object(id), "", about);
    out
}

/// Returns the schema of a value without further rules.
pub(super) fn of_type(ty: &Type, about: &str) -> String {
    json::object(|schema| {
        schema.text("type", ty.name());
        match ty {
            Type::Array(array) => {
                schema.member("items").push_str(&of_type(&array.items, ""));
            }
            Type::Integer { min, max } => bounds(schema, *min, *max),
            _ => {}
        }
        if !about.is_empty() {
            schema.text("description", about);
        }
    })
}

/// Returns the schema of a list of texts with names. Providers refuse objects without named members, or leave them
/// empty.
pub(super) fn of_variables(about: &str) -> String {
    json::object(|schema| {
        schema.text("type", "array");
        members(schema.member("items"), &["name", "value"], "", |object| {
            for name in ["name", "value"] {
                object.member(name).push_str(&of_type(&TEXT, ""));
            }
        });
        schema.text("description", about);
    })
}

/// Returns the schema of a text that is one of these names.
pub(super) fn of_names(names: &[&str]) -> String {
    json::object(|schema| {
        schema.text("type", "string");
        schema.array("enum", names, |out, name| json::string(out, name));
    })
}

/// Writes the schema of an object with these members.
pub(super) fn members(
    out: &mut String,
    required: &[&str],
    about: &str,
    write: impl FnOnce(&mut ObjectWriter<'_>),
) {
    let mut schema = ObjectWriter::open(out);
    schema.text("type", "object");
    let mut properties = ObjectWriter::open(schema.member("properties"));
    write(&mut properties);
    properties.close();
    if !required.is_empty() {
        schema.array("required", required, |out, name| json::string(out, name));
    }
    if !about.is_empty() {
        schema.text("description", about);
    }
    schema.close();
}

fn bounds(schema: &mut ObjectWriter<'_>, min: i64, max: i64) {
    if min != -limits::INTEGER_MAX {
        schema.integer("minimum", min);
    }
    if max != limits::INTEGER_MAX {
        schema.integer("maximum", max);
    }
}

/// Writes the schemas of the fields of a shape.
struct Writer<'s> {
    shape: &'s Shape,
    detail: Detail,
}

impl Writer<'_> {
    /// Writes the schema of an object. `text`: its JSON Schema, if the deployment wrote one.
    fn object(&self, out: &mut String, object: &Object, text: &str, about: &str) {
        let fields = || object.fields.iter().filter(|field| self.detail.includes(field));
        // The resource has what an update does not set.
        let is_required =
            |field: &&Field| field.required && (self.detail != Detail::Set || field.role == Role::Inner);
        let required: Vec<&str> = fields().filter(is_required).map(|field| &*field.name).collect();
        let inner = canonical::member(text, "properties").unwrap_or_default();
        members(out, &required, about, |properties| {
            for field in fields() {
                self.field(properties.member(&field.name), field, inner);
            }
        });
    }

    /// Writes the schema of a field. `texts`: those of the fields beside it.
    fn field(&self, out: &mut String, field: &Field, texts: &str) {
        let about = match field.role {
            Role::System(System::Version) if field.ty == TEXT => "The expected version, in digits.",
            Role::System(System::Version) => "The expected version.",
            Role::System(System::Key) if self.detail == Detail::Written => {
                "A name that you choose. No other resource has it."
            }
            _ => {
                let text = match field.role {
                    Role::Content => self.shape.schema_of(&field.name),
                    _ => canonical::member(texts, &field.name),
                };
                return self.value(out, &field.ty, &field.rules, text.unwrap_or_default());
            }
        };
        out.push_str(&of_type(&field.ty, about));
    }

    fn value(&self, out: &mut String, ty: &Type, rules: &Rules, text: &str) {
        let none = RuleSet::default();
        let rules = rules.get().unwrap_or(&none);
        let mut schema = match ty {
            Type::Object(object) => return self.object(out, object, text, &self.about(text)),
            Type::Union(union) => return self.union(out, union),
            _ => ObjectWriter::open(out),
        };
        schema.text("type", ty.name());
        if let Type::Array(array) = ty {
            let items = canonical::member(text, "items").unwrap_or_default();
            self.value(schema.member("items"), &array.items, &array.item_rules, items);
        }
        limit(&mut schema, ty, rules);
        let mut about = self.about(text);
        if self.detail != Detail::Set {
            describe(&mut about, ty, rules, text);
        }
        if !about.is_empty() {
            schema.text("description", &about);
        }
        schema.close();
    }

    /// Returns what the deployment wrote about a value.
    fn about(&self, text: &str) -> String {
        let about = canonical::member(text, "description").filter(|_| self.detail != Detail::Set);
        about.and_then(canonical::text).unwrap_or_default().into_owned()
    }

    /// Writes the schema of an update action: the members of all actions, because not every provider supports
    /// alternatives.
    fn union(&self, out: &mut String, union: &Union) {
        let tag = union.tag.name.as_ref();
        let tags: Vec<&str> = union.variants.iter().map(|variant| &*variant.tag).collect();
        let mut fields: Vec<&Field> = Vec::new();
        // The first action of a field sets it.
        for field in union.variants.iter().flat_map(|variant| &variant.object.fields) {
            if field.name != tag && !fields.iter().any(|known| known.name == field.name) {
                fields.push(field);
            }
        }
        members(out, &[tag], "", |properties| {
            let mut schema = ObjectWriter::open(properties.member(tag));
            schema.text("type", "string");
            schema.array("enum", &tags, |out, tag| json::string(out, tag));
            schema.text("description", ABOUT_ACTIONS);
            schema.close();
            for field in fields {
                self.field(properties.member(&field.name), field, "");
            }
        });
    }
}

const ABOUT_ACTIONS: &str = "`set…` sets the field, or removes its value if it is absent. `add…` and `remove…` \
                             change the items of a list.";

/// Writes the rules of a value that a schema can have.
fn limit(schema: &mut ObjectWriter<'_>, ty: &Type, rules: &RuleSet) {
    let keywords: &[Member] = match ty {
        Type::Integer { min, max } => return bounds(schema, *min, *max),
        Type::Array(array) => {
            if let ArrayRule::AtMost(most) | ArrayRule::OneTo(most) = array.rule {
                schema.integer("maxItems", most as i64);
            }
            &[Member::MaxItems]
        }
        Type::Number => &[Member::Minimum, Member::Maximum],
        _ => &[],
    };
    for keyword in keywords {
        if let Some(bound) = rules.bound(*keyword) {
            json::number(schema.member(keyword.name()), bound);
        }
    }
    let choices = choices(ty, rules);
    if !choices.is_empty() {
        schema.array("enum", choices, |out, choice| out.push_str(choice));
    }
}

/// Returns the texts that are the only ones, as JSON. An empty one is no choice for every provider, so then none.
fn choices<'r>(ty: &Type, rules: &'r RuleSet) -> &'r [String] {
    let is_text = matches!(ty, Type::String(_));
    let choices = rules.choices.as_deref().filter(|_| is_text).unwrap_or_default();
    if choices.iter().any(|choice| choice == "\"\"") { &[] } else { choices }
}

/// Appends the rules of a value that its schema cannot have, and an example.
fn describe(about: &mut String, ty: &Type, rules: &RuleSet, text: &str) {
    let has = |keywords: &[Member]| keywords.iter().any(|keyword| rules.bound(*keyword).is_some());
    let pattern = rules.pattern.as_ref().filter(|pattern| pattern.source().len() <= PATTERN);
    for (is_rule, broken) in [
        (has(&[Member::MinLength, Member::MaxLength]), Reason::Length),
        (rules.format.is_some(), Reason::Format),
        (pattern.is_some(), Reason::Pattern),
        (has(&[Member::ExclusiveMinimum, Member::ExclusiveMaximum]), Reason::Range),
        (has(&[Member::MultipleOf]), Reason::Multiple),
        (has(&[Member::MinItems]), Reason::Count),
        (rules.choices.is_some() && choices(ty, rules).is_empty(), Reason::Enum),
    ] {
        if is_rule {
            let mut sentence = String::new();
            rules.push_expected(broken, &mut sentence);
            push(about, &sentence);
        }
    }
    if let Type::Array(array) = ty {
        match array.rule {
            ArrayRule::EmptyOr(exact) => push(about, &concat(&["none, or exactly ", &exact.to_string()])),
            ArrayRule::Unique => push(about, "none twice"),
            _ if rules.unique_items => push(about, "none twice"),
            _ => {}
        }
    }
    if canonical::member(text, "x-unique") == Some("true") {
        push(about, "no other resource has the same");
    }
    let written = |keyword| canonical::member(text, keyword).filter(|value| *value != "null");
    if let Some(default) = written("default") {
        push(about, &concat(&["default: `", default, "`"]));
    }
    let example = written("examples").and_then(|examples| canonical::items(examples).next());
    let time = (*ty == Type::String(Format::DateTime)).then_some("\"2026-11-19T08:00:00.000Z\"");
    if let Some(example) = example.or(time) {
        push(about, &concat(&["such as `", example, "`"]));
    }
}

/// Appends a phrase as a sentence.
fn push(about: &mut String, phrase: &str) {
    let (first, rest) = phrase.split_at_checked(1).unwrap_or((phrase, ""));
    append(about, &[if about.is_empty() { "" } else { " " }, &first.to_ascii_uppercase(), rest, "."]);
}
