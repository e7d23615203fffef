//! Decodes a request into a typed call in one step. Every error is found before the object is called.

mod backup;
mod batch;
mod changes;

use sha2::{Digest, Sha256};

use crate::call::{Call, Change, Idempotency, Lookup, Read, Write, WriteBatch, WriteOptions};
use crate::contract::api::endpoint::CallId;
use crate::contract::api::etag::Condition;
use crate::contract::api::header::{self, RequestHeader};
use crate::contract::api::media;
use crate::contract::api::path::Variable;
use crate::contract::error::{ApiError, Code, Reason, quoted};
use crate::contract::param::{ParamId, Refusal};
use crate::shape::{ObjectId, Shape};
use crate::util::percent;
use crate::util::time::Millis;
use crate::validate::{self, Rejection};

use super::fields::ChosenFields;
use super::parameters::Params;
use super::route::Route;
use super::{body, query};
use crate::server::http::{Headers, Request};
use crate::server::platform::{Host, Port};
pub(crate) use changes::check_size;

/// Decodes the call of a project with this shape, and the fields that its response has; `None` for all. `caller` names
/// who calls (D18). Checks run in the order of D20:
/// parameters, headers, media type; then the size of the body and the body, if the call has one. So nothing is read for
/// a request that is not accepted (D35). The bytes are freed before the handler waits for the object. `body` is the
/// body of a tool's request; that of any other request is read from the platform.
pub(crate) async fn call<H: Host>(
    shape: &Shape,
    platform: &Port<H>,
    id: CallId,
    route: &Route<'_>,
    request: &Request,
    (project, caller): (&str, &str),
    body: Option<&[u8]>,
) -> Result<(Call, Option<ChosenFields>), ApiError> {
    let (decoded, fields) = head(shape, id, route, request, (project, caller), || platform.host.now())?;
    let call = match (decoded, body) {
        (Decoded::Call(call), _) => call,
        (Decoded::Body(decode), Some(body)) => decode(body)?,
        (Decoded::Body(decode), None) => decode(&body::read(platform).await?)?,
    };
    Ok((call, fields))
}

enum Decoded<'r> {
    Call(Call),
    Body(DecodeBody<'r>),
}

type DecodeBody<'r> = Box<dyn FnOnce(&[u8]) -> Result<Call, ApiError> + 'r>;

fn head<'r>(
    shape: &'r Shape,
    id: CallId,
    route: &Route<'_>,
    request: &'r Request,
    (project, caller): (&str, &'r str),
    now: impl FnOnce() -> Millis,
) -> Result<(Decoded<'r>, Option<ChosenFields>), ApiError> {
    let variables = PathVariables::decode(&route.variables)?;
    let endpoint = if shape.is_declared() { route.endpoint.of_declared() } else { route.endpoint };
    let mut params = Params::decode(endpoint.params, request.query());
    let fields = ChosenFields::read(shape, id, &mut params);
    let body = |id: ObjectId| move |bytes: &[u8]| validate::resource_input(shape, id, bytes);
    let (draft, overwrite, complex) =
        (body(ObjectId::Draft), body(ObjectId::Overwrite), body(ObjectId::Complex));
    let decoder = Decoder { request, caller };
    let found = match id {
        CallId::Query => read(shape, params, query::query, Read::Query),
        CallId::QuerySorted => read(shape, params, query::query, Read::QuerySorted),
        CallId::Exists => read(shape, params, query::query, Read::Exists),
        CallId::Search => read(shape, params, query::search, Read::Search),
        CallId::GetById => lookup(params, Lookup::Id(variables.take(Variable::Id))),
        CallId::GetByKey => lookup(params, Lookup::Key(variables.take(Variable::Key))),
        CallId::CreateOrUpdate => decoder.write(params, draft, Change::CreateOrUpdate),
        CallId::Overwrite => decoder.write(params, overwrite, Change::Overwrite),
        CallId::CreateOrOverwrite => decoder.write(params, overwrite, Change::CreateOrOverwrite),
        CallId::UpdateByPath => decoder.write(params, complex, Change::UpdateByPath),
        CallId::UpdateWithUrnLinks => decoder.write(params, complex, Change::UpdateWithUrnLinks),
        CallId::UpdateById => {
            let id = variables.take(Variable::Id);
            let update = |bytes: &[u8]| validate::update_input(shape, bytes);
            decoder.write(params, update, |update| Change::UpdateById { id, update })
        }
        CallId::DeleteById => decoder.delete(params, variables.take(Variable::Id)),
        CallId::Batch => decoder.batch(shape, params),
        CallId::Status => params.finish().map(|()| Decoded::Call(Call::Status)),
        CallId::Export => backup::export(params).map(Decoded::Call),
        CallId::Import => {
            params.finish()?;
            check_media_type(request.headers.as_ref(), media::LINES)?;
            Ok(Decoded::Body(Box::new(move |bytes| backup::lines(shape, bytes).map(Call::Import))))
        }
        CallId::Clear => backup::clear(params, project).map(Decoded::Call),
        CallId::Restore => backup::restore(params, project, now()).map(Decoded::Call),
        CallId::Changes => changes::changes(shape, params, request).map(Decoded::Call),
    };
    Ok((found?, fields))
}

