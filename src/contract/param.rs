//! Query parameters: their names, types and order of presentation, and strict decoding of a query string (D22–D26).

use super::limits;
use super::number;
use super::percent;
use super::prose;
use super::schema::{self, Object};

/// A query parameter.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Which parameter it is.
    pub id: ParamId,
    /// What its value must be.
    pub ty: ParamType,
    /// Whether it may be passed more than once.
    pub repeatable: bool,
    /// What it means, in one sentence.
    pub about: &'static str,
}

/// What a parameter's value must be.
#[derive(Debug, Clone, Copy)]
pub enum ParamType {
    /// Any text without U+0000.
    String,
    /// A finite decimal number.
    Float,
    /// A decimal number that must be whole and within the bounds.
    Whole {
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// `true` or `false`.
    Boolean,
    /// A JSON object of a shape.
    Json(&'static Object),
}

macro_rules! param_ids {
    ($($id:ident = $name:literal,)*) => {
        /// Names a query parameter.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the wire names beside them say it")]
        pub enum ParamId { $($id,)* }

        impl ParamId {
            /// The parameter's name on the wire; for the two families its form: `text.<language>`, `var.<name>`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$id => $name,)* }
            }
        }
    };
}

param_ids! {
    StringParameter = "stringParameter",
    FloatParameter = "floatParameter",
    IntegerParameter = "integerParameter",
    WithMarkdownDescription = "withMarkdownDescription",
    ObjectParameter = "objectParameter",
    ArrayOfString = "arrayOfString",
    ArrayOfStringWithDescription = "arrayOfStringWithDescription",
    OptionalQueryParameter = "optionalQueryParameter",
    SecondOptionalQueryParameter = "secondOptionalQueryParameter",
    Fuzzy = "fuzzy",
    FuzzyLevel = "fuzzyLevel",
    Staged = "staged",
    Filter = "filter",
    FilterFacets = "filter.facets",
    FilterQuery = "filter.query",
    Facet = "facet",
    Text = "text.<language>",
    Where = "where",
    Sort = "sort",
    Limit = "limit",
    Offset = "offset",
    WithTotal = "withTotal",
    Expand = "expand",
    Var = "var.<name>",
    QueryParameterOne = "queryParameterOne",
    QueryParameterTwo = "queryParameterTwo",
    Version = "version",
    After = "after",
}

impl ParamId {
    /// The part of a passed name that the pattern leaves open (`en-GB` of `text.en-GB`, `x` of `var.x`), empty for a
    /// fixed name; `None` where the passed name is another parameter's.
    #[must_use]
    pub fn matches(self, passed: &str) -> Option<&str> {
        match self {
            Self::Text => passed.strip_prefix("text.").filter(|tag| is_language(tag)),
            Self::Var => passed
                .strip_prefix("var.")
                .filter(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())),
            _ => (self.name() == passed).then_some(""),
        }
    }
}

impl ParamId {
    /// What the names of a family match, as a regular expression (`interface.md`, Endpoints 4 and 12); `None` for a fixed
    /// name.
    #[must_use]
    pub const fn pattern(self) -> Option<&'static str> {
        match self {
            Self::Text => Some("^text[.][a-z]{2}(-[A-Z]{2})?$"),
            Self::Var => Some("^var[.][a-zA-Z0-9]+$"),
            _ => None,
        }
    }
}

/// Whether a tag matches `[a-z]{2}(-[A-Z]{2})?`.
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

const fn single(id: ParamId, ty: ParamType, about: &'static str) -> Param {
    Param { id, ty, repeatable: false, about: prose(about) }
}

const fn repeatable(id: ParamId, about: &'static str) -> Param {
    Param { id, ty: ParamType::String, repeatable: true, about: prose(about) }
}

const INTEGER: ParamType = ParamType::Whole { min: -limits::INTEGER_MAX, max: limits::INTEGER_MAX };
const LIMIT: Param = single(
    ParamId::Limit,
    ParamType::Whole { min: 0, max: limits::PAGE_MAX as i64 },
    "The most results in the page; 20 where it is absent.",
);
const OFFSET: Param = single(
    ParamId::Offset,
    ParamType::Whole { min: 0, max: limits::OFFSET_MAX as i64 },
    "How many results to pass over; 0 where it is absent.",
);
const SORT: Param = repeatable(
    ParamId::Sort,
    "A field and a direction, such as `lastModifiedAt desc`; several sort one after the other.",
);
const EXPAND_PARAM: Param =
    repeatable(ParamId::Expand, "A reference to expand; checked, and without effect: a resource holds none.");

