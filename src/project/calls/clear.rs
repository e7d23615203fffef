//! Deletes everything that a project has, in turns of a bounded size.
//!
//! A turn deletes resources as ordinary deletes do. So the same rules apply to KV, and a late put restores nothing. The
//! last version of each ID remains (D5), and so does the newest revision: later writes continue from there. Followers
//! get these deletions. Only the turn that leaves no resource ends the history (D31). So they begin again once, with an
//! empty project, however many turns there are and wherever the deletion is interrupted.

use crate::call::Reply;
use crate::contract::limits;
use crate::contract::response::services::cleared;
use crate::util::json;
use crate::util::time::Millis;

use crate::project::replication::outbox;
use crate::project::store::database::{Database, Result, binds};
use crate::project::store::history;
use crate::project::store::records::{self, By};
use crate::project::store::totals::Contents;
use crate::project::{Moment, Project};

/// What a turn has done.
struct Cleared {
    deleted: i64,
    /// The project's newest revision after it.
    newest: Millis,
    has_responses: bool,
}

impl<D: Database> Project<D> {
    pub(crate) fn clear(&self, moment: &Moment) -> Result<Reply<D::Text>> {
        let before = self.totals.newest(&self.database)?;
        let count = self.totals.count(&self.database)?;
        let Cleared { deleted, newest, has_responses } =
            self.transaction(|| self.clear_turn(before, count, moment))?;
        let remaining = count - deleted;
        if newest > before {
            if remaining == 0 {
                self.history.discard();
            }
            self.totals.change(newest, -deleted, Contents::default());
            self.outbox.borrow_mut().read_from(before, moment.now);
        }
        Ok(self.performed(json::object(|object| {
            object.integer(cleared::DELETED, deleted);
            object.integer(cleared::REMAINING, remaining);
            json::boolean(object.member(cleared::IS_DONE), remaining == 0 && !has_responses);
            object.integer(cleared::NEWEST_REVISION, newest as i64);
        })))
    }

    /// Deletes stored responses first, then some of `count` resources, so that no response can refer to a deleted one.
    /// The caller opens the transaction.
    fn clear_turn(&self, newest: Millis, count: i64, moment: &Moment) -> Result<Cleared> {
        let (fields, database, now) = (self.fields()?, &self.database, moment.now);
        let has_responses = self.replays.clear(database)?;
        let mut done = Cleared { deleted: 0, newest, has_responses };
        if has_responses {
            return Ok(done);
        }
        for id in oldest(database)? {
            let Some(stored) = records::find(fields, database, By::Id(&id))? else { continue };
            done.newest = now.max(done.newest + 1);
            records::remove(fields, database, self.index.has(stored.seq), &stored)?;
            records::bury(database, &id, stored.record.version, done.newest)?;
            if let Some(key) = &stored.record.key {
                outbox::record_lost_key(database, key, done.newest, now)?;
            }
            done.deleted += 1;
        }
        if done.deleted > 0 {
            if done.deleted == count {
                history::end(database, &moment.entropy)?;
            }
            database.arm(now + outbox::ALARM_MS)?;
        }
        Ok(done)
    }
}

/// Returns the resources of a turn: at most as many as a turn allows, and no more bytes than a body. Reads the sizes
/// first.
fn oldest<D: Database>(database: &D) -> Result<Vec<String>> {
    let sql = "SELECT id, octet_length(body) FROM resource ORDER BY revision LIMIT ?";
    let rows = database.rows(sql, &binds![limits::CLEAR_ROWS], |row| Some((row.text(0)?, row.size(1)?)))?;
    let (mut ids, mut bytes) = (Vec::new(), 0);
    for (id, size) in rows {
        bytes += size;
        if ids.is_empty() || bytes <= limits::BATCH_BYTES {
            ids.push(id);
        }
    }
    Ok(ids)
}
