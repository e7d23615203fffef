//! The alarm of the object: it repeats the puts that a crash left, and sweeps KV.

use super::*;

impl World {
    /// Queues a check of the alarm for the time when it is due.
    pub(crate) fn schedule_alarm(&mut self) {
        let Some(at) = self.object.storage.alarm.get().filter(|_| !self.object.alarm_is_running) else {
            return;
        };
        let due = by_clock(at, -self.object.clock.get()).max(self.now());
        if self.object.alarm_queued.is_none_or(|queued| queued > due) {
            self.object.alarm_queued = Some(due);
            self.after(due - self.now(), Self::alarm_is_due);
        }
    }

    pub(crate) fn alarm_is_due(&mut self) {
        if self.object.alarm_queued.is_some_and(|queued| queued <= self.now()) {
            self.object.alarm_queued = None;
        }
        if self.object.storage.alarm.get().is_some_and(|at| at <= self.object_time()) {
            self.ring();
        }
    }

    pub(crate) fn ring(&mut self) {
        if self.object.alarm_is_running {
            return;
        }
        self.report.count("the alarm rings");
        if self.goes_wrong(self.faults.repeated_alarms) {
            let pause = self.random.below(5_000);
            self.after(pause, Self::ring);
        }
        self.object.storage.alarm.set(None);
        self.object.alarm_is_running = true;
        self.start_instance();
        self.report.trace(|| "the alarm rings".to_owned());
        self.turn(|world| world.on(machine::Event::AlarmRang));
    }

    pub(super) fn list(&mut self, sweep: Sweep) {
        let pause = self.delay(20, 200);
        let page = if self.goes_wrong(self.faults.lists) || self.mutant == Some(Mutant::BlindSweep) {
            None
        } else {
            Some(self.kv.list(&sweep.prefix, sweep.cursor.as_deref(), self.now()))
        };
        self.report.count("a page of KV is listed");
        self.report.trace(|| format!("sweep of {}: {page:?}", sweep.prefix));
        let generation = self.object.generation;
        self.after(pause, move |world| world.listed(generation, sweep, page));
    }

    pub(crate) fn listed(
        &mut self,
        generation: u64,
        sweep: Sweep,
        page: Option<(Vec<Listed>, Option<String>)>,
    ) {
        if self.lives(generation) {
            let page = page.ok_or_else(|| "made to fail".to_owned());
            self.turn(|world| world.on(machine::Event::Listed(sweep, page)));
        }
    }
}
