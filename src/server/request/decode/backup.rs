//! Decodes the calls that export, import, delete, and restore everything that a project has.

use crate::call::{Call, RestorePoint};
use crate::contract::error::{ApiError, Reason};
use crate::contract::limits;
use crate::contract::param::{ParamId, Refusal};
use crate::contract::position::ProjectPosition;
use crate::shape::Shape;
use crate::util::time::{self, Millis};
use crate::validate::{self, Rejection};

use crate::server::request::parameters::Params;

/// Decodes an export. It begins after a position, or at the beginning.
pub(crate) fn export(mut params: Params) -> Result<Call, ApiError> {
    let after = params.texts(ParamId::After).next().map(ProjectPosition::parse);
    if after == Some(None) {
        refuse(&mut params, ParamId::After, "expected a position that an export returned");
    }
    params.finish()?;
    Ok(Call::Export(after.flatten()))
}

pub(crate) fn clear(params: Params, project: &str) -> Result<Call, ApiError> {
    let mut params = params.sound()?;
    check_confirmed(&mut params, project);
    params.finish()?;
    Ok(Call::Clear)
}

pub(crate) fn restore(params: Params, project: &str, now: Millis) -> Result<Call, ApiError> {
    let mut params = params.sound()?;
    check_confirmed(&mut params, project);
    let point = restore_point(&params, now).map_err(|refusal| params.wrong(ParamId::Time, refusal));
    params.finish()?;
    // Whatever is wrong with the point was one of the problems.
    point.map(Call::Restore).map_err(|()| ApiError::general())
}

/// Refuses a request that does not name its project twice.
fn check_confirmed(params: &mut Params, project: &str) {
    if !params.texts(ParamId::Confirm).eq([project]) {
        let sentence = "expected the project key again, because the request replaces or deletes everything";
        refuse(params, ParamId::Confirm, sentence);
    }
}

fn refuse(params: &mut Params, id: ParamId, sentence: &str) {
    params.wrong(id, Refusal::new(Reason::Format, sentence.to_owned()));
}

/// Decodes the point to which a project is restored: a time that the platform keeps, or a bookmark.
fn restore_point(params: &Params, now: Millis) -> Result<RestorePoint, Refusal> {
    let text = |id| params.texts(id).next();
    let (reason, sentence) = match (text(ParamId::Time), text(ParamId::Bookmark)) {
        (None, Some(bookmark)) => return Ok(RestorePoint::Bookmark(bookmark.to_owned())),
        (Some(time), None) => match time::parse(time) {
            Some(time) if (now.saturating_sub(limits::RESTORE_MS)..=now).contains(&time) => {
                return Ok(RestorePoint::Time(time));
            }
            Some(_) => (Reason::Format, "expected a time of the last 30 days"),
            None => (Reason::Format, "expected a time such as 2026-11-19T08:00:00.000Z"),
        },
        _ => (Reason::Required, "expected either time or bookmark"),
    };
    Err(Refusal::new(reason, sentence.to_owned()))
}

pub(crate) fn lines(shape: &Shape, bytes: &[u8]) -> Result<String, ApiError> {
    let error = match core::str::from_utf8(bytes) {
        Ok(lines) => return Ok(lines.to_owned()),
        Err(error) => error,
    };
    let is_end = |byte: &u8| *byte == b'\n';
    let before = bytes.iter().take(error.valid_up_to()).filter(|byte| is_end(byte)).count();
    let line = bytes.split(is_end).nth(before).unwrap_or_default();
    let error = validate::export_line(shape, line).map_err(Rejection::into_error).err();
    Err(error.unwrap_or_else(ApiError::general).at_line(before as i64 + 1))
}
