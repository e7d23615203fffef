//! Every bound of the contract, once.

use super::prose;

/// Whether the package exports a limit. It does so if callers can exceed the limit; the service itself, or an operator
/// who moves data, may exceed the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    Exported,
    Internal,
}

/// A limit, for documents and the package.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    pub name: &'static str,
    pub kind: LimitKind,
    pub value: u64,
    /// The meaning, with its source in parentheses.
    pub about: &'static str,
}

/// Declares a constant for each limit, and the list of all.
macro_rules! limits {
    ($($(#[doc = $about:literal])* $kind:ident $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[doc = $about])* pub const $name: $type = $value;)*

        /// All limits, in the order of the rows.
        pub const ALL: &[Limit] = &[$(Limit {
            name: stringify!($name),
            kind: LimitKind::$kind,
            value: $name as u64,
            about: prose(concat!($($about),*)).trim_ascii_start(),
        },)*];
    };
}

limits! {
    /// The largest body and the largest stored record, in bytes (D10).
    Exported BODY_BYTES: usize = 1024 * 1024;
    /// The largest form of a request for tokens, in bytes: a token or the scopes of one, with the client's credentials.
    Internal FORM_BYTES: usize = 32 * 1024;
    /// The deepest nesting of a body; the outermost object is depth 1 (D10).
    Exported BODY_DEPTH: usize = 32;
    /// How many issues are listed; the rest are counted (D10).
    Exported ISSUES: usize = 100;
    /// How many characters of a value a message quotes (D10).
    Internal QUOTED_CHARS: usize = 100;
    /// The longest ID or key, in UTF-8 bytes (D3).
    Exported NAME_BYTES: usize = 256;
    /// The longest project key, in characters (D4).
    Exported PROJECT_KEY_CHARS: usize = 128;
    /// The longest name of a resource that a deployment declares, and of a property, in characters.
    Exported SHAPE_NAME_CHARS: usize = 64;
    /// The maximum number of update actions in one request.
    Exported ACTIONS: usize = 500;
    /// The maximum number of writes in a batch (D43).
    Exported BATCH_WRITES: usize = 100;
    /// The maximum number of bytes of the resources that a batch writes, before and after each write: what the largest
    /// single write reads and writes. The results of a batch fit in a row with them (D29, D43).
    Exported BATCH_RESOURCE_BYTES: usize = 2_000_000;
    /// The largest integer in a body; the smallest is its negative. A double represents all integers between them
    /// exactly (D7).
    Exported INTEGER_MAX: i64 = (1 << 53) - 1;
    /// The largest database of a project, in bytes: the platform's limit (D34).
    Internal DATABASE_BYTES: u64 = 10_000_000_000;
    /// From this share of it on, in percent, the status of a project warns (D34).
    Internal DATABASE_WARNING_PERCENT: u64 = 80;
    /// From this share of it on, in percent, a project performs only deletions. They need the rest for their
    /// tombstones, stored responses, and pending KV entries, until what they removed is free (D34).
    Internal DATABASE_FULL_PERCENT: u64 = 95;
    /// The default page size (D22).
    Exported PAGE_DEFAULT: u32 = 20;
    /// The largest page (D22).
    Exported PAGE_MAX: u32 = 500;
    /// The largest offset (D22).
    Exported OFFSET_MAX: u32 = 10_000;
    /// The maximum number of lines in a page of an export, and in an import.
    Internal EXPORT_LINES: usize = 500;
    /// The maximum number of bytes of the lines in a page of an export or in an import, of the lines of an import with
    /// the records that they remove or change, and of the records that a request to delete a project deletes. A single
    /// line or record may exceed it, up to the limit of a body. So no such request occupies the object longer than a
    /// few of the largest writes (D29).
    Internal BATCH_BYTES: usize = 256 * 1024;
    /// The maximum number of resources that a page of changes with a predicate examines.
    Internal EXAMINED_ROWS: usize = 5_000;
    /// The maximum number of bytes of these resources.
    Internal EXAMINED_BYTES: usize = 4 * 1024 * 1024;
    /// The maximum number of changed resources in a frame to listeners with a predicate, each of which is examined for
    /// each predicate (D36).
    Internal FRAME_ROWS: usize = 64;
    /// The longest message about the predicates of a listener, in bytes: the platform stores it with the socket.
    Internal LISTENER_BYTES: usize = 12 * 1024;
    /// How long a stream of events lasts, in seconds.
    Internal EVENTS_SECONDS: u32 = 60;
    /// How long a request for changes may wait for the first one, in seconds.
    Internal WAIT_SECONDS: u32 = 25;
    /// The maximum number of resources that a request to delete a project deletes.
    Internal CLEAR_ROWS: usize = 200;
    /// How long the platform keeps a project's past, in milliseconds: a restore reaches no further back.
    Internal RESTORE_MS: u64 = 30 * 24 * 60 * 60 * 1000;
    /// The largest version in an import: the versions after it stay exact.
    Internal IMPORT_VERSION_MAX: u64 = 1 << 52;
    /// How far ahead of the clock the times of an import may be, in milliseconds: clocks differ.
    Internal IMPORT_AHEAD_MS: u64 = 24 * 60 * 60 * 1000;
    /// The largest page in bytes (D21). A page is in memory several times on its way, as text of one or two bytes a
    /// character, and an instance has 128 MB.
    Exported PAGE_BYTES: usize = 4 * 1024 * 1024;
    /// The largest resource with the values of its lists of objects, which the index has a second time, in bytes: the
    /// platform accepts rows that are a little larger.
    Internal ROW_BYTES: usize = 2_100_000;
    /// The maximum number of distinct items in `objectParameter`, of all its arrays together (D28).
    Exported OBJECT_ITEMS: usize = 500;
    /// How many characters of each text are searched (contract, section 6).
    Exported SEARCH_TEXT_CHARS: usize = 256;
    /// How many occurrences of a word in a resource count for the relevance: each is a step of its computation.
    Internal SEARCH_REPEATS: usize = 8;
    /// How many words of a resource are searched: the first ones. A write spends more on each than on anything else.
    Internal SEARCH_RESOURCE_WORDS: usize = 20_000;
    /// The maximum number of different words in one search: as many as one text can have, each a character.
    Exported SEARCH_WORDS: usize = SEARCH_TEXT_CHARS;
    /// The maximum number of different words that the last word of a search with `prefix=true` matches.
    Exported SEARCH_PREFIX_WORDS: usize = 512;
    /// The longest `filter`, `filter.query`, `filter.facets` or `facet`, in UTF-8 bytes.
    Exported SEARCH_EXPRESSION_BYTES: usize = 8 * 1024;
    /// The maximum number of filters in one search, of all three kinds together.
    Exported SEARCH_FILTERS: usize = 100;
    /// The maximum number of facets in one search: each costs a pass over the results.
    Exported SEARCH_FACETS: usize = 50;
    /// The maximum number of ranges in the filters of one search, and in its facets: each is a separate condition or
    /// pass.
    Exported SEARCH_RANGES: usize = 100;
    /// The maximum number of terms that a facet lists (contract, section 6).
    Exported FACET_TERMS: usize = 200;
    /// How long an `Idempotency-Key` is stored, in milliseconds (D18).
    Exported IDEMPOTENCY_MS: u64 = 24 * 60 * 60 * 1000;
    /// How many `Idempotency-Key`s a project stores (D18).
    Exported IDEMPOTENCY_ROWS: u64 = 100_000;
    /// The largest body that is stored with its `Idempotency-Key`, in bytes. A larger one is read from its record while
    /// that is unchanged.
    Internal IDEMPOTENCY_BODY_BYTES: usize = 2 * 1024;
    /// How many bytes of larger bodies a project stores once their records have changed (D30).
    Internal IDEMPOTENCY_BYTES: usize = 128 * 1024 * 1024;
    /// The longest name of a caller that is stored with an `Idempotency-Key`, in bytes: of a longer one the hash is
    /// stored, because an external issuer may issue tokens with a subject of any length.
    Internal IDEMPOTENCY_CALLER_BYTES: usize = TOKEN_NAME_BYTES;
    /// The longest `Idempotency-Key`, in characters (D18).
    Exported IDEMPOTENCY_KEY_CHARS: usize = 255;
    /// The shortest `X-Correlation-ID` that a caller may send, in characters.
    Exported CORRELATION_ID_CHARS_MIN: usize = 8;
    /// The longest `X-Correlation-ID` that a caller may send, in characters.
    Exported CORRELATION_ID_CHARS_MAX: usize = 256;
    /// The longest request target (path and query), in bytes: every parameter at its largest fits.
    Exported TARGET_BYTES: usize = 64 * 1024;
    /// The longest bearer token, in bytes: twice what the platform allows for all headers of a response.
    Exported TOKEN_BYTES: usize = 16 * 1024;
    /// The longest name of a user, a client, an issuer, or an audience in a token, in bytes.
    Exported TOKEN_NAME_BYTES: usize = 512;
    /// The longest predicate, in UTF-8 bytes; of several in one request, their sum (contract, section 5).
    Exported PREDICATE_BYTES: usize = 8 * 1024;
    /// The deepest nesting of a predicate: parentheses, `not` and nested conditions (contract, section 5).
    Exported PREDICATE_DEPTH: usize = 64;
    /// The maximum size that the variables of a request's predicates add when each use is replaced by its values: bytes
    /// of text plus [`PREDICATE_VALUE_COST`] a value. A list that fills the request target fits once. Without this
    /// limit, a list that many conditions name would grow with the product of both.
    Exported PREDICATE_VARIABLE_BYTES: usize = 256 * 1024;
    /// The bytes that a variable's value counts in addition to its text.
    Exported PREDICATE_VALUE_COST: usize = 16;
}

/// The work that one call may cost a project's object, which does one thing at a time (D29).
///
/// A unit is about ten nanoseconds of SQLite natively. `make bench-work` measures the heaviest calls, and `cargo bench
/// --no-default-features --bench work -- --each` the cost of a test for a resource. The guide's page about performance
/// has the figures.
pub mod work {
    /// The budget of a call: a quarter of a second.
    pub const BUDGET: u64 = 25_000_000;
    /// The number of resources for which the budget is meant. A query that an index satisfies is not rejected in larger
    /// projects either.
    pub const RESOURCES: u64 = 100_000;
    /// The bytes of changed resources that a condition of the feed reads, for a unit.
    pub const BYTES_PER_UNIT: u64 = 2;
    /// Reading a row of a resource.
    pub const ROW: u64 = 20;
    /// Finding a row in another order than that of the rows.
    pub const LOOKUP: u64 = 40;
    /// A test of a column of the row.
    pub const COLUMN: u64 = 3;
    /// A test of a column with several values.
    pub const COLUMN_LIST: u64 = 4;
    /// A look-up of a value in the index.
    pub const SEEK: u64 = 50;
    /// A look-up in a set that was built from the index.
    pub const SET: u64 = 5;
    /// A row of such a set.
    pub const SET_ROW: u64 = 20;
    /// Reading the smallest or the largest value of a field, or whether it has one.
    pub const EDGE: u64 = 20;
    /// A test of all values of a field.
    pub const LIST: u64 = 120;
    /// Reading the place that circles are compared with.
    pub const PLACE: u64 = 75;
    /// A circle.
    pub const CIRCLE: u64 = 13;
    /// A KiB of the index entries of a row that a test reads.
    pub const ENTRIES: u64 = 25;
    /// A KiB of the index entries of a row whose text is computed once, for each test of that text.
    pub const AGAIN: u64 = 3;
    /// A KiB of the index entries of a row whose texts are sorted.
    pub const SORTED: u64 = 500;
    /// Opening the items of an array of objects.
    pub const ITEMS: u64 = 40;
    /// Reading an item. A test of it costs as much as a test of a column.
    pub const ITEM: u64 = 50;
    /// A key of an order.
    pub const KEY: u64 = 25;
    /// A word of the full-text index that is compared with fuzzy words.
    pub const TERM: u64 = 30;
    /// Comparing the outline of such a word with one fuzzy word.
    pub const FUZZY: u64 = 1;
    /// Comparing two words whose outlines are similar.
    pub const DISTANCE: u64 = 50;
    /// A word that is searched: each statement of the search looks it up.
    pub const WORD: u64 = 3_000;
    /// A word that is near a fuzzy word.
    pub const SIMILAR: u64 = 4_500;
    /// An occurrence of a word in a resource, when all words of the index are read.
    pub const READ_WORD: u64 = 2;
    /// An occurrence of a word in a resource that is ranked.
    pub const OCCURRENCE: u64 = 1;
    /// The words among which such an occurrence is found, for a unit.
    pub const WORDS_PER_UNIT: u64 = 16;
    /// A resource that has a word, for each of the words.
    pub const POSTING: u64 = 5;
    /// Ranking a resource, and each word of the search for it.
    pub const RANK: u64 = 80;
    /// A value that a facet of ranges counts.
    pub const FACET: u64 = 30;
    /// A value that a facet of terms counts.
    pub const GROUPED: u64 = 10;
    /// A term of such a facet.
    pub const GROUP: u64 = 60;
    /// A value whose resource is looked up among those that a search reaches.
    pub const PROBE: u64 = 10;
    /// A resource that a search reaches, and whose values a facet counts.
    pub const RESULT: u64 = 60;
}
