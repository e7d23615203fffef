//! The parameter `fields`: which parts of resources a response has (D2).

use crate::contract::api::endpoint::CallId;
use crate::contract::api::etag;
use crate::contract::api::header::ResponseHeader;
use crate::contract::error::{ApiError, Reason};
use crate::contract::param::{ParamId, Refusal};
use crate::contract::response::operations::page;
use crate::predicate;
use crate::shape::built_in::WRAPPER;
use crate::shape::types::Role;
use crate::shape::{FieldPath, ObjectId, Shape};
use crate::util::json::selection::Selection;

use super::parameters::Params;
use crate::server::http::{Body, Response};
use crate::server::platform::Host;

/// The parts of a response that the caller asks for.
#[derive(Debug)]
pub(crate) struct ChosenFields {
    parts: Selection,
    /// What the `ETag` says about them: the same for the same fields.
    mark: String,
}

impl ChosenFields {
    /// Reads the parameter of a call. Adds its problems to those of the parameters. `None` if the response has all
    /// fields.
    pub(crate) fn read(shape: &Shape, id: CallId, params: &mut Params) -> Option<Self> {
        let (mut paths, mut refusals) = (Vec::new(), Vec::new());
        for text in params.texts(ParamId::Fields) {
            for part in text.split(',') {
                match path(shape, text, part.trim_matches(' ')) {
                    Ok(path) => paths.push(path),
                    Err(refusal) => refusals.push(refusal),
                }
            }
        }
        let is_sound = refusals.is_empty();
        for refusal in refusals {
            params.wrong(ParamId::Fields, refusal);
        }
        if paths.is_empty() || !is_sound {
            return None;
        }
        paths.sort();
        paths.dedup();
        let mark = hash(&paths.join(","));
        let record = of_record(shape, &paths);
        let parts = match id {
            CallId::GetById | CallId::GetByKey => record,
            CallId::Query if !shape.is_declared() => of_page(shape, record, true),
            _ => of_page(shape, record, false),
        };
        Some(Self { parts, mark: format!("{mark:08x}") })
    }

    /// Sets the tag of these parts instead of that of the whole resource.
    pub(crate) fn tag<B>(&self, response: &mut Response<B>) {
        let tags = response.headers.iter_mut().filter(|(name, _)| *name == ResponseHeader::ETag);
        tags.for_each(|(_, tag)| *tag = etag::of_part(tag, &self.mark).into());
    }
}

/// Returns the hash FNV-1a of a text.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Leaves only the parts that the caller asks for in the body of a response.
pub(crate) fn select<H: Host>(
    fields: Option<&ChosenFields>,
    host: &H,
    response: Response<H::Raw>,
) -> Result<Response<H::Raw>, ApiError> {
    let Response { status, headers, body } = response;
    let body = match (fields, body) {
        (Some(fields), Body::Raw(raw)) => {
            let parts = host.text(raw).and_then(|text| fields.parts.of_text(&text));
            Body::Text(parts.ok_or_else(|| ApiError::of_fault("a record is no JSON".to_owned()))?)
        }
        (_, body) => body,
    };
    Ok(Response { status, headers, body })
}

/// Returns a path of the parameter, from the record down. `part`: a part of the text.
fn path(shape: &Shape, text: &str, part: &str) -> Result<String, Refusal> {
    if part.is_empty() {
        let sentence = "expected names of fields, separated by commas".to_owned();
        return Err(Refusal::new(Reason::Syntax, sentence).expecting(&["<field>"]).about(text, part));
    }
    let field = predicate::parse_path(shape, part).map_err(|refusal| refusal.about(text, part))?;
    let path = field.path.as_ref().map_or(WRAPPER, FieldPath::name);
    let outer = field.path.as_ref().map_or(WRAPPER, FieldPath::outer);
    let is_in_wrapper = !shape.is_declared() && shape.arrays().iter().any(|array| array.name == outer);
    Ok(if is_in_wrapper { [WRAPPER, ".", path].concat() } else { path.to_owned() })
}

/// Returns the parts of a record: the fields of the system, and what the paths lead to.
fn of_record(shape: &Shape, paths: &[String]) -> Selection {
    let mut parts = Selection::empty();
    let fields = &shape.object(ObjectId::Record).fields;
    let system = fields.iter().filter(|field| matches!(field.role, Role::System(_)));
    system.for_each(|field| parts.add([field.name.as_ref()].into_iter()));
    for path in paths {
        parts.add(path.split('.'));
    }
    parts
}

/// Returns the parts of a page, whose results are such parts of records. `has_first`: whether it has the arrays of the
/// first result besides.
fn of_page(shape: &Shape, record: Selection, has_first: bool) -> Selection {
    let wrapper = record.of(WRAPPER);
    let arrays = shape.arrays().iter().filter(|_| has_first);
    let mut members: Vec<(String, Option<Selection>)> = arrays
        .map(|array| (array.name.to_string(), wrapper.and_then(|wrapper| wrapper.of(&array.name)).cloned()))
        .collect();
    members.push((page::RESULTS.to_owned(), Some(record)));
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    Selection::Members(members, true)
}
