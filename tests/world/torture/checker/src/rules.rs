//! Rules about a project's history that need no search.

use std::collections::{BTreeMap, BTreeSet};

use crate::history::{Kind, Operation, Outcome, Record};

/// The milliseconds by which another response of the session must have ended earlier for its revision to count: two
/// responses that end together may be recorded in either order.
const SESSION_MS: f64 = 20.0;

/// Returns the violations of a project's history. Its operations are in the order of their starts.
pub fn violations(operations: &[Operation]) -> Vec<String> {
    let mut found = Vec::new();
    for operation in operations {
        responses(operation, &mut found);
    }
    contents(operations, &mut found);
    let newest = Newest::of(operations);
    order(operations, &newest, &mut found);
    versions(operations, &mut found);
    keys(operations, &mut found);
    sessions(operations, &newest, &mut found);
    found
}

fn named(operation: &Operation) -> String {
    format!("operation {} ({:?} in {})", operation.n, operation.kind, operation.group)
}

/// Checks each response without the others.
fn responses(operation: &Operation, found: &mut Vec<String>) {
    let name = named(operation);
    if let Outcome::Fault { status, text } = &operation.outcome {
        found.push(format!("{name}: response {status}: {text}"));
    }
    if let Some(why) = operation.outcome.replay() {
        found.push(format!("{name}: the repeat got {why}"));
    }
    let mut keys = BTreeSet::new();
    for record in operation.outcome.records() {
        if record.key.as_ref().is_some_and(|key| !keys.insert(key)) {
            found.push(format!("{name}: two resources of a page have the key {:?}", record.key));
        }
        if operation.kind.is_write()
            && operation.kind != Kind::Delete
            && record.value.as_ref() != Some(&operation.value)
        {
            found.push(format!("{name}: the response shows {:?}, which it did not write", record.value));
        }
        if operation.id.as_ref().is_some_and(|id| *id != record.id)
            || (operation.key.is_some() && operation.key != record.key)
        {
            found.push(format!("{name}: it got {} with the key {:?}", record.id, record.key));
        }
        if operation.kind != Kind::Query && operation.floor.is_some_and(|floor| record.revision < floor) {
            found.push(format!("{name}: revision {} is below the minimum revision", record.revision));
        }
    }
}

/// Checks that each version has one content, and that each write created one version, after it began.
fn contents(operations: &[Operation], found: &mut Vec<String>) {
    let begun: BTreeMap<&str, &Operation> = operations
        .iter()
        .filter(|operation| operation.kind.is_write())
        .map(|operation| (operation.value.as_str(), operation))
        .collect();
    let mut by_version: BTreeMap<(&str, u64), &Record> = BTreeMap::new();
    let mut by_value: BTreeMap<&str, (&str, u64)> = BTreeMap::new();
    for operation in operations {
        let name = named(operation);
        for record in operation.outcome.records() {
            let at = (record.id.as_str(), record.version);
            let known = by_version.entry(at).or_insert(record);
            if *known != record {
                found.push(format!("{name}: version {} of {} is {known:?} and {record:?}", at.1, at.0));
            }
            let value = record.value.as_deref().unwrap_or_default();
            match begun.get(value) {
                None => found.push(format!("{name}: nobody wrote {value:?}")),
                Some(write) if write.invoked > operation.returned => {
                    found.push(format!("{name}: it shows {value:?} before that was written"));
                }
                Some(_) => {}
            }
            let applied = by_value.entry(value).or_insert(at);
            if *applied != at {
                found.push(format!("{name}: {value:?} was written twice, as {applied:?} and {at:?}"));
            }
        }
    }
}

/// The highest revision of all responses before an instant.
struct Newest(Vec<(f64, u64)>);

impl Newest {
    fn of(operations: &[Operation]) -> Self {
        let mut acknowledged: Vec<(f64, u64)> = operations
            .iter()
            .filter_map(|operation| match &operation.outcome {
                Outcome::Record { revision, .. } => Some((operation.returned, *revision)),
                _ => None,
            })
            .collect();
        acknowledged.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut newest = 0;
        for (_, revision) in &mut acknowledged {
            newest = newest.max(*revision);
            *revision = newest;
        }
        Self(acknowledged)
    }

    fn before(&self, at: f64) -> u64 {
        let end = self.0.partition_point(|(returned, _)| *returned < at);
        end.checked_sub(1).map_or(0, |last| self.0[last].1)
    }
}

