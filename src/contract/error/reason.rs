//! Why a value was rejected, for programs: the one list of reasons that the server, the npm package, and the OpenAPI
//! document share.

use serde::{Deserialize, Serialize};

names! {
    /// Why a value was rejected. An error's code says what kind of error it is, its reason which rule is broken.
    #[derive(Serialize, Deserialize)]
    pub enum Reason wire:
    /// The value has another type. `expected` has the type.
    Type = "type",
    /// The number is outside its bounds.
    Range = "range",
    /// The text is shorter than `minLength` or longer than `maxLength`: in bytes of UTF-8 for an ID or a key, else in
    /// characters.
    Length = "length",
    /// There are fewer than `minItems` or more than `maxItems`.
    Count = "count",
    /// The value does not have the format. `expected` has the format.
    Format = "format",
    /// The text does not match `pattern`.
    Pattern = "pattern",
    /// The number is not a multiple of `multipleOf`.
    Multiple = "multipleOf",
    /// The text has characters that are not allowed.
    Characters = "characters",
    /// The text has a special meaning there, so it cannot be a name.
    Reserved = "reserved",
    /// The value is not one of `allowedValues`; `suggestion` has the one that was probably meant.
    Enum = "enum",
    /// A required value is absent or null.
    Required = "required",
    /// There is no such field. `allowedValues` has the fields there, and `suggestion` the one that was probably meant.
    UnknownField = "unknownField",
    /// There is no such parameter; `suggestion` has the one that was probably meant.
    UnknownParameter = "unknownParameter",
    /// The field does not support the operator. `expected` has those that it supports.
    Operator = "operator",
    /// A name occurs twice, but may occur once.
    Duplicate = "duplicate",
    /// The item repeats an earlier one.
    NotUnique = "notUnique",
    /// The text does not follow its grammar. `expected` has what is valid at the place.
    Syntax = "syntax",
    /// The bytes are not UTF-8, or the percent-encoding is malformed.
    Encoding = "encoding",
    /// The nesting is deeper than `maximum`.
    Depth = "depth",
    /// It has more than `maximum` bytes, or is larger than can be processed.
    Size = "size",
    /// The request needs more work than one call may use.
    Work = "work",
}