fn read<'r, T>(
    shape: &Shape,
    mut params: Params,
    decode: impl FnOnce(&Shape, &mut Params) -> T,
    read: impl FnOnce(T) -> Read,
) -> Result<Decoded<'r>, ApiError> {
    let decoded = decode(shape, &mut params);
    params.finish()?;
    Ok(Decoded::Call(Call::Read(read(decoded))))
}

fn lookup<'r>(mut params: Params, lookup: Lookup) -> Result<Decoded<'r>, ApiError> {
    params.check_expand();
    params.finish()?;
    Ok(Decoded::Call(Call::Read(Read::Resource(lookup))))
}

struct PathVariables(Vec<(Variable, String)>);

impl PathVariables {
    /// Decodes the path variables. Malformed encoding is 400 (D3).
    fn decode(raw: &[(Variable, &str)]) -> Result<Self, ApiError> {
        let decoded = raw.iter().map(|(variable, raw)| {
            let value = percent::decode(raw).map_err(|error| {
                Refusal::new(Reason::Encoding, error.reason().to_owned()).of(variable.name())
            })?;
            Ok((*variable, value))
        });
        decoded.collect::<Result<_, ApiError>>().map(Self)
    }

    fn take(self, variable: Variable) -> String {
        self.0.into_iter().find(|(name, _)| *name == variable).map(|(_, value)| value).unwrap_or_default()
    }
}

#[derive(Clone, Copy)]
struct Decoder<'r> {
    request: &'r Request,
    caller: &'r str,
}

impl<'r> Decoder<'r> {
    fn write<T>(
        self,
        params: Params,
        validate: impl FnOnce(&[u8]) -> Result<T, Rejection> + 'r,
        change: impl FnOnce(T) -> Change + 'r,
    ) -> Result<Decoded<'r>, ApiError> {
        params.finish()?;
        let options = self.options()?;
        check_media_type(self.request.headers.as_ref(), media::JSON)?;
        Ok(Decoded::Body(Box::new(move |bytes| {
            let change = change(validate(bytes).map_err(Rejection::into_error)?);
            Ok(self.call(change, options, bytes))
        })))
    }

    fn delete(self, params: Params, id: String) -> Result<Decoded<'r>, ApiError> {
        // The parameter's type allows no negative number.
        let version = params.whole(ParamId::Version).and_then(|version| u64::try_from(version).ok());
        params.finish()?;
        let options = self.options()?;
        Ok(Decoded::Call(self.call(Change::DeleteById { id, version }, options, &[])))
    }

    fn call(self, change: Change, options: WriteOptions, body: &[u8]) -> Call {
        Call::Write(Box::new(Write { change, options: self.fingerprinted(options, body) }))
    }

    fn fingerprinted(self, mut options: WriteOptions, body: &[u8]) -> WriteOptions {
        if let Some(idempotency) = &mut options.idempotency {
            idempotency.fingerprint = fingerprint(self.request, body);
        }
        options
    }

    fn batch(self, shape: &'r Shape, params: Params) -> Result<Decoded<'r>, ApiError> {
        params.finish()?;
        let options = batch::options(self.options()?)?;
        check_media_type(self.request.headers.as_ref(), media::JSON)?;
        Ok(Decoded::Body(Box::new(move |bytes| {
            let writes = batch::writes(shape, bytes)?;
            let options = self.fingerprinted(options, bytes);
            Ok(Call::Batch(Box::new(WriteBatch { writes, options })))
        })))
    }

    /// Returns the options of a write. The body is not read yet, so [`Decoder::fingerprinted`] sets the fingerprint.
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
    let hash: [u8; 32] = hash.finalize().into();
    hash.first_chunk().copied().unwrap_or_default()
}

pub(crate) fn check_media_type(headers: &dyn Headers, wanted: &str) -> Result<(), ApiError> {
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
        let mut names = value.split(',').filter_map(|one| one.split([';', '=']).next());
        names.any(|name| name.trim().eq_ignore_ascii_case("respond-async"))
    })
}

#[cfg(test)]
mod tests;
