//! Followers of a project under random writes, restores, interruptions, and deletions of the data: after each run, a
//! standby has exactly what its source has. Broken variants show that a violation would be noticed.

use serde_json::{Value, json};

use crate::support::caller::Caller;
use crate::support::edge::Got;

const LINES: (&str, &str) = ("Content-Type", "application/x-ndjson");
const IDS: u64 = 5;

/// A rule that is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Broken {
    /// A restore that is interrupted does not change the epoch.
    RestoreKeepsHistory,
    /// An import that takes only some lines says that these are all.
    ImportStopsSilently,
    /// A line is lost on its way, and the end is not compared.
    EndIsNotCompared,
}

struct World {
    seed: u64,
    broken: Option<Broken>,
    source: Caller,
    standby: Caller,
    /// Where the standby's last complete run ended.
    position: Option<String>,
    kept: Vec<u64>,
    /// How many runs began with another standby.
    refused: u32,
    /// How many imports took only some lines.
    partial: u32,
}

impl World {
    fn new(seed: u64, broken: Option<Broken>) -> Self {
        let (source, standby) = (Caller::new(), Caller::new());
        // The project exists from its first call on.
        source.get("/p/status");
        let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Self { seed, broken, source, standby, position: None, kept: Vec::new(), refused: 0, partial: 0 }
    }

    /// Returns a random number below the limit (xorshift64).
    fn below(&mut self, limit: u64) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 16) % limit
    }

    fn step(&mut self) -> Result<(), String> {
        let id = self.below(IDS);
        match self.below(20) {
            0..=7 => {
                let bytes = if self.below(2) == 0 { 140_000 } else { 10 };
                let body =
                    json!({"id": format!("r{id}"), "objectTypeProperty": {}, "custom": "x".repeat(bytes)});
                self.source.write("POST /p/resource", &body);
            }
            8..=12 => drop(self.source.ask(&format!("DELETE /p/resource/r{id}"), &[], b"")),
            13 => self.kept.push(self.source.edge.keep("p")),
            14 if self.below(2) == 0 => self.restore(),
            15 if self.below(4) == 0 => drop(self.source.ask("DELETE /p/data?confirm=p", &[], b"")),
            16 => self.source.edge.restart(),
            17 => self.standby.edge.restart(),
            18 | 19 => return self.follow(),
            _ => {}
        }
        Ok(())
    }

    fn restore(&mut self) {
        if self.kept.is_empty() {
            return;
        }
        let at = self.below(self.kept.len() as u64) as usize;
        let before = self.source.edge.epochs.borrow().clone();
        let is_interrupted = self.below(2) == 0;
        self.source.edge.faults.starts.set(is_interrupted);
        let target = format!("POST /p/restore?confirm=p&bookmark={}", self.kept[at]);
        let got = self.source.ask(&target, &[], b"");
        self.source.edge.faults.starts.set(false);
        assert_eq!(got.status, if is_interrupted { 503 } else { 200 }, "{got:?}");
        if self.broken == Some(Broken::RestoreKeepsHistory) {
            *self.source.edge.epochs.borrow_mut() = before;
        }
    }

    /// Brings the standby up to date, or begins with another one. Then both must be equal.
    fn follow(&mut self) -> Result<(), String> {
        if !self.run()? {
            self.refused += 1;
            (self.standby, self.position) = (Caller::new(), None);
            if !self.run()? {
                return Err("a whole export is refused".to_owned());
            }
        }
        let (source, standby) = (states(&self.source), states(&self.standby));
        if source == standby { Ok(()) } else { Err(format!("the standby has {standby:?}, not {source:?}")) }
    }

    /// Returns `false` if the source refuses the position.
    fn run(&mut self) -> Result<bool, String> {
        let mut target = match &self.position {
            Some(position) => format!("/p/export?after={position}"),
            None => "/p/export".to_owned(),
        };
        loop {
            let page = self.source.get(&target);
            if page.status == 410 {
                return Ok(false);
            }
            if page.status != 200 {
                return Err(format!("{page:?}"));
            }
            let is_complete = self.import(&page.body)?;
            match page.header("Link") {
                Some(link) => target = next(link),
                None if is_complete || self.broken == Some(Broken::EndIsNotCompared) => {
                    self.position = Some(position(&page.body));
                    return Ok(true);
                }
                None => return Err("the last page is not complete".to_owned()),
            }
        }
    }

    /// Imports a page, in as many requests as that needs. Some responses are lost.
    fn import(&mut self, page: &str) -> Result<bool, String> {
        self.standby.edge.clock.set(self.source.edge.clock.get());
        let mut lines: Vec<&str> = page.lines().collect();
        if self.broken == Some(Broken::EndIsNotCompared) && self.below(2) == 0 {
            let lost = self.below(lines.len() as u64) as usize;
            lines.remove(lost);
        }
        if self.broken == Some(Broken::EndIsNotCompared) {
            lines.retain(|line| !line.starts_with("{\"end\":"));
        }
        loop {
            let body = lines.join("\n");
            if self.below(4) == 0 {
                self.standby.ask("POST /p/import", &[LINES], body.as_bytes());
            }
            let got: Got = self.standby.ask("POST /p/import", &[LINES], body.as_bytes());
            if got.status != 200 {
                return Err(format!("{got:?}"));
            }
            let done: Value = got.json();
            if done["isDone"] == json!(true) || self.broken == Some(Broken::ImportStopsSilently) {
                let claimed = self.broken == Some(Broken::ImportStopsSilently);
                return Ok(claimed || done["isComplete"] == json!(true));
            }
            self.partial += 1;
            // The rest, or everything again.
            if self.below(2) == 0 {
                lines.drain(..done["taken"].as_u64().unwrap() as usize);
            }
        }
    }
}

