//! Deployments with other own fields (D37).

use super::*;
use crate::support::deployments::{changed, grown};

/// What a service delivers with any own fields.
const REQUESTS: [&str; 4] = ["GET /p/changes", "GET /p/export", "GET /p/resource", "GET /p/status"];
/// The only error of a deployment: the index is rebuilt in parts if a field got another type (D41).
const REBUILDING: &str = "\"message\":\"The project's index is being rebuilt. Try again.\",";

/// The fields of the service, and those of its deployments so far.
pub(super) struct Deployments {
    /// Whether the resource is a declared one. Of the interface's, fields are only added and moved: an import refuses
    /// what it lacks.
    is_declared: bool,
    pub(super) table: Table,
    pub(super) shape: Rc<Shape>,
    /// The fields that the service has had all the time with one type. An import may lose values of others.
    kept: Vec<(String, String)>,
    /// The fields that it has had at any time, with the types of single values.
    had: BTreeSet<(String, String)>,
}

impl Deployments {
    pub(super) fn new(random: &Random) -> Self {
        let (is_declared, table) = (random.chance(600), Table::draw(random));
        let (shape, kept) = (Rc::default(), fields_of(&table));
        let mut deployments = Self { is_declared, table: table.clone(), shape, kept, had: BTreeSet::new() };
        deployments.add(table);
        deployments
    }

    fn add(&mut self, table: Table) {
        let fields = fields_of(&table);
        self.kept.retain(|field| fields.contains(field));
        let single = |(name, kind): (String, String)| (name, kind.trim_end_matches("[]").to_owned());
        self.had.extend(fields.into_iter().map(single));
        self.shape = if self.is_declared { table.declared() } else { table.shape() };
        self.table = table;
    }

    fn next(&self, random: &Random) -> Table {
        if self.is_declared { changed(&self.table, random) } else { grown(&self.table, random) }
    }

    /// Returns whether a field has had two types.
    fn has_other_types(&self) -> bool {
        let names: BTreeSet<&String> = self.had.iter().map(|(name, _)| name).collect();
        names.len() < self.had.len()
    }

    /// Returns a body without values.
    pub(super) fn body(&self, id: &str) -> Value {
        if self.is_declared { json!({ "id": id }) } else { json!({ "id": id, "objectTypeProperty": {} }) }
    }
}

fn fields_of(table: &Table) -> Vec<(String, String)> {
    table.fields().map(|(name, kind)| (name.to_owned(), kind.to_owned())).collect()
}

impl World {
    /// Deploys any other own fields. Objects end, and start again.
    pub(super) fn deploy(&mut self) -> Verdict {
        if self.random.chance(400) {
            // So many that their index is rebuilt in parts.
            for id in 0..IDS {
                let mut body = self.deployments.body(&format!("r{id}"));
                body["custom"] = json!("x".repeat(LONG));
                self.ask(true, "POST /p/resource", &body.to_string());
            }
        }
        self.kill(true);
        self.kill(false);
        let states = [self.source.states(), self.standby.states()];
        self.report.count("own fields change");
        self.use_fields(self.deployments.next(&self.random));
        let edge = self.edge();
        for site in [&mut self.source, &mut self.standby] {
            let line = *self.random.pick(&REQUESTS);
            let mut answer = site.ask(&edge, line, "", false);
            let mut parts = 0;
            while answer.status == 503
                && answer.body.contains(REBUILDING)
                && self.deployments.has_other_types()
            {
                self.report.count("an index is rebuilt in parts");
                parts += 1;
                // Each record may be a part.
                need(parts <= IDS, || format!("{line} waits for {parts} parts of an index"))?;
                answer = site.ask(&edge, line, "", false);
            }
            need(answer.status == 200, || {
                format!("{line} after a deployment gets {}: {}", answer.status, answer.body)
            })?;
        }
        self.source.end();
        self.standby.end();
        let now = [self.source.states(), self.standby.states()];
        need(states == now, || format!("a deployment changes {states:#?} to {now:#?}"))
    }

    /// Returns states as texts, with the own fields that the service has had all the time.
    pub(super) fn shown(&self, states: &[State]) -> Vec<String> {
        states.iter().map(|state| state.shown(&self.deployments.kept)).collect()
    }

    /// Lets the service have these fields. The follower with a condition follows another one.
    fn use_fields(&mut self, table: Table) {
        self.deployments.add(table);
        let Deployments { table, shape, .. } = &self.deployments;
        self.report.trace(|| format!("{table:?}"));
        self.location.deploy(shape);
        self.source.deploy(shape);
        self.standby.deploy(shape);
        let filter = Filter::draw(&self.deployments, &self.random);
        self.feeds[1] = Feed::new(Some(filter), self.mutant);
    }
}
