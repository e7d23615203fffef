//! A follower of the feed of changes (D36). Some pages are pushed to it, whatever its position, and some are of other
//! readings. They arrive late, twice, in another order, or not at all. At rest it has exactly the records of the
//! source, or those that match.

use std::collections::BTreeMap;

use resource_edge::contract::position::{FeedPosition, ProjectPosition};
use resource_edge::util::time::Millis;
use serde_json::Value;

use super::filter::Filter;
use super::transfer;
use crate::world::simulation::mutant::Mutant;
use crate::world::simulation::random::Random;

/// Where a page begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Begin {
    /// At the follower's position.
    Own,
    /// At the beginning: the first page of another reading.
    Start,
    /// After the last page that was pushed or that began another reading.
    Pushed,
}

pub(super) struct Feed {
    /// Which resources it follows, if not all.
    filter: Option<Filter>,
    mutant: Option<Mutant>,
    position: Option<FeedPosition>,
    /// The position after the last page that was pushed or that began another reading, whether it arrives or not.
    pushed: Option<FeedPosition>,
    /// How many histories had begun when its first page was read.
    pub(super) began: u32,
    records: BTreeMap<String, String>,
    /// The pages that have not arrived.
    pages: Vec<Sent>,
    /// How many pages were sent.
    sent: u32,
    /// The number of the last applied page after which more follow. What was sent before it does not have everything.
    partial: u32,
}

/// A page, as it was sent.
#[derive(Clone)]
struct Sent {
    number: u32,
    /// The number of histories at the time.
    histories: u32,
    page: String,
    /// Whether a follower that applies it, and has had everything before, has whole batches.
    is_whole: bool,
}

impl Feed {
    pub(super) fn new(filter: Option<Filter>, mutant: Option<Mutant>) -> Self {
        Self {
            filter,
            mutant,
            position: None,
            pushed: None,
            began: 0,
            records: BTreeMap::new(),
            pages: Vec::new(),
            sent: 0,
            partial: 0,
        }
    }

    /// Returns a request for a page.
    pub(super) fn target(&self, limit: u64, begin: Begin) -> String {
        let mut target = format!("/p/changes?limit={limit}");
        if let Some(filter) = &self.filter {
            target = format!("{target}&{}", filter.parameters);
        }
        match (begin, &self.position, &self.pushed) {
            (Begin::Own, Some(position), _) | (Begin::Pushed, _, Some(position)) => {
                format!("{target}&after={position}")
            }
            (Begin::Pushed, _, None) => format!("{target}&after=now"),
            _ => target,
        }
    }

    pub(super) fn send(&mut self, histories: u32, mut page: String, is_whole: bool, begin: Begin) {
        let (from, to) = window(&page);
        if begin != Begin::Own {
            self.pushed = Some(to.clone());
        }
        if self.mutant == Some(Mutant::FallBack) && from.at.revision > 0 {
            let at = ProjectPosition { revision: from.at.revision - 1, ..from.at };
            page = page.replacen(&format!("\"to\":\"{to}\""), &format!("\"to\":\"{at}\""), 1);
        }
        self.push(histories, page, is_whole);
    }

    /// Sends a frame of its socket.
    pub(super) fn push(&mut self, histories: u32, frame: String, is_whole: bool) {
        let sent = self.number(histories, frame, is_whole);
        self.pages.push(sent);
    }

    fn number(&mut self, histories: u32, page: String, is_whole: bool) -> Sent {
        self.sent += 1;
        Sent { number: self.sent, histories, page, is_whole }
    }

    /// Returns the address of its socket.
    pub(super) fn socket(&self) -> String {
        let filter = self.filter.as_ref().map(|filter| format!("?{}", filter.parameters));
        format!("/p/changes{}", filter.unwrap_or_default())
    }

    /// Pushed pages begin after the newest change, because their position is refused.
    pub(super) fn push_anew(&mut self) {
        self.pushed = None;
    }

    /// Discards everything, because its position is refused.
    pub(super) fn reset(&mut self) {
        self.position = None;
        self.records.clear();
    }

    pub(super) fn is_waiting(&self) -> bool {
        !self.pages.is_empty()
    }

