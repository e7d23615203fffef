//! The responses of operations, besides the resource and its arrays.

use super::ResponseType::{
    Array, Choice, Constant, Format, Inline, Integer, Map, Named, Number, Object, Pattern, Text,
};
use super::{ResponseContent, ResponseSchema, always, optional};
use crate::contract::prose;
use crate::contract::resource::ObjectId;

shapes! {
    /// A page of results.
    PAGE page = "Page" {
        /// The maximum number of results in the page.
        always LIMIT = "limit": Integer,
        /// How many results were skipped.
        always OFFSET = "offset": Integer,
        /// How many results are in this page.
        always COUNT = "count": Integer,
        /// How many resources match; absent if `withTotal` is false.
        optional TOTAL = "total": Integer,
        /// The resources, in the requested order.
        always RESULTS = "results": Array(&Object(ObjectId::Record)),
    }

    /// The result of `query`: a page, and the seven arrays of its first result. The arrays are empty if the page is.
    QUERY_PAGE query_page = "QueryPage": [Named(&PAGE), Object(ObjectId::StoredArrays)] {}

    /// The result of `search`: a page, and the requested facets.
    SEARCH_PAGE search_page = "SearchPage": [Named(&PAGE)] {
        /// Each facet under its alias, or its path.
        always FACETS = "facets": Map(&Named(&FACET)),
    }
}

/// A facet of a search.
pub static FACET: ResponseSchema = ResponseSchema {
    name: prose("Facet"),
    about: prose("A facet of a search."),
    content: ResponseContent::Union {
        tag: terms_facet::TYPE,
        variants: &[(TERMS, &TERMS_FACET), (RANGE, &RANGE_FACET), (FILTER, &FILTERED_FACET)],
    },
};

/// The `type` of [`TERMS_FACET`].
pub const TERMS: &str = "terms";
/// The `type` of [`RANGE_FACET`].
pub const RANGE: &str = "range";
/// The `type` of [`FILTERED_FACET`].
pub const FILTER: &str = "filter";

shapes! {
    /// A facet that counts the values of a field.
    TERMS_FACET terms_facet = "TermsFacet" {
        /// The kind of facet.
        always TYPE = "type": Constant(TERMS),
        /// The type of the values.
        always DATA_TYPE = "dataType": Choice(&["text", "number", "datetime", "boolean"]),
        /// How many resources have no value.
        always MISSING = "missing": Integer,
        /// The sum of the counts of all terms.
        always TOTAL = "total": Integer,
        /// The part of `total` that belongs to terms that are not listed.
        always OTHER = "other": Integer,
        /// The most frequent values.
        always TERMS = "terms": Array(&Inline(&TERM)),
    }

    /// A value, and how many resources have it.
    TERM term = "Term" {
        /// The value as a text.
        always TERM = "term": Text,
        /// How many resources have the value.
        always COUNT = "count": Integer,
        /// Equal to `count`; present if the facet counts products.
        optional PRODUCT_COUNT = "productCount": Integer,
    }

    /// A facet that counts the values in ranges.
    RANGE_FACET range_facet = "RangeFacet" {
        /// The kind of facet.
        always TYPE = "type": Constant(RANGE),
        /// The ranges in the order of the request.
        always RANGES = "ranges": Array(&Inline(&RANGE_COUNTS)),
    }

    /// A range with its counts.
    RANGE_COUNTS range_counts = "RangeCounts" {
        /// The lower end; 0 if the range is open.
        always FROM = "from": Number,
        /// The lower end as a text; empty if the range is open.
        always FROM_STR = "fromStr": Text,
        /// The upper end; 0 if the range is open.
        always TO = "to": Number,
        /// The upper end as a text; empty if the range is open.
        always TO_STR = "toStr": Text,
        /// How many resources have a value in the range.
        always COUNT = "count": Integer,
        /// Equal to `count`; present if the facet counts products.
        optional PRODUCT_COUNT = "productCount": Integer,
        /// The sum of the values in the range.
        always TOTAL = "total": Number,
        /// The smallest value; 0 if there is none.
        always MIN = "min": Number,
        /// The largest value; 0 if there is none.
        always MAX = "max": Number,
        /// The mean of the values; 0 if there is none.
        always MEAN = "mean": Number,
    }

    /// A facet that counts the resources that have one of its values.
    FILTERED_FACET filtered_facet = "FilteredFacet" {
        /// The kind of facet.
        always TYPE = "type": Constant(FILTER),
        /// How many resources have one of the values.
        always COUNT = "count": Integer,
        /// Equal to `count`; present if the facet counts products.
        optional PRODUCT_COUNT = "productCount": Integer,
    }

    /// The result of a write that requests a receipt: the time of acceptance, in UTC, in six formats. The change is
    /// durable by then.
    RECEIPT receipt = "Receipt" {
        /// `YYYY-MM-DD`
        always DATE_ONLY = "dateOnlyExample": Format("date"),
        /// `hh:mm:ss`
        always TIME_ONLY = "timeOnlyExample": Pattern("^[0-9]{2}:[0-9]{2}:[0-9]{2}$"),
        /// A date-time without zone designator.
        always DATE_TIME_ONLY = "dateTimeOnlyExample":
            Pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$"),
        /// `YYYY-MM-DDThh:mm:ss.mmmZ`
        always DATE_TIME = "dateTimeExample": Format("date-time"),
        /// `YYYY-MM-DDThh:mm:ss.mmmZ`
        always DATE_TIME_DEFAULT_FORMAT = "dateTimeExampleDefaultFormat": Format("date-time"),
        /// As in HTTP headers: `Tue, 29 Feb 2000 12:34:56 GMT`.
        always DATE_TIME_RFC = "dateTimeExampleRfc":
            Pattern("^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$"),
    }
}
