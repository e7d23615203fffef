//! The sockets of the followers of the feed: their tokens, their frames, and kills right after these.

use super::*;

impl World {
    /// The socket of each follower opens, or gets a frame.
    pub(super) fn push(&mut self) -> Verdict {
        (0..self.feeds.len()).try_for_each(|at| self.push_to(at, self.now.get()))
    }

    fn push_to(&mut self, at: usize, now: Millis) -> Verdict {
        if !self.source.has_socket(at) {
            return self.open(at, now);
        }
        match self.source.frame(at, now, &self.random) {
            Frame::Nothing => {}
            Frame::Closed(why) => self.report.count(why),
            Frame::Text(frame) => {
                let expires = self.expires[at];
                need(now < expires, || format!("a frame at {now}, but the token expired at {expires}"))?;
                let is_behind = frame.contains("\"behind\":true");
                self.report.count(if is_behind { "a socket is behind" } else { "a frame" });
                let (_, to) = feed::window(&frame);
                if self.random.chance(500) {
                    self.feeds[at].apply(self.source.histories, &frame, self.source.is_whole())?;
                    self.check_newest(at)?;
                }
                self.feeds[at].push(self.source.histories, frame, self.source.is_whole());
                if self.random.chance(200) {
                    return self.kill_after(&to);
                }
            }
        }
        Ok(())
    }

    /// Kills the source right after it has delivered everything up to a position.
    fn kill_after(&mut self, to: &FeedPosition) -> Verdict {
        self.kill(true);
        self.report.count("a kill right after a frame");
        let edge = self.edge();
        let token = self.source.token(&edge, "view_test:p");
        let status = self.source.page(&edge, &format!("/p/changes?after={to}"), &token);
        need(status == 200, || format!("a kill loses what was delivered up to {to}: {status}"))
    }

    /// Opens the socket of a follower, with a token that may have expired.
    fn open(&mut self, at: usize, now: Millis) -> Verdict {
        let edge = self.edge();
        let (token, expires) = self.token.take().unwrap_or_else(|| {
            let expires = now / 1_000 * 1_000 + TOKEN_SECONDS * 1_000;
            (self.source.token(&edge, self.random.pick::<&str>(&["manage_test:p", "view_test:p"])), expires)
        });
        let (faulty, target) = (self.goes_wrong(), self.feeds[at].socket());
        let (status, frame) = self.source.listen(&edge, at, &target, &token, faulty);
        let is_refused = now >= expires;
        need((status == 401) == is_refused, || {
            format!("a socket gets {status} at {now}, with a token that expires at {expires}")
        })?;
        match frame {
            Some(frame) => {
                self.report.count("a socket opens");
                self.expires[at] = expires;
                self.feeds[at].push(self.source.histories, frame, self.source.is_whole());
                self.catch_up(at)?;
            }
            None if is_refused => self.report.count("an expired token is refused"),
            None => {}
        }
        // It may expire until the next use.
        self.token = (!is_refused && self.random.chance(800)).then_some((token, expires));
        Ok(())
    }

    /// A follower whose socket has opened reads what came before, as the client does.
    fn catch_up(&mut self, at: usize) -> Verdict {
        let target = self.feeds[at].target(500, Begin::Own);
        let page = self.ask(true, &format!("GET {target}"), "").filter(|answer| answer.status == 200);
        page.map_or(Ok(()), |page| self.feeds[at].apply(page.histories, &page.body, page.is_whole))?;
        self.check_newest(at)
    }

    /// A follower of the feed that is at the newest revision has what the source has.
    pub(super) fn check_newest(&mut self, at: usize) -> Verdict {
        let feed = &self.feeds[at];
        if feed.began < self.source.histories || feed.revision() != self.source.newest() {
            return Ok(());
        }
        self.report.count("a follower of the feed has everything");
        let difference = feed.difference(&self.source.records());
        need(difference.is_none(), || {
            format!("a follower of the feed has {}", difference.unwrap_or_default())
        })
    }

    /// Somebody with a token of another project asks for the changes.
    pub(super) fn trespass(&mut self) -> Verdict {
        let (edge, at) = (self.edge(), self.random.below(self.feeds.len() as u64) as usize);
        let token = self.source.token(&edge, self.random.pick::<&str>(&["manage_test:q", "view_test:q"]));
        let target = self.feeds[at].socket();
        let status = if self.random.chance(500) {
            self.source.listen(&edge, at, &target, &token, false).0
        } else {
            self.source.page(&edge, &target, &token)
        };
        self.report.count("a token of another project is refused");
        need(status == 403, || format!("a token of another project gets {status}"))
    }

    /// Kills an object.
    pub(super) fn kill(&mut self, of_source: bool) {
        let site = if of_source { &mut self.source } else { &mut self.standby };
        let loses = site.end();
        self.report.trace(|| format!("the object of the source ({of_source}) is killed"));
        self.report.count(if loses { "a kill loses commits" } else { "an object ends" });
    }
}