/// Operations 1 and 5: their own parameters (D23).
pub const QUERY_OWN: &[Param] = &[
    single(ParamId::StringParameter, ParamType::String, "An item of `arrayOfStringExample`."),
    single(ParamId::FloatParameter, ParamType::Float, "An item of `arrayOfFloatExample`."),
    single(ParamId::IntegerParameter, INTEGER, "An item of `arrayOfIntExample`."),
    single(
        ParamId::WithMarkdownDescription,
        ParamType::Float,
        "An item of `arrayOfNumberNoDefaultsExample`.",
    ),
    single(
        ParamId::ObjectParameter,
        ParamType::Json(&schema::OBJECT_TEST_TYPE),
        "Arrays whose items must all occur in the resource's.",
    ),
    repeatable(ParamId::ArrayOfString, "Texts that must all occur in `arrayOfStringExample`."),
    repeatable(
        ParamId::ArrayOfStringWithDescription,
        "Texts of which at least one must occur in `arrayOfStringExample`.",
    ),
];

/// Operations 1, 5 and 12: predicate, order and page (D22), in the order of operation 12.
pub const PAGE: &[Param] = &[
    repeatable(
        ParamId::Where,
        "A predicate that the results must satisfy, such as `arrayOfIntExample contains any (6) and key is defined`; of several all.",
    ),
    SORT,
    LIMIT,
    OFFSET,
    single(ParamId::WithTotal, ParamType::Boolean, "Whether to count all matches; true where it is absent."),
    EXPAND_PARAM,
    repeatable(ParamId::Var, "The value of a variable that a predicate names."),
];

/// Operation 2: its own parameters, accepted and without effect (D23).
pub const GET_BY_ID_OWN: &[Param] = &[
    single(ParamId::OptionalQueryParameter, ParamType::String, "Accepted, and without effect."),
    single(ParamId::SecondOptionalQueryParameter, ParamType::String, "Accepted, and without effect."),
];

/// Operations 2 and 3.
pub const EXPAND: &[Param] = &[EXPAND_PARAM];

/// Operation 4: its own parameters.
pub const SEARCH_OWN: &[Param] = &[
    single(ParamId::Fuzzy, ParamType::Boolean, "Whether words match within a distance."),
    single(
        ParamId::FuzzyLevel,
        ParamType::Whole { min: 0, max: 2 },
        "The distance, no more than the default for the longest word.",
    ),
    single(ParamId::Staged, ParamType::Boolean, "Whether to query the staged projection, which is the same."),
    repeatable(
        ParamId::Filter,
        "Narrows the results alone, such as `arrayOfStringExample:\"red\",\"blue\"` or `key:exists`.",
    ),
    repeatable(ParamId::FilterFacets, "Narrows the facets on other fields, in the form of `filter`."),
    repeatable(
        ParamId::FilterQuery,
        "Narrows the results and the facets, in the form of `filter`, such as `arrayOfIntExample:range(1 to 5)`.",
    ),
    repeatable(
        ParamId::Facet,
        "A facet to count, such as `arrayOfStringExample as words` or `arrayOfIntExample:range(* to 0),(0 to *)`.",
    ),
    repeatable(
        ParamId::Text,
        "Words that must all occur in the resource's texts, by language, such as `text.en`.",
    ),
];

/// Operation 4: order and page (D22).
pub const SEARCH_PAGE: &[Param] = &[LIMIT, OFFSET, SORT, EXPAND_PARAM];

/// Operations 9 and 13 (D14).
pub const COMPLEX: &[Param] = &[
    single(ParamId::QueryParameterOne, ParamType::Float, "Checked, and without further effect."),
    single(ParamId::QueryParameterTwo, ParamType::String, "Checked, and without further effect."),
];

/// Operation 11.
pub const DELETE: &[Param] = &[single(
    ParamId::Version,
    ParamType::Whole { min: 0, max: limits::INTEGER_MAX },
    "The version that the resource must have.",
)];

/// The export of a project.
pub const EXPORT: &[Param] = &[single(
    ParamId::After,
    ParamType::Whole { min: 0, max: limits::INTEGER_MAX },
    "The revision after which the page begins; `Link` has that of the next page. 0 where it is absent.",
)];

/// What a passed value was decoded to.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Of a string parameter, or a JSON text that is still to be validated.
    Text(String),
    /// Of a float.
    Float(f64),
    /// Of a whole number.
    Whole(i64),
    /// Of a boolean.
    Boolean(bool),
}

/// A parameter as it was passed.
#[derive(Debug, Clone, PartialEq)]
pub struct Passed {
    /// Which parameter it is.
    pub id: ParamId,
    /// The part of its name that the pattern leaves open, else empty.
    pub open: String,
    /// Its value.
    pub value: Value,
}

/// Why a query string was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamError {
    /// The parameter's name as passed.
    pub parameter: String,
    /// What is wrong and what would be right, as the end of a sentence.
    pub reason: String,
}

