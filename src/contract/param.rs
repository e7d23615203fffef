//! Query parameters: their names, types and order of presentation, and strict decoding of a query string (D22–D26).

use super::error::{Member, MemberList, Members};
use super::expected::Expected;
use super::json;
use super::limits;
use super::nearest::nearest;
use super::number;
use super::percent;
use super::prose;
use super::reason::Reason;
use super::schema::{self, Object};
pub use super::text::quoted;
use super::text::{append, concat};

/// A query parameter of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Which parameter it is.
    pub id: ParamId,
    /// The type of its value.
    pub ty: ParamType,
    /// Whether it may occur more than once.
    pub repeatable: bool,
    /// What it means, in one sentence.
    pub about: &'static str,
}

/// The type of a parameter's value.
#[derive(Debug, Clone, Copy)]
pub enum ParamType {
    /// Any text without U+0000.
    String,
    /// A finite decimal number.
    Float,
    /// A decimal whole number within the bounds.
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

/// The rule of a parameter. The client checks it before it sends a request.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The type of a value.
    pub ty: ParamType,
    /// Whether the parameter may occur more than once.
    pub repeatable: bool,
}

const fn single(ty: ParamType) -> Rule {
    Rule { ty, repeatable: false }
}

const TEXT: Rule = single(ParamType::String);
const TEXTS: Rule = Rule { ty: ParamType::String, repeatable: true };
const FLOAT: Rule = single(ParamType::Float);
const BOOLEAN: Rule = single(ParamType::Boolean);
const OBJECT: Rule = single(ParamType::Json(&schema::OBJECT_TEST_TYPE));

const fn whole(min: i64, max: i64) -> Rule {
    single(ParamType::Whole { min, max })
}

macro_rules! params {
    ($($id:ident = $name:literal: $rule:expr,)*) => {
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

            /// Its rule, in every operation that has it.
            #[must_use]
            pub const fn rule(self) -> Rule {
                match self { $(Self::$id => $rule,)* }
            }
        }
    };
}

params! {
    StringParameter = "stringParameter": TEXT,
    FloatParameter = "floatParameter": FLOAT,
    IntegerParameter = "integerParameter": whole(-limits::INTEGER_MAX, limits::INTEGER_MAX),
    WithMarkdownDescription = "withMarkdownDescription": FLOAT,
    ObjectParameter = "objectParameter": OBJECT,
    ArrayOfString = "arrayOfString": TEXTS,
    ArrayOfStringWithDescription = "arrayOfStringWithDescription": TEXTS,
    OptionalQueryParameter = "optionalQueryParameter": TEXT,
    SecondOptionalQueryParameter = "secondOptionalQueryParameter": TEXT,
    Fuzzy = "fuzzy": BOOLEAN,
    FuzzyLevel = "fuzzyLevel": whole(0, 2),
    Staged = "staged": BOOLEAN,
    Filter = "filter": TEXTS,
    FilterFacets = "filter.facets": TEXTS,
    FilterQuery = "filter.query": TEXTS,
    Facet = "facet": TEXTS,
    Text = "text.<language>": TEXTS,
    Where = "where": TEXTS,
    Sort = "sort": TEXTS,
    Limit = "limit": whole(0, limits::PAGE_MAX as i64),
    Offset = "offset": whole(0, limits::OFFSET_MAX as i64),
    WithTotal = "withTotal": BOOLEAN,
    Expand = "expand": TEXTS,
    Var = "var.<name>": TEXTS,
    QueryParameterOne = "queryParameterOne": FLOAT,
    QueryParameterTwo = "queryParameterTwo": TEXT,
    Version = "version": whole(0, limits::INTEGER_MAX),
    After = "after": whole(0, limits::INTEGER_MAX),
    Confirm = "confirm": TEXT,
}

impl ParamId {
    /// Returns the variable part of a name (`en-GB` of `text.en-GB`, `x` of `var.x`), which is empty for a fixed name.
    /// `None` if the name belongs to another parameter.
    #[must_use]
    pub fn matches(self, passed: &str) -> Option<&str> {
        let (prefix, fits): (_, fn(&str) -> bool) = match self {
            Self::Text => ("text.", is_language),
            Self::Var => ("var.", is_variable),
            _ => return (self.name() == passed).then_some(""),
        };
        passed.strip_prefix(prefix).filter(|open| fits(open))
    }
}

