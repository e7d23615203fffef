//! A predicate resolved against the resource's fields: what travels to the object and is compiled to SQL there.

use serde::{Deserialize, Serialize};

use crate::contract::field::FieldPath;
use crate::contract::model::ObjectItem;
use crate::contract::time::Millis;

/// A condition on a resource, or inside [`Typed::Element`] on one item of an array of objects. It holds or does not:
/// there is no third value, and [`Typed::Not`] inverts exactly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Typed {
    /// Always holds.
    True,
    /// Never holds.
    False,
    /// All must hold: two or more, none of them an `And` or a constant.
    And(Vec<Self>),
    /// One must hold: two or more, none of them an `Or` or a constant.
    Or(Vec<Self>),
    /// Must not hold: neither a `Not` nor a constant.
    Not(Box<Self>),
    /// A test of a field. A field of `arrayOfObjectType`'s items is, outside [`Typed::Element`], an array of the values
    /// that all items have there; inside, it is that of the one item.
    Test {
        /// The field.
        path: FieldPath,
        /// What must hold of it.
        test: Test,
    },
    /// One item of an array of objects must satisfy the whole condition.
    Element {
        /// The array of objects.
        path: FieldPath,
        /// What must hold of the item; its tests name their fields from the record down.
        condition: Box<Self>,
    },
}

/// What must hold of a field. On an array of texts or numbers a comparison other than `Ne`, `In` and
/// `MatchesIgnoreCase` hold when some item satisfies them; `Ne`, `NotIn`, `IsNotEmpty` and `IsNotDefined` are the exact
/// negations of their counterparts, and so hold for an absent field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Test {
    /// `=`, `!=`, `<`, `<=`, `>`, `>=`
    Compare(Comparison, Value),
    /// Equal to one of the values, of which there is one or more.
    In(Vec<Value>),
    /// Equal to none of the values, of which there is one or more.
    NotIn(Vec<Value>),
    /// An array that has every one of the values, of which there is one or more.
    ContainsAll(Vec<Value>),
    /// An array that has one of the values, of which there is one or more.
    ContainsAny(Vec<Value>),
    /// An array without items.
    IsEmpty,
    /// An array with items.
    IsNotEmpty,
    /// Present and not null; only asked of fields that may be absent.
    IsDefined,
    /// Absent or null; only asked of fields that may be absent.
    IsNotDefined,
    /// Equal after Unicode case folding; the text is as it was written.
    MatchesIgnoreCase(String),
    /// Within a great-circle distance, the field being read as (longitude, latitude).
    WithinCircle {
        /// In degrees; any finite number.
        longitude: f64,
        /// In degrees; any finite number.
        latitude: f64,
        /// The radius; any finite number, a negative one holding nothing.
        metres: f64,
    },
    /// An array of objects that has an equal item for every one of these, of which there is one or more: what an item
    /// leaves open, the other leaves open too. No predicate asks it.
    ContainsItems(Vec<ObjectItem>),
}

/// How two values compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Comparison {
    /// `=`
    Eq,
    /// `!=` or `<>`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Comparison {
    /// The operator as it is written; of `!=` and `<>` the first.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Eq => "=",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }

    /// The comparison that the symbol stands for.
    #[must_use]
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        match symbol {
            "=" => Some(Self::Eq),
            "!=" | "<>" => Some(Self::Ne),
            "<" => Some(Self::Lt),
            "<=" => Some(Self::Le),
            ">" => Some(Self::Gt),
            ">=" => Some(Self::Ge),
            _ => None,
        }
    }
}

/// A value of the field's own type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// A text without U+0000, compared by code point.
    Text(String),
    /// A finite number, also where the field holds integers alone.
    Number(f64),
    /// An instant.
    DateTime(Millis),
}

impl Typed {
    /// What holds when all the parts do: flat, and without constants beside other parts.
    #[must_use]
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Self::True => {}
                Self::False => return Self::False,
                Self::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        single(flat, Self::True, Self::And)
    }

    /// What holds when one of the parts does: flat, and without constants beside other parts.
    #[must_use]
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Self::False => {}
                Self::True => return Self::True,
                Self::Or(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        single(flat, Self::False, Self::Or)
    }

    /// What holds when this does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// The condition that always has this truth.
    #[must_use]
    pub const fn constant(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

fn single(mut parts: Vec<Typed>, none: Typed, several: fn(Vec<Typed>) -> Typed) -> Typed {
    if parts.len() > 1 {
        return several(parts);
    }
    parts.pop().unwrap_or(none)
}