/// Returns the target in a `Link`.
fn next(link: &str) -> String {
    link.trim_start_matches('<').split('>').next().unwrap().to_owned()
}

/// Returns the position at the end of a page.
fn position(page: &str) -> String {
    page.lines().last().unwrap().split('"').nth(3).unwrap().to_owned()
}

/// Returns the states of a project, without large texts.
fn states(caller: &Caller) -> Vec<String> {
    let (mut target, mut all) = ("/p/export".to_owned(), Vec::new());
    loop {
        let page = caller.get(&target);
        all.extend(
            page.body
                .lines()
                .filter(|line| !line.starts_with("{\"end\":"))
                .map(|line| line.replace("xxxxxxxxxx", "")),
        );
        match page.header("Link") {
            Some(link) => target = next(link),
            None => return all,
        }
    }
}

/// Runs a world of the seed. Returns how often a position was refused and an import was partial.
fn run(seed: u64, broken: Option<Broken>) -> Result<(u32, u32), String> {
    let mut world = World::new(seed, broken);
    for step in 0..60 {
        world.step().map_err(|error| format!("seed {seed}, step {step}: {error}"))?;
    }
    world.follow().map_err(|error| format!("seed {seed}, at the end: {error}"))?;
    Ok((world.refused, world.partial))
}

#[test]
fn a_standby_never_has_a_gap() {
    let (mut refused, mut partial) = (0, 0);
    for seed in 1..=12 {
        let counts = run(seed, None).unwrap();
        refused += counts.0;
        partial += counts.1;
    }
    assert!(refused > 5 && partial > 3, "{refused} positions refused, {partial} partial imports");
}

#[test]
fn each_broken_rule_is_noticed() {
    for broken in [Broken::RestoreKeepsHistory, Broken::ImportStopsSilently, Broken::EndIsNotCompared] {
        assert!((1..=12).any(|seed| run(seed, Some(broken)).is_err()), "{broken:?} is not noticed");
    }
}