impl ParamId {
    /// Returns the regular expression of a family's names (`interface.md`, Endpoints 4 and 12). `None` for a fixed
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

/// The problem of a value, as the end of a sentence.
#[cold]
#[inline(never)]
fn expected(what: &str, text: &str) -> String {
    concat(&["expected ", what, ", found '", quoted(text), "'"])
}

/// Whether a variable's name matches `[a-zA-Z0-9]+`.
fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
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

const fn param(id: ParamId, about: &'static str) -> Param {
    let Rule { ty, repeatable } = id.rule();
    Param { id, ty, repeatable, about: prose(about) }
}

const LIMIT: Param = param(ParamId::Limit, "The maximum number of results in the page. Default: 20.");
const OFFSET: Param = param(ParamId::Offset, "How many results to skip. Default: 0.");
const SORT: Param = param(
    ParamId::Sort,
    "A field and a direction, such as `lastModifiedAt desc`. With several, each next one orders results that are equal so far.",
);
const EXPAND_PARAM: Param = param(
    ParamId::Expand,
    "A reference to expand. It is checked and has no effect, because a resource has no references.",
);

/// Operations 1 and 5: their own parameters (D23).
pub const QUERY_OWN: &[Param] = &[
    param(ParamId::StringParameter, "An item of `arrayOfStringExample`."),
    param(ParamId::FloatParameter, "An item of `arrayOfFloatExample`."),
    param(ParamId::IntegerParameter, "An item of `arrayOfIntExample`."),
    param(ParamId::WithMarkdownDescription, "An item of `arrayOfNumberNoDefaultsExample`."),
    param(ParamId::ObjectParameter, "Arrays whose items must all occur in the arrays of the resource."),
    param(ParamId::ArrayOfString, "Texts that must all occur in `arrayOfStringExample`."),
    param(
        ParamId::ArrayOfStringWithDescription,
        "Texts of which at least one must occur in `arrayOfStringExample`.",
    ),
];

/// Operations 1, 5 and 12: predicate, order and page (D22), in the order of operation 12.
pub const PAGE: &[Param] = &[
    param(
        ParamId::Where,
        "A predicate that the results must satisfy, such as `arrayOfIntExample contains any (6) and key is defined`. With several, results satisfy all.",
    ),
    SORT,
    LIMIT,
    OFFSET,
    param(ParamId::WithTotal, "Whether to count all matches. Default: true."),
    EXPAND_PARAM,
    param(ParamId::Var, "The value of a variable that a predicate names."),
];

/// Operation 2: its own parameters, accepted and without effect (D23).
pub const GET_BY_ID_OWN: &[Param] = &[
    param(ParamId::OptionalQueryParameter, "Accepted. It has no effect."),
    param(ParamId::SecondOptionalQueryParameter, "Accepted. It has no effect."),
];

/// Operations 2 and 3.
pub const EXPAND: &[Param] = &[EXPAND_PARAM];

/// Operation 4: its own parameters.
pub const SEARCH_OWN: &[Param] = &[
    param(ParamId::Fuzzy, "Whether words also match if they differ by a few letters. Default: false."),
    param(
        ParamId::FuzzyLevel,
        "The maximum edit distance of a word, at most the default for the longest word.",
    ),
    param(ParamId::Staged, "Whether to search the staged projection, which is the same as the current one."),
    param(
        ParamId::Filter,
        "Filters the results but not the facets, such as `arrayOfStringExample:\"red\",\"blue\"` or `key:exists`.",
    ),
    param(ParamId::FilterFacets, "Filters the facets of other fields, in the form of `filter`."),
    param(
        ParamId::FilterQuery,
        "Filters the results and the facets, in the form of `filter`, such as `arrayOfIntExample:range(1 to 5)`.",
    ),
    param(
        ParamId::Facet,
        "A facet to count, such as `arrayOfStringExample as words` or `arrayOfIntExample:range(* to 0),(0 to *)`.",
    ),
    param(
        ParamId::Text,
        "Words that must all occur in the resource's texts, by language, such as `text.en`.",
    ),
];

/// Operation 4: order and page (D22).
pub const SEARCH_PAGE: &[Param] = &[LIMIT, OFFSET, SORT, EXPAND_PARAM];

/// Operations 9 and 13 (D14).
pub const COMPLEX: &[Param] = &[
    param(ParamId::QueryParameterOne, "It is checked and has no other effect."),
    param(ParamId::QueryParameterTwo, "It is checked and has no other effect."),
];

/// Operation 11.
pub const DELETE: &[Param] = &[param(ParamId::Version, "The version that the resource must have.")];

/// The export of a project.
pub const EXPORT: &[Param] = &[param(
    ParamId::After,
    "The revision after which the page begins; `Link` has that of the next page. 0 by default.",
)];

/// The removal of everything that a project has.
pub const CLEAR: &[Param] =
    &[param(ParamId::Confirm, "The project's key once more, without which nothing is deleted.")];

/// A decoded value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A string, or a JSON text that is not validated yet.
    Text(String),
    /// A float.
    Float(f64),
    /// A whole number.
    Whole(i64),
    /// A boolean.
    Boolean(bool),
}

