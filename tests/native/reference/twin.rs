//! A collection on SQLite with its reference: every write and query runs on both, and the results are compared.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use resource_edge::call::{
    After, Call, CallResult, Change, Changes, Listener, Lookup, Message, More, Query, Read, Reply, Write,
    WriteOptions,
};
use resource_edge::contract::position::{FeedPosition, ProjectPosition};
use resource_edge::predicate::Typed;
use resource_edge::project::{Moment, Project};
use resource_edge::shape::{Record, Shape};
use resource_edge::util::time::Millis;
use serde_json::Value as Json;

use super::collection::Collection;
use super::evaluate::{holds, lies_on_an_edge};
use super::page::{Stored, matches, page};
use super::random::asking::Asking;
use super::random::values::START;
use crate::support::schemas::Design;
use crate::support::shared::Shared;

pub struct Twin {
    pub project: Project<Shared>,
    pub collection: Collection,
    pub design: Design,
    pub shape: Rc<Shape>,
    now: Cell<Millis>,
    /// The text of each record, by its ID, and the same as JSON.
    texts: BTreeMap<String, (String, Json)>,
}

/// Counts of what was compared, so that a run can prove that it tested something: `predicates`; `pairs` of a predicate
/// and a record, and how many `held`; `edges`, where a record was on the edge of a circle, so that the predicate was
/// skipped; `writes`, and how many were rejected, by status.
#[derive(Debug, Default)]
pub struct Tally(RefCell<BTreeMap<String, usize>>);

impl Tally {
    fn add(&self, what: &str, count: usize) {
        *self.0.borrow_mut().entry(what.to_owned()).or_default() += count;
    }

    pub fn get(&self, what: &str) -> usize {
        self.0.borrow().get(what).copied().unwrap_or_default()
    }
}

impl Twin {
    /// Creates a collection of the shape of the interface.
    pub fn new() -> Self {
        Self::of(&Design::default())
    }

    pub fn of(design: &Design) -> Self {
        Self {
            project: start(Shared::new(), &design.shape),
            collection: Collection::default(),
            design: design.clone(),
            shape: Rc::clone(&design.shape),
            now: Cell::new(START),
            texts: BTreeMap::new(),
        }
    }

    /// Ends the project's instance. The next call starts another on its data, with this shape.
    pub fn restart(&mut self, design: &Design) {
        self.project = start(self.project.database().clone(), &design.shape);
        self.design = design.clone();
        self.shape = Rc::clone(&design.shape);
    }

    /// Returns the text of a record.
    fn text(&self, record: &Record) -> &str {
        self.texts.get(&record.id).map_or("", |(text, _)| text)
    }

