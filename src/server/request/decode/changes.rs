//! Decodes a page of the feed of changes.

use crate::call::{After, Call, Changes};
use crate::contract::error::reason::Reason;
use crate::contract::error::{ApiError, Member};
use crate::contract::limits;
use crate::contract::param::{ParamId, Refusal};
use crate::contract::position::FeedPosition;

use crate::server::request::parameters::Params;
use crate::server::request::query;

/// The position after the newest change.
const NOW: &str = "now";

pub(crate) fn changes(mut params: Params) -> Result<Call, ApiError> {
    let after = params.texts(ParamId::After).next().map(|text| match text {
        NOW => Some(After::Now),
        text => FeedPosition::parse(text).map(After::Position),
    });
    if after == Some(None) {
        let sentence = "expected a position that a page of changes or an export returned, or now";
        params.wrong(ParamId::After, Refusal::new(Reason::Format, sentence.to_owned()));
    }
    let limit = params.count(ParamId::Limit, limits::EXPORT_LINES as u32);
    if limit == 0 {
        // A page without lines reaches no position.
        let refusal = Refusal::new(Reason::Range, "expected at least 1, found 0".to_owned());
        params.wrong(ParamId::Limit, refusal.with_integer(Member::Minimum, 1));
    }
    let has_predicates = params.texts(ParamId::Where).next().is_some();
    let condition = has_predicates.then(|| query::predicates(&mut params, Vec::new()));
    let wait = params.count(ParamId::Wait, 0) * 1_000;
    params.finish()?;
    Ok(Call::Changes(Changes { after: after.flatten().unwrap_or(After::Beginning), condition, limit, wait }))
}
