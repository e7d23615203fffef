//! The way of a request: route, token, scope, parameters, body, call, reply (order: D20).

use sha2::{Digest, Sha256};

use crate::call::{Call, Idempotency, Message};
use crate::contract::error::{ApiError, Code};
use crate::contract::header::{RequestHeader, answer};
use crate::contract::limits;
use crate::contract::operation::{Access, Operation};
use crate::contract::path::{Variable, is_project_key};
use crate::contract::percent;
use crate::contract::reply::{QueryCost, Reply};
use crate::contract::service::{SERVICES, ServiceId};
use crate::contract::time::Millis;

use super::auth::{self, AuthError, Authenticator, Claims};
use super::decode::{self, Variables};
use super::http::{Body, Headers, Request, RequestBody, Response};
use super::log::{Line, Source};
use super::platform::{Platform, Unreachable};
use super::route::{self, Route};
use super::settings::{ReadDefault, Settings};
use super::{cors, document, read, respond};

/// The service's state across requests: its settings and what it remembers of tokens and keys.
#[derive(Debug)]
pub struct Service {
    auth: Authenticator,
}

impl Service {
    /// The service as its variables and secrets set it up; a fault in them is told to each caller as 503 (section 8).
    #[must_use]
    pub fn new(value: &dyn Fn(&str) -> Option<String>) -> Self {
        Self { auth: Authenticator::new(Settings::parse(value)) }
    }
}

/// What a request came to.
struct Ending<B> {
    response: Response<B>,
    operation: &'static str,
    project: Option<String>,
    source: Source,
    query: Option<QueryCost>,
    code: Option<&'static str>,
    cause: Option<String>,
}

impl<B> Ending<B> {
    fn edge(operation: &'static str, response: Response<B>) -> Self {
        Self {
            response,
            operation,
            project: None,
            source: Source::Edge,
            query: None,
            code: None,
            cause: None,
        }
    }

    fn failed(operation: &'static str, error: ApiError, problem: bool) -> Self {
        Self {
            response: respond::error(&error, problem),
            operation,
            project: None,
            source: Source::Edge,
            query: None,
            code: Some(error.code().wire()),
            cause: error.cause,
        }
    }
}

/// Answers a request, and writes its line to the log. There is always an answer.
pub async fn handle<P: Platform>(service: &Service, platform: &P, request: Request<'_>) -> Response<P::Raw> {
    let began = platform.now();
    let ending = dispatch(service, platform, &request).await;
    finish(service, platform, &request, began, ending)
}

/// Answers a request whose handling broke off without an answer: 500, logged like any other.
pub fn fault<P: Platform>(service: &Service, platform: &P, request: &Request<'_>) -> Response<P::Raw> {
    let ending = Ending::failed("unknown", ApiError::general(), accepts_problem(&request.headers));
    finish(service, platform, request, platform.now(), ending)
}

/// Adds what every answer carries, and writes the request's line to the log.
fn finish<P: Platform>(
    service: &Service,
    platform: &P,
    request: &Request<'_>,
    began: Millis,
    mut ending: Ending<P::Raw>,
) -> Response<P::Raw> {
    let correlation_id = correlation_id(platform, &request.headers);
    let response = &mut ending.response;
    if request.method == "HEAD" {
        response.body = Body::Empty;
    }
    response.headers.push((answer::CORRELATION_ID, correlation_id.clone()));
    if !response.headers.iter().any(|(name, _)| *name == answer::CACHE_CONTROL) {
        response.headers.push((answer::CACHE_CONTROL, "private, no-cache".to_owned()));
    }
    response.headers.push((answer::VARY, "Authorization, Accept, Origin".to_owned()));
    cors::add(response, &request.headers, service.auth.cors());
    let line = Line {
        correlation_id: &correlation_id,
        method: request.method,
        operation: ending.operation,
        project: ending.project.as_deref(),
        status: ending.response.status,
        duration: platform.now().saturating_sub(began),
        source: ending.source,
        query: ending.query,
        code: ending.code,
        cause: ending.cause.as_deref(),
    };
    platform.log(&line.to_json());
    ending.response
}