/// Every parameter that the query string passes, in its order; or all that is wrong with it (D26).
pub fn decode(params: &[&[Param]], query: &str) -> Result<Vec<Passed>, Vec<ParamError>> {
    let mut passed: Vec<Passed> = Vec::new();
    let mut errors = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (raw_name, raw_value) = pair.split_once('=').unwrap_or((pair, ""));
        match decode_pair(params, &passed, raw_name, raw_value) {
            Ok(one) => passed.push(one),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(passed) } else { Err(errors) }
}

fn decode_pair(
    params: &[&[Param]],
    before: &[Passed],
    raw_name: &str,
    raw_value: &str,
) -> Result<Passed, ParamError> {
    let name = percent::decode(raw_name, true)
        .map_err(|error| ParamError { parameter: raw_name.to_owned(), reason: error.reason().to_owned() })?;
    let fail = |reason: String| ParamError { parameter: name.clone(), reason };
    let (param, open) = params
        .iter()
        .copied()
        .flatten()
        .find_map(|param| Some((param, param.id.matches(&name)?)))
        .ok_or_else(|| fail(unknown(params, &name)))?;
    if !param.repeatable && before.iter().any(|one| one.id == param.id && one.open == open) {
        return Err(fail("it may be passed only once".to_owned()));
    }
    let text = percent::decode(raw_value, true).map_err(|error| fail(error.reason().to_owned()))?;
    Ok(Passed { id: param.id, open: open.to_owned(), value: parse(param.ty, text).map_err(fail)? })
}

fn unknown(params: &[&[Param]], name: &str) -> String {
    let names: Vec<&str> = params.iter().copied().flatten().map(|param| param.id.name()).collect();
    if names.is_empty() {
        format!("'{name}' is unknown; this operation takes no parameters")
    } else {
        format!("'{name}' is unknown; this operation takes {}", names.join(", "))
    }
}

fn parse(ty: ParamType, text: String) -> Result<Value, String> {
    match ty {
        ParamType::String | ParamType::Json(_) => {
            if text.contains('\0') {
                return Err("it must not contain U+0000".to_owned());
            }
            Ok(Value::Text(text))
        }
        ParamType::Boolean => match text.as_str() {
            "true" => Ok(Value::Boolean(true)),
            "false" => Ok(Value::Boolean(false)),
            _ => Err(format!("expected true or false, found '{}'", quoted(&text))),
        },
        ParamType::Float => decimal(&text).map(Value::Float),
        ParamType::Whole { min, max } => {
            let value = decimal(&text)?;
            // The bounds lie within ±2^53, where the cast is exact.
            let whole = value as i64;
            if value.fract() != 0.0
                || value.abs() > limits::INTEGER_MAX as f64
                || !(min..=max).contains(&whole)
            {
                return Err(format!(
                    "expected a whole number from {min} to {max}, found '{}'",
                    quoted(&text)
                ));
            }
            Ok(Value::Whole(whole))
        }
    }
}

/// A finite decimal number; what Rust would also read (`inf`, `nan`) is refused.
fn decimal(text: &str) -> Result<f64, String> {
    number::decimal(text).ok_or_else(|| format!("expected a finite decimal number, found '{}'", quoted(text)))
}

/// The text, cut where messages cut what they quote (D10).
#[must_use]
pub fn quoted(text: &str) -> &str {
    let end = text.char_indices().nth(limits::QUOTED_CHARS).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(params: &[&[Param]], query: &str) -> Vec<String> {
        decode(params, query).unwrap_err().into_iter().map(|error| error.parameter).collect()
    }

    #[test]
    fn repeated_and_patterned_names_are_told_apart() {
        let passed = decode(&[PAGE], "var.a=1&var.a=2&limit=5.0&sort=id+desc").unwrap();
        let names: Vec<(&str, &str)> = passed.iter().map(|one| (one.id.name(), one.open.as_str())).collect();
        assert_eq!(names, [("var.<name>", "a"), ("var.<name>", "a"), ("limit", ""), ("sort", "")]);
        assert_eq!(passed[2].value, Value::Whole(5));
        assert_eq!(passed[3].value, Value::Text("id desc".to_owned()));
    }

    #[test]
    fn every_bad_parameter_is_named() {
        let query = "limit=501&offset=-1&withTotal=yes&nope=1&sort=%zz&var.=1&var.a_b=1&limit=2.5&where=%00";
        assert_eq!(
            wrong(&[PAGE], query),
            ["limit", "offset", "withTotal", "nope", "sort", "var.", "var.a_b", "limit", "where"]
        );
        assert_eq!(wrong(&[PAGE], "limit=1&limit=1"), ["limit"]);
        for value in ["NaN", "inf", "Infinity", "-inf", "1e999", "", "0x1", "1,5"] {
            assert_eq!(
                wrong(&[QUERY_OWN], &format!("floatParameter={value}")),
                ["floatParameter"],
                "{value}"
            );
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
