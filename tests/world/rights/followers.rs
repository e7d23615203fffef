//! Followers that are connected while resources change: sockets, and requests that wait.

use resource_edge::call::{Call, Message};

use super::calls::{self, Asked};
use super::draw::Reader;
use super::worlds::{Followed, Twin, Worlds};
use crate::support::caller::Caller;
use crate::support::random::Random;

/// What a reader follows, from a position.
pub(super) struct Follower {
    reader: Reader,
    /// The request for the pages after the position.
    pages: Asked,
    from: u64,
    socket: Message,
    /// The message of the page for which a request waits.
    waits: Message,
}

impl Worlds {
    /// Lets each reader follow the project from now.
    pub(super) fn follow(&self, random: &Random) -> Vec<Follower> {
        let at = self.present();
        let from = at.split('.').nth(1).and_then(|revision| revision.parse().ok()).expect("a revision");
        let followed = |reader: Reader| {
            let query = format!("after={at}{}", calls::condition(random, self, 600));
            let line = |more: &str| format!("GET /p/changes?{query}{more}");
            let socket = self.accepted(&self.caller, &reader, &calls::socket(&query));
            let message = self.message_of(&self.caller, &reader, &Asked::new("feed", &line("&wait=9")));
            let (waits, ms) = self.with_project(&self.caller, |project, moment| {
                let reply = project.perform(&message, moment).unwrap();
                message.waiting(&reply.head).expect("nothing has changed")
            });
            assert_eq!(ms, 9_000);
            Follower { pages: Asked::new("feed", &line("")), reader, from, socket, waits }
        };
        self.plan.readers().map(followed).collect()
    }

    /// Checks that each follower gets what a project with only its resources has after the position.
    pub(super) fn compare_followers(&self, followers: &[Follower], twins: &[(Reader, Twin)]) {
        for (follower, (_, twin)) in followers.iter().zip(twins) {
            let Follower { reader, pages, from, socket, waits } = follower;
            let expected = self.feed(&twin.caller, reader, twin, pages);
            let (frame, page) = self.with_project(&self.caller, |project, moment| {
                let frame = project.frame(socket, *from, moment).unwrap();
                (frame, project.perform(waits, moment).unwrap().body)
            });
            for (kind, text) in [("socket", frame), ("wait", page)] {
                let mut found = Followed::default();
                found.add(&text.expect(kind), twin);
                assert_eq!(found, expected, "{kind} {}", self.say(reader, pages));
            }
        }
    }

    /// Returns the message of the frames of a socket.
    pub(super) fn accepted(&self, caller: &Caller, reader: &Reader, call: &Asked) -> Message {
        // The object has the epoch of positions after its first page.
        self.send_as(caller, reader, &Asked::new("feed", "GET /p/changes?after=now"));
        let message = self.message_of(caller, reader, call);
        let Call::Listen(listener) = &message.call else { panic!("{message:?}") };
        // The platform closes the socket then.
        let has_end = listener.expires <= caller.edge.clock.get() + 3_600_000;
        assert_eq!(has_end, reader.claims.is_some(), "{listener:?}");
        self.with_project(caller, |project, moment| {
            let reply = project.perform(&message, moment).unwrap();
            message.listening(&reply.head).expect("accepted").0
        })
    }

    fn message_of(&self, caller: &Caller, reader: &Reader, call: &Asked) -> Message {
        caller.message(&self.request(caller, reader, call)).1.expect("a message to the object")
    }
}
