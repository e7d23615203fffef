//! The ranges of a filter, and the values that they contain together.

use crate::predicate::{Comparison, Interval};
use crate::shape::FieldPath;

use crate::project::store::index::values::IndexValue;

/// The ends of a range; an open end is `None`.
pub(crate) type Ends<'q> = (Option<IndexValue<'q>>, Option<IndexValue<'q>>);

/// Returns the ranges in ascending order, with overlapping ranges merged and empty ranges removed.
pub(crate) fn disjoint<'q>(path: &FieldPath, ranges: &'q [Interval]) -> Vec<Ends<'q>> {
    let ends = |range: &'q Interval| {
        let value = |comparison, end: &'q Option<_>| {
            end.as_ref().map(|value| IndexValue::of(path, comparison, value))
        };
        (value(Comparison::Ge, &range.from), value(Comparison::Le, &range.to))
    };
    let mut sorted: Vec<Ends<'q>> = Vec::with_capacity(ranges.len());
    for range in ranges.iter().map(ends).filter(|(from, to)| !is_above(from.as_ref(), to.as_ref())) {
        // There are few ranges; a sort would be more code. An open end is the smallest.
        sorted.insert(sorted.partition_point(|other| other.0 <= range.0), range);
    }
    let mut found: Vec<Ends<'q>> = Vec::with_capacity(ranges.len());
    for (from, to) in sorted {
        match found.last_mut() {
            Some((_, last)) if !is_above(from.as_ref(), last.as_ref()) => {
                if to.is_none() || is_above(to.as_ref(), last.as_ref()) {
                    *last = to;
                }
            }
            _ => found.push((from, to)),
        }
    }
    found
}

/// Returns whether both values exist and the first is above the second.
fn is_above(one: Option<&IndexValue<'_>>, other: Option<&IndexValue<'_>>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one > other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::{Test, Typed};
    use crate::search::parse_filter;
    use crate::shape::Shape;
    use crate::test;

    fn ends_of(field: &str, text: &str) -> Vec<(Option<i64>, Option<i64>)> {
        let filter = parse_filter(&Shape::built_in(), &format!("{field}:range{text}")).expect("a filter");
        let Typed::Test { path, test: Test::Between(ranges) } = filter else { panic!("no ranges") };
        let integer = |end: Option<IndexValue<'_>>| match end {
            Some(IndexValue::Integer(integer)) => Some(integer),
            _ => None,
        };
        disjoint(&path, &ranges).into_iter().map(|(from, to)| (integer(from), integer(to))).collect()
    }

    fn ends(text: &str) -> Vec<(Option<i64>, Option<i64>)> {
        ends_of("arrayOfIntExample", text)
    }

    #[test]
    fn ranges_that_overlap_become_one() {
        assert_eq!(ends("(3 to 5),(1 to 2)"), [(Some(1), Some(2)), (Some(3), Some(5))]);
        assert_eq!(ends("(1 to 2),(2 to 3),(2.5 to 2.6)"), [(Some(1), Some(3))]);
        assert_eq!(ends("(5 to *),(* to 1),(7 to 8),(0 to 2)"), [(None, Some(2)), (Some(5), None)]);
        assert_eq!(ends("(1 to *),(* to 1)"), [(None, None)]);
        assert_eq!(ends("(* to *),(1 to 2)"), [(None, None)]);
    }

    #[test]
    fn an_empty_range_is_left_out() {
        assert_eq!(ends("(2 to 1),(0 to -0)"), [(Some(0), Some(0))]);
        assert_eq!(ends("(2 to 1)"), []);
        assert_eq!(ends("(1.2 to 1.8)"), []);
        assert_ne!(ends_of("arrayOfFloatExample", "(1.2 to 1.8)"), []);
    }
}
