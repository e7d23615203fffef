//! Linearizability of each group's history, checked by stateright.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use stateright::semantics::{ConsistencyTester, LinearizabilityTester};

use crate::history::{Kind, Operation, Outcome, Record};
use crate::spec::{Answer, Call, Group, Shown, Step};

/// The number of steps before a history counts as undecided.
const STEPS: u64 = 3_000_000;

/// The number of explanations of generated IDs that are tried.
const ASSIGNMENTS: usize = 24;

#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is an order that explains every response.
    Linearizable,
    /// No order explains every response.
    Violated,
    /// The search exceeded its steps.
    Undecided,
}

/// A call with its interval. An end of `None` is open.
struct Interval {
    call: Rc<Call>,
    answer: Option<Rc<Vec<Answer>>>,
    begin: f64,
    end: Option<f64>,
}

fn shown(record: &Record) -> Shown {
    Shown {
        id: record.id.clone(),
        version: record.version,
        key: record.key.clone(),
        value: record.value.clone().unwrap_or_default(),
        data: record.data.unwrap_or_default(),
    }
}

fn answer(outcome: &Outcome) -> Option<Answer> {
    Some(match outcome {
        Outcome::Record { record, created, .. } => Answer::Record(shown(record), *created),
        Outcome::NotFound { .. } => Answer::NotFound,
        Outcome::Conflict { version, .. } => Answer::Conflict(*version),
        Outcome::Duplicate { .. } => Answer::Duplicate,
        Outcome::Page { records } => {
            let mut records: Vec<Shown> = records.iter().map(shown).collect();
            records.sort();
            Answer::Page(records)
        }
        Outcome::Undone {} => Answer::Undone,
        Outcome::Unknown {} | Outcome::Fault { .. } => return None,
    })
}

/// Narrows the intervals by the versions in responses: an operation that shows an older version of an ID was performed
/// before one that shows a newer version. Every valid order satisfies this, and with it the search seldom has a choice.
fn narrow(intervals: &mut [Interval]) {
    let mut shown: Vec<(String, u64, usize)> = Vec::new();
    for (at, interval) in intervals.iter().enumerate() {
        let answers = interval.answer.as_deref().into_iter().flatten();
        for (answer, step) in answers.zip(interval.call.iter()) {
            match answer {
                Answer::Record(record, _) => shown.push((record.id.clone(), record.version, at)),
                Answer::Performed(id, version) => shown.push((id.clone(), *version, at)),
                Answer::Page(records) => {
                    shown.extend(records.iter().map(|record| (record.id.clone(), record.version, at)));
                }
                // In a batch it may be a version that was rolled back.
                Answer::Conflict(version) if interval.call.len() == 1 => {
                    shown.extend(step.operation.id.iter().map(|id| (id.clone(), *version, at)));
                }
                _ => {}
            }
        }
    }
    let bounds: Vec<(f64, Option<f64>)> =
        intervals.iter().map(|interval| (interval.begin, interval.end)).collect();
    for (id, version, at) in &shown {
        for (_, other, place) in shown.iter().filter(|(other, ..)| other == id) {
            let (begin, end) = bounds[*place];
            let interval = &mut intervals[*at];
            if other < version {
                interval.begin = interval.begin.max(begin);
            } else if other > version
                && let (Some(before), Some(after)) = (interval.end, end)
            {
                interval.end = Some(before.min(after));
            }
        }
    }
}

/// Checks the history of a group.
pub fn verdict_of(operations: &[&Operation]) -> Verdict {
    // Most writes without a visible effect were not performed. Without them, the search is short.
    let mut verdict = search(&intervals(operations, None));
    for creators in creators(operations) {
        if verdict == Verdict::Linearizable {
            break;
        }
        verdict = match search(&intervals(operations, Some(&creators))) {
            Verdict::Violated => verdict,
            found => found,
        };
    }
    verdict
}

/// The generated IDs of resources that writes without a response created, by the number of the operation.
type Creators = BTreeMap<u64, String>;

/// Returns every explanation of the generated IDs whose first version is in no response.
fn creators(operations: &[&Operation]) -> Vec<Creators> {
    let mut first: BTreeMap<&str, (u64, f64)> = BTreeMap::new();
    let mut values: BTreeSet<&str> = BTreeSet::new();
    for operation in operations {
        for record in operation.outcome.records() {
            let (version, at) = first.entry(&record.id).or_insert((record.version, operation.returned));
            (*version, *at) = ((*version).min(record.version), at.min(operation.returned));
            values.extend(record.value.as_deref());
        }
    }
    // Callers name only IDs that begin with the group's name.
    let generated = |id: &str| operations.first().is_some_and(|operation| !id.starts_with(&operation.group));
    let mut found = vec![Creators::new()];
    for (id, (_, at)) in first.into_iter().filter(|(id, (version, _))| generated(id) && *version > 1) {
        let candidates = operations.iter().filter(|operation| {
            let unseen = operation.outcome.is_unknown() && !values.contains(operation.value.as_str());
            unseen && operation.kind == Kind::PostKey && operation.invoked < at
        });
        let candidates: Vec<u64> = candidates.map(|operation| operation.n).collect();
        let assign = |creators: &Creators| {
            let free = candidates.iter().filter(|n| !creators.contains_key(n));
            let with = |n: &u64| {
                creators.iter().map(|(n, id)| (*n, id.clone())).chain([(*n, id.to_owned())]).collect()
            };
            free.map(with).collect::<Vec<Creators>>()
        };
        found = found.iter().flat_map(assign).take(ASSIGNMENTS).collect();
    }
    found
}

