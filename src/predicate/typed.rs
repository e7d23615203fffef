//! A predicate resolved against the resource's fields. The Worker sends it to the object, which compiles it to SQL.

use core::cmp::Ordering;
use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::contract::names;
use crate::shape::{FieldPath, ValueForm};
use crate::util::json::canonical;
use crate::util::time::rfc3339;

/// A condition on a resource, or inside [`Typed::Element`] on one item of an array of objects. It is true or false:
/// there is no third value, and [`Typed::Not`] inverts exactly.
///
/// A path leads from the resource through objects and arrays of objects to a field, at any depth:
///
/// - An array on the path leads to all its items. So the field has the values of all of them, and of each item of the
///   field if it is an array. An object that an item lacks leads to nothing.
/// - Inside [`Typed::Element`], all paths lead through its array, and the one item replaces the array: the field has
///   the values that the item leads to. Arrays further down the path lead to all their items, and another
///   [`Typed::Element`] may name them: its items are then inside that item.
/// - A value counts if it has the type of the field. Of an earlier shape, a resource may have another one, and an array
///   where the shape has a single value, or a single value where it has an array: then it is as an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Typed {
    True,
    False,
    /// True if all parts are. At least two parts, without an `And` or a constant.
    And(Vec<Self>),
    /// True if at least one part is. At least two parts, without an `Or` or a constant.
    Or(Vec<Self>),
    /// True if the part is false. The part is neither a `Not` nor a constant.
    Not(Box<Self>),
    /// A test of the values that the path leads to.
    Test {
        path: FieldPath,
        test: Test,
    },
    /// One item of an array of objects must satisfy the whole condition. `a.b(…)` names the innermost array of objects
    /// on its path: `a` if `a` is one and `b` an object in its items.
    Element {
        /// The array.
        path: FieldPath,
        /// The condition on the item, not a constant. Its tests name their fields from the record down.
        condition: Box<Self>,
    },
}

/// A test of a field. On an array of texts or numbers, `In`, `MatchesIgnoreCase`, and comparisons other than `Ne` are
/// true if an item satisfies them. `Ne`, `NotIn`, `IsNotEmpty`, and `IsNotDefined` are the exact negations of their
/// counterparts, so they are true for an absent field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Test {
    /// `=`, `!=`, `<`, `<=`, `>`, `>=`
    Compare(Comparison, Value),
    /// Equal to one of the values. There is at least one.
    In(Vec<Value>),
    /// Equal to none of the values. There is at least one.
    NotIn(Vec<Value>),
    /// An array that has every one of the values. There is at least one.
    ContainsAll(Vec<Value>),
    /// An array that has one of the values. There is at least one.
    ContainsAny(Vec<Value>),
    /// In one of the intervals. There is at least one. Only filters of a search use this test.
    Between(Vec<Interval>),
    /// Absent, or without items.
    IsEmpty,
    IsNotEmpty,
    /// Present and not null. A declared array is, also without items.
    IsDefined,
    /// Absent or null.
    IsNotDefined,
    /// Equal after Unicode case folding. The text is not folded.
    MatchesIgnoreCase(String),
    /// Within a great-circle distance. The field is read as (longitude, latitude).
    WithinCircle {
        /// In degrees; any finite number.
        longitude: f64,
        /// In degrees; any finite number.
        latitude: f64,
        /// The radius. Any finite number; a negative one contains nothing.
        metres: f64,
    },
    /// An array of objects that has an equal item for every one of these, each as canonical JSON. There is at least
    /// one. A member that an item lacks is also absent in the equal item. No predicate uses this test.
    ContainsItems(Vec<String>),
}

names! {
    /// How two values compare. Its symbol is the operator as written; the first of `!=` and `<>`.
    #[derive(Serialize, Deserialize)]
    pub enum Comparison symbol:
    Eq = "=",
    Ne = "!=",
    Lt = "<",
    Le = "<=",
    Gt = ">",
    Ge = ">=",
}

impl Comparison {
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        match symbol {
            "<>" => Some(Self::Ne),
            _ => Self::ALL.iter().copied().find(|comparison| comparison.symbol() == symbol),
        }
    }

    /// Returns whether it is true of two values in this order.
    pub const fn is_true_of(self, order: Ordering) -> bool {
        match self {
            Self::Eq => order.is_eq(),
            Self::Ne => order.is_ne(),
            Self::Lt => order.is_lt(),
            Self::Le => order.is_le(),
            Self::Gt => order.is_gt(),
            Self::Ge => order.is_ge(),
        }
    }
}

/// A value of the field's own type. A text may be borrowed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Value<T = String> {
    /// A text without U+0000, compared by code point.
    Text(T),
    /// A finite number, also if the field has only integers.
    Number(f64),
    Boolean(bool),
    /// An instant, in milliseconds since 1970, negative before.
    DateTime(i64),
}

impl<'r, T: From<Cow<'r, str>>> Value<T> {
    /// Reads a value of a record. `None` if it is not of the field's type: then it is older than the type.
    pub fn read(form: ValueForm, value: &'r str) -> Option<Self> {
        Some(match form {
            ValueForm::Text => Self::Text(canonical::text(value)?.into()),
            ValueForm::Integer | ValueForm::Point => Self::Number(canonical::integer(value)? as f64),
            ValueForm::Number => Self::Number(canonical::number(value)?),
            ValueForm::Boolean => Self::Boolean(canonical::boolean(value)?),
            ValueForm::DateTime => Self::DateTime(rfc3339::instant(&canonical::text(value)?)?),
            ValueForm::Object => return None,
        })
    }
}

impl<T: AsRef<str>> Value<T> {
    /// Compares two values of one field; texts by code point (D27).
    pub fn compare(&self, other: &Value<impl AsRef<str>>) -> Ordering {
        match (self, other) {
            // The bytes of UTF-8 have the order of code points.
            (Self::Text(one), Value::Text(other)) => one.as_ref().cmp(other.as_ref()),
            // Numbers are finite (D7).
            (Self::Number(one), Value::Number(other)) => one.partial_cmp(other).unwrap_or(Ordering::Equal),
            (Self::Boolean(one), Value::Boolean(other)) => one.cmp(other),
            (Self::DateTime(one), Value::DateTime(other)) => one.cmp(other),
            // Values of one field have one type.
            _ => Ordering::Less,
        }
    }
}

/// The values from one to another, both included. An open end is `None`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub from: Option<Value>,
    pub to: Option<Value>,
}

impl Typed {
    /// Returns the conjunction of the parts: flat, and without constants besides other parts.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::joined(parts, true)
    }

    /// Returns the disjunction of the parts: flat, and without constants besides other parts.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::joined(parts, false)
    }

    fn joined(parts: impl IntoIterator<Item = Self>, all: bool) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match (part, all) {
                (Self::True, true) | (Self::False, false) => {}
                (constant @ (Self::True | Self::False), _) => return constant,
                (Self::And(inner), true) | (Self::Or(inner), false) => flat.extend(inner),
                (other, _) => flat.push(other),
            }
        }
        match flat.len() {
            0 | 1 => flat.pop().unwrap_or(Self::constant(all)),
            _ if all => Self::And(flat),
            _ => Self::Or(flat),
        }
    }

    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    pub const fn constant(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}
