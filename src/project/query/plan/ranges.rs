//! The ranges of a filter, and the values that they contain together.

use core::cmp::Ordering;

use crate::predicate::Interval;

use crate::project::store::terms::{self, IndexValue};

/// The ends of a range; an open end is `None`.
pub(crate) type Ends<'q> = (Option<IndexValue<'q>>, Option<IndexValue<'q>>);

/// Returns the ranges in ascending order, with overlapping ranges merged and empty ranges removed.
pub(crate) fn disjoint<'q>(ranges: &'q [Interval]) -> Vec<Ends<'q>> {
    let ends = |range: &'q Interval| {
        let value = |end: &'q Option<_>| end.as_ref().map(terms::value);
        (value(&range.from), value(&range.to))
    };
    let mut sorted: Vec<Ends<'q>> = Vec::with_capacity(ranges.len());
    for (from, to) in ranges.iter().map(ends).filter(|(from, to)| !is_above(*from, *to)) {
        // There are few ranges; a sort would be more code.
        let at =
            sorted.partition_point(|(other, _)| other.is_none() || from.is_some() && !is_above(*other, from));
        sorted.insert(at, (from, to));
    }
    let mut found: Vec<Ends<'q>> = Vec::with_capacity(ranges.len());
    for (from, to) in sorted {
        match found.last_mut() {
            Some((_, last)) if !is_above(from, *last) => {
                if to.is_none() || is_above(to, *last) {
                    *last = to;
                }
            }
            _ => found.push((from, to)),
        }
    }
    found
}

/// Returns whether both values exist and the first is above the second.
fn is_above(one: Option<IndexValue<'_>>, other: Option<IndexValue<'_>>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if order(one, other) == Ordering::Greater)
}

/// Compares two values of one field.
fn order(one: IndexValue<'_>, other: IndexValue<'_>) -> Ordering {
    match (one, other) {
        (IndexValue::Text(one), IndexValue::Text(other)) => one.cmp(other),
        (IndexValue::Number(one), IndexValue::Number(other)) => {
            one.partial_cmp(&other).unwrap_or(Ordering::Equal)
        }
        _ => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::{Test, Typed};
    use crate::search::parse_filter;
    use crate::test;

    fn ends(text: &str) -> Vec<(Option<f64>, Option<f64>)> {
        let filter = parse_filter(&format!("arrayOfFloatExample:range{text}")).expect("a filter");
        let Typed::Test { test: Test::Between(ranges), .. } = filter else { panic!("no ranges") };
        let number = |end: Option<IndexValue<'_>>| match end {
            Some(IndexValue::Number(number)) => Some(number),
            _ => None,
        };
        disjoint(&ranges).into_iter().map(|(from, to)| (number(from), number(to))).collect()
    }

    #[test]
    fn ranges_that_overlap_become_one() {
        assert_eq!(ends("(3 to 5),(1 to 2)"), [(Some(1.0), Some(2.0)), (Some(3.0), Some(5.0))]);
        assert_eq!(ends("(1 to 2),(2 to 3),(2.5 to 2.6)"), [(Some(1.0), Some(3.0))]);
        assert_eq!(ends("(5 to *),(* to 1),(7 to 8),(0 to 2)"), [(None, Some(2.0)), (Some(5.0), None)]);
        assert_eq!(ends("(1 to *),(* to 1)"), [(None, None)]);
        assert_eq!(ends("(* to *),(1 to 2)"), [(None, None)]);
    }

    #[test]
    fn an_empty_range_is_left_out() {
        assert_eq!(ends("(2 to 1),(0 to -0)"), [(Some(0.0), Some(-0.0))]);
        assert_eq!(ends("(2 to 1)"), []);
    }
}
