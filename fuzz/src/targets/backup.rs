//! Positions, ends of exports, and lines that are imported: whatever the lines are and however they are split into
//! requests, the project has what a model of the guide's rules has, and a request that fails changes nothing.

use std::collections::BTreeMap;
use std::rc::Rc;

use resource_edge::call::{Call, CallResult, Message, Reply};
use resource_edge::contract::limits;
use resource_edge::contract::position::ProjectPosition;
use resource_edge::contract::response::export_end::{ExportEnd, States};
use resource_edge::project::{Moment, Project};
use resource_edge::shape::{Content, Deleted, Record, Shape};
use resource_edge::util::time::Millis;
use serde_json::{Value, json};

use super::input::Input;
use crate::support::messages::{at, message, post, status};
use crate::support::shared::Shared;

const START: Millis = 1_704_067_200_000;
/// The time of the imports, after that of all lines.
const NOW: Millis = START + 1_000_000;
const IDS: [&str; 4] = ["a", "b", "c", "\u{1f600}\"\\"];
const KEYS: [Option<&str>; 3] = [None, Some("k"), Some("l")];
/// The length of a long text: two of them exceed what a request may remove.
const LONG: usize = 140_000;

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    match input.choice(4) {
        0 => texts(&input),
        1 => any_lines(&mut input),
        _ => imports(&mut input),
    }
}

/// Checks that only texts that the service writes are positions and ends.
fn texts(input: &Input<'_>) {
    let Some(text) = input.text() else { return };
    if let Some(position) = ProjectPosition::parse(text) {
        assert_eq!(position.to_string(), text);
        assert!(position.revision <= limits::INTEGER_MAX as Millis);
    }
    if let Some(end) = ExportEnd::parse(text) {
        let mut written = String::new();
        end.write(&mut written);
        assert_eq!(written, text);
        assert!(
            serde_json::from_str::<Value>(text).is_ok_and(|json| json["lines"] == json!(end.states.lines))
        );
    }
}

/// Checks that any lines are imported or refused as a whole.
fn any_lines(input: &mut Input<'_>) {
    let project = open(Shared::new());
    for _ in 0..3 {
        let count = 1 + input.choice(3);
        let lines: Vec<String> = (0..count).map(|_| input.text_line()).collect();
        let before = project.database().dump();
        let reply = perform(&project, Call::Import(lines.join("\n")));
        assert!([0, 400, 413].contains(&status(&reply)), "{reply:?}");
        assert!(status(&reply) == 0 || project.database().dump() == before, "{reply:?}");
    }
}

/// Returns a project that has its tables.
fn open(database: Shared) -> Project<Shared> {
    let project = Project::new(database, Rc::default());
    assert_eq!(project.make_ready(), Ok(()));
    project
}

fn perform(project: &Project<Shared>, call: Call) -> Reply<String> {
    let message: Message = message(call);
    if project.lacks_epoch(&message.call) {
        project.set_epoch(Some(""));
    }
    project.perform(&message, &at(NOW)).expect("no fault")
}

/// A line with its meaning.
#[derive(Debug, Clone)]
enum Line {
    Resource(Record),
    Deleted(Deleted),
    End(ExportEnd),
}

fn text_of_record(record: &Record) -> String {
    record.to_json(&Shape::built_in())
}

impl Line {
    fn text(&self) -> String {
        let mut out = String::new();
        match self {
            Self::Resource(record) => return text_of_record(record),
            Self::Deleted(deleted) => deleted.write(&mut out),
            Self::End(end) => end.write(&mut out),
        }
        out
    }

    fn revision(&self) -> Millis {
        match self {
            Self::Resource(record) => record.revision,
            Self::Deleted(deleted) => deleted.revision,
            Self::End(end) => end.position.revision,
        }
    }
}

/// What a project has: its resources, and the last deletion of each ID, also of one that was created again.
#[derive(Debug, Clone, Default)]
struct Model {
    resources: BTreeMap<String, Record>,
    deleted: BTreeMap<String, Deleted>,
    newest: Millis,
}

/// The result of a request.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    imported: u64,
    skipped: u64,
    is_complete: bool,
}

impl Model {
    /// Returns the lines of an export.
    fn lines(&self) -> Vec<Line> {
        let resources = self.resources.values().cloned().map(Line::Resource);
        let mut lines: Vec<Line> =
            resources.chain(self.deleted.values().cloned().map(Line::Deleted)).collect();
        lines.sort_by_key(Line::revision);
        lines
    }

