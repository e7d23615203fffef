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
            self.after(due - self.now(), Event::Alarm);
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

    /// Rings the alarm, as `Drain::alarm` begins.
    pub(crate) fn ring(&mut self) {
        if self.object.alarm_is_running {
            return;
        }
        self.count("the alarm rings");
        if self.goes_wrong(self.faults.repeated_alarms) {
            let pause = self.random.below(5_000);
            self.after(pause, Event::RingAgain);
        }
        self.object.storage.alarm.set(None);
        self.object.alarm_is_running = true;
        self.start_instance();
        self.trace(|_| "the alarm rings".to_owned());
        self.turn(12, |world| {
            world.project().inspect(|project| project.database().alarm_rang());
            world.pump();
        });
        let end = self.object_time() + DRAIN_MS;
        if let Some(instance) = &mut self.object.instance {
            instance.waits_until = Some(end);
        }
        self.look();
    }

    /// Continues the alarm if it waits and no put is in flight, or its time is over, as in `Drain::puts_ended`. The end
    /// of each put checks this.
    pub(super) fn look(&mut self) {
        let now = self.object_time();
        let Some(instance) = &mut self.object.instance else { return };
        if !instance.waits_until.is_some_and(|end| instance.puts == 0 || now >= end) {
            return;
        }
        instance.waits_until = None;
        self.turn(12, |world| {
            let now = world.object_time();
            match world.project().map(|project| project.sweep(now)) {
                Some(Ok(Some(sweep))) => world.list(sweep),
                _ => world.end_alarm(),
            }
        });
    }

    fn list(&mut self, sweep: Sweep) {
        let pause = self.delay(20, 200);
        let page = if self.goes_wrong(self.faults.lists) {
            None
        } else {
            Some(self.kv.list(&sweep.prefix, sweep.cursor.as_deref(), self.now()))
        };
        self.count("a page of KV is listed");
        self.trace(|_| format!("sweep of {}: {page:?}", sweep.prefix));
        let generation = self.object.generation;
        self.after(pause, Event::Listed { generation, sweep, page });
    }

    pub(crate) fn listed(
        &mut self,
        generation: u64,
        sweep: &Sweep,
        page: Option<(Vec<Listed>, Option<String>)>,
    ) {
        if !self.lives(generation) {
            return;
        }
        self.turn(12, |world| {
            let now = world.object_time();
            let Some(project) = world.project() else { return };
            let ended = match page {
                Some((entries, cursor)) if world.mutant != Some(Mutant::BlindSweep) => {
                    project.sweep_done(sweep, &entries, cursor.as_deref(), now)
                }
                _ => project.sweep_failed(now),
            };
            if ended.is_ok() {
                world.pump();
            }
            world.end_alarm();
        });
    }

    fn end_alarm(&mut self) {
        let Some(project) = self.project() else { return };
        let rested = project.checkpoint().and_then(|()| self.arm_next()).and_then(|()| self.arm_sweep());
        if rested.is_err() {
            self.arm(self.object_time() + RETRY_MS);
        }
        if self.project().is_some_and(|project| !project.database().has_ended()) {
            self.object.alarm_is_running = false;
        }
    }
}
