//! The forms of values, and of the objects that a shape is made of.

use std::borrow::Cow;
use std::sync::Arc;

use super::rules::{Rules, TextFormat};
use crate::contract::resource::System;
use crate::contract::{limits, names};

names! {
    /// A type of JSON Schema.
    pub enum JsonType name:
    String = "string",
    Number = "number",
    Integer = "integer",
    Boolean = "boolean",
    Array = "array",
    Object = "object",
}

#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    /// A mathematical integer within the bounds. The rule applies to the double of the text (D7).
    Integer {
        min: i64,
        max: i64,
    },
    Number,
    Boolean,
    String(Format),
    Array(Arc<Array>),
    Object(Arc<Object>),
    /// An object whose fields one of its string members decides.
    Union(Arc<Union>),
}

/// The format of a string. D7 forbids U+0000 and lone surrogates in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    /// A resource ID (D3).
    Id,
    /// A resource key (D3).
    Key,
    /// `YYYY-MM-DDThh:mm:ss.mmmZ` (D6).
    DateTime,
}

#[derive(Debug, PartialEq)]
pub struct Array {
    pub items: Type,
    pub item_rules: Rules,
    pub rule: ArrayRule,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrayRule {
    Any,
    Unique,
    /// None, or exactly this many.
    EmptyOr(usize),
    AtMost(usize),
    /// At least one, and at most this many.
    OneTo(usize),
}

/// An object's name and fields, in the order of presentation. Any other field is an error (D9).
#[derive(Debug, PartialEq)]
pub struct Object {
    pub name: Cow<'static, str>,
    pub about: Cow<'static, str>,
    pub fields: Vec<Field>,
    pub lacks: Lacks,
}

/// What it means that a body lacks a field of the content (D38).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lacks {
    /// The field has no value. Null means the same (D8).
    Absent,
    /// The field keeps its value, and null removes it.
    Kept,
    /// [`Self::Kept`] in a body with a version, [`Self::Absent`] in one without.
    WithVersion,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The member's name on the wire.
    pub name: Cow<'static, str>,
    pub ty: Type,
    /// Whether it must be present and not null (D8).
    pub required: bool,
    /// Whether a creation without it stores a value (D39).
    pub has_default: bool,
    pub role: Role,
    pub rules: Rules,
}

/// What a field is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A field that the service itself uses.
    System(System),
    /// The object that has fields of the content inside.
    Wrapper,
    /// A field of the content: what clients store.
    Content,
    /// A field inside the value of another.
    Inner,
}

/// An object whose fields a string member decides.
#[derive(Debug, PartialEq)]
pub struct Union {
    pub name: Cow<'static, str>,
    /// The member that names the variant.
    pub tag: Field,
    pub variants: Vec<Variant>,
}

/// A value of a union's tag, with its object. The tag is a field of every object.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    pub tag: Cow<'static, str>,
    pub object: Arc<Object>,
    pub effect: ActionEffect,
}

/// What an update action does with the field of the content that its object has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionEffect {
    Nothing,
    Set,
    /// Adds values to an array.
    Add,
    /// Removes values from an array.
    Remove,
}

impl Type {
    /// Returns the type of each item of an array; any other type itself.
    #[must_use]
    pub fn item(&self) -> &Self {
        match self {
            Self::Array(array) => &array.items,
            other => other,
        }
    }

    /// Returns the name of the type in JSON Schema.
    pub const fn name(&self) -> &'static str {
        self.json().name()
    }

    pub const fn json(&self) -> JsonType {
        match self {
            Self::Integer { .. } => JsonType::Integer,
            Self::Number => JsonType::Number,
            Self::Boolean => JsonType::Boolean,
            Self::String(_) => JsonType::String,
            Self::Array(_) => JsonType::Array,
            Self::Object(_) | Self::Union(_) => JsonType::Object,
        }
    }

    pub const fn is_array(&self) -> bool {
        matches!(self, Self::Array(_))
    }
}

impl Field {
    /// Returns whether its values, or the items of an array, are instants.
    pub fn is_date_time(&self) -> bool {
        let rules = match &self.ty {
            Type::Array(array) => &array.item_rules,
            _ => &self.rules,
        };
        *self.ty.item() == DATE_TIME
            || rules.get().is_some_and(|rules| rules.format == Some(TextFormat::DateTime))
    }
}

impl Object {
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl Union {
    pub fn variant(&self, tag: &str) -> Option<&Arc<Object>> {
        self.variants.iter().find(|variant| variant.tag == tag).map(|variant| &variant.object)
    }
}

// The types of fields.

pub const TEXT: Type = Type::String(Format::Text);
/// An integer that a double represents exactly.
pub const INTEGER: Type = Type::Integer { min: -limits::INTEGER_MAX, max: limits::INTEGER_MAX };
pub const NUMBER: Type = Type::Number;
pub const BOOLEAN: Type = Type::Boolean;
pub const DATE_TIME: Type = Type::String(Format::DateTime);

/// Returns the type of an array of any length.
pub fn array(items: Type) -> Type {
    ruled_array(items, ArrayRule::Any)
}

pub(super) fn ruled_array(items: Type, rule: ArrayRule) -> Type {
    array_of(items, Rules::default(), rule)
}

pub(super) fn array_of(items: Type, item_rules: Rules, rule: ArrayRule) -> Type {
    Type::Array(Arc::new(Array { items, item_rules, rule }))
}

/// Returns the name as it follows the verb in the name of an update action.
pub(super) fn titled(name: &str) -> String {
    let mut titled = name.to_owned();
    if let Some(first) = titled.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    titled
}

/// The keyword of predicates that cannot be a field's name, in any case: a predicate that begins with it is a negation.
pub const NOT: &str = "not";
