//! Decodes a request into a typed call in one step. Every error is found before the object is called.

use sha2::{Digest, Sha256};

use crate::call::{Call, Change, Idempotency, Lookup, Read, RestorePoint, Write, WriteOptions};
use crate::contract::api::etag::Condition;
use crate::contract::api::header::{self, RequestHeader};
use crate::contract::api::operation::{Operation, OperationId};
use crate::contract::api::path::Variable;
use crate::contract::api::service::{LINES, ServiceId, ServicePath};
use crate::contract::error::quote::quoted;
use crate::contract::error::reason::Reason;
use crate::contract::error::{ApiError, Code};
use crate::contract::limits;
use crate::contract::param::{ParamId, Refusal};
use crate::contract::position::ProjectPosition;
use crate::contract::resource::schema;
use crate::util::percent;
use crate::util::time::{self, Millis};
use crate::validate::{self, Rejection};

use super::parameters::Params;
use super::query;
use crate::server::http::{Headers, Request};
use crate::server::response::respond;

/// A request whose line and headers are accepted.
pub(crate) enum Decoded<'r> {
    /// The call, which has no body.
    Call(Call),
    /// The body is part of the call: this function decodes it.
    Body(DecodeBody<'r>),
}

/// Decodes the body of a request, and returns the call.
type DecodeBody<'r> = Box<dyn FnOnce(&[u8]) -> Result<Call, ApiError> + 'r>;

/// Decodes the call of an operation. `variables` are the path variables, still encoded; `caller` names who calls (D18).
/// Checks run in the order of D20: parameters, headers, media type; size and body follow, if the call has a body.
pub(crate) fn call<'r>(
    operation: &'static Operation,
    variables: &[(Variable, &str)],
    request: &'r Request,
    caller: &'r str,
) -> Result<Decoded<'r>, ApiError> {
    let variables = PathVariables::decode(variables)?;
    let params = Params::decode(operation.params, request.query());
    let draft = |bytes: &[u8]| validate::resource_input(&schema::RESOURCE_DRAFT, bytes);
    let overwrite = |bytes: &[u8]| validate::resource_input(&schema::RESOURCE_OVERWRITE, bytes);
    let complex = validate::complex_input;
    let decoder = Decoder { request, caller };
    match operation.id {
        OperationId::Query => read(params, query::query, Read::Query),
        OperationId::QuerySorted => read(params, query::query, Read::QuerySorted),
        OperationId::Exists => read(params, query::query, Read::Exists),
        OperationId::Search => read(params, query::search, Read::Search),
        OperationId::GetById => lookup(params, Lookup::Id(variables.take(Variable::Id))),
        OperationId::GetByKey => lookup(params, Lookup::Key(variables.take(Variable::Key))),
        OperationId::CreateOrUpdate => decoder.write(params, draft, Change::CreateOrUpdate),
        OperationId::Overwrite => decoder.write(params, overwrite, Change::Overwrite),
        OperationId::CreateOrOverwrite => decoder.write(params, overwrite, Change::CreateOrOverwrite),
        OperationId::UpdateByPath => decoder.write(params, complex, Change::UpdateByPath),
        OperationId::UpdateWithUrnLinks => decoder.write(params, complex, Change::UpdateWithUrnLinks),
        OperationId::UpdateById => {
            let id = variables.take(Variable::Id);
            decoder.write(params, validate::update_input, |update| Change::UpdateById { id, update })
        }
        OperationId::DeleteById => {
            // The parameter's type allows no negative number.
            let version = params.whole(ParamId::Version).and_then(|version| u64::try_from(version).ok());
            params.finish()?;
            let change = Change::DeleteById { id: variables.take(Variable::Id), version };
            let options = decoder.options()?;
            Ok(Decoded::Call(decoder.call(change, options, &[])))
        }
    }
}

fn read<'r, T>(
    mut params: Params,
    decode: impl FnOnce(&mut Params) -> T,
    read: impl FnOnce(T) -> Read,
) -> Result<Decoded<'r>, ApiError> {
    let decoded = decode(&mut params);
    params.finish()?;
    Ok(Decoded::Call(Call::Read(read(decoded))))
}

