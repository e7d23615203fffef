//! Followers of a project in a world of their own: a standby imports the changes of a source again and again, while
//! callers write to the source, and an operator restores it and deletes its data. Messages are lost, repeated, and
//! late; objects, the follower, and restores end at any step. Positions have a history (D31), and imports are bounded
//! and complete (D32).
//!
//! - When a run of the follower ends successfully, the standby has exactly the states of the source at the position of
//!   the run.
//! - A position is refused if the source was restored or its data was deleted since, and only then.
//! - Every run ends once nothing goes wrong any more, and then both are equal.
//! - Followers of the feed of changes (`feed`) have the records of the source then, or those that match. What a socket
//!   delivered survives a kill of the object right afterwards.
//! - Batches are whole (D43) after the last page, and after a frame (`transfer`).
//! - A token that has expired, or is for another project, gets no page, no socket, and no further frame.
//! - A deployment of any shape (`deploy`) changes no state, and nothing is refused after it.

mod deploy;
mod feed;
mod filter;
mod operator;
mod site;
mod socket;
mod transfer;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use resource_edge::contract::limits;
use resource_edge::contract::position::FeedPosition;
use resource_edge::util::time::Millis;
use serde_json::{Value, json};

use crate::support::edge::START;
use crate::support::schemas::changes::changed;
use crate::support::schemas::values::members;
use crate::support::schemas::{Design, draw, resources};
use crate::world::simulation::edge::{Location, SECONDS, TOKEN_SECONDS};
use crate::world::simulation::mutant::Mutant;
use crate::world::simulation::oracle::{Verdict, need};
use crate::world::simulation::random::Random;
use crate::world::simulation::world::{Report, Trace};

use deploy::Deployments;
use feed::{Begin, Feed};
use filter::Filter;
use site::{Answer, Edge, Frame, Site, State};

/// How many steps a world has while things go wrong, and at most after that.
const STEPS: u32 = 160;
const REST_STEPS: u32 = 600;
const IDS: u64 = 5;
const KEYS: u64 = 3;
/// Two texts of this length exceed what an import may remove.
const LONG: usize = limits::BATCH_BYTES * 6 / 10;
const SHORT: usize = 9;
/// In thousandths of the occasions.
const LOST: u64 = 120;
/// Of restores: what ends at one of their steps may leave positions of two histories.
const INTERRUPTED: u64 = 400;
/// A longer pause between two steps, so that tokens expire.
const PAUSE: Millis = 200_000;

/// Where the follower is in its run, as the guide's script is.
enum Stage {
    Idle,
    /// It requests this page.
    Page(String),
    /// It imports these lines of a page, then requests the next page.
    Import {
        lines: Vec<String>,
        next: Option<String>,
    },
}

pub(crate) struct World {
    random: Rc<Random>,
    now: Rc<Cell<Millis>>,
    mutant: Option<Mutant>,
    location: Rc<Location>,
    source: Site,
    standby: Site,
    /// How many standbys there were.
    standbys: u32,
    /// How many histories of the source had begun when the present standby got its first lines.
    standby_began: Option<u32>,
    stage: Stage,
    /// Where the last complete run ended, with the number of histories that had begun there.
    position: Option<(String, u32)>,
    /// How many histories had begun at the first page of the present run.
    run_began: u32,
    /// Whether no run has ended since the last one began: the standby may lack states, also after an interruption.
    is_behind: bool,
    /// Imports that arrive a second time, with the number of their standby.
    late: Vec<(u32, String)>,
    /// The states of the source at each position that an export reached.
    reached: BTreeMap<String, Vec<State>>,
    /// Followers of the feed, of everything and of what matches.
    feeds: [Feed; 2],
    /// The token of their sockets, and when it expires.
    token: Option<(String, Millis)>,
    /// When the token of each open socket expires.
    expires: [Millis; 2],
    deployments: Deployments,
    quiet: bool,
    pub(crate) report: Report,
}

impl World {
    pub(crate) fn new(seed: u64, mutant: Option<Mutant>, trace: Option<Trace>) -> Self {
        let now = Rc::new(Cell::new(START));
        let random = Rc::new(Random::new(seed));
        let deployments = Deployments::new(&random);
        let design = &deployments.design;
        let site =
            |is_of_source| Site::new(mutant.filter(|mutant| mutant.is_of_source() == is_of_source), design);
        let [source, standby] = [true, false].map(site);
        let filter = Filter::draw(&deployments, &random);
        let world = Self {
            random,
            mutant,
            location: Rc::new(Location::new(&resources(&deployments.design), SECONDS)),
            source,
            standby,
            standbys: 1,
            standby_began: None,
            stage: Stage::Idle,
            position: None,
            run_began: 0,
            is_behind: false,
            late: Vec::new(),
            reached: BTreeMap::new(),
            feeds: [None, Some(filter)].map(|filter| Feed::new(filter, mutant)),
            token: None,
            expires: [0, 0],
            deployments,
            quiet: false,
            report: Report::new(&now, trace),
            now,
        };
        world.report.trace(|| format!("{:?}", world.deployments.design));
        world
    }