/// Returns the first record with each text, and its time.
fn first_seen<'o>(operations: &[&'o Operation]) -> BTreeMap<&'o str, (&'o Record, f64)> {
    let mut seen: BTreeMap<&str, (&Record, f64)> = BTreeMap::new();
    for operation in operations {
        for record in operation.outcome.records() {
            let Some(value) = record.value.as_deref() else { continue };
            let first = seen.entry(value).or_insert((record, operation.returned));
            if operation.returned < first.1 {
                *first = (record, operation.returned);
            }
        }
    }
    seen
}

/// Returns the ID that the service generates if the operation creates a resource without one.
fn generated_id(operation: &Operation, seen: Option<&Record>, creators: Option<&Creators>) -> String {
    match (&operation.outcome, seen) {
        (Outcome::Record { record, .. }, _) | (_, Some(record)) => record.id.clone(),
        _ => match creators.and_then(|creators| creators.get(&operation.n)) {
            Some(id) => id.clone(),
            None => format!("unknown {}", operation.n),
        },
    }
}

/// Returns the intervals of the responses from the source of truth, and of writes without a response whose effect a
/// response shows. With `creators`, also of writes without a visible effect.
fn intervals(operations: &[&Operation], creators: Option<&Creators>) -> Vec<Interval> {
    // A write without a response was performed before a response shows its text.
    let seen = first_seen(operations);
    let mut intervals = Vec::new();
    for writes in operations.chunk_by(|one, next| one.batch.is_some() && one.batch == next.batch) {
        let Some(operation) = writes.first() else { continue };
        let known: Option<Vec<Answer>> = writes.iter().map(|write| answer(&write.outcome)).collect();
        let is_known = known.is_some();
        // `rules.rs` checks reads from copies.
        if is_known && !operation.is_truth() {
            continue;
        }
        let found = |write: &Operation| {
            let found = seen.get(write.value.as_str()).copied();
            found.filter(|_| !is_known && write.kind.is_write())
        };
        let at = writes.iter().filter_map(|write| found(write)).map(|(_, at)| at).reduce(f64::min);
        if !is_known && at.is_none() && !(creators.is_some() && operation.kind.is_write()) {
            continue;
        }
        let step = |write: &&Operation| Step {
            operation: Operation::clone(write),
            generated: generated_id(write, found(write).map(|(record, _)| record), creators),
        };
        let performed = |write: &&Operation| {
            found(write)
                .map_or(Answer::Done, |(record, _)| Answer::Performed(record.id.clone(), record.version))
        };
        let end = if is_known { Some(operation.returned) } else { at };
        let answer = known.or_else(|| at.map(|_| writes.iter().map(performed).collect()));
        intervals.push(Interval {
            call: Rc::new(writes.iter().map(step).collect()),
            answer: answer.map(Rc::new),
            begin: operation.invoked,
            end,
        });
    }
    narrow(&mut intervals);
    intervals
}

/// Assigns the intervals to as few threads as possible, and lets stateright search for an order.
fn search(intervals: &[Interval]) -> Verdict {
    // The interval is empty, so the operation cannot have been performed.
    if intervals.iter().any(|interval| interval.end.is_some_and(|end| end < interval.begin)) {
        return Verdict::Violated;
    }
    let budget = Rc::new(Cell::new(STEPS));
    let mut tester = LinearizabilityTester::new(Group::new(Rc::clone(&budget)));
    // Ends come before beginnings at the same instant only if they are earlier: else they are concurrent.
    let mut events: Vec<(f64, u8, usize)> = Vec::new();
    for (at, interval) in intervals.iter().enumerate() {
        events.push((interval.begin, 0, at));
        events.extend(interval.end.map(|end| (end, 1, at)));
    }
    events.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut free: BTreeSet<usize> = BTreeSet::new();
    let mut threads: Vec<usize> = vec![0; intervals.len()];
    let mut count = 0;
    for (_, ends, at) in events {
        let interval = &intervals[at];
        let step = if ends == 0 {
            let fresh = |count: &mut usize| {
                *count += 1;
                *count
            };
            // An interval without an end has a separate thread, after all others: it is tried last.
            threads[at] = match interval.end {
                None => usize::MAX / 2 + at,
                Some(_) => free.pop_first().unwrap_or_else(|| fresh(&mut count)),
            };
            tester.on_invoke(threads[at], Rc::clone(&interval.call)).map(|_| ())
        } else {
            free.insert(threads[at]);
            let Some(answer) = interval.answer.clone() else { continue };
            tester.on_return(threads[at], answer).map(|_| ())
        };
        // The tester rejects an invalid history, which would be a fault of this function.
        if let Err(why) = step {
            panic!("{why}");
        }
    }
    if tester.serialized_history().is_some() {
        return Verdict::Linearizable;
    }
    if budget.get() == 0 { Verdict::Undecided } else { Verdict::Violated }
}