/// The caller's correlation id where it is 8 to 256 printable characters, else a new one.
fn correlation_id<P: Platform>(platform: &P, headers: &Headers<'_>) -> String {
    let given = headers.get(RequestHeader::CorrelationId).filter(|id| {
        limits::CORRELATION_ID_CHARS.contains(&id.len())
            && id.bytes().all(|byte| (0x20..0x7f).contains(&byte))
    });
    given.map_or_else(
        || {
            let mut bytes = [0; 16];
            platform.random(&mut bytes);
            uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
        },
        str::to_owned,
    )
}

/// Whether errors are wanted as RFC 9457's problems (section 7).
fn accepts_problem(headers: &Headers<'_>) -> bool {
    headers
        .get(RequestHeader::Accept)
        .is_some_and(|accept| accept.to_ascii_lowercase().contains("application/problem+json"))
}

async fn dispatch<P: Platform>(service: &Service, platform: &P, request: &Request<'_>) -> Ending<P::Raw> {
    let problem = accepts_problem(&request.headers);
    if request.method == "OPTIONS" {
        return Ending::edge("preflight", cors::preflight(request.path, &request.headers));
    }
    if let Some(ending) = service_path(service, platform, request, problem) {
        return ending;
    }
    if request.path.len() + request.query.len() > limits::TARGET_BYTES {
        let message = format!("The path and query are longer than {} bytes.", limits::TARGET_BYTES);
        return Ending::failed("unknown", ApiError::new(Code::InvalidInput, message), problem);
    }
    match route::find(request.method, request.path) {
        Route::Unknown => Ending::failed("unknown", respond::unknown_path(), problem),
        Route::WrongMethod(allow) => Ending::failed("unknown", respond::wrong_method(allow), problem),
        Route::Operation { row, variables } => {
            operation(service, platform, request, row, &variables, problem).await
        }
    }
}

/// The paths beside the operations: health, the document and the token endpoints.
fn service_path<P: Platform>(
    service: &Service,
    platform: &P,
    request: &Request<'_>,
    problem: bool,
) -> Option<Ending<P::Raw>> {
    let row = SERVICES.iter().find(|row| row.path == request.path)?;
    let allow = row.allow();
    if !allow.split(", ").any(|method| method == request.method) {
        return Some(Ending::failed(row.name, respond::wrong_method(allow), problem));
    }
    let response = match row.id {
        ServiceId::Token => service.auth.token(platform, request),
        ServiceId::Introspect => service.auth.introspect(platform, request),
        ServiceId::Health => Response {
            status: 200,
            headers: vec![(answer::CONTENT_TYPE, respond::JSON.to_owned())],
            body: Body::Text("{\"status\":\"ok\"}".to_owned()),
        },
        ServiceId::Document => match document::respond(&request.headers) {
            Ok(response) => response,
            Err(error) => return Some(Ending::failed(row.name, error, problem)),
        },
    };
    Some(Ending::edge(row.name, response))
}

async fn operation<P: Platform>(
    service: &Service,
    platform: &P,
    request: &Request<'_>,
    row: &'static Operation,
    raw: &[(Variable, &str)],
    problem: bool,
) -> Ending<P::Raw> {
    let claims =
        match service.auth.authenticate(platform, request.headers.get(RequestHeader::Authorization)).await {
            Ok(claims) => claims,
            Err(refusal) => return refused(row, refusal, problem),
        };
    let project = match project_key(raw) {
        Ok(project) => project,
        Err(error) => return Ending::failed(row.name, error, problem),
    };
    if let Err(refusal) = auth::authorize(&claims, row.access, &project) {
        return refused(row, refusal, problem);
    }
    let caller = Caller {
        claims: &claims,
        project: &project,
        prefer_fresh: service.auth.read_default() == ReadDefault::Fresh,
    };
    let mut ending = match perform(platform, request, row, raw, &caller, problem).await {
        Ok(ending) => ending,
        Err(error) => Ending::failed(row.name, error, problem),
    };
    ending.project = Some(project);
    ending
}