/// Revisions rise: no two writes have the same revision, and a write that began after the response of another has a
/// later revision.
fn order(operations: &[Operation], newest: &Newest, found: &mut Vec<String>) {
    let mut writes: BTreeMap<u64, &Operation> = BTreeMap::new();
    for operation in operations {
        let (revision, write) = match &operation.outcome {
            Outcome::Record { revision, .. } => (*revision, operation.kind.is_write()),
            Outcome::NotFound { revision, .. } if *revision > 0 => (*revision, false),
            _ => continue,
        };
        let name = named(operation);
        if write && let Some(other) = writes.insert(revision, operation) {
            found.push(format!("{name}: revision {revision} is also that of {}", named(other)));
        }
        let before = newest.before(operation.invoked);
        let not_found = matches!(operation.outcome, Outcome::NotFound { .. });
        if (write && revision <= before) || (not_found && revision < before) {
            found.push(format!(
                "{name}: revision {revision} is not after {before}, which was acknowledged before"
            ));
        }
    }
}

/// Versions are contiguous, rise with revisions, and are not lost once they were acknowledged.
fn versions(operations: &[Operation], found: &mut Vec<String>) {
    let mut seen: BTreeMap<&str, BTreeMap<u64, (u64, &str)>> = BTreeMap::new();
    let mut unseen: BTreeMap<&str, u64> = BTreeMap::new();
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    for operation in operations {
        for record in operation.outcome.records() {
            let at = (record.revision, operation.group.as_str());
            seen.entry(&record.id).or_default().insert(record.version, at);
            shown.extend(record.value.as_deref());
        }
    }
    for operation in operations {
        if operation.kind.is_write()
            && operation.outcome.is_unknown()
            && !shown.contains(operation.value.as_str())
        {
            *unseen.entry(&operation.group).or_default() += 1;
        }
    }
    for (id, versions) in &seen {
        let (Some((last, (_, group))), count) = (versions.last_key_value(), versions.len() as u64) else {
            continue;
        };
        if last - count > unseen.get(group).copied().unwrap_or(0) {
            found.push(format!(
                "{id}: {count} versions up to {last}, and no writes that explain the missing ones"
            ));
        }
        let revisions: Vec<u64> = versions.values().map(|(revision, _)| *revision).collect();
        if !revisions.is_sorted_by(|a, b| a < b) {
            found.push(format!("{id}: revisions do not rise with versions: {versions:?}"));
        }
    }
    lost(operations, found);
}

/// Checks that no response from the source of truth is older than a write that was acknowledged before it began.
fn lost(operations: &[Operation], found: &mut Vec<String>) {
    let mut ended: Vec<&Operation> = operations.iter().collect();
    ended.sort_by(|a, b| a.returned.total_cmp(&b.returned));
    let mut ended = ended.into_iter().peekable();
    let mut floor: BTreeMap<&str, u64> = BTreeMap::new();
    let deletes = first_deletes(operations);
    let mut groups: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for operation in operations {
        while let Some(before) = ended.next_if(|before| before.returned < operation.invoked) {
            for record in before.outcome.records() {
                let version = floor.entry(&record.id).or_default();
                *version = (*version).max(record.version);
                groups.entry(&before.group).or_default().insert(&record.id);
            }
        }
        if !operation.is_truth() {
            continue;
        }
        let name = named(operation);
        for record in operation.outcome.records() {
            let floor = floor.get(record.id.as_str()).copied().unwrap_or(0);
            if record.version < floor {
                found.push(format!(
                    "{name}: version {} of {} was acknowledged, now it is {}",
                    floor, record.id, record.version
                ));
            }
        }
        if let Outcome::Page { records } = &operation.outcome {
            let present: BTreeSet<&str> = records.iter().map(|record| record.id.as_str()).collect();
            for id in groups.get(operation.group.as_str()).into_iter().flatten() {
                // Any delete that had begun may have been performed first: the search checks that.
                let removed = deletes.get(id).is_some_and(|begun| *begun < operation.returned);
                if !present.contains(id) && !removed {
                    found.push(format!("{name}: {id} was acknowledged, and is not there"));
                }
            }
        }
    }
}