fn lookup<'r>(mut params: Params, lookup: Lookup) -> Result<Decoded<'r>, ApiError> {
    params.check_expand();
    params.finish()?;
    Ok(Decoded::Call(Call::Read(Read::Resource(lookup))))
}

/// The path variables, decoded.
struct PathVariables(Vec<(Variable, String)>);

impl PathVariables {
    /// Decodes the path variables. Malformed encoding is 400 (D3).
    fn decode(raw: &[(Variable, &str)]) -> Result<Self, ApiError> {
        let decoded = raw.iter().map(|(variable, raw)| {
            let value = percent::decode(raw).map_err(|error| {
                ApiError::parameter(Code::InvalidInput, variable.name(), error.reason())
                    .because(Reason::Encoding)
            })?;
            Ok((*variable, value))
        });
        decoded.collect::<Result<_, _>>().map(Self)
    }

    /// Returns the variable's value; empty if the path has no such variable.
    fn take(self, variable: Variable) -> String {
        self.0.into_iter().find(|(name, _)| *name == variable).map(|(_, value)| value).unwrap_or_default()
    }
}

/// The inputs of decoding a write, besides its parameters.
#[derive(Clone, Copy)]
struct Decoder<'r> {
    request: &'r Request,
    caller: &'r str,
}

impl<'r> Decoder<'r> {
    /// Decodes a write with a body.
    fn write<T>(
        self,
        params: Params,
        validate: impl FnOnce(&[u8]) -> Result<T, Rejection> + 'r,
        change: impl FnOnce(T) -> Change + 'r,
    ) -> Result<Decoded<'r>, ApiError> {
        params.finish()?;
        let options = self.options()?;
        check_media_type(self.request.headers.as_ref(), JSON)?;
        Ok(Decoded::Body(Box::new(move |bytes| {
            let change = change(validate(bytes).map_err(Rejection::into_error)?);
            Ok(self.call(change, options, bytes))
        })))
    }

    fn call(self, change: Change, mut options: WriteOptions, body: &[u8]) -> Call {
        if let Some(idempotency) = &mut options.idempotency {
            idempotency.fingerprint = fingerprint(self.request, body);
        }
        Call::Write(Box::new(Write { change, options }))
    }

    /// Returns the options of a write. The body is not read yet, so [`Decoder::call`] sets the fingerprint.
    fn options(self) -> Result<WriteOptions, ApiError> {
        let headers = self.request.headers.as_ref();
        Ok(WriteOptions {
            if_match: condition(headers, RequestHeader::IfMatch)?,
            if_none_match: condition(headers, RequestHeader::IfNoneMatch)?,
            idempotency: idempotency_key(headers)?.map(|key| Idempotency {
                caller: self.caller.to_owned(),
                key,
                fingerprint: [0; 16],
            }),
            respond_async: prefers_async(headers),
        })
    }
}

/// Hashes the parts of a request in which a repeat under the same key must be equal (D18). The parts cannot run into
/// each other: neither a method nor an encoded path or query contains a line feed.
fn fingerprint(request: &Request, body: &[u8]) -> [u8; 16] {
    let mut hash = Sha256::new();
    for part in [&request.method, request.path(), request.query()] {
        hash.update(part.as_bytes());
        hash.update(b"\n");
    }
    hash.update(body);
    let mut fingerprint = [0; 16];
    for (to, from) in fingerprint.iter_mut().zip(hash.finalize().iter()) {
        *to = *from;
    }
    fingerprint
}