    fn states(&self) -> States {
        let lines = self.lines();
        let sum: u64 = lines.iter().map(Line::revision).sum();
        States { lines: lines.len() as u64, checksum: sum & 0xffff_ffff }
    }

    /// Imports a line. Returns the bytes that it costs; `None` if it is refused.
    fn import(&mut self, line: &Line, is_last: bool, counts: &mut Counts) -> Option<usize> {
        let (id, version, added) = match line {
            Line::End(end) => return self.end(end, is_last, counts),
            Line::Resource(record) => (&record.id, record.version, 1),
            Line::Deleted(deleted) => (&deleted.id, deleted.version, 0),
        };
        let (before, deleted) = (self.resources.get(id), self.deleted.get(id));
        if line.revision() <= self.newest {
            let known = before.map(|record| record.revision).max(deleted.map(|deleted| deleted.revision));
            counts.skipped += 1;
            return known.is_some_and(|known| known >= line.revision()).then_some(0);
        }
        let last = before.map(|record| record.version).or(deleted.map(|deleted| deleted.version));
        if version < last.unwrap_or(0) + added || version > limits::IMPORT_VERSION_MAX {
            return None;
        }
        let mut bytes = line.text().len() + before.map_or(0, |record| text_of_record(record).len());
        self.resources.remove(id);
        match line {
            Line::Resource(record) => {
                let mut others = self.resources.values();
                if !(1..=record.revision).contains(&record.created_at)
                    || others.any(|other| other.created_at == record.created_at)
                {
                    return None;
                }
                let holder = |other: &&mut Record| record.key.is_some() && other.key == record.key;
                if let Some(other) = self.resources.values_mut().find(holder) {
                    bytes += text_of_record(other).len();
                    other.key = None;
                }
                self.resources.insert(id.clone(), record.clone());
            }
            Line::Deleted(deleted) => drop(self.deleted.insert(id.clone(), deleted.clone())),
            Line::End(_) => {}
        }
        self.newest = line.revision();
        counts.imported += 1;
        Some(bytes)
    }

    fn end(&self, end: &ExportEnd, is_last: bool, counts: &mut Counts) -> Option<usize> {
        if end.position.revision > self.newest {
            return None;
        }
        if is_last && end.position.revision == self.newest {
            counts.is_complete = end.states == self.states();
            return counts.is_complete.then_some(0);
        }
        Some(0)
    }
}

/// Reads lines from the input: mostly later ones with later versions.
fn lines(input: &mut Input<'_>) -> Vec<Line> {
    let (mut lines, mut now, mut model) = (Vec::new(), START, Model::default());
    // Long texts are slow, so few inputs have any.
    let is_long = input.choice(4) == 0;
    while !input.0.is_empty() && lines.len() < if is_long { 16 } else { 40 } {
        let (id, kind) = (input.pick(&IDS), input.choice(16));
        let step = input.choice(8) as Millis;
        now = if input.choice(16) == 0 { now.saturating_sub(step) } else { now + step };
        let version = 1 + lines.len() as u64 / 2 + input.choice(3) as u64;
        let line = match kind {
            0..10 => {
                let text = if is_long && input.choice(2) == 0 { "x".repeat(LONG) } else { format!("x{now}") };
                Line::Resource(Record {
                    id: id.to_owned(),
                    version,
                    key: input.pick(&KEYS).map(str::to_owned),
                    created_at: (START - 8 + input.choice(16) as Millis).min(now + 1),
                    created_by: None,
                    revision: now,
                    last_modified_by: None,
                    content: Content::default().with("custom", &json!(text).to_string()),
                })
            }
            10..14 => Line::Deleted(Deleted { id: id.to_owned(), version, revision: now }),
            _ => {
                let mut states = model.states();
                states.checksum ^= u64::from(input.choice(8) == 0);
                let revision = model.newest + Millis::from(input.choice(8) == 0);
                Line::End(ExportEnd {
                    position: ProjectPosition { history: "a1".to_owned(), revision },
                    states,
                })
            }
        };
        let mut next = model.clone();
        if next.import(&line, true, &mut Counts::default()).is_some() {
            model = next;
        }
        lines.push(line);
    }
    lines
}

