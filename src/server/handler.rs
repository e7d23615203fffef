//! Handles a request: route, token, scope, parameters, headers, body, call, response (order: D20).

use std::rc::Rc;

use crate::call::{Call, Changes, Message};
use crate::contract::api::endpoint::{Access, ServiceId, Target};
use crate::contract::api::header::{RequestHeader, ResponseHeader};
use crate::contract::api::media;
use crate::contract::error::{ApiError, Code, Member, Reason};
use crate::contract::limits;
use crate::shape::{Declaration, Resources, Shape};
use crate::util::text::is_printable;
use crate::util::time::Millis;

use super::agents::{Arguments, Offer, RpcAction, RpcRequest, Subject, Tool, ToolRequest};
use super::auth::{self, Authenticator, Claims, Parameters};
use super::caller::{Caller, RuleBook, project_key};
use super::http::{Body, Headers, Request, Response};
use super::limit::RateLimits;
use super::log::trace::{KvOutcome, Trace};
use super::log::{self, LogLine};
use super::open::document::{self, Documents};
use super::open::health::Health;
use super::platform::{Host, Limiter, Port};
use super::read::recent::{Accepted, RecentReplies};
use super::read::{Copies, Freshness, ResourceRead};
use super::replication::{Check, Replication};
use super::request::fields::{self, ChosenFields};
use super::request::parameters::Params;
use super::request::route::{self, Route};
use super::request::transport::Transport;
use super::request::{body, decode};
use super::response::accept;
use super::response::respond::{self, ErrorForm};
use super::settings::Settings;
use super::{agents, cors};

/// The service's state across requests: the shapes of its resources, its settings, verified tokens, and keys of an
/// external issuer.
#[derive(Debug)]
pub struct Service<B> {
    resources: Rc<Resources>,
    rules: RuleBook,
    auth: Authenticator,
    limits: RateLimits,
    health: Health,
    documents: Documents,
    replication: Replication,
    copies: Copies<B>,
    recent: RecentReplies<B>,
}

impl<B: Clone> Service<B> {
    /// Creates the service of the interface from its variables and secrets. If a setting is wrong, every caller gets
    /// 503 (section 8).
    pub fn new(value: &dyn Fn(&str) -> Option<String>) -> Self {
        let auth = Authenticator::new(Settings::parse(value));
        Self {
            resources: Rc::default(),
            copies: Copies::new(auth.settings.hot_seconds),
            rules: RuleBook::default(),
            recent: RecentReplies::default(),
            auth,
            limits: RateLimits::default(),
            health: Health::default(),
            documents: Documents::default(),
            replication: Replication::default(),
        }
    }

    /// Writes a line to the log if a wrong or missing setting makes every call 503. The entry calls it once.
    pub fn report<H: Host>(&self, host: &H) {
        self.auth.report(host);
    }

    /// Serves these resources: each project has its shape.
    #[must_use]
    pub fn with_resources(self, resources: Rc<Resources>) -> Self {
        Self { rules: RuleBook::of(&resources), resources, ..self }
    }

    /// Returns the shape of a project's resources.
    fn shape(&self, project: &str) -> &Rc<Shape> {
        self.resources.shape(project)
    }

    /// Returns what the tools of a project are about.
    fn subject(&self, project: &str) -> Subject<'_> {
        let declaration = self.resources.declaration(project);
        Subject { shape: self.shape(project), name: declaration.map(|declared| declared.name.as_str()) }
    }

    /// Limits requests with the limiters that the environment has. Without any, no request is counted.
    #[must_use]
    pub fn limited_by(self, limiters: Vec<Limiter>) -> Self {
        let limits = RateLimits::new(limiters, self.auth.settings.limit_period);
        Self { limits, ..self }
    }

    /// Stores the head of the object's reply to a check, or the reason why the call failed.
    pub fn end_check<H: Host>(&self, check: &Check, host: &H, head: Result<Vec<u8>, String>) {
        self.replication.end(check, host, head);
    }
}