/// A parameter of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Passed {
    /// Which parameter it is.
    pub id: ParamId,
    /// The variable part of its name, empty for a fixed name.
    pub open: String,
    /// Its value.
    pub value: Value,
}

/// Why a query string was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamError {
    /// The parameter's name in the request.
    pub parameter: String,
    /// The problem and what is expected, as the end of a sentence.
    pub reason: String,
    /// The same for programs.
    pub members: MemberList,
}

/// What is wrong with a parameter's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The problem and what is expected, as the end of a sentence.
    pub sentence: String,
    /// The same for programs.
    pub members: MemberList,
}

impl Refusal {
    /// Creates a refusal with its reason.
    #[must_use]
    #[inline(never)]
    pub fn new(reason: Reason, sentence: String) -> Self {
        let mut members = MemberList::new();
        members.reason(reason);
        Self { sentence, members }
    }

    /// The same with a number.
    #[must_use]
    #[inline(never)]
    pub fn with_integer(mut self, member: Member, value: i64) -> Self {
        self.members.integer(member, value);
        self
    }

    /// The same with what is expected.
    #[must_use]
    #[inline(never)]
    pub fn expecting(mut self, expected: Expected) -> Self {
        self.members.texts(Member::Expected, expected);
        self
    }

    /// The same with the wrong part of a text of one line.
    #[must_use]
    #[inline(never)]
    pub fn about(self, text: &str, part: &str) -> Self {
        let before = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let before = text.get(..before).unwrap_or(text).chars().count();
        self.with_integer(Member::Column, before as i64 + 1)
            .with_integer(Member::Length, part.chars().count() as i64)
    }

    /// Returns the error of the parameter.
    #[must_use]
    #[inline(never)]
    pub fn of(self, parameter: &str) -> ParamError {
        ParamError { parameter: parameter.to_owned(), reason: self.sentence, members: self.members }
    }
}

/// Decodes a query string. Returns its parameters in their order, or all its problems (D26).
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
        .map_err(|error| Refusal::new(Reason::Encoding, error.reason().to_owned()).of(raw_name))?;
    let fail = |reason: Reason, sentence: String| Refusal::new(reason, sentence).of(&name);
    let (param, open) = params
        .iter()
        .copied()
        .flatten()
        .find_map(|param| Some((param, param.id.matches(&name)?)))
        .ok_or_else(|| {
            let mut error = fail(Reason::UnknownParameter, unknown(params, &name));
            suggest(params, &name, &mut error.members);
            error
        })?;
    if !param.repeatable && before.iter().any(|one| one.id == param.id && one.open == open) {
        return Err(fail(Reason::Duplicate, ONCE.to_owned()));
    }
    let text = percent::decode(raw_value, true)
        .map_err(|error| fail(Reason::Encoding, error.reason().to_owned()))?;
    let value = match param.ty.parse(&text) {
        Ok(Scalar::Text) => Value::Text(text),
        Ok(Scalar::Float(float)) => Value::Float(float),
        Ok(Scalar::Whole(whole)) => Value::Whole(whole),
        Ok(Scalar::Boolean(boolean)) => Value::Boolean(boolean),
        Err(reason) => {
            return Err(ParamError { parameter: name, reason, members: broken(param.ty, &text) });
        }
    };
    Ok(Passed { id: param.id, open: open.to_owned(), value })
}

