//! The values that records and predicates share: few, so that they match, and unusual, so that details matter.

use proptest::prelude::*;
use proptest::sample::select;
use resource_edge::util::time::Millis;

/// The start of the tests' clock: 2024-01-01T00:00:00.000Z.
pub const START: Millis = 1_704_067_200_000;

/// Texts that would go wrong with case folding, escaping, patterns, or orders other than by code point.
const TEXTS: &[&str] = &[
    "", "a", "A", "b", "ab", "a b", " a", "a ", "ß", "ẞ", "ss", "SS", "ſs", "ﬁ", "fi", "FI", "İ", "ı", "i",
    "I", "ς", "σ", "Σ", "é", "É", "K", "k", "ꭰ", "Ꭰ", "𐐀", "𐐨", "😀", "'", "''", "\"", "\\", "\\u0041", "%",
    "_", "a%", "a_", "*", "?1", "$", "[1]", "{}", "null", "true", "1", "1.0", "-0", "\n", "\u{1}", "\u{1f}",
    "\u{7f}",
];
const LONGER: &[&str] = &[
    "i\u{307}",
    "e\u{301}",
    "\u{212a}",
    "\u{ffff}",
    "\u{fffd}",
    "\u{10ffff}",
    "\u{2028}",
    "2024-01-01T00:00:00.000Z",
];

/// Whole numbers: the limits of integers and of 32 bits (D7).
const WHOLES: &[i64] = &[
    i32::MAX as i64,
    i32::MIN as i64,
    8_999_999_999_999_999,
    9_000_000_000_000_000,
    (1 << 53) - 1,
    (1 << 53) - 2,
    1 - (1 << 53),
];

/// Numbers that a decimal detour, a 32-bit float, or a flush to zero would change.
const REALS: &[f64] = &[
    -0.0,
    0.1,
    0.2,
    0.3,
    0.1 + 0.2,
    0.5,
    -0.5,
    1.5,
    1.0 / 3.0,
    5e-324,
    -5e-324,
    1e-323,
    1e-300,
    1e300,
    f64::MAX,
    f64::MIN,
    1e16,
    1e21,
    1e22,
];
const LONGER_REALS: &[f64] = &[
    1.0 + f64::EPSILON,
    1.0 - f64::EPSILON / 2.0,
    2.225_073_858_507_201e-308,
    f64::MIN_POSITIVE,
    9_007_199_254_740_992.0,
    9_007_199_254_740_994.0,
    8_999_999_999_999_999.0,
    4_503_599_627_370_495.5,
    123_456_789.123_456_79,
];

/// Generates a text, now and then one that is longer than a key of the index.
pub fn text() -> BoxedStrategy<String> {
    let long = (510usize..516, select(vec!["", "b", "é"])).prop_map(|(length, end)| "a".repeat(length) + end);
    prop_oneof![40 => select([TEXTS, LONGER].concat()).prop_map(str::to_owned), 1 => long].boxed()
}

/// Generates a whole number, most often a small one.
pub fn whole() -> BoxedStrategy<i64> {
    prop_oneof![2 => -2i64..5, 1 => select(WHOLES)].boxed()
}

pub fn real() -> BoxedStrategy<f64> {
    prop_oneof![2 => whole().prop_map(|whole| whole as f64), 3 => select([REALS, LONGER_REALS].concat())]
        .boxed()
}

/// Generates a number of a place, in degrees and sometimes a little beyond.
pub fn degrees() -> BoxedStrategy<i64> {
    prop_oneof![4 => -3i64..4, 1 => select(vec![-400i64, -180, -90, 90, 179, 180, 181, 360])].boxed()
}

/// Generates an ID that D3 allows; few, so that writes collide.
pub fn id() -> BoxedStrategy<String> {
    select(vec![
        "a", "A", "b", "ß", "SS", "é", "'", "\"", "\\", "%", "_", "a%", "😀", "\u{ffff}", "1", "01", "-",
        "key",
    ])
    .prop_map(str::to_owned)
    .boxed()
}

/// Generates a key that D3 allows; very few, so that they collide and move.
pub fn key() -> BoxedStrategy<String> {
    select(vec![
        "k", "K", "\u{212a}", "k'", "K’", "Ｋ", "k\u{ad}", "ß", "ss", "é", "E\u{301}", "I", "ı", "1", "%",
    ])
    .prop_map(str::to_owned)
    .boxed()
}

/// Generates an instant near those of the records, or long before.
pub fn any_instant() -> BoxedStrategy<i64> {
    let old = select(vec![-1, -2_208_988_800_001, -62_135_596_800_000]);
    prop_oneof![9 => instant().prop_map(|instant| instant as i64), 1 => old].boxed()
}

/// Generates an instant near those of the records.
pub fn instant() -> BoxedStrategy<Millis> {
    prop_oneof![4 => (0..60u64).prop_map(|later| START + later), 1 => select(vec![0, 1, START - 1, START + 86_400_000])]
        .boxed()
}
