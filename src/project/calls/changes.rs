//! A page of the feed of changes (D36): what the project has after a position, oldest first. Each resource occurs once,
//! with its newest state, so that the feed needs no log. A state that is replaced while a follower reads the pages has
//! a later revision, and so is on a later page.

use core::fmt;

use crate::call::{After, Call, CallResult, Changes, Listener, Message, More, Reply};
use crate::contract::error::ApiError;
use crate::contract::limits;
use crate::contract::position::{FeedPosition, ProjectPosition};
use crate::contract::response::services::changes as names;
use crate::predicate::Typed;
use crate::shape::Deleted;
use crate::util::json::{self, ObjectWriter};
use crate::util::time::Millis;

use super::export::{Bounds, Extent, history_changed};
use crate::project::failure::{Failure, too_long_where};
use crate::project::query::budget::{RowCost, Work};
use crate::project::query::changed::{ChangeKind, Changed, Examination};
use crate::project::store::database::{Database, Result, StoreError, binds, unexpected};
use crate::project::{Moment, Project};

impl<D: Database> Project<D> {
    pub(crate) fn changes(
        &self,
        wanted: &Changes,
        present: &ProjectPosition,
    ) -> Result<Reply<D::Text>, Failure> {
        let from = begin(&wanted.after, present)?;
        let bounds = Bounds {
            after: from.at.revision,
            deletions_after: from.at.revision.max(from.began),
            lines: usize::try_from(wanted.limit).unwrap_or(0),
            bytes: limits::BATCH_BYTES,
            cost: RowCost::default(),
            end: None,
        };
        let mut lines = String::new();
        let extent = match &wanted.condition {
            None => {
                let extent = bounds.extent(&self.database)?;
                bounds.write(&self.database, extent.last, &mut lines)?;
                extent
            }
            Some(condition) => {
                self.catch_up()?;
                write_matches(&self.work()?, condition, &bounds, from.began, &mut lines)
                    .map_err(|failure| failure.of_long_query(too_long_where))?
            }
        };
        let revision = if extent.more { extent.last } else { present.revision };
        let more = match extent.more {
            true => More::Page,
            false if revision > from.at.revision => More::Nothing,
            false => More::Idle,
        };
        let at = ProjectPosition { history: present.history.clone(), revision };
        let to = FeedPosition::new(at, from.began);
        let text = page_of(&from, &to, Some(&lines));
        Ok(Reply::new(CallResult::Changes { to, more }, Some(self.database.text_of(text))))
    }

    /// Accepts a listener, whose first frame is empty. Returns an error if its position is of another history.
    pub(crate) fn listen(&self, after: &After, present: ProjectPosition) -> Result<Reply<D::Text>, ApiError> {
        begin(after, &present)?;
        let frame = page_of(&present, &present, Some(""));
        Ok(Reply::new(CallResult::Listening(present), Some(self.database.text_of(frame))))
    }

    /// Returns the next frame of listeners, from the revision that they have (D36). `None` if the project has another
    /// history since they were accepted. `message` is that of [`Message::listening`].
    pub fn frame(&self, message: &Message, from: Millis, moment: &Moment) -> Result<Option<String>> {
        let is_ready = self.make_ready()?;
        // A listener with a field that the project no longer has connects again, and gets the error.
        let call = match self.numbered(&message.call) {
            Ok(call) => call,
            Err(Failure::Refused(error)) => return Err(StoreError::new(error.cause.unwrap_or_default())),
            Err(Failure::Fault(fault)) => return Err(fault),
        };
        let Call::Listen(Listener { after: After::Position(after), condition, .. }) = &*call else {
            return Ok(None);
        };
        let present = self.position(&message.project, moment)?;
        if after.at.history != present.history {
            return Ok(None);
        }
        // The page over HTTP renews the index.
        let can_examine = is_ready && self.stale_fields(&call).is_empty();
        let lines = if can_examine { self.frame_lines(condition.as_ref(), from)? } else { None };
        let from = ProjectPosition { history: present.history.clone(), revision: from };
        Ok(Some(page_of(&from, &present, lines.as_deref())))
    }

    /// Returns the lines of a frame: what follows a revision. If that is too much, returns `None`, and the frame only
    /// says that its readers are behind.
    fn frame_lines(&self, condition: Option<&Typed>, after: Millis) -> Result<Option<String>> {
        let work = self.work()?;
        let examination = condition.map(|condition| Examination::new(&work, condition));
        let lines = if examination.is_none() { limits::EXPORT_LINES } else { limits::FRAME_ROWS };
        let cost = examination.as_ref().map_or_else(RowCost::default, Examination::cost);
        let bytes = limits::BATCH_BYTES;
        let bounds = Bounds { after, deletions_after: after, lines, bytes, cost, end: None };
        let extent = bounds.extent(&self.database)?;
        if extent.more || extent.bytes > limits::BATCH_BYTES {
            return Ok(None);
        }
        let mut lines = String::new();
        let Some(examination) = examination else {
            bounds.write(&self.database, extent.last, &mut lines)?;
            return Ok(Some(lines));
        };
        self.catch_up()?;
        let changed = examination.run(after, after, extent.last, extent.units);
        match changed.map_err(|failure| failure.of_long_query(too_long_where)) {
            Ok(changed) => write_changed(&self.database, &changed, &mut lines)?,
            Err(Failure::Fault(fault)) => return Err(fault),
            // The page over HTTP has the error.
            Err(Failure::Refused(_)) => return Ok(None),
        }
        Ok(Some(lines))
    }
}