    /// Returns the resources in the order of their creation.
    pub fn stored(&self) -> Vec<Stored<'_>> {
        let stored = self.collection.records.iter().filter_map(|record| {
            let (text, body) = self.texts.get(&record.id)?;
            Some(Stored { record, text, body })
        });
        stored.collect()
    }

    /// Returns the collection's response.
    pub fn perform(&self, call: Call, now: Millis) -> Result<Reply<String>, String> {
        let message = Message { project: "twin".to_owned(), call };
        let moment = Moment { now, entropy: [7; 10] };
        loop {
            let reply = self.project.perform(&message, &moment).map_err(|fault| fault.reason)?;
            // A query of a field whose index is not renewed yet renews a part of it (D41).
            match &reply.head.result {
                CallResult::Error(error) if self.project.is_renewing() && error.status() == 503 => {}
                _ => return Ok(reply),
            }
        }
    }

    /// Performs the write on both.
    pub fn write(&mut self, change: &Change, tally: &Tally) -> Result<(), String> {
        // The clock sometimes stops, but revisions still rise (D6).
        let now = self.now.get() + self.now.get() % 2;
        self.now.set(self.now.get() + 1);
        let mut expected = self.collection.write(&self.design, change, now);
        let write = Write { change: change.clone(), options: WriteOptions::default() };
        let found = self.perform(Call::Write(Box::new(write)), now)?;
        tally.add("writes", 1);
        if let (Ok(record), CallResult::Resource(head)) = (&mut expected, &found.head.result)
            && record.id.is_empty()
        {
            record.id.clone_from(&head.id);
            self.collection.set_generated_id(&head.id);
        }
        if let Ok(record) = &expected
            && is_written(change)
        {
            let text = record.to_json(&self.shape);
            let body = serde_json::from_str(&text).expect("a record is JSON");
            self.texts.insert(record.id.clone(), (text, body));
        }
        let agrees = match (&expected, &found.head.result) {
            (Ok(record), CallResult::Resource(head)) => {
                let (whole, body) = (self.text(record), found.body.as_deref().unwrap_or_default());
                let shows = match change {
                    // Operation 9 returns the arrays of the interface's resource.
                    Change::UpdateByPath(_) if !self.shape.is_declared() => {
                        whole.contains(&format!("\"objectTypeProperty\":{body}"))
                    }
                    _ => body == whole,
                };
                shows && head.id == record.id && head.revision == record.revision
            }
            (Err(status), CallResult::Error(error)) => {
                tally.add(&status.to_string(), 1);
                error.status() == *status
            }
            _ => false,
        };
        if agrees { Ok(()) } else { Err(format!("{change:?}\n expected {expected:?}\n found {found:?}")) }
    }

    /// Reads each record by ID and by key, and each ID that is gone.
    pub fn read(&self) -> Result<(), String> {
        let read = |lookup: Lookup| self.perform(Call::Read(Read::Resource(lookup)), START);
        for record in &self.collection.records {
            for lookup in
                [Lookup::Id(record.id.clone())].into_iter().chain(record.key.clone().map(Lookup::Key))
            {
                let found = read(lookup.clone())?;
                if found.body.as_deref() != Some(self.text(record)) {
                    return Err(format!("{lookup:?} finds {found:?}, not {record:?}"));
                }
            }
        }
        for id in self.collection.gone() {
            let found = read(Lookup::Id(id.clone()))?;
            if !matches!(&found.head.result, CallResult::Error(error) if error.status() == 404) {
                return Err(format!("{id} is gone, and found: {found:?}"));
            }
        }
        Ok(())
    }

    /// Sends the query to both, in every way.
    pub fn ask(&self, asking: &Asking, tally: &Tally) -> Result<(), String> {
        let (query, meaning) = (asking.query(&self.shape)?, asking.meaning());
        let stored = self.stored();
        tally.add("predicates", 1);
        if stored.iter().any(|stored| lies_on_an_edge(&meaning.condition, stored.body)) {
            tally.add("edges", 1);
            return Ok(());
        }
        let differs = |stored: &&Stored<'_>| {
            holds(&query.condition, stored.body) != holds(&meaning.condition, stored.body)
        };
        if let Some(stored) = stored.iter().find(differs) {
            return Err(format!("read as {:?}, which differs for {}", query.condition, stored.text));
        }
        if query.sort != meaning.sort {
            return Err(format!("the order is read as {:?}", query.sort));
        }
        let found = matches(&stored, &meaning);
        tally.add("pairs", stored.len());
        tally.add("held", found.len());
        self.compare(&query, &found)
    }

    /// Compares the collection's response with what the reference found.
    pub fn compare(&self, query: &Query, found: &[Stored<'_>]) -> Result<(), String> {
        self.compare_feed(&query.condition, found)?;
        let whole = Query { limit: 500, offset: 0, with_total: true, ..query.clone() };
        self.compare_page(&whole, found, false)?;
        if *query != whole {
            self.compare_page(query, found, false)?;
        }
        self.compare_page(query, found, true)?;
        match self.perform(Call::Read(Read::Exists(query.clone())), START)?.head.result {
            CallResult::Exists(exists) if exists != found.is_empty() => Ok(()),
            other => Err(format!("exists: expected {}, found {other:?}", !found.is_empty())),
        }
    }

    /// Compares the pages of changes with the condition, and a frame to a socket, with what the reference found.
    fn compare_feed(&self, condition: &Typed, found: &[Stored<'_>]) -> Result<(), String> {
        let changes = |after| {
            let condition = Some(condition.clone());
            self.perform(Call::Changes(Changes { after, condition, limit: 500, wait: 0, caller: 0 }), START)
        };
        let CallResult::Changes { to, .. } = changes(After::Now)?.head.result else {
            return Err(format!("no position with {condition:?}"));
        };
        let at = ProjectPosition { revision: 0, ..to.at };
        let start = After::Position(FeedPosition { at, began: 0 });
        let (mut after, mut pages) = (start.clone(), Vec::new());
        loop {
            let Reply { head, body } = changes(after)?;
            let CallResult::Changes { to, more } = head.result else {
                return Err(format!("the query has a result, but a page of changes {:?}", head.result));
            };
            pages.extend(body);
            if more != More::Page {
                break;
            }
            after = After::Position(to);
        }
        self.compare_lines(pages.iter().flat_map(|page| page.lines()), found)?;
        let listener = Listener { after: start, condition: Some(condition.clone()), expires: 0, caller: 0 };
        let message = Message { project: "twin".to_owned(), call: Call::Listen(listener) };
        let moment = Moment { now: START, entropy: [7; 10] };
        let frame = self.project.frame(&message, 0, &moment).map_err(|fault| fault.reason)?;
        self.compare_lines(frame.unwrap_or_default().lines(), found)
            .map_err(|wrong| format!("a frame: {wrong}"))
    }

    /// Compares the records of the feed, and the IDs of the others, with what the reference found.
    fn compare_lines<'l>(
        &self,
        lines: impl Iterator<Item = &'l str>,
        found: &[Stored<'_>],
    ) -> Result<(), String> {
        let (mut matches, mut others) = (Vec::new(), Vec::new());
        for line in lines.filter(|line| !line.starts_with("{\"deletedAt\":")) {
            let read: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
            match (&read["outside"], &read["id"]) {
                (serde_json::Value::Array(ids), _) => others.extend(ids.clone()),
                (_, serde_json::Value::String(_)) => matches.push(line),
                _ => {}
            }
        }
        let mut records: Vec<&Record> = self.collection.records.iter().collect();
        records.sort_by_key(|record| record.revision);
        let is_found = |record: &&Record| found.iter().any(|found| found.record.id == record.id);
        let (expected, rest): (Vec<&Record>, Vec<&Record>) = records.into_iter().partition(is_found);
        let is_line = |(line, record): (&&str, &&Record)| **line == *self.text(record);
        let are_records = matches.len() == expected.len() && matches.iter().zip(&expected).all(is_line);
        let rest: Vec<&str> = rest.iter().map(|record| record.id.as_str()).collect();
        if are_records && others == rest {
            return Ok(());
        }
        Err(format!("expected {expected:?} outside {rest:?}\n found {matches:?} outside {others:?}"))
    }

    fn compare_page(&self, query: &Query, found: &[Stored<'_>], with_first: bool) -> Result<(), String> {
        let expected = page(&self.shape, found, query, with_first);
        let query_of = if with_first { Read::Query } else { Read::QuerySorted };
        let reply = self.perform(Call::Read(query_of(query.clone())), START)?;
        match (reply.head.result, reply.body) {
            (CallResult::Performed, Some(page)) if page == expected => Ok(()),
            (CallResult::Performed, Some(page)) => Err(format!(
                "{query:?}\n expected {}\n found    {}\n{expected}\n{page}",
                ids(&expected),
                ids(&page)
            )),
            other => Err(format!("expected a page, found {other:?}")),
        }
    }
}

fn start(database: Shared, shape: &Rc<Shape>) -> Project<Shared> {
    let project = Project::new(database, Rc::clone(shape));
    project.set_epoch(Some(""));
    project
}

/// Returns whether the change writes its record again, if it succeeds.
fn is_written(change: &Change) -> bool {
    match change {
        Change::DeleteById { .. } => false,
        Change::UpdateById { update, .. } => !update.actions.is_empty(),
        _ => true,
    }
}

/// Returns a page without the contents of its results.
fn ids(page: &str) -> String {
    let page: serde_json::Value = serde_json::from_str(page).expect("a page is JSON");
    let ids: Vec<&str> =
        page["results"].as_array().into_iter().flatten().filter_map(|result| result["id"].as_str()).collect();
    format!("total {} ids {ids:?}", page["total"])
}
