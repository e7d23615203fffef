//! Deployments with other own fields (D37).

use super::*;
use crate::support::deployments::changed;

/// What a service delivers with any own fields.
const REQUESTS: [&str; 4] = ["GET /p/changes", "GET /p/export", "GET /p/resource", "GET /p/status"];

impl World {
    /// Deploys any other own fields. Objects end, and start again.
    pub(super) fn deploy(&mut self) -> Verdict {
        self.kill(true);
        self.kill(false);
        let states = [self.source.states(), self.standby.states()];
        self.report.count("own fields change");
        self.use_fields(changed(&self.own_fields, &self.random));
        let edge = self.edge();
        for site in [&mut self.source, &mut self.standby] {
            let line = *self.random.pick(&REQUESTS);
            let answer = site.ask(&edge, line, "", false);
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
        states.iter().map(|state| state.shown(&self.kept)).collect()
    }

    /// Lets the service have these own fields. The follower with a condition follows another one.
    fn use_fields(&mut self, own_fields: Table) {
        self.own_fields = own_fields;
        self.shape = self.own_fields.shape();
        self.report.trace(|| format!("{:?}", self.own_fields));
        let fields: Vec<(&str, &str)> = self.own_fields.fields().collect();
        self.kept.retain(|(name, kind)| fields.contains(&(name.as_str(), kind.as_str())));
        self.location.deploy(&self.shape);
        self.source.deploy(&self.shape);
        self.standby.deploy(&self.shape);
        let filter = Filter::draw(&self.own_fields, &self.random);
        self.feeds[1] = Feed::new(Some(filter), self.mutant);
    }
}