/// Decodes the call of a path beside the operations that has a project.
pub(crate) fn service_call<'r>(
    row: &'static ServicePath,
    project: &str,
    request: &'r Request,
    now: Millis,
) -> Result<Decoded<'r>, ApiError> {
    let mut params = Params::decode(&[row.params], request.query());
    let after = params.texts(ParamId::After).next().map(ProjectPosition::parse);
    let are_sound = params.are_sound();
    if after == Some(None) {
        let sentence = "expected a position that an export returned";
        params.wrong(ParamId::After, Refusal::new(Reason::Format, sentence.to_owned()));
    }
    if are_sound
        && matches!(row.id, ServiceId::Clear | ServiceId::Restore)
        && !params.texts(ParamId::Confirm).eq([project])
    {
        let sentence = "expected the project key again, because the request replaces or deletes everything";
        params.wrong(ParamId::Confirm, Refusal::new(Reason::Format, sentence.to_owned()));
    }
    if are_sound && row.id == ServiceId::Restore {
        match restore_point(&params, now) {
            Ok(point) => return params.finish().map(|()| Decoded::Call(Call::Restore(point))),
            Err(refusal) => params.wrong(ParamId::Time, refusal),
        }
    }
    params.finish()?;
    Ok(Decoded::Call(match row.id {
        ServiceId::Export => Call::Export(after.flatten()),
        ServiceId::Import => {
            check_media_type(request.headers.as_ref(), LINES)?;
            return Ok(Decoded::Body(Box::new(|bytes| lines(bytes).map(Call::Import))));
        }
        ServiceId::Clear => Call::Clear,
        ServiceId::Status => Call::Status,
        ServiceId::Token
        | ServiceId::Introspect
        | ServiceId::Health
        | ServiceId::Document
        | ServiceId::Restore => return Err(respond::unknown_path()),
    }))
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

/// Returns the lines of an import.
fn lines(bytes: &[u8]) -> Result<String, ApiError> {
    let error = match core::str::from_utf8(bytes) {
        Ok(lines) => return Ok(lines.to_owned()),
        Err(error) => error,
    };
    let is_end = |byte: &u8| *byte == b'\n';
    let before = bytes.iter().take(error.valid_up_to()).filter(|byte| is_end(byte)).count();
    let line = bytes.split(is_end).nth(before).unwrap_or_default();
    let error = validate::export_line(line).map_err(Rejection::into_error).err();
    Err(error.unwrap_or_else(ApiError::general).at_line(before as i64 + 1))
}

/// The media type of a body of an operation.
const JSON: &str = "application/json";

fn check_media_type(headers: &dyn Headers, wanted: &str) -> Result<(), ApiError> {
    let unsupported = |message: String| Err(ApiError::new(Code::UnsupportedMediaType, message));
    if let Some(coding) = headers.get(RequestHeader::ContentEncoding)
        && !coding.trim().eq_ignore_ascii_case("identity")
    {
        return unsupported("Content-Encoding is not supported. Send the body unencoded.".to_owned());
    }
    let value = headers.get(RequestHeader::ContentType).unwrap_or_default();
    let mut parts = value.split(';').map(str::trim);
    let json = parts.next().is_some_and(|media| media.eq_ignore_ascii_case(wanted));
    let utf8 = parts.all(|parameter| match parameter.split_once('=') {
        Some((name, charset)) if name.eq_ignore_ascii_case("charset") => {
            charset.trim_matches('"').eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    });
    if json && utf8 {
        return Ok(());
    }
    unsupported(format!("Expected a body of Content-Type {wanted} in UTF-8, found '{}'.", quoted(&value)))
}

/// Parses `If-Match` or `If-None-Match`.
pub(crate) fn condition(headers: &dyn Headers, name: RequestHeader) -> Result<Option<Condition>, ApiError> {
    headers
        .get(name)
        .map(|value| {
            Condition::parse(&value)
                .ok_or_else(|| ApiError::header(name.name(), "expected * or a list of quoted entity tags"))
        })
        .transpose()
}

/// Returns the `Idempotency-Key`, if the request has one (D18).
fn idempotency_key(headers: &dyn Headers) -> Result<Option<String>, ApiError> {
    let Some(key) = headers.get(RequestHeader::IdempotencyKey) else { return Ok(None) };
    if !header::is_idempotency_key(&key) {
        return Err(ApiError::header(RequestHeader::IdempotencyKey.name(), header::IDEMPOTENCY_KEY));
    }
    Ok(Some(key))
}

/// Returns whether the caller prefers an asynchronous response (RFC 7240). Unknown preferences are ignored.
fn prefers_async(headers: &dyn Headers) -> bool {
    headers.get(RequestHeader::Prefer).is_some_and(|value| {
        value.split(',').any(|one| preference_name(one).eq_ignore_ascii_case("respond-async"))
    })
}

fn preference_name(preference: &str) -> &str {
    preference.split([';', '=']).next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests;
