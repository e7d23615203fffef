//! The operator of the source, who restores it and deletes its data.

use super::*;

impl World {
    pub(super) fn restore(&mut self) -> Verdict {
        let Some(bookmark) = self.source.some_bookmark(&self.random) else { return Ok(()) };
        let status = self.status(true, &format!("POST /p/restore?confirm=p&bookmark={bookmark}"), "");
        self.report.count(if status == 200 { "a restore" } else { "an interrupted restore" });
        need([200, 500, 503].contains(&status), || format!("a restore gets {status}"))
    }

    /// Deletes the data in parts. Anything may happen between them, and the last ones may never come.
    pub(super) fn delete_data(&mut self) -> Verdict {
        while self.random.chance(800) {
            let answer = self.ask(true, "DELETE /p/data?confirm=p", "");
            let Some(answer) = answer.filter(|answer| ![500, 503].contains(&answer.status)) else { continue };
            need(answer.status == 200, || format!("a deletion gets {}", answer.status))?;
            let is_done = answer.body.contains("\"isDone\":true");
            self.report.count(if is_done { "the data is deleted" } else { "a part of the data is deleted" });
            if is_done {
                break;
            }
            match self.random.below(5) {
                0 => self.write()?,
                1 => self.feed()?,
                2 => self.push()?,
                3 => self.restore()?,
                _ => self.kill(true),
            }
        }
        Ok(())
    }
}