/// Returns when the first delete of each ID began.
fn first_deletes(operations: &[Operation]) -> BTreeMap<&str, f64> {
    let deletes = operations.iter().rev().filter(|operation| operation.kind == Kind::Delete);
    deletes.filter_map(|operation| Some((operation.id.as_deref()?, operation.invoked))).collect()
}

/// Checks that no other resource gets a key while one has it.
fn keys(operations: &[Operation], found: &mut Vec<String>) {
    // By ID: the versions in order, with key and revision, and the version that a creation created.
    let mut timelines: BTreeMap<&str, BTreeMap<u64, &Record>> = BTreeMap::new();
    let mut kept: BTreeSet<(&str, u64)> = BTreeSet::new();
    for operation in operations {
        for record in operation.outcome.records() {
            timelines.entry(&record.id).or_default().insert(record.version, record);
        }
        if let Outcome::Record { record, created: Some(false), .. } = &operation.outcome {
            kept.insert((&record.id, record.version));
        }
    }
    let mut held: BTreeMap<&str, Vec<(u64, u64, &str)>> = BTreeMap::new();
    let mut gained: BTreeMap<&str, Vec<(u64, &str)>> = BTreeMap::new();
    for (id, timeline) in &timelines {
        for (version, record) in timeline {
            let Some(key) = record.key.as_deref() else { continue };
            gained.entry(key).or_default().push((record.revision, id));
            if let Some(next) = timeline.get(&(version + 1)).filter(|_| kept.contains(&(id, version + 1))) {
                held.entry(key).or_default().push((record.revision, next.revision, id));
            }
        }
    }
    for (key, intervals) in held {
        for (begin, end, holder) in intervals {
            for (revision, other) in gained.get(key).into_iter().flatten() {
                if *other != holder && begin < *revision && *revision < end {
                    found.push(format!("{other} got the key {key} at {revision}, while {holder} had it"));
                }
            }
        }
    }
}

/// Checks that a session never goes back: not by ID, not by key, and not behind a 404.
fn sessions(operations: &[Operation], newest: &Newest, found: &mut Vec<String>) {
    let mut callers: BTreeMap<u64, Vec<&Operation>> = BTreeMap::new();
    for operation in operations.iter().filter(|operation| operation.session) {
        callers.entry(operation.caller).or_default().push(operation);
    }
    for operations in callers.into_values() {
        session(operations, newest, found);
    }
}

fn session(mut operations: Vec<&Operation>, newest: &Newest, found: &mut Vec<String>) {
    operations.sort_by(|a, b| a.returned.total_cmp(&b.returned));
    for (at, operation) in operations.iter().enumerate() {
        let single = matches!(operation.kind, Kind::ReadId | Kind::ReadKey);
        let Some(record) = operation.outcome.records().first().filter(|_| single) else { continue };
        // Recent operations are enough, because groups are short-lived.
        for before in operations[..at].iter().rev().take(400) {
            if before.group != operation.group || before.returned > operation.returned - SESSION_MS {
                continue;
            }
            let floor = floor(before, operation, record, newest);
            if record.revision < floor {
                found.push(format!(
                    "{}: caller {} saw {floor} in {} before, now {} of {}",
                    named(operation),
                    operation.caller,
                    named(before),
                    record.revision,
                    record.id
                ));
                break;
            }
        }
    }
}

/// Returns the lowest revision that a read may show after the earlier operation of its session.
fn floor(before: &Operation, operation: &Operation, record: &Record, newest: &Newest) -> u64 {
    let shown = before.outcome.records().iter().filter(|other| {
        let same_key = operation.kind == Kind::ReadKey && other.key == operation.key;
        // A delete shows the last record, which a later read must not.
        other.id == record.id || same_key
    });
    let shown = shown.map(|other| other.revision).max().unwrap_or(0);
    match &before.outcome {
        // The 404 was correct at some instant after it began: the record is of a later write.
        Outcome::NotFound { .. } => {
            let id =
                operation.kind == Kind::ReadId && before.kind == Kind::ReadId && before.id == operation.id;
            let key = operation.kind == Kind::ReadKey
                && before.kind == Kind::ReadKey
                && before.key == operation.key;
            if id || key { newest.before(before.invoked) } else { shown }
        }
        Outcome::Record { record: last, revision, .. }
            if before.kind == Kind::Delete && last.id == record.id =>
        {
            *revision
        }
        _ => shown,
    }
}
