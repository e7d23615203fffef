//! A page of the feed of changes (D36): what the project has after a position, oldest first. Each resource occurs once,
//! with its newest state, so that the feed needs no log. A state that is replaced while a follower reads the pages has
//! a later revision, and so is on a later page.

use crate::call::reply::{CallResult, More, Reply};
use crate::call::{After, Changes};
use crate::contract::error::ApiError;
use crate::contract::limits;
use crate::contract::position::{FeedPosition, ProjectPosition};
use crate::contract::resource::model::Deleted;
use crate::contract::response::services::changes as names;
use crate::predicate::Typed;
use crate::util::json::{self, ObjectWriter};
use crate::util::time::Millis;

use super::export::{Bounds, Extent, history_changed};
use crate::project::failure::Failure;
use crate::project::query::budget::Work;
use crate::project::query::changed::{ChangeKind, Changed, Examination};
use crate::project::store::database::{Bind, Database, Result, unexpected};

pub(crate) fn page<D: Database>(
    work: &Work<'_, D>,
    changes: &Changes,
    present: &ProjectPosition,
) -> Result<Reply<D::Text>, Failure> {
    let from = begin(&changes.after, present)?;
    let bounds = Bounds {
        after: from.at.revision,
        deletions_after: from.at.revision.max(from.began),
        lines: usize::try_from(changes.limit).unwrap_or(0),
        bytes: limits::BATCH_BYTES,
        end: None,
    };
    let mut lines = String::new();
    let extent = match &changes.condition {
        None => {
            let extent = bounds.extent(work.database)?;
            bounds.write(work.database, extent.last, &mut lines)?;
            extent
        }
        Some(condition) => write_matches(work, condition, &bounds, from.began, &mut lines)?,
    };
    let revision = if extent.more { extent.last } else { present.revision };
    let more = match extent.more {
        true => More::Page,
        false if revision > from.at.revision => More::Nothing,
        false => More::Idle,
    };
    let at = ProjectPosition { history: present.history.clone(), revision };
    let to = FeedPosition::new(at, from.began);
    let mut text = String::with_capacity(lines.len() + 128);
    let mut object = ObjectWriter::open(&mut text);
    object.text(names::FROM, &from.to_string());
    object.text(names::TO, &to.to_string());
    object.close();
    text.push('\n');
    text.push_str(&lines);
    Ok(Reply::new(CallResult::Changes { to, more }, Some(work.database.text_of(text))))
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
    let (rows, bytes) = examination.bounds();
    let examined = Bounds { lines: rows, bytes, ..*bounds };
    let mut extent = examined.extent(work.database)?;
    examination.check(extent.bytes)?;
    let mut changed = examination.run(bounds.after, bounds.deletions_after, extent.last)?;
    changed.retain(|one| one.kind != ChangeKind::Outside || one.revision > began);
    if let Some(end) = end_of(&changed, bounds) {
        changed.truncate(end);
        extent.last = changed.last().map_or(extent.last, |one| one.revision);
        extent.more = true;
    }
    write_states(work.database, &changed, out)?;
    let outside: Vec<&str> =
        changed.iter().filter(|one| one.kind == ChangeKind::Outside).map(|one| one.id.as_str()).collect();
    if !outside.is_empty() {
        let mut object = ObjectWriter::open(out);
        object.array(names::OUTSIDE, &outside, |out, id| json::string(out, id));
        object.close();
        out.push('\n');
    }
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
        database.rows(sql, &[Bind::Text(&revisions)], |row| row.text(0))?
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