/// The project that the path names (D4).
fn project_key(raw: &[(Variable, &str)]) -> Result<String, ApiError> {
    let raw = raw.iter().find(|(variable, _)| *variable == Variable::ProjectKey).map_or("", |(_, raw)| *raw);
    percent::decode(raw, false).ok().filter(|key| is_project_key(key)).ok_or_else(|| {
        let reason = format!("expected 1 to {} of the characters A-Z a-z 0-9 _ -", limits::PROJECT_KEY_CHARS);
        ApiError::parameter(Code::InvalidInput, Variable::ProjectKey.name(), &reason)
    })
}

/// Who calls, where, and under which setting.
struct Caller<'c> {
    claims: &'c Claims,
    project: &'c str,
    prefer_fresh: bool,
}

async fn perform<P: Platform>(
    platform: &P,
    request: &Request<'_>,
    row: &'static Operation,
    raw: &[(Variable, &str)],
    caller: &Caller<'_>,
    problem: bool,
) -> Result<Ending<P::Raw>, ApiError> {
    let variables = &Variables::decode(raw)?;
    let prepared = decode::prepare(row, variables, request.query)?;
    let mut terms = decode::write_terms(&request.headers)?;
    let key = decode::idempotency_key(&request.headers)?;
    let call = match prepared {
        Some(call) => call,
        None => decode::complete(row, variables, &request.headers, &request.body)?,
    };
    let project = caller.project.to_owned();
    if matches!(call, Call::GetById { .. } | Call::GetByKey { .. }) {
        let read =
            read::read(platform, &project, call, &request.headers, caller.prefer_fresh, problem).await?;
        let ending = Ending::edge(row.name, read.response);
        return Ok(Ending { source: read.source, cause: read.cause, ..ending });
    }
    if row.access == Access::Write {
        terms.idempotency = key.map(|key| Idempotency {
            caller: caller.claims.caller().to_owned(),
            key: key.to_owned(),
            fingerprint: fingerprint(request),
        });
    }
    let message = Message { project, call, terms };
    let answer = platform.object(&message).await.map_err(|Unreachable(cause)| {
        let mut error = ApiError::unavailable("The project's store is out of reach. Try again.");
        error.cause = Some(cause);
        error
    })?;
    let code = match &answer.reply {
        Reply::Error(error) => Some(error.code().wire()),
        _ => None,
    };
    let query = answer.query;
    let response = respond::answer(answer, caller.project, problem);
    Ok(Ending { source: Source::Object, query, code, ..Ending::edge(row.name, response) })
}

fn refused<B>(row: &'static Operation, refusal: AuthError, problem: bool) -> Ending<B> {
    let mut ending = Ending::failed(row.name, refusal.error, problem);
    if let Some(challenge) = refusal.challenge {
        ending.response.headers.push((answer::WWW_AUTHENTICATE, challenge));
    }
    ending
}

/// A hash of what a repeat under the same key must be equal in (D18). The parts cannot run into each other: neither a
/// method nor an encoded path or query holds a line feed.
fn fingerprint(request: &Request<'_>) -> [u8; 16] {
    let mut hash = Sha256::new();
    for part in [request.method, request.path, request.query] {
        hash.update(part.as_bytes());
        hash.update(b"\n");
    }
    if let RequestBody::Whole(bytes) = &request.body {
        hash.update(bytes);
    }
    let digest = hash.finalize();
    let mut fingerprint = [0; 16];
    for (to, from) in fingerprint.iter_mut().zip(digest.iter()) {
        *to = *from;
    }
    fingerprint
}