    /// Lets a page arrive, or lose its way. Some pages arrive again later.
    pub(super) fn receive(&mut self, random: &Random, goes_wrong: bool) -> Result<(), String> {
        if self.pages.is_empty() {
            return Ok(());
        }
        let at = random.below(self.pages.len() as u64) as usize;
        let sent = if random.chance(200) && goes_wrong {
            self.pages[at].clone()
        } else {
            self.pages.swap_remove(at)
        };
        if goes_wrong && random.chance(150) { Ok(()) } else { self.apply_sent(&sent) }
    }

    /// Applies a page at once if it continues what the follower has.
    pub(super) fn apply(&mut self, histories: u32, page: &str, is_whole: bool) -> Result<(), String> {
        let sent = self.number(histories, page.to_owned(), is_whole);
        self.apply_sent(&sent)
    }

    fn apply_sent(&mut self, sent: &Sent) -> Result<(), String> {
        let halved = (self.mutant == Some(Mutant::HalveBatches)).then(|| transfer::without_last(&sent.page));
        let page = halved.as_deref().unwrap_or(&sent.page);
        let (from, to) = window(page);
        if to.at.revision < from.at.revision {
            return Err(format!("the position falls from {from} to {to}"));
        }
        // A frame without lines shows that there are pages to read.
        let is_behind = page.contains("\"behind\":true") && self.mutant != Some(Mutant::ApplyBehind);
        if is_behind || !self.continues(&from, &to) {
            return Ok(());
        }
        if self.position.is_none() {
            self.began = sent.histories;
        }
        self.position = Some(to);
        let lines = page.lines().count() - 1;
        let applied = if self.mutant == Some(Mutant::ApplyHalf) { lines / 2 } else { lines };
        for line in page.lines().skip(1).take(applied) {
            let read: Value = serde_json::from_str(line).expect("a line is JSON");
            for id in read["outside"].as_array().into_iter().flatten() {
                self.records.remove(id.as_str().expect("an ID"));
            }
            let Some(id) = read["id"].as_str() else { continue };
            if read.get("deletedAt").is_some() {
                self.records.remove(id);
            } else {
                self.records.insert(id.to_owned(), line.to_owned());
            }
        }
        if !sent.is_whole {
            self.partial = self.partial.max(sent.number);
        }
        let is_whole = sent.number > self.partial && self.filter.is_none();
        if is_whole && !transfer::is_whole(|id| self.records.get(id)) {
            return Err(format!("a follower of the feed at {:?} has a part of a batch", self.position));
        }
        Ok(())
    }

    /// Returns whether the page continues what the follower has.
    fn continues(&self, from: &FeedPosition, to: &FeedPosition) -> bool {
        let Some(own) = &self.position else { return from.at.revision == 0 };
        let is_next = from.at.revision <= own.at.revision && own.at.revision < to.at.revision;
        let is_reading = from.began == 0 || from.began == own.began;
        from.at.history == own.at.history
            && (is_next || self.mutant == Some(Mutant::IgnoreWindows))
            && (is_reading || self.mutant == Some(Mutant::MixReadings))
    }

    /// Returns why the follower differs from the records of its source.
    pub(super) fn difference(&self, source: &[String]) -> Option<String> {
        let matches = |record: &String| match &self.filter {
            Some(filter) => filter.matches(record),
            None => Some(true),
        };
        let wanted: Vec<&String> = source.iter().filter(|record| matches(record) == Some(true)).collect();
        let has: Vec<&String> = self.records.values().filter(|record| matches(record).is_some()).collect();
        let short = |records: &[&String]| -> Vec<String> {
            records.iter().map(|record| record.replace("xxxxxxxxxx", "")).collect()
        };
        let condition = || self.filter.as_ref().map_or("everything", |filter| &filter.parameters);
        (has != wanted).then(|| format!("{:#?}, not {:#?} of {}", short(&has), short(&wanted), condition()))
    }

    /// Returns the revision of its position.
    pub(super) fn revision(&self) -> Option<Millis> {
        self.position.as_ref().map(|position| position.at.revision)
    }

    /// Returns whether the follower is at the position, which is of the same history.
    pub(super) fn has_reached(&self, newest: &FeedPosition) -> bool {
        self.position.as_ref().is_some_and(|position| position.at == newest.at)
    }
}

/// Returns the positions before and after a page.
pub(super) fn window(page: &str) -> (FeedPosition, FeedPosition) {
    let first: Value = serde_json::from_str(page.lines().next().unwrap_or_default()).expect("a first line");
    let position = |name: &str| first[name].as_str().and_then(FeedPosition::parse).expect("a position");
    (position("from"), position("to"))
}