/// A response, and the check that follows it.
pub(super) type Handled<B> = (Response<B>, Option<Check>);

/// Returns the response to a request, and the check that follows it. Writes the request's line to the log. Every
/// request gets a response.
pub(super) async fn handle<H: Host>(
    service: &Service<H::Raw>,
    platform: &Port<H>,
    request: Request,
) -> Handled<H::Raw> {
    let began = platform.host.now();
    let mut trace = Trace::default();
    let result = Handling { service, platform, request: &request, began }.dispatch(&mut trace).await;
    let check = match (&trace.project, trace.kv, &trace.cause) {
        (Some(project), Some(KvOutcome::Hit | KvOutcome::Behind), None) => {
            service.replication.check(project, began)
        }
        // Without a copy the object was called anyway, and after a failure a check would fail too.
        _ => None,
    };
    (finish(service, &platform.host, &request, began, trace, result), check)
}

/// Returns the response to a request whose handling ended without one: 500, logged like any other.
pub fn fault<H: Host>(service: &Service<H::Raw>, host: &H, request: &Request) -> Response<H::Raw> {
    let mut trace = Trace::default();
    if let Ok(route) = route::find(&request.method, request.path()) {
        trace.operation = Some(route.endpoint.name);
    }
    finish(service, host, request, host.now(), trace, Err(ApiError::general()))
}

/// Renders an error, adds the headers of every response, and writes the request's line to the log.
fn finish<H: Host>(
    service: &Service<H::Raw>,
    host: &H,
    request: &Request,
    began: Millis,
    mut trace: Trace,
    result: Result<Response<H::Raw>, ApiError>,
) -> Response<H::Raw> {
    let headers = request.headers.as_ref();
    let mut response = result.unwrap_or_else(|error| {
        trace.note(&error);
        let accept = headers.get(RequestHeader::Accept);
        let form = accept.map_or(ErrorForm::Contract, |accept| accept::error_form(&accept));
        respond::error(&error, form)
    });
    if request.method == "HEAD" {
        response.body = Body::Empty;
    }
    if trace.replayed {
        response.push(ResponseHeader::IdempotencyReplayed, "true");
    }
    let correlation_id = correlation_id(host, headers);
    if response.header(ResponseHeader::CacheControl).is_none() {
        response.push(ResponseHeader::CacheControl, "private, no-cache");
    }
    response.push(ResponseHeader::Vary, "Authorization, Accept, Origin");
    cors::add(&mut response, headers, service.auth.settings.cors.as_deref());
    let is_error = response.status >= 500 || trace.cause.is_some();
    if service.auth.settings.log.includes(is_error) {
        // Read only here: few requests have a line.
        let traceparent = headers.get(RequestHeader::TraceParent);
        let line = LogLine {
            correlation_id: &correlation_id,
            trace_id: traceparent.as_deref().and_then(log::trace_id),
            method: &request.method,
            trace: &trace,
            status: response.status,
            is_error,
            duration: host.now().saturating_sub(began),
        };
        host.log(&line.to_json());
    }
    response.push(ResponseHeader::CorrelationId, correlation_id);
    response
}

/// Returns the caller's correlation ID if it has 8 to 256 printable characters, else a new one.
fn correlation_id<H: Host>(host: &H, headers: &dyn Headers) -> String {
    let given = headers.get(RequestHeader::CorrelationId).filter(|id| {
        (limits::CORRELATION_ID_CHARS_MIN..=limits::CORRELATION_ID_CHARS_MAX).contains(&id.len())
            && is_printable(id)
    });
    given.unwrap_or_else(|| {
        let mut bytes = [0; 16];
        host.random(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
    })
}

/// A request in progress.
struct Handling<'a, H: Host> {
    service: &'a Service<H::Raw>,
    platform: &'a Port<H>,
    request: &'a Request,
    began: Millis,
}

