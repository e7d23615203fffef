//! Random writes, puts, crashes, and clocks: in the end KV equals the source of truth.

use super::*;

#[derive(Debug, Clone)]
enum Step {
    /// Writes a resource, under one of a few keys.
    Write { id: u8, key: Option<u8> },
    /// Deletes a resource.
    Delete { id: u8 },
    /// Begins a due put.
    Begin,
    /// Ends a put that has begun.
    End { which: u8, how: End },
    /// Lets time pass.
    Wait { ms: u32 },
    /// Kills the process: puts that have begun may land immediately, later, or never, and nothing records it.
    Crash { how: End },
    /// Stores the watermark, as the alarm does.
    Checkpoint,
}

#[derive(Debug, Clone, Copy)]
enum End {
    Lands,
    FailsForGood,
    /// Unknown: it lands within half a minute.
    LandsLate {
        ms: u32,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let end = prop_oneof![
        3 => Just(End::Lands),
        1 => Just(End::FailsForGood),
        2 => (0..30_000_u32).prop_map(|ms| End::LandsLate { ms }),
    ];
    prop_oneof![
        3 => (0..3_u8, prop::option::of(0..3_u8)).prop_map(|(id, key)| Step::Write { id, key }),
        1 => (0..3_u8).prop_map(|id| Step::Delete { id }),
        4 => Just(Step::Begin),
        4 => (any::<u8>(), end.clone()).prop_map(|(which, how)| Step::End { which, how }),
        3 => (0..20_000_u32).prop_map(|ms| Step::Wait { ms }),
        1 => end.prop_map(|how| Step::Crash { how }),
        1 => Just(Step::Checkpoint),
    ]
}

/// A drain with one put per key at a time, like the Worker's.
struct World {
    project: Collection,
    now: Millis,
    kv: Kv,
    in_flight: Vec<Put>,
    late: Vec<(Millis, Put)>,
}

impl World {
    fn wait(&mut self, ms: Millis) {
        self.now += ms;
        self.late.sort_by_key(|(when, _)| *when);
        while self.late.first().is_some_and(|(when, _)| *when <= self.now) {
            let (_, put) = self.late.remove(0);
            land(&mut self.kv, &put);
        }
    }

    fn begin(&mut self) {
        if let Next::Put(put) = self.project.next_put(self.now).unwrap() {
            assert!(self.in_flight.iter().all(|other| other.entry != put.entry), "two puts of one KV key");
            self.in_flight.push(put);
        }
    }

    fn end(&mut self, which: usize, how: End) {
        if self.in_flight.is_empty() {
            return;
        }
        let put = self.in_flight.remove(which % self.in_flight.len());
        match how {
            End::Lands => {
                land(&mut self.kv, &put);
                self.project.put_done(&put, self.now).unwrap();
            }
            End::FailsForGood => self.project.put_failed(&put, self.now).unwrap(),
            End::LandsLate { ms } => {
                self.project.put_failed(&put, self.now).unwrap();
                self.late.push((self.now + Millis::from(ms), put));
            }
        }
    }

    fn take(&mut self, step: &Step) {
        self.now += 1;
        match step {
            Step::Write { id, key } => {
                let key = key.map(|key| format!("k{key}"));
                let body = json!({"id": format!("r{id}"), "key": key, "objectTypeProperty": {}});
                // A key in use is rejected, which changes nothing.
                self.project.perform(&post(&body), &at(self.now)).unwrap();
            }
            Step::Delete { id } => {
                self.project.perform(&delete(&format!("r{id}")), &at(self.now)).unwrap();
            }
            Step::Begin => self.begin(),
            Step::End { which, how } => self.end(usize::from(*which), *how),
            Step::Wait { ms } => self.wait(Millis::from(*ms)),
            Step::Crash { how } => {
                for put in std::mem::take(&mut self.in_flight) {
                    match how {
                        End::Lands => land(&mut self.kv, &put),
                        End::FailsForGood => {}
                        End::LandsLate { ms } => self.late.push((self.now + Millis::from(*ms), put)),
                    }
                }
                self.project = Project::new(self.project.database().clone());
            }
            Step::Checkpoint => self.project.checkpoint().unwrap(),
        }
    }

    /// Lets everything end, as the alarm does: it rings when the outbox is due, and all puts succeed by then.
    fn settle(&mut self) {
        while !self.in_flight.is_empty() {
            self.end(0, End::Lands);
        }
        while let Some(due) = self.project.next_due(self.now).unwrap() {
            self.wait(due.saturating_sub(self.now).max(1));
            self.begin();
            self.end(0, End::Lands);
        }
        assert!(self.late.is_empty(), "the outbox was done before what might still land");
    }
}

/// Returns what reads use from KV: only the ID of a key's entry, and nothing of tombstones.
fn told(kv: Kv) -> BTreeMap<String, (String, Option<Metadata>)> {
    kv.into_iter()
        .filter(|(_, (value, _, _))| !value.is_empty())
        .map(|(entry, (value, metadata, _))| {
            let metadata = metadata.filter(|_| entry.starts_with("r1:"));
            (entry, (value, metadata))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn kv_finally_equals_the_source_of_truth(steps in prop::collection::vec(step(), 1..80)) {
        let mut world = World {
            project: open(), now: 1_000_000, kv: Kv::new(), in_flight: Vec::new(), late: Vec::new(),
        };
        for step in &steps {
            world.take(step);
        }
        world.settle();
        // The sweep of an empty KV puts everything.
        let mut truth = Kv::new();
        if world.project.next_sweep(world.now).unwrap().is_some() {
            let now = sweep(&world.project, &truth, 3);
            replicate(&world.project, &mut truth, now);
        }
        prop_assert_eq!(told(world.kv), told(truth));
    }
}