/// Imports lines, in requests of some of them, and compares the project with the model.
fn imports(input: &mut Input<'_>) {
    let (size, restarts, repeats) = (1 + input.choice(8), input.choice(2) == 0, input.choice(2) == 0);
    let lines = lines(input);
    let mut project = open(Shared::new());
    let mut model = Model::default();
    let mut rest = lines.as_slice();
    while !rest.is_empty() {
        let mut count = size.min(rest.len());
        while count > 1 && text_of(&rest[..count]).len() > limits::BATCH_BYTES {
            count -= 1;
        }
        if restarts {
            project = open(project.database().clone());
        }
        let taken = request(&project, &mut model, &rest[..count]);
        // A line that is refused is left out.
        let repeated = repeats && taken.is_some_and(|taken| taken == count);
        if repeated {
            request(&project, &mut model, &rest[..count]);
        }
        rest = &rest[taken.unwrap_or(1)..];
    }
    exported(&project, &model);
    cleared(&project, &model);
}

fn text_of(lines: &[Line]) -> String {
    lines.iter().map(Line::text).collect::<Vec<_>>().join("\n")
}

/// Sends the lines to the project and to the model. Returns how many were taken; `None` if they are refused.
fn request(project: &Project<Shared>, model: &mut Model, lines: &[Line]) -> Option<usize> {
    let reply = perform(project, Call::Import(text_of(lines)));
    let (mut next, mut found, mut bytes) = (model.clone(), Counts::default(), Vec::new());
    if status(&reply) != 0 {
        let refused = lines
            .iter()
            .enumerate()
            .any(|(at, line)| next.import(line, at + 1 == lines.len(), &mut found).is_none());
        assert!(refused && status(&reply) == 400, "{reply:?} to {lines:?}");
        return None;
    }
    let done: Value = serde_json::from_str(&reply.body.expect("a result")).expect("JSON");
    let number = |name: &str| done[name].as_u64().expect("a number");
    let taken = number("taken") as usize;
    for (at, line) in lines[..taken].iter().enumerate() {
        let cost = next.import(line, at + 1 == lines.len(), &mut found);
        bytes.push(cost.unwrap_or_else(|| panic!("{line:?} is imported")));
    }
    let is_complete = done["isComplete"] == true;
    let told = Counts { imported: number("imported"), skipped: number("skipped"), is_complete };
    assert_eq!(told, found, "{lines:?}");
    assert_eq!(number("newestRevision"), next.newest);
    // It stops after the line with which its work exceeds the bound, and not before.
    let work: usize = bytes.iter().sum();
    let is_done = taken == lines.len();
    assert_eq!(done["isDone"], is_done);
    assert!(is_done || work > limits::BATCH_BYTES, "{work}");
    assert!(work - bytes.last().unwrap_or(&0) <= limits::BATCH_BYTES, "{bytes:?}");
    *model = next;
    Some(taken)
}

/// Checks the export of the project, page by page. Returns the position that it reached.
fn exported(project: &Project<Shared>, model: &Model) -> ProjectPosition {
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let reply = perform(project, Call::Export(after));
        let page = reply.body.expect("a page");
        assert!(page.len() <= limits::BATCH_BYTES || page.lines().count() == 1);
        found.extend(page.lines().map(str::to_owned));
        let CallResult::Export(next) = reply.head.result else { panic!("a page of an export") };
        after = next;
        if after.is_none() {
            break;
        }
    }
    let end = ExportEnd::parse(&found.pop().expect("an end")).expect("an end");
    assert_eq!(found, model.lines().iter().map(Line::text).collect::<Vec<_>>());
    assert_eq!((end.states, end.position.revision), (model.states(), model.newest));
    end.position
}

/// Checks that a deletion of the data ends the history, and that a write ends the import.
fn cleared(project: &Project<Shared>, model: &Model) {
    let position = exported(project, model);
    // The new history is random.
    let moment = Moment { now: NOW, entropy: [8; 10] };
    let perform_later = |call| project.perform(&message(call), &moment).expect("no fault");
    while !perform_later(Call::Clear).body.is_some_and(|body| body.contains("\"isDone\":true")) {}
    let after = perform_later(Call::Export(Some(position)));
    assert_eq!(status(&after), if model.resources.is_empty() { 0 } else { 410 }, "{after:?}");
    let write = project.perform(&post(&json!({"objectTypeProperty": {}})), &at(NOW)).expect("no fault");
    assert_eq!(status(&write), 0);
    assert_eq!(status(&perform(project, Call::Import(text_of(&model.lines())))), 400);
}