    fn goes_wrong(&self) -> bool {
        !self.quiet && self.random.chance(LOST)
    }

    /// Runs until nothing is left to do. Returns the number of steps.
    pub(crate) fn run(&mut self) -> u64 {
        let mut steps = 0;
        for _ in 0..STEPS {
            if self.report.violation.is_some() {
                break;
            }
            steps += 1;
            let most = if self.random.chance(60) { PAUSE } else { 2_000 };
            self.now.set(self.now.get() + self.random.within(1, most));
            let verdict = self.step();
            self.report.check(verdict);
        }
        self.quiet = true;
        self.report.trace(|| "from now on nothing goes wrong".to_owned());
        self.stage = Stage::Idle;
        for _ in 0..REST_STEPS {
            steps += 1;
            self.now.set(self.now.get() + 1_000);
            let verdict = self.follow();
            self.report.check(verdict);
            if self.report.violation.is_some() || matches!(self.stage, Stage::Idle) && self.position.is_some()
            {
                break;
            }
        }
        let (source, standby) = (self.shown(&self.source.states()), self.shown(&self.standby.states()));
        let is_done = matches!(self.stage, Stage::Idle) && self.position.is_some();
        self.report.check(need(is_done, || "the last run never ends".to_owned()));
        self.report.check(need(source == standby, || {
            format!("at rest the standby has {standby:#?}, not {source:#?}")
        }));
        let verdict = self.check_positions();
        self.report.check(verdict);
        let verdict = self.check_feeds();
        self.report.check(verdict);
        steps
    }

    /// A position is refused if its history has ended, and only then.
    fn check_positions(&mut self) -> Verdict {
        for (position, began) in self.source.begun() {
            let is_refused = self.status(true, &format!("GET /p/export?after={position}"), "") == 410;
            let has_ended = began < self.source.histories;
            need(is_refused == has_ended, || {
                format!("{position} of an ended history ({has_ended}) is refused: {is_refused}")
            })?;
        }
        Ok(())
    }

    /// The followers of the feed reach the newest position, and have what the source has.
    fn check_feeds(&mut self) -> Verdict {
        let present = self.ask(true, "GET /p/changes?after=now", "");
        let Some(answer) = present else { return Err("the present position is unknown".to_owned()) };
        let (_, newest) = feed::window(&answer.body);
        let records = self.source.records();
        for at in 0..self.feeds.len() {
            for _ in 0..REST_STEPS {
                if self.feeds[at].has_reached(&newest) && !self.feeds[at].is_waiting() {
                    break;
                }
                self.read_feed(at)?;
                self.feeds[at].receive(&self.random, false)?;
            }
            need(self.feeds[at].has_reached(&newest), || "a follower of the feed never arrives".to_owned())?;
            let difference = self.feeds[at].difference(&records);
            need(difference.is_none(), || {
                format!("at rest a follower of the feed has {}", difference.unwrap_or_default())
            })?;
        }
        Ok(())
    }

    fn edge(&self) -> Edge {
        Edge {
            location: Rc::clone(&self.location),
            now: Rc::clone(&self.now),
            random: Rc::clone(&self.random),
        }
    }

    /// A follower of the feed requests a page, or gets one.
    fn feed(&mut self) -> Verdict {
        let at = self.random.below(self.feeds.len() as u64) as usize;
        if self.random.chance(500) {
            return self.read_feed(at);
        }
        self.report.count("a page of changes arrives");
        self.feeds[at].receive(&self.random, true)?;
        self.check_newest(at)
    }

    fn read_feed(&mut self, at: usize) -> Verdict {
        let start = match self.random.below(10) {
            0..2 if !self.quiet => Begin::Start,
            2..6 if !self.quiet => Begin::Pushed,
            _ => Begin::Own,
        };
        let limit = if self.random.chance(500) { self.random.within(1, 3) } else { 500 };
        let target = self.feeds[at].target(limit, start);
        match self.ask(true, &format!("GET {target}"), "") {
            Some(answer) if answer.status == 200 => {
                self.feeds[at].send(answer.histories, answer.body, answer.is_whole, start);
                Ok(())
            }
            Some(answer) if answer.status == 410 && start == Begin::Pushed => {
                self.feeds[at].push_anew();
                Ok(())
            }
            Some(answer) if answer.status == 410 => {
                self.report.count("a follower of the feed begins again");
                let began = self.feeds[at].began;
                self.feeds[at].reset();
                need(began < self.source.histories, || format!("{target} is refused without a reason"))
            }
            Some(answer) if ![500, 503].contains(&answer.status) => {
                Err(format!("changes get {}: {}", answer.status, answer.body))
            }
            _ => Ok(()),
        }
    }

