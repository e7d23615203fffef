//! Whether a record satisfies a condition: decided on its text, without an index. SQL decides queries
//! (`src/project/query`); the tests compare the two.

use std::borrow::Cow;
use std::cell::Cell;

use crate::predicate::{Comparison, Interval, Test, Typed, Value};
use crate::search::fold;
use crate::shape::built_in::WRAPPER;
use crate::shape::{FieldPath, Shape, ValueForm};
use crate::util::json::canonical;

/// The mean radius of the earth in meters (contract, section 5).
pub(crate) const EARTH_METRES: f64 = 6_371_008.8;

/// A step of a test takes as long as reading so many bytes.
const STEP: usize = 32;

/// A condition that records are tested with, one after the other.
#[derive(Debug)]
pub struct Evaluator<'s> {
    shape: &'s Shape,
    condition: Typed,
    /// How many bytes the tests may still read.
    left: Cell<u64>,
}

/// What the tests are about.
#[derive(Debug, Clone, Copy)]
enum About<'a, 'r> {
    /// A record, by its members. Those of the wrapper are among them.
    Record(&'a [(&'r str, &'r str)]),
    /// An item of an array of objects, to which so many names of a path lead.
    Item(&'r str, usize),
}

/// A value of a record.
type Found<'r> = Value<Cow<'r, str>>;

impl<'s> Evaluator<'s> {
    /// Prepares a condition. `bytes`: how many the tests may read, of all records together.
    pub fn new(shape: &'s Shape, mut condition: Typed, bytes: u64) -> Self {
        prepare(&mut condition);
        Self { shape, condition, left: Cell::new(bytes) }
    }

    /// Returns whether the record satisfies the condition; `None` if the tests would read more than they may.
    pub fn holds(&self, record: &str) -> Option<bool> {
        self.spend(record.len());
        let mut members: Vec<_> = canonical::members(record).collect();
        if !self.shape.is_declared() {
            let wrapper = members.iter().find(|(name, _)| *name == WRAPPER).map(|(_, value)| *value);
            members.extend(wrapper.into_iter().flat_map(canonical::members));
        }
        let holds = self.is_true(&self.condition, About::Record(&members));
        (self.left.get() > 0).then_some(holds)
    }

    /// Counts bytes that a test reads.
    fn spend(&self, bytes: usize) {
        self.left.set(self.left.get().saturating_sub(bytes as u64));
    }

    fn is_true(&self, condition: &Typed, about: About<'_, '_>) -> bool {
        if self.left.get() == 0 {
            return false;
        }
        match condition {
            Typed::True => true,
            Typed::False => false,
            Typed::And(parts) => parts.iter().all(|part| self.is_true(part, about)),
            Typed::Or(parts) => parts.iter().any(|part| self.is_true(part, about)),
            Typed::Not(inner) => !self.is_true(inner, about),
            Typed::Element { path, condition } => {
                let inside = path.name().split('.').count();
                self.any_item(path, about, &mut |item| {
                    item.starts_with('{') && self.is_true(condition, About::Item(item, inside))
                })
            }
            Typed::Test { path, test } => self.passes(path, test, about),
        }
    }

    fn passes(&self, path: &FieldPath, test: &Test, about: About<'_, '_>) -> bool {
        let any = |is_wanted: &dyn Fn(&Found<'_>) -> bool| {
            self.any_item(path, about, &mut |item| {
                Found::read(path.form, item).is_some_and(|found| is_wanted(&found))
            })
        };
        match test {
            Test::Compare(Comparison::Ne, wanted) => !any(&|found| found.satisfies(Comparison::Eq, wanted)),
            Test::Compare(comparison, wanted) => any(&|found| found.satisfies(*comparison, wanted)),
            Test::In(wanted) | Test::ContainsAny(wanted) => any(&|found| found.is_among(wanted)),
            Test::NotIn(wanted) => !any(&|found| found.is_among(wanted)),
            Test::ContainsAll(wanted) => self.contains_all(path, wanted, about),
            Test::Between(intervals) => any(&|found| intervals.iter().any(|one| found.is_within(one))),
            Test::IsEmpty => !self.has_value(path, about),
            Test::IsNotEmpty => self.has_value(path, about),
            Test::IsDefined => self.is_defined(path, about),
            Test::IsNotDefined => !self.is_defined(path, about),
            Test::MatchesIgnoreCase(wanted) => {
                let wanted = fold(wanted);
                any(&|found| matches!(found, Found::Text(own) if fold(own) == wanted))
            }
            Test::WithinCircle { longitude, latitude, metres } => self.any_value(path, about, &mut |value| {
                place(value)
                    .is_some_and(|place| haversine(place, [*longitude, *latitude]) <= of_distance(*metres))
            }),
            Test::ContainsItems(wanted) => {
                wanted.iter().all(|wanted| self.any_item(path, about, &mut |item| item == wanted))
            }
        }
    }

    fn contains_all(&self, path: &FieldPath, wanted: &[Value], about: About<'_, '_>) -> bool {
        let mut is_missing = vec![true; wanted.len()];
        self.any_item(path, about, &mut |item| {
            let place = Found::read(path.form, item).and_then(|found| found.place_in(wanted));
            if let Some(missing) = place.and_then(|place| is_missing.get_mut(place)) {
                *missing = false;
            }
            false
        });
        !is_missing.contains(&true)
    }

    fn has_value(&self, path: &FieldPath, about: About<'_, '_>) -> bool {
        self.any_item(path, about, &mut |item| match path.form {
            ValueForm::Object => item.starts_with('{'),
            form => Found::read(form, item).is_some(),
        })
    }

    /// Returns whether there is a value, or an array, which may be empty.
    fn is_defined(&self, path: &FieldPath, about: About<'_, '_>) -> bool {
        self.any_value(path, about, &mut |value| value.starts_with('[')) || self.has_value(path, about)
    }

    /// Returns whether a value at the path satisfies a test; of an array, whether an item does.
    fn any_item<'r>(
        &self,
        path: &FieldPath,
        about: About<'_, 'r>,
        test: &mut dyn FnMut(&'r str) -> bool,
    ) -> bool {
        self.any_value(path, about, &mut |value| {
            if value.starts_with('[') { canonical::items(value).any(&mut *test) } else { test(value) }
        })
    }

    /// Returns whether a value at the path satisfies a test. An array on the way leads to all its items.
    fn any_value<'r>(
        &self,
        path: &FieldPath,
        about: About<'_, 'r>,
        test: &mut dyn FnMut(&'r str) -> bool,
    ) -> bool {
        let mut names = path.name().split('.');
        match about {
            About::Item(item, depth) => {
                names.by_ref().take(depth).for_each(drop);
                self.follow(names, item, test)
            }
            About::Record(members) => {
                let outer = names.next();
                let value = members.iter().find(|(name, _)| Some(*name) == outer).map(|(_, value)| *value);
                value.is_some_and(|value| self.follow(names, value, test))
            }
        }
    }

    fn follow<'r>(
        &self,
        mut names: core::str::Split<'_, char>,
        value: &'r str,
        test: &mut dyn FnMut(&'r str) -> bool,
    ) -> bool {
        // Strings are read several bytes at a time.
        let is_string = value.starts_with('"');
        self.spend(STEP + if is_string { value.len() / 8 } else { value.len() });
        let Some(name) = names.next() else { return test(value) };
        let mut inside = |object| {
            let value = canonical::member(object, name);
            value.is_some_and(|value| self.follow(names.clone(), value, test))
        };
        if value.starts_with('[') { canonical::items(value).any(inside) } else { inside(value) }
    }
}

/// Sorts the lists of the tests, in which each value of a record is looked up, and puts light parts before heavy ones,
/// which they often decide.
fn prepare(condition: &mut Typed) {
    match condition {
        Typed::True | Typed::False => {}
        Typed::And(parts) | Typed::Or(parts) => {
            parts.iter_mut().for_each(prepare);
            parts.sort_by_cached_key(weight);
        }
        Typed::Not(inner) | Typed::Element { condition: inner, .. } => prepare(inner),
        Typed::Test { test, .. } => {
            if let Test::In(list) | Test::NotIn(list) | Test::ContainsAll(list) | Test::ContainsAny(list) =
                test
            {
                list.sort_by(Value::compare);
                list.dedup_by(|one, other| one.compare(other).is_eq());
            }
        }
    }
}

/// Returns how many tests a condition has. Those of an item are performed for each item.
fn weight(condition: &Typed) -> usize {
    const ITEMS: usize = 10;
    match condition {
        Typed::True | Typed::False => 0,
        Typed::And(parts) | Typed::Or(parts) => parts.iter().map(weight).sum(),
        Typed::Not(inner) => weight(inner),
        Typed::Element { condition, .. } => ITEMS.saturating_mul(weight(condition)),
        Typed::Test { .. } => 1,
    }
}

impl Found<'_> {
    fn satisfies(&self, comparison: Comparison, wanted: &Value) -> bool {
        comparison.is_true_of(self.compare(wanted))
    }

    /// Returns its place in a sorted list.
    fn place_in(&self, sorted: &[Value]) -> Option<usize> {
        sorted.binary_search_by(|one| one.compare(self)).ok()
    }

    fn is_among(&self, sorted: &[Value]) -> bool {
        self.place_in(sorted).is_some()
    }

    fn is_within(&self, interval: &Interval) -> bool {
        let is = |bound: &Option<Value>, comparison| {
            bound.as_ref().is_none_or(|bound| self.satisfies(comparison, bound))
        };
        is(&interval.from, Comparison::Ge) && is(&interval.to, Comparison::Le)
    }
}

/// Returns the longitude and the latitude, in degrees, that an array of two numbers is.
fn place(array: &str) -> Option<[f64; 2]> {
    let mut numbers = canonical::items(array).map(canonical::number);
    Some([numbers.next()??, numbers.next()??])
}

/// Returns the haversine of the angle between two places, which grows with their distance.
fn haversine([x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) -> f64 {
    let half = |angle: f64| sine(angle.to_radians() / 2.0).powi(2);
    half(y1 - y2) + cosine(y1.to_radians()) * cosine(y2.to_radians()) * half(x1 - x2)
}

/// Returns the haversine of the angle of a distance on the earth, in meters.
fn of_distance(metres: f64) -> f64 {
    let half = metres / EARTH_METRES / 2.0;
    if half < 0.0 {
        -1.0
    } else if half < core::f64::consts::FRAC_PI_2 {
        sine(half).powi(2)
    } else {
        // More than half the earth's circumference: above every haversine.
        2.0
    }
}

// The host's functions: those of the standard library would add several kilobytes.
#[cfg(target_arch = "wasm32")]
use js_sys::Math::{cos as cosine, sin as sine};

#[cfg(not(target_arch = "wasm32"))]
fn sine(angle: f64) -> f64 {
    angle.sin()
}

#[cfg(not(target_arch = "wasm32"))]
fn cosine(angle: f64) -> f64 {
    angle.cos()
}
