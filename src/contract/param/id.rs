//! The names and types of query parameters.

use crate::contract::limits;
use crate::contract::resource::ObjectId;

#[derive(Debug, Clone, Copy)]
pub struct Param {
    pub id: ParamId,
    /// Its meaning in the operation, in one sentence.
    pub about: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub enum ParamType {
    /// Any text without U+0000.
    String,
    /// A finite decimal number.
    Float,
    /// A decimal whole number within the bounds.
    Whole {
        min: i64,
        max: i64,
    },
    Boolean,
    Json(ObjectId),
}

/// The rule of a parameter. The client checks it before it sends a request.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    pub ty: ParamType,
    pub repeatable: bool,
}

const fn single(ty: ParamType) -> Rule {
    Rule { ty, repeatable: false }
}

const TEXT: Rule = single(ParamType::String);
const TEXTS: Rule = Rule { ty: ParamType::String, repeatable: true };
const FLOAT: Rule = single(ParamType::Float);
const BOOLEAN: Rule = single(ParamType::Boolean);
const OBJECT: Rule = single(ParamType::Json(ObjectId::Arrays));

const fn whole(min: i64, max: i64) -> Rule {
    single(ParamType::Whole { min, max })
}

names! {
    /// A query parameter; for the two families the form of its names. A name whose rule depends on the call has several
    /// rows.
    pub enum ParamId name [rule: Rule]:
    StringParameter = "stringParameter" TEXT,
    FloatParameter = "floatParameter" FLOAT,
    IntegerParameter = "integerParameter" whole(-limits::INTEGER_MAX, limits::INTEGER_MAX),
    WithMarkdownDescription = "withMarkdownDescription" FLOAT,
    ObjectParameter = "objectParameter" OBJECT,
    ArrayOfString = "arrayOfString" TEXTS,
    ArrayOfStringWithDescription = "arrayOfStringWithDescription" TEXTS,
    OptionalQueryParameter = "optionalQueryParameter" TEXT,
    SecondOptionalQueryParameter = "secondOptionalQueryParameter" TEXT,
    Fuzzy = "fuzzy" BOOLEAN,
    FuzzyLevel = "fuzzyLevel" whole(0, 2),
    Prefix = "prefix" BOOLEAN,
    Staged = "staged" BOOLEAN,
    Filter = "filter" TEXTS,
    FilterFacets = "filter.facets" TEXTS,
    FilterQuery = "filter.query" TEXTS,
    Facet = "facet" TEXTS,
    Text = "text.<language>" TEXTS,
    Where = "where" TEXTS,
    Sort = "sort" TEXTS,
    Limit = "limit" whole(0, limits::PAGE_MAX as i64),
    Offset = "offset" whole(0, limits::OFFSET_MAX as i64),
    WithTotal = "withTotal" BOOLEAN,
    Expand = "expand" TEXTS,
    Fields = "fields" TEXTS,
    Var = "var.<name>" TEXTS,
    QueryParameterOne = "queryParameterOne" FLOAT,
    QueryParameterTwo = "queryParameterTwo" TEXT,
    Version = "version" whole(0, limits::INTEGER_MAX),
    Time = "time" TEXT,
    Bookmark = "bookmark" TEXT,
    After = "after" TEXT,
    Confirm = "confirm" TEXT,
    Wait = "wait" whole(0, limits::WAIT_SECONDS as i64),
    ChangesLimit = "limit" whole(1, limits::EXPORT_LINES as i64),
}

impl ParamId {
    /// Returns the name of the object that has the parameters of a family, in documents and tools: `var`. `None` for a
    /// fixed name.
    pub fn family_name(self) -> Option<&'static str> {
        self.name().split_once(".<").map(|(family, _)| family)
    }

    /// Returns the variable part of a name (`en-GB` of `text.en-GB`, `x` of `var.x`), which is empty for a fixed name.
    /// `None` if the name belongs to another parameter.
    pub fn matches(self, passed: &str) -> Option<&str> {
        match self {
            Self::Text => passed.strip_prefix("text.").filter(|tag| is_language(tag)),
            Self::Var => passed.strip_prefix("var.").filter(|name| is_variable(name)),
            _ => (self.name() == passed).then_some(""),
        }
    }

    /// Returns the regular expression of a family's names (`interface.md`, Endpoints 4 and 12). `None` for a fixed
    /// name.
    pub const fn pattern(self) -> Option<&'static str> {
        match self {
            Self::Text => Some("^text[.][a-z]{2}(-[A-Z]{2})?$"),
            Self::Var => Some("^var[.][a-zA-Z0-9]+$"),
            _ => None,
        }
    }
}

/// Returns whether a variable's name matches `[a-zA-Z0-9]+`.
fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns whether a tag matches `[a-z]{2}(-[A-Z]{2})?`.
fn is_language(tag: &str) -> bool {
    match *tag.as_bytes() {
        [a, b] => a.is_ascii_lowercase() && b.is_ascii_lowercase(),
        [a, b, b'-', c, d] => {
            a.is_ascii_lowercase()
                && b.is_ascii_lowercase()
                && c.is_ascii_uppercase()
                && d.is_ascii_uppercase()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_parameter_is_a_family_if_its_name_has_a_variable_part() {
        for id in ParamId::ALL {
            let prefix = id.name().split_once('<').map(|(prefix, _)| prefix);
            assert_eq!(id.pattern().is_some(), prefix.is_some(), "{}", id.name());
            if let Some(prefix) = prefix {
                assert_eq!(id.matches(&format!("{prefix}aa")), Some("aa"));
            }
        }
    }

    #[test]
    fn language_tags_follow_their_pattern() {
        for good in ["text.en", "text.de-AT"] {
            assert!(ParamId::Text.matches(good).is_some(), "{good}");
        }
        for bad in ["text.", "text.EN", "text.eng", "text.en-gb", "text.en-GBR", "text.en_GB", "textxen"] {
            assert!(ParamId::Text.matches(bad).is_none(), "{bad}");
        }
    }
}