    /// Lets somebody do something.
    fn step(&mut self) -> Verdict {
        match self.random.below(100) {
            0..35 => self.write(),
            35..48 => self.follow(),
            48..75 => self.feed(),
            75..82 => self.push(),
            82 => self.trespass(),
            83 | 85 => self.deploy(),
            84 => {
                self.source.hibernate();
                self.report.count("an object hibernates");
                Ok(())
            }
            86..88 => {
                self.source.keep();
                Ok(())
            }
            88..91 => self.restore(),
            91 => self.delete_data(),
            92..95 => {
                self.kill(self.random.chance(500));
                Ok(())
            }
            95 => {
                self.report.trace(|| "the follower ends".to_owned());
                self.stage = Stage::Idle;
                self.report.count("a run is interrupted");
                Ok(())
            }
            _ => self.arrive_late(),
        }
    }

    /// Sends a request to an installation. `None` if it gets no response.
    fn ask(&mut self, of_source: bool, line: &str, body: &str) -> Option<Answer> {
        if self.goes_wrong() {
            self.report.count("a request is lost");
            return None;
        }
        let is_restore = line.starts_with("POST /p/restore");
        let faulty = self.goes_wrong() || is_restore && self.random.chance(INTERRUPTED);
        let edge = self.edge();
        let site = if of_source { &mut self.source } else { &mut self.standby };
        let answer = site.ask(&edge, line, body, faulty);
        self.report.trace(|| {
            let site = if of_source { "source" } else { "standby" };
            format!("{line} at the {site}, {} bytes: {}", body.len(), answer.status)
        });
        if of_source && let Some(end) = &answer.reached {
            self.reached.insert(end.clone(), self.source.states());
        }
        if self.goes_wrong() {
            self.report.count("a response is lost");
            return None;
        }
        Some(answer)
    }

    /// Sends a request, and returns its status; 503 if it gets no response.
    fn status(&mut self, of_source: bool, line: &str, body: &str) -> u16 {
        self.ask(of_source, line, body).map_or(503, |answer| answer.status)
    }

    /// A caller writes to the source.
    fn write(&mut self) -> Verdict {
        if self.random.chance(200) {
            return self.transfer();
        }
        let id = self.random.below(IDS);
        if self.random.chance(300) {
            self.ask(true, &format!("DELETE /p/resource/r{id}"), "");
            return Ok(());
        }
        let length = if self.random.chance(400) { LONG } else { SHORT };
        let id = format!("r{id}");
        let mut body = match &self.deployments.design.schema {
            Some(schema) => deploy::with_id(members(schema, 500, &self.random), &id),
            None if self.random.chance(500) => filter::body(&self.deployments.design.shape, id, &self.random),
            None => self.deployments.body(&id, &self.random),
        };
        body[deploy::FILLER] = json!("x".repeat(length));
        if self.random.chance(500) {
            body["key"] = json!(format!("k{}", self.random.below(KEYS)));
        }
        let status = self.status(true, "POST /p/resource", &body.to_string());
        // Another resource has the key, or a unique value.
        need([200, 201, 400, 500, 503].contains(&status), || format!("a write gets {status}"))?;
        // It may not be on disk yet: then nothing may show it.
        let follows = if status == 503 { 700 } else { 200 };
        if self.random.chance(follows) { self.push() } else { Ok(()) }
    }

    /// An import that was sent before arrives once more, if its standby still exists.
    fn arrive_late(&mut self) -> Verdict {
        if self.late.is_empty() {
            return Ok(());
        }
        let at = self.random.below(self.late.len() as u64) as usize;
        let (standby, body) = self.late.swap_remove(at);
        if standby != self.standbys {
            return Ok(());
        }
        self.report.count("an import arrives late");
        let status = self.status(false, "POST /p/import", &body);
        // Its lines may be of another history, or older than states that the last run has not imported yet.
        let is_mixed = self.standby_began.is_some_and(|began| began < self.run_began);
        need(status == 400 && (is_mixed || self.is_behind) || [200, 500, 503].contains(&status), || {
            format!("a late import gets {status}: {body:.300}")
        })
    }

