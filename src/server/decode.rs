//! From path variables, query and body to a typed call; every error is found before anything is asked of the store.

use crate::call::{Call, WriteTerms};
use crate::contract::error::{ApiError, Code};
use crate::contract::etag::Condition;
use crate::contract::header::RequestHeader;
use crate::contract::limits;
use crate::contract::operation::{Operation, OperationId};
use crate::contract::param::{self, ParamId};
use crate::contract::path::Variable;
use crate::contract::percent;
use crate::contract::schema;
use crate::validate;

use super::http::{Headers, RequestBody};
use super::params::Params;

/// The path variables, decoded.
#[derive(Debug, Default)]
pub(super) struct Variables(Vec<(Variable, String)>);

impl Variables {
    /// Decodes what the router took from the path; malformed encoding is 400 (D3).
    pub(super) fn decode(raw: &[(Variable, &str)]) -> Result<Self, ApiError> {
        raw.iter()
            .map(|(variable, raw)| {
                let value = percent::decode(raw, false).map_err(|error| {
                    ApiError::parameter(Code::InvalidInput, variable.name(), error.reason())
                })?;
                Ok((*variable, value))
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The variable's value; empty where the path has no such variable.
    pub(super) fn get(&self, variable: Variable) -> &str {
        self.0.iter().find(|(name, _)| *name == variable).map_or("", |(_, value)| value)
    }

    fn owned(&self, variable: Variable) -> String {
        self.get(variable).to_owned()
    }
}

/// Decodes the query, and with it the calls that have no body; `None` where a body makes the call complete.
pub(super) fn prepare(
    row: &'static Operation,
    variables: &Variables,
    query: &str,
) -> Result<Option<Call>, ApiError> {
    let mut params = Params::decode(row, query);
    let call = match row.id {
        OperationId::Query => Call::Query(params.query()),
        OperationId::Exists => Call::Exists(params.query()),
        OperationId::QuerySorted => Call::QuerySorted(params.query()),
        OperationId::Search => Call::Search(params.search()),
        OperationId::GetById => {
            params.check_expand();
            Call::GetById { id: variables.owned(Variable::Id) }
        }
        OperationId::GetByKey => {
            params.check_expand();
            Call::GetByKey { key: variables.owned(Variable::Key) }
        }
        OperationId::DeleteById => Call::DeleteById {
            id: variables.owned(Variable::Id),
            // The parameter's type lets no negative number through.
            version: params.whole(ParamId::Version).and_then(|version| u64::try_from(version).ok()),
        },
        OperationId::CreateOrUpdate
        | OperationId::Overwrite
        | OperationId::CreateOrOverwrite
        | OperationId::UpdateByPath
        | OperationId::UpdateById
        | OperationId::UpdateWithUrnLinks => {
            params.finish()?;
            return Ok(None);
        }
    };
    params.finish()?;
    Ok(Some(call))
}

/// Reads the body that completes a call: 415, then 413, then 400 (D20).
pub(super) fn complete(
    row: &'static Operation,
    variables: &Variables,
    headers: &Headers<'_>,
    body: &RequestBody,
) -> Result<Call, ApiError> {
    check_media_type(headers)?;
    let RequestBody::Whole(bytes) = body else {
        return Err(ApiError::new(
            Code::ContentTooLarge,
            format!("The body is too large: at most {} bytes are taken.", limits::BODY_BYTES),
        ));
    };
    let draft = |schema| validate::resource_input(schema, bytes);
    let call = match row.id {
        OperationId::Overwrite => draft(&schema::RESOURCE_OVERWRITE).map(Call::Overwrite),
        OperationId::CreateOrOverwrite => draft(&schema::RESOURCE_OVERWRITE).map(Call::CreateOrOverwrite),
        OperationId::UpdateByPath => validate::complex_input(bytes).map(Call::UpdateByPath),
        OperationId::UpdateWithUrnLinks => validate::complex_input(bytes).map(Call::UpdateWithUrnLinks),
        OperationId::UpdateById => validate::update_input(bytes)
            .map(|update| Call::UpdateById { id: variables.owned(Variable::Id), update }),
        _ => draft(&schema::RESOURCE_DRAFT).map(Call::CreateOrUpdate),
    };
    call.map_err(validate::Rejection::into_error)
}

fn check_media_type(headers: &Headers<'_>) -> Result<(), ApiError> {
    let refuse = |message: String| Err(ApiError::new(Code::UnsupportedMediaType, message));
    if let Some(coding) = headers.get(RequestHeader::ContentEncoding)
        && !coding.trim().eq_ignore_ascii_case("identity")
    {
        return refuse("The body is encoded; send it as it is, without Content-Encoding.".to_owned());
    }
    let value = headers.get(RequestHeader::ContentType).unwrap_or_default();
    let mut parts = value.split(';').map(str::trim);
    let json = parts.next().is_some_and(|media| media.eq_ignore_ascii_case("application/json"));
    let utf8 = parts.all(|parameter| match parameter.split_once('=') {
        Some((name, charset)) if name.eq_ignore_ascii_case("charset") => {
            charset.trim_matches('"').eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    });
    if json && utf8 {
        return Ok(());
    }
    refuse(format!(
        "Expected a body of Content-Type application/json in UTF-8, found '{}'.",
        param::quoted(value)
    ))
}

/// What a write carries in its headers, but for the idempotency key's fingerprint.
pub(super) fn write_terms(headers: &Headers<'_>) -> Result<WriteTerms, ApiError> {
    Ok(WriteTerms {
        if_match: condition(headers, RequestHeader::IfMatch)?,
        if_none_match: condition(headers, RequestHeader::IfNoneMatch)?,
        idempotency: None,
        respond_async: prefers_async(headers),
    })
}

/// `If-Match` or `If-None-Match`.
pub(super) fn condition(headers: &Headers<'_>, header: RequestHeader) -> Result<Option<Condition>, ApiError> {
    headers
        .get(header)
        .map(|value| {
            Condition::parse(value)
                .ok_or_else(|| ApiError::header(header.name(), "expected * or a list of quoted entity tags"))
        })
        .transpose()
}

/// The `Idempotency-Key`, where there is one (D18).
pub(super) fn idempotency_key<'h>(headers: &Headers<'h>) -> Result<Option<&'h str>, ApiError> {
    let Some(key) = headers.get(RequestHeader::IdempotencyKey) else { return Ok(None) };
    let printable = key.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    if key.is_empty() || key.len() > limits::IDEMPOTENCY_KEY_CHARS || !printable {
        return Err(ApiError::header(
            RequestHeader::IdempotencyKey.name(),
            &format!("expected 1 to {} printable ASCII characters", limits::IDEMPOTENCY_KEY_CHARS),
        ));
    }
    Ok(Some(key))
}

/// RFC 7240; preferences that are not understood are to be passed over.
fn prefers_async(headers: &Headers<'_>) -> bool {
    headers.get(RequestHeader::Prefer).is_some_and(|value| {
        value.split(',').any(|one| preference_name(one).eq_ignore_ascii_case("respond-async"))
    })
}

fn preference_name(preference: &str) -> &str {
    preference.split([';', '=']).next().unwrap_or_default().trim()
}