fn unknown(params: &[&[Param]], name: &str) -> String {
    unknown_name(params.iter().copied().flatten().map(|param| param.id), name)
}

/// The problem of a parameter that occurs twice but may occur once, as the end of a sentence.
pub const ONCE: &str = "it may be passed only once";

/// Adds the names of the parameters, and a suggestion.
fn suggest(params: &[&[Param]], name: &str, members: &mut MemberList) {
    let names: Vec<&'static str> = params.iter().copied().flatten().map(|param| param.id.name()).collect();
    members.texts(Member::AllowedValues, &names);
    let mut names = names.into_iter();
    if let Some(near) = nearest(name, &mut || names.next()) {
        members.text(Member::Suggestion, near);
    }
}

/// Returns why a text does not have the type, for programs.
fn broken(ty: ParamType, text: &str) -> MemberList {
    let refusal = match ty {
        ParamType::String | ParamType::Json(_) => Refusal::new(Reason::Characters, String::new()),
        ParamType::Boolean => Refusal::new(Reason::Type, String::new()).expecting(&["boolean"]),
        ParamType::Float => Refusal::new(Reason::Type, String::new()).expecting(&["number"]),
        ParamType::Whole { min, max } => match number::decimal(text) {
            Some(value) if value.fract() == 0.0 => Refusal::new(Reason::Range, String::new())
                .with_integer(Member::Minimum, min)
                .with_integer(Member::Maximum, max),
            _ => Refusal::new(Reason::Type, String::new()).expecting(&["integer"]),
        },
    };
    refusal.members
}

/// The problem of an unknown name, as the end of a sentence.
#[must_use]
pub fn unknown_name(params: impl Iterator<Item = ParamId>, name: &str) -> String {
    let mut reason = concat(&["'", name, "' is unknown; this operation takes "]);
    let mut comma = "";
    for param in params {
        append(&mut reason, &[comma, param.name()]);
        comma = ", ";
    }
    if comma.is_empty() {
        append(&mut reason, &["no parameters"]);
    }
    reason
}

/// A text, parsed by the type of its parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// The text itself: a string, or a JSON text that is not validated yet.
    Text,
    /// A float.
    Float(f64),
    /// A whole number.
    Whole(i64),
    /// A boolean.
    Boolean(bool),
}

impl ParamType {
    /// Parses a value. Returns its problem as the end of a sentence.
    pub fn parse(self, text: &str) -> Result<Scalar, String> {
        let expected = |what: &str| expected(what, text);
        // Rust would also accept `inf` and `nan`.
        let decimal = || number::decimal(text).ok_or_else(|| expected("a finite decimal number"));
        match self {
            Self::String | Self::Json(_) if text.bytes().any(|byte| byte == 0) => {
                Err("it must not contain U+0000".to_owned())
            }
            Self::String | Self::Json(_) => Ok(Scalar::Text),
            Self::Boolean => match text {
                "true" => Ok(Scalar::Boolean(true)),
                "false" => Ok(Scalar::Boolean(false)),
                _ => Err(expected("true or false")),
            },
            Self::Float => decimal().map(Scalar::Float),
            Self::Whole { min, max } => {
                let value = decimal()?;
                // The bounds lie within ±2^53, where the cast is exact.
                let whole = value as i64;
                if value.fract().abs() <= 0.0 && (min..=max).contains(&whole) {
                    return Ok(Scalar::Whole(whole));
                }
                let mut range = concat(&["a whole number from "]);
                json::integer(&mut range, min);
                append(&mut range, &[" to "]);
                json::integer(&mut range, max);
                Err(expected(&range))
            }
        }
    }
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