    /// The follower makes its next request.
    fn follow(&mut self) -> Verdict {
        match std::mem::replace(&mut self.stage, Stage::Idle) {
            Stage::Idle => {
                self.is_behind = true;
                let after = self.position.as_ref().map(|(position, _)| format!("?after={position}"));
                self.run_began = self.position.as_ref().map_or(self.source.histories, |(_, began)| *began);
                self.request(format!("/p/export{}", after.unwrap_or_default()))
            }
            Stage::Page(target) => self.request(target),
            Stage::Import { lines, next } => self.import(lines, next),
        }
    }

    fn request(&mut self, target: String) -> Verdict {
        let answer = self.ask(true, &format!("GET {target}"), "");
        match answer {
            Some(answer) if answer.status == 200 => {
                if !target.contains("after=") {
                    self.run_began = answer.histories;
                }
                need(self.run_began == answer.histories, || {
                    format!("another history is continued: {target}")
                })?;
                let mut lines: Vec<String> = answer.body.lines().map(str::to_owned).collect();
                let is_state = |line: &String| !line.starts_with("{\"end\":");
                if self.mutant == Some(Mutant::LoseLines) && lines.first().is_some_and(is_state) {
                    lines.remove(0);
                }
                self.stage = Stage::Import { lines, next: answer.next };
                Ok(())
            }
            Some(answer) if answer.status == 410 => {
                self.report.count("a position is refused");
                let (began, histories) = (self.run_began, self.source.histories);
                self.begin_again();
                need(began < histories, || format!("a position is refused without a reason: {target}"))
            }
            Some(answer) if ![500, 503].contains(&answer.status) => {
                Err(format!("an export gets {}: {}", answer.status, answer.body))
            }
            _ => {
                self.stage = Stage::Page(target);
                Ok(())
            }
        }
    }

    /// The follower begins with another standby.
    fn begin_again(&mut self) {
        (self.position, self.stage, self.standby_began) = (None, Stage::Idle, None);
        self.is_behind = false;
        self.standbys += 1;
        self.standby =
            Site::new(self.mutant.filter(|mutant| !mutant.is_of_source()), &self.deployments.design);
    }

    #[expect(clippy::too_many_lines, reason = "each outcome of a request")]
    fn import(&mut self, mut lines: Vec<String>, next: Option<String>) -> Verdict {
        let mut body = lines.join("\n");
        if self.mutant == Some(Mutant::LoseLines) {
            body = body.split("{\"end\":").next().unwrap_or_default().to_owned();
        }
        let standby_began = *self.standby_began.get_or_insert(self.run_began);
        if !self.quiet && self.random.chance(200) {
            self.late.push((self.standbys, body.clone()));
        }
        let Some(answer) =
            self.ask(false, "POST /p/import", &body).filter(|answer| ![500, 503].contains(&answer.status))
        else {
            self.stage = Stage::Import { lines, next };
            return Ok(());
        };
        // It may have lines of another history, from a run that was interrupted before it had a position.
        let differs = "\"isDone\":true,\"isComplete\":false";
        let is_refused = answer.status == 400 || next.is_none() && answer.body.contains(differs);
        if is_refused && standby_began < self.run_began {
            self.report.count("a standby is refused");
            self.begin_again();
            return Ok(());
        }
        need(answer.status == 200, || format!("an import gets {}: {}", answer.status, answer.body))?;
        let done: Value = serde_json::from_str(&answer.body).expect("a result is JSON");
        let is_done = done["isDone"] == true || self.mutant == Some(Mutant::StopImports);
        if !is_done {
            self.report.count("an import is partial");
            let taken = done["taken"].as_u64().expect("a number") as usize;
            need(taken > 0 && taken < lines.len(), || format!("an import takes {taken} of {}", lines.len()))?;
            // The rest, or all lines again.
            if self.random.chance(500) {
                lines.drain(..taken);
            }
            self.stage = Stage::Import { lines, next };
            return Ok(());
        }
        if let Some(next) = next {
            self.stage = Stage::Page(next);
            return Ok(());
        }
        let claims = matches!(self.mutant, Some(Mutant::StopImports | Mutant::LoseLines));
        need(claims || done["isComplete"] == true, || format!("the last page is not complete: {done}"))?;
        let Some(end) = lines.last().and_then(|line| line.split('"').nth(3)) else { return Ok(()) };
        self.ended(end)
    }

    /// A run has ended at this position.
    fn ended(&mut self, end: &str) -> Verdict {
        self.report.count("a run ends");
        self.is_behind = false;
        self.report.trace(|| format!("a run has ended at {end}"));
        self.position = Some((end.to_owned(), self.source.histories_of(end)));
        let standby = self.shown(&self.standby.states());
        let source = self.reached.get(end).map(|states| self.shown(states));
        need(source.as_ref() == Some(&standby), || {
            format!("at {end} the standby has {standby:#?}, not {source:#?}")
        })
    }
}
