//! What happens to the object from outside: its clock jumps, somebody removes an entry of KV, and a mutant refuses
//! writes.

use crate::support::schemas::required;
use crate::world::simulation::mutant::Mutant;
use crate::world::simulation::workload::{Intent, Operation};
use crate::world::simulation::world::World;

impl World {
    /// Sets the object's clock to another time.
    pub(crate) fn object_clock_jumps(&mut self, ahead: i64) {
        self.report.count("the clock of the object jumps");
        self.report.trace(|| format!("the object's clock is {ahead} ms ahead"));
        if ahead > self.object.clock.get() {
            // The minute in which an uncertain put is confirmed gets shorter.
            let open = self.puts.values().filter(|put| put.lands.is_some());
            self.object.excused.extend(open.map(|open| open.put.entry.to_string()));
            self.object.excused.extend(self.object.overwritten.iter().cloned());
        }
        self.object.clock.set(ahead);
        self.object.alarm_queued = None;
    }

    /// Removes a KV entry, as a person outside the service could.
    pub(crate) fn remove_an_entry(&mut self) {
        let now = self.now();
        let entries: Vec<String> = self.kv.all(now).map(|(entry, _)| entry.to_owned()).collect();
        if entries.is_empty() {
            return;
        }
        let entry = self.random.pick(&entries).clone();
        self.report.count("a KV entry is removed");
        self.report.trace(|| format!("{entry} is removed from KV"));
        self.kv.remove(&entry, now);
        self.object.excused.insert(entry);
    }

    /// Returns whether a mutant refuses the write because its resource lacks what is required now.
    pub(super) fn refuses_earlier(&self, operation: &Operation) -> bool {
        let (Some(Mutant::RefuseEarlier), Intent::Write(write)) = (self.mutant, &operation.intent) else {
            return false;
        };
        let record = write.id.as_ref().and_then(|id| self.oracle.live(id)).map(|(_, record)| &record.value);
        let schema = self.deployed.object.schema.as_deref();
        schema.zip(record).is_some_and(|(schema, record)| required(schema).any(|name| record[name].is_null()))
    }
}