/// Returns a page: its window, and its lines. Without them, it only says that its reader is behind.
fn page_of(from: &dyn fmt::Display, to: &dyn fmt::Display, lines: Option<&str>) -> String {
    let mut text = String::with_capacity(lines.map_or(0, str::len) + 128);
    let mut object = ObjectWriter::open(&mut text);
    object.text(names::FROM, &from.to_string());
    object.text(names::TO, &to.to_string());
    if lines.is_none() {
        json::boolean(object.member(names::BEHIND), true);
    }
    object.close();
    text.push('\n');
    text.push_str(lines.unwrap_or_default());
    text
}

/// Writes the states that match, the deletions, and the IDs of the other changed resources.
fn write_changed<D: Database>(database: &D, changed: &[Changed], out: &mut String) -> Result<()> {
    write_states(database, changed, out)?;
    let outside: Vec<&str> =
        changed.iter().filter(|one| one.kind == ChangeKind::Outside).map(|one| one.id.as_str()).collect();
    if !outside.is_empty() {
        let mut object = ObjectWriter::open(out);
        object.array(names::OUTSIDE, &outside, |out, id| json::string(out, id));
        object.close();
        out.push('\n');
    }
    Ok(())
}

/// Returns the position before the page, or the error of a position that the project does not have.
fn begin(after: &After, present: &ProjectPosition) -> Result<FeedPosition, ApiError> {
    let at = |revision| ProjectPosition { history: present.history.clone(), revision };
    match after {
        After::Beginning => Ok(FeedPosition::new(at(0), present.revision)),
        After::Now => Ok(FeedPosition::new(at(present.revision), 0)),
        After::Position(FeedPosition { at: ProjectPosition { history, revision }, began })
            if *history != present.history || *revision.max(began) > present.revision =>
        {
            Err(history_changed(present))
        }
        After::Position(position) => Ok(position.clone()),
    }
}

/// Writes the states that satisfy the condition, the deletions, and the IDs of the other changed resources. A first
/// reading that began at a revision names none of the others before it: its reader has no earlier state of them.
fn write_matches<D: Database>(
    work: &Work<'_, D>,
    condition: &Typed,
    bounds: &Bounds,
    began: Millis,
    out: &mut String,
) -> Result<Extent, Failure> {
    let examination = Examination::new(work, condition);
    let (lines, bytes) = (limits::EXAMINED_ROWS, limits::EXAMINED_BYTES);
    let examined = Bounds { lines, bytes, cost: examination.cost(), ..*bounds };
    let mut extent = examined.extent(work.database)?;
    let mut changed = examination.run(bounds.after, bounds.deletions_after, extent.last, extent.units)?;
    changed.retain(|one| one.kind != ChangeKind::Outside || one.revision > began);
    if let Some(end) = end_of(&changed, bounds) {
        changed.truncate(end);
        extent.last = changed.last().map_or(extent.last, |one| one.revision);
        extent.more = true;
    }
    write_changed(work.database, &changed, out)?;
    Ok(extent)
}

/// Returns how many of the changes fit on the page, if not all.
fn end_of(changed: &[Changed], bounds: &Bounds) -> Option<usize> {
    let (mut lines, mut bytes) = (0, 0);
    changed.iter().enumerate().position(|(at, one)| {
        // Every byte of an ID may be escaped.
        let id = 2 * one.id.len();
        let (line, size) = match one.kind {
            ChangeKind::Matches => (1, one.bytes + 1),
            ChangeKind::Deleted(_) => (1, id + 128),
            ChangeKind::Outside => (0, id + 3),
        };
        lines += line;
        bytes += size;
        lines > bounds.lines || (at > 0 && bytes > bounds.bytes)
    })
}

fn write_states<D: Database>(database: &D, changed: &[Changed], out: &mut String) -> Result<()> {
    let mut revisions = String::new();
    let matches: Vec<&Changed> = changed.iter().filter(|one| one.kind == ChangeKind::Matches).collect();
    json::array(&mut revisions, &matches, |out, one| json::integer(out, one.revision as i64));
    let sql =
        "SELECT body FROM resource WHERE revision IN (SELECT value FROM json_each(?)) ORDER BY revision";
    let bodies = if matches.is_empty() {
        Vec::new()
    } else {
        database.rows(sql, &binds![&revisions], |row| row.text(0))?
    };
    let mut bodies = bodies.into_iter();
    for Changed { revision, id, kind, .. } in changed {
        match kind {
            ChangeKind::Matches => out.push_str(&bodies.next().ok_or_else(|| unexpected(sql))?),
            ChangeKind::Deleted(version) => {
                Deleted { revision: *revision, id: id.clone(), version: *version }.write(out);
            }
            ChangeKind::Outside => continue,
        }
        out.push('\n');
    }
    Ok(())
}