impl<H: Host> Handling<'_, H> {
    async fn dispatch(&self, trace: &mut Trace) -> Result<Response<H::Raw>, ApiError> {
        let Self { service, platform, request, .. } = *self;
        check_target(request)?;
        if request.method == route::PREFLIGHT {
            trace.operation = Some("preflight");
            return Ok(cors::preflight(request.path(), request.headers.as_ref()));
        }
        let route = route::find(&request.method, request.path())?;
        trace.operation = Some(route.endpoint.name);
        match route.endpoint.target {
            Target::Service(id) => self.serve(id, &route, trace).await,
            Target::Project(id, access) => {
                let transport = Transport::of(id, request);
                if transport == Transport::Socket {
                    self.check_origin()?;
                }
                let (caller, project) = self.admit(access, &route, transport, trace).await?;
                let names = (project.as_str(), caller.claims.caller.as_str());
                let shape = service.shape(&project);
                let (call, fields) = decode::call(shape, platform, id, &route, request, names, None).await?;
                let mut call = caller.limit(call)?;
                admit_listener(&mut call, &caller.claims, || platform.host.now())?;
                match call {
                    Call::Changes(changes) if transport == Transport::Events => {
                        self.stream(project, changes, trace).await
                    }
                    call => self.perform(project, call, fields, trace).await,
                }
            }
            Target::Agents => self.answer_agent(&route, trace).await,
        }
    }

    /// Returns the caller and the project, if the caller's token allows the access and there are not too many requests.
    async fn admit(
        &self,
        access: Access,
        route: &Route<'_>,
        transport: Transport,
        trace: &mut Trace,
    ) -> Result<(Caller, String), ApiError> {
        let Self { service, platform, request, .. } = *self;
        let authorization = transport.authorization(request.headers.as_ref());
        let anonymous =
            || service.rules.anonymous(&service.resources, access, route, request.headers.as_ref());
        let anonymous = if authorization.is_none() { anonymous() } else { None };
        let (caller, project) = if let Some(admitted) = anonymous {
            service.auth.configured()?;
            admitted
        } else {
            let claims = service.auth.authenticate(platform, authorization.as_deref()).await?;
            let project = project_key(route.project())?;
            let rules = || service.rules.of_project(&service.resources, &project);
            (Caller::of_token(claims, (access, route.endpoint), &project, rules)?, project)
        };
        trace.project = Some(project.clone());
        if let Some(count) = service.limits.of_caller(&project, &caller.claims.caller) {
            service.limits.check(platform, count, trace).await?;
        }
        Ok((caller, project))
    }

    /// Returns an error if a page may not read responses. No browser checks that for a socket.
    fn check_origin(&self) -> Result<(), ApiError> {
        let origins = self.service.auth.settings.cors.as_deref();
        if cors::allows(self.request.headers.as_ref(), origins) {
            return Ok(());
        }
        Err(ApiError::header(RequestHeader::Origin.name(), "expected one of those that CORS_ORIGINS allows"))
    }

    /// Responds with the pages of changes as events, until the stream ends.
    async fn stream(
        &self,
        project: String,
        changes: Changes,
        trace: &mut Trace,
    ) -> Result<Response<H::Raw>, ApiError> {
        let ms = changes.wait;
        // The first page begins the response, so it does not wait.
        let call = Call::Changes(Changes { wait: 0, ..changes });
        let reply = self.platform.stream_changes(Message { project, call }, ms);
        let reply = reply.await.map_err(respond::not_performed)?;
        trace.add(&reply.head);
        respond::events(reply)
    }

    /// Performs a call: a read of one resource from KV if its copy is new enough, every other call by the project's
    /// object.
    async fn perform(
        &self,
        project: String,
        call: Call,
        fields: Option<ChosenFields>,
        trace: &mut Trace,
    ) -> Result<Response<H::Raw>, ApiError> {
        let Self { service, platform, request, began } = *self;
        let copies = &service.copies;
        if call.lookup().is_some() {
            let freshness = Freshness::read(request.headers.as_ref(), service.auth.settings.read_default)?;
            let bypass_kv = service.replication.bypasses_kv(&project);
            let shape = service.shape(&project);
            let read = ResourceRead { platform, copies, project: &project, shape, began };
            return read.resource(call, freshness, bypass_kv, fields.as_ref(), trace).await;
        }
        // Another call may have ended the object after this one was committed. So without a repeat, its outcome is
        // unknown.
        let error = if call.may_repeat() { respond::not_performed } else { respond::unavailable };
        let is_write = call.is_write();
        let accepted = match &call {
            Call::Read(_) => Accepted::read(request.headers.as_ref())?,
            _ => None,
        };
        let message = Message { project, call };
        let reply = if let Some(accepted) = accepted {
            let known = &service.recent;
            known.reply(platform, message, (began, accepted), trace).await.map_err(error)?
        } else {
            let reply = platform.call_object(message).await.map_err(error)?;
            trace.add(&reply.head);
            reply
        };
        let project = trace.project.as_deref().unwrap_or_default();
        copies.observe(project, &reply.head.result, is_write, began);
        let response = respond::reply(reply, project, request.query())?;
        fields::select(fields.as_ref(), &platform.host, response)
    }

    /// Answers a message of an agent. What is wrong with a call of a tool is its result, so that the agent reads it.
    async fn answer_agent(&self, route: &Route<'_>, trace: &mut Trace) -> Result<Response<H::Raw>, ApiError> {
        let Self { service, platform, request, .. } = *self;
        let headers = request.headers.as_ref();
        if !cors::allows(headers, service.auth.settings.cors.as_deref()) {
            return Ok(agents::foreign_origin());
        }
        let (caller, project) = self.admit(Access::Read, route, Transport::Page, trace).await?;
        Params::decode(route.endpoint.params, request.query()).finish()?;
        decode::check_media_type(headers, media::JSON)?;
        let message = match agents::read(headers, body::read(platform).await?) {
            Ok(Some(message)) => message,
            Ok(None) => return Ok(agents::accepted()),
            Err(error) => return Ok(error.into_response()),
        };
        let offer = Offer {
            operations: service.auth.settings.lists_operations,
            may_write: caller.may_write(&project),
        };
        Ok(match agents::action(service.subject(&project), &message, offer) {
            Ok(RpcAction::Respond(result)) => message.respond(&result),
            Ok(RpcAction::Call(tool, arguments)) => {
                trace.tool = Some(tool.name);
                let performed = self.call_tool(&message, tool, arguments, &caller, project, trace).await;
                performed.map_err(|error| tool.error(error)).unwrap_or_else(|error| {
                    trace.note(&error);
                    message.respond_to_tool(&error.to_json(), true)
                })
            }
            Err(error) => error.into_response(),
        })
    }

    /// Performs an operation for an agent. Returns the response that has the body of the operation's response.
    async fn call_tool(
        &self,
        message: &RpcRequest,
        tool: Tool,
        arguments: Arguments,
        caller: &Caller,
        project: String,
        trace: &mut Trace,
    ) -> Result<Response<H::Raw>, ApiError> {
        let Self { service, platform, began, .. } = *self;
        let access = if tool.only_reads() { Access::Read } else { Access::Write };
        caller.authorize(access, &project)?;
        let ToolRequest { endpoint, request, body } =
            agents::request(service.subject(&project), tool, &project, arguments)?;
        let Target::Project(id, _) = endpoint.target else { return Err(ApiError::general()) };
        check_target(&request)?;
        // A reserved ID is the path of another operation.
        let route = route::find(&request.method, request.path()).ok();
        let is_its = |route: &Route<'_>| route.endpoint.target == endpoint.target;
        let route = route.filter(is_its).ok_or_else(|| respond::unknown_path(request.path()))?;
        let names = (project.as_str(), caller.claims.caller.as_str());
        let shape = service.shape(&project);
        let (call, fields) = decode::call(shape, platform, id, &route, &request, names, Some(&body)).await?;
        drop(body);
        let call = caller.limit(call)?;
        let response = Handling { service, platform, request: &request, began }
            .perform(project, call, fields, trace)
            .await?;
        match response.body {
            Body::Text(text) => Ok(message.respond_to_tool(&text, false)),
            Body::Raw(raw) => {
                let joined = platform.host.embed(&message.frame(false), raw);
                let joined = joined.ok_or_else(|| ApiError::of_fault("no text".to_owned()))?;
                Ok(Response::of(respond::JSON, Body::Raw(joined)))
            }
            // Only whether something exists is a response without a body.
            Body::Empty => {
                let body = if response.status == 200 { "{\"exists\":true}" } else { "{\"exists\":false}" };
                Ok(message.respond_to_tool(body, false))
            }
        }
    }

    /// Answers a request that needs no token: health, the OpenAPI document, and the token endpoints.
    async fn serve(
        &self,
        id: ServiceId,
        route: &Route<'_>,
        trace: &mut Trace,
    ) -> Result<Response<H::Raw>, ApiError> {
        let Self { service, platform, request, .. } = *self;
        let answer = match id {
            ServiceId::Token => Authenticator::grant,
            ServiceId::Introspect => Authenticator::inspect,
            ServiceId::Document => return self.describe(None).await,
            ServiceId::ProjectDocument => {
                let project = project_key(route.project())?;
                return self.describe(service.resources.declaration(&project)).await;
            }
            ServiceId::Health => {
                service.auth.configured()?;
                return service.health.respond(platform, trace).await;
            }
        };
        let parameters = self.credentials(route, trace).await;
        let result =
            parameters.and_then(|parameters| answer(&service.auth, &platform.host, request, &parameters));
        if let Err(error) = &result {
            trace.note(error);
        }
        Ok(auth::render(result))
    }

    /// Returns the OpenAPI document of a declared resource, or else that of the service.
    async fn describe(&self, declared: Option<&Declaration>) -> Result<Response<H::Raw>, ApiError> {
        let Self { service, platform, request, .. } = *self;
        document::respond(&service.documents, declared, platform, request.headers.as_ref()).await
    }

    /// Returns the parameters of a request for tokens, if its client has not sent too many. The secret is compared
    /// later, so that guesses are slow even with the right one.
    async fn credentials(&self, route: &Route<'_>, trace: &mut Trace) -> Result<Parameters, ApiError> {
        let Self { service, platform, request, .. } = *self;
        let parameters = service.auth.parameters(platform, request, route.endpoint.form()).await?;
        if let Some(count) = service.limits.of_client(request, &parameters) {
            service.limits.check(platform, count, trace).await?;
        }
        Ok(parameters)
    }
}

/// Sets who listens to changes, and until when: nothing is delivered after the token has expired. Returns an error if
/// it has.
fn admit_listener(call: &mut Call, claims: &Claims, now: impl Fn() -> Millis) -> Result<(), ApiError> {
    match call {
        Call::Changes(changes) if changes.wait > 0 => {
            changes.wait = changes.wait.min(claims.remaining(now())?);
            changes.caller = claims.number();
        }
        Call::Listen(listener) => {
            claims.remaining(now())?;
            listener.expires = claims.expires;
            listener.caller = claims.number();
        }
        _ => {}
    }
    Ok(())
}

fn check_target(request: &Request) -> Result<(), ApiError> {
    if request.path().len() + request.query().len() <= limits::TARGET_BYTES {
        return Ok(());
    }
    let message = format!("The path and query are longer than {} bytes.", limits::TARGET_BYTES);
    let error = ApiError::new(Code::InvalidInput, message).because(Reason::Length);
    Err(error.with(Member::MaxLength, limits::TARGET_BYTES as i64))
}
