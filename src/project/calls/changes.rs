//! Pages of the log: those of the feed of changes (D36), and those of the export (D32). A page has what the project has
//! after a position, oldest first. A state that is replaced while a follower reads the pages is on a later page. So
//! after the last page, it has exactly the states that the project had when that page was read. The last page of an
//! export ends with what the project has then.

use core::fmt;

use crate::call::{After, Call, CallResult, Changes, Listener, Message, More, Reply};
use crate::contract::error::{ApiError, Code, Member};
use crate::contract::limits::{self, work};
use crate::contract::param::ParamId;
use crate::contract::position::{FeedPosition, ProjectPosition};
use crate::contract::response::export_end::ExportEnd;
use crate::contract::response::services::changes as names;
use crate::evaluate::Evaluator;
use crate::predicate::Typed;
use crate::util::json::{self, ObjectWriter};
use crate::util::time::Millis;

use crate::project::failure::Failure;
use crate::project::query::budget::too_much;
use crate::project::query::plan::merge::merge;
use crate::project::store::database::{Database, Result, StoreError};
use crate::project::store::log::{self, Bounds, Extent, LogReader, LogState, LogStateForm};
use crate::project::{Moment, Project};

impl<D: Database> Project<D> {
    pub(crate) fn changes(
        &self,
        wanted: &Changes,
        present: &ProjectPosition,
    ) -> Result<Reply<D::Text>, Failure> {
        let from = begin(&wanted.after, present)?;
        let reader = LogReader { after: from.at.revision, deletions_after: from.at.revision.max(from.began) };
        let bounds = Bounds {
            lines: usize::try_from(wanted.limit).unwrap_or(0),
            bytes: limits::BATCH_BYTES,
            end: None,
        };
        let (extent, lines) = match &wanted.condition {
            None => {
                let extent = bounds.extent(&self.database, reader)?;
                let lines = reader.lines(&self.database, extent.last)?;
                (extent, lines)
            }
            Some(condition) => {
                let examined =
                    Bounds { lines: limits::EXAMINED_ROWS, bytes: limits::EXAMINED_BYTES, end: None };
                let extent = examined.extent(&self.database, reader)?;
                let page = self.examine(condition, reader, extent.last, Some(&bounds), from.began)?;
                let extent = Extent {
                    last: page.end.unwrap_or(extent.last),
                    more: extent.more || page.end.is_some(),
                    ..extent
                };
                (extent, page.into_lines())
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

    /// Returns a page of the export: the lines after the position, at most as many as an import accepts.
    pub(crate) fn export(
        &self,
        after: Option<&ProjectPosition>,
        present: &ProjectPosition,
    ) -> Result<Reply<D::Text>> {
        let after = match after.map(|after| check(after, after.revision, present)).transpose() {
            Ok(_) => after.map_or(0, |after| after.revision),
            Err(changed) => return Ok(changed.into()),
        };
        // The end is one of the lines that an import accepts.
        let bounds =
            Bounds { lines: limits::EXPORT_LINES, bytes: limits::BATCH_BYTES, end: Some(ExportEnd::BYTES) };
        let reader = LogReader::after(after);
        let Extent { last, more, .. } = bounds.extent(&self.database, reader)?;
        let mut lines = reader.lines(&self.database, last)?;
        if !more {
            let states = log::states(&self.database)?;
            ExportEnd { position: present.clone(), states }.write(&mut lines);
            lines.push('\n');
        }
        let next = more.then(|| ProjectPosition { revision: last, ..present.clone() });
        Ok(Reply::new(CallResult::Export(next), Some(self.database.text_of(lines))))
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
        self.make_ready()?;
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
        let lines = self.frame_lines(condition.as_ref(), from)?;
        let from = ProjectPosition { history: present.history.clone(), revision: from };
        Ok(Some(page_of(&from, &present, lines.as_deref())))
    }

    /// Returns the lines of a frame: what follows a revision. If that is too much, returns `None`, and the frame only
    /// says that its readers are behind.
    fn frame_lines(&self, condition: Option<&Typed>, after: Millis) -> Result<Option<String>> {
        let lines = if condition.is_none() { limits::EXPORT_LINES } else { limits::FRAME_ROWS };
        let reader = LogReader::after(after);
        let bounds = Bounds { lines, bytes: limits::BATCH_BYTES, end: None };
        let extent = bounds.extent(&self.database, reader)?;
        if extent.more || extent.bytes > limits::BATCH_BYTES {
            return Ok(None);
        }
        let Some(condition) = condition else {
            return Ok(Some(reader.lines(&self.database, extent.last)?));
        };
        match self.examine(condition, reader, extent.last, None, 0) {
            Ok(page) if page.end.is_none() => Ok(Some(page.into_lines())),
            // The page over HTTP has the rest, or the error.
            Ok(_) | Err(Failure::Refused(_)) => Ok(None),
            Err(Failure::Fault(fault)) => Err(fault),
        }
    }

    /// Finds what of the states up to a revision a follower with a condition gets. `room`: how much of that, if not
    /// all. A first reading that began at a revision names no resources before it that do not match: its reader has no
    /// earlier state of them.
    fn examine(
        &self,
        condition: &Typed,
        reader: LogReader,
        last: Millis,
        room: Option<&Bounds>,
        began: Millis,
    ) -> Result<Examined, Failure> {
        let evaluator =
            Evaluator::new(&self.shape, merge(condition), self.budget.saturating_mul(work::BYTES_PER_UNIT));
        let mut page = Examined::default();
        let mut examined = reader.after;
        reader.each(&self.database, last, &mut |state| {
            if page.end.is_some() {
                return Ok(());
            }
            let matches = match &state.form {
                LogStateForm::Resource(body) => evaluator.holds(body),
                LogStateForm::Deleted(_) => Some(true),
            };
            let (revision, is_outside) = (state.revision, matches == Some(false));
            let has_room =
                matches.is_some() && (is_outside && revision <= began || page.add(state, is_outside, room));
            if has_room {
                examined = revision;
            } else {
                page.end = Some(examined);
            }
            Ok(())
        })?;
        if page.end == Some(reader.after) {
            let reason = "a changed resource is too large for these conditions; send fewer";
            return Err(too_much(ParamId::Where.name(), reason).into());
        }
        Ok(page)
    }
}

/// What a follower with a condition gets.
#[derive(Default)]
struct Examined {
    /// The lines of the states that match, and of the deletions, and how many there are.
    lines: String,
    count: usize,
    /// The IDs of the other changed resources.
    outside: Vec<String>,
    /// Their bytes on the page, at most.
    outside_bytes: usize,
    /// The revision of the last state that has room, if not all have.
    end: Option<Millis>,
}

impl Examined {
    /// Adds a state, unless it has no room. Returns whether it has.
    fn add(&mut self, state: LogState, is_outside: bool, room: Option<&Bounds>) -> bool {
        let (lines, outside) = (self.lines.len(), self.outside.len());
        if is_outside {
            // Every byte of an ID may be escaped.
            self.outside_bytes += 2 * state.id.len() + 3;
            self.outside.push(state.id);
        } else {
            state.write(&mut self.lines);
            self.count += 1;
        }
        let is_first = lines == 0 && outside == 0;
        let fits = room.is_none_or(|room| {
            self.count <= room.lines && (is_first || self.lines.len() + self.outside_bytes <= room.bytes)
        });
        if !fits {
            self.lines.truncate(lines);
            self.outside.truncate(outside);
        }
        fits
    }

    fn into_lines(mut self) -> String {
        if !self.outside.is_empty() {
            let mut object = ObjectWriter::open(&mut self.lines);
            object.array(names::OUTSIDE, &self.outside, |out, id| json::string(out, id));
            object.close();
            self.lines.push('\n');
        }
        self.lines
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

/// Returns the position before the page, or the error of a position that the project does not have.
fn begin(after: &After, present: &ProjectPosition) -> Result<FeedPosition, ApiError> {
    let at = |revision| ProjectPosition { history: present.history.clone(), revision };
    match after {
        After::Beginning => Ok(FeedPosition::new(at(0), present.revision)),
        After::Now => Ok(FeedPosition::new(at(present.revision), 0)),
        After::Position(position) => {
            check(&position.at, position.at.revision.max(position.began), present)?;
            Ok(position.clone())
        }
    }
}

/// Returns an error if the project does not have the history of a position, or has not reached the revision (D31).
fn check(at: &ProjectPosition, revision: Millis, present: &ProjectPosition) -> Result<(), ApiError> {
    if at.history == present.history && revision <= present.revision {
        return Ok(());
    }
    let message = "The position belongs to another history: the project was restored, or its data was deleted. Discard \
                   what you have, and start again from the beginning.";
    Err(ApiError::new(Code::HistoryChanged, message).with(Member::Position, present.to_string()))
}
