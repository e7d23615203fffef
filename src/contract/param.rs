//! Query parameters: which operations accept them, and in which order (D22–D26).

mod id;
mod query;
mod refusal;
mod scalar;

pub use self::id::{Param, ParamId, ParamType, Rule};
pub use self::query::{ONCE, Passed, decode, unknown_name};
pub use self::refusal::Refusal;
pub use self::scalar::ParamValue;

use super::prose;

const fn param(id: ParamId, about: &'static str) -> Param {
    Param { id, about: prose(about) }
}

const LIMIT: Param = param(ParamId::Limit, "The maximum number of results in the page. Default: 20.");
const OFFSET: Param = param(ParamId::Offset, "How many results to skip. Default: 0.");
const WHERE: Param = param(
    ParamId::Where,
    "A predicate that the results must satisfy, such as `version > 1 and key is defined`. With several, results satisfy all.",
);
const VAR: Param = param(ParamId::Var, "The value of a variable that a predicate names.");
const SORT: Param = param(
    ParamId::Sort,
    "A field and a direction, such as `lastModifiedAt desc`. With several, each next one orders results that are equal so far.",
);
const EXPAND_PARAM: Param = param(
    ParamId::Expand,
    "A reference to expand. It is checked and has no effect, because a resource has no references.",
);

/// The operation parameters of operations 1 and 5 (D23).
pub const QUERY_PARAMS: &[Param] = &[
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
    WHERE,
    SORT,
    LIMIT,
    OFFSET,
    param(ParamId::WithTotal, "Whether to count all matches. Default: true."),
    EXPAND_PARAM,
    VAR,
];

/// The operation parameters of operation 2, accepted and without effect (D23).
pub const GET_BY_ID_PARAMS: &[Param] = &[
    param(ParamId::OptionalQueryParameter, "Accepted. It has no effect."),
    param(ParamId::SecondOptionalQueryParameter, "Accepted. It has no effect."),
];

/// Operations 2 and 3.
pub const EXPAND: &[Param] = &[EXPAND_PARAM];

/// Operations 1 to 4 and 12 (D2).
pub const FIELDS: &[Param] = &[param(
    ParamId::Fields,
    "The only fields that resources have in the response, besides those of the system, such as `key,createdBy`. The others are absent, also those that are required. Default: all.",
)];

/// The operation parameters of operation 4.
pub const SEARCH_PARAMS: &[Param] = &[
    param(ParamId::Fuzzy, "Whether words also match if they differ by a few letters. Default: false."),
    param(
        ParamId::FuzzyLevel,
        "The maximum edit distance of a word, at most the default for the longest word.",
    ),
    param(
        ParamId::Prefix,
        "Whether the last word also matches words that begin with it, for searches while people type. Default: false.",
    ),
    param(ParamId::Staged, "Whether to search the staged projection, which is the same as the current one."),
    param(
        ParamId::Filter,
        "Filters the results but not the facets, such as `key:\"red\",\"blue\"` or `version:range(1 to 5)`.",
    ),
    param(ParamId::FilterFacets, "Filters the facets of other fields, in the form of `filter`."),
    param(
        ParamId::FilterQuery,
        "Filters the results and the facets, in the form of `filter`, such as `key:exists`.",
    ),
    param(ParamId::Facet, "A facet to count, such as `key as keys` or `version:range(* to 10),(10 to *)`."),
    param(
        ParamId::Text,
        "Words that must all occur in the resource's key and texts, by language, such as `text.en`.",
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

pub const EXPORT: &[Param] = &[param(
    ParamId::After,
    "The position after which the page begins. `Link` has that of the next page. Default: the beginning.",
)];

/// The feed of changes (D36).
pub const CHANGES: &[Param] = &[
    param(
        ParamId::After,
        "The position after which the page begins: a `to` of an earlier page, the end of an export, or `now` for only what follows. Default: the beginning.",
    ),
    WHERE,
    param(ParamId::ChangesLimit, "The maximum number of resources and deletions in the page. Default: 500."),
    param(
        ParamId::Wait,
        "How many seconds the response waits for the first change, if there is none yet. Default: 0.",
    ),
    VAR,
];

const CONFIRM: &str = "The project key again. Without it, nothing is deleted or restored.";

pub const CLEAR: &[Param] = &[param(ParamId::Confirm, CONFIRM)];

pub const RESTORE: &[Param] = &[
    param(
        ParamId::Time,
        "The moment to restore, such as `2026-11-19T08:00:00.000Z`: one of the last 30 days. Either this or `bookmark`.",
    ),
    param(
        ParamId::Bookmark,
        "The `undo` of an earlier restore. It sets the project back to the state before that restore.",
    ),
    param(ParamId::Confirm, CONFIRM),
];
