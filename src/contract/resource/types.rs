//! The forms of values, and of the shapes that the schema is made of.

#[derive(Debug, Clone, Copy)]
pub enum Type {
    /// A mathematical integer within the bounds. The rule applies to the double of the text (D7).
    Integer {
        min: i64,
        max: i64,
    },
    Number,
    Boolean,
    String(Format),
    Array(&'static Array),
    Object(&'static Object),
    /// An object whose shape one of its string members names.
    Union(&'static Union),
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

#[derive(Debug)]
pub struct Array {
    pub items: Type,
    pub rule: ArrayRule,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrayRule {
    Any,
    Unique,
    /// None, or exactly this many.
    EmptyOr(usize),
    AtMost(usize),
}

/// An object's name and fields, in the order of presentation.
#[derive(Debug)]
pub struct Object {
    pub name: &'static str,
    pub about: &'static str,
    /// The fields that every deployment has.
    pub fixed: &'static [Field],
    /// The list of [`super::schema::OwnFields`] that replaces `fixed` if the object also has the own fields.
    pub extended: Option<Extended>,
}

#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub id: FieldId,
    pub ty: Type,
    /// Whether it must be present and not null (D8).
    pub required: bool,
}

/// An object whose shape a string member names.
#[derive(Debug)]
pub struct Union {
    pub name: &'static str,
    /// The member that names the variant.
    pub tag: Field,
    /// The values of the tag that every deployment has, each with its shape. The tag is a field of every shape.
    pub fixed: &'static [Variant],
}

/// A value of a union's tag, with its shape.
pub type Variant = (&'static str, &'static Object);

impl Type {
    /// Returns the type of each item of an array; any other type itself.
    #[must_use]
    pub const fn item(self) -> Self {
        match self {
            Self::Array(array) => array.items,
            other => other,
        }
    }

    pub const fn is_array(self) -> bool {
        matches!(self, Self::Array(_))
    }
}

/// The objects that have own fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extended {
    Draft,
    Overwrite,
    Record,
    Complex,
}

/// A field: its number. It is stored and sent, so it never changes. The fields of the interface have the first numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId(pub(super) u8);
