//! Deployments with other own fields (D37).

use super::*;

/// What a service with other fields must not deliver.
const REQUESTS: [&str; 4] =
    ["GET /p/changes", "GET /p/export", "GET /p/resource", "DELETE /p/data?confirm=p"];

impl World {
    /// Deploys a field more, or other fields than the data has, which is undone. Objects end, and start again.
    pub(super) fn deploy(&mut self) -> Verdict {
        self.kill(true);
        self.kill(false);
        let states = [self.source.states(), self.standby.states()];
        let verdict = if self.random.chance(500) {
            self.own_fields = self.own_fields.longer();
            self.own_fields.install();
            self.report.trace(|| format!("a field is added: {:?}", self.own_fields));
            self.report.count("a field is added");
            Ok(())
        } else {
            let broken = self.own_fields.broken(&self.random);
            broken.install();
            let verdict = self.check_refusals(&broken);
            self.own_fields.install();
            verdict
        };
        self.source.end();
        self.standby.end();
        let now = [self.source.states(), self.standby.states()];
        verdict.and_then(|()| need(states == now, || format!("a deployment changes {states:#?} to {now:#?}")))
    }

    /// Data with fields that the service does not have is refused.
    fn check_refusals(&mut self, broken: &Table) -> Verdict {
        for of_source in [true, false] {
            let site = if of_source { &self.source } else { &self.standby };
            if broken.continues(&site.own_fields()) {
                continue;
            }
            self.report.count("own fields that do not fit the data are refused");
            let line = *self.random.pick(&REQUESTS);
            let edge = self.edge();
            let site = if of_source { &mut self.source } else { &mut self.standby };
            let status = site.ask(&edge, line, "", false).status;
            need(status == 503, || format!("{line} with {broken:?} gets {status}"))?;
        }
        Ok(())
    }
}
