//! Who calls, and what the caller may do: a token's scopes say it, or the rules of the project (D44).

use std::collections::BTreeMap;
use std::rc::Rc;

use sha2::{Digest as _, Sha256};

use crate::call::{Call, wire};
use crate::contract::api::endpoint::{Access, Endpoint};
use crate::contract::api::header::RequestHeader;
use crate::contract::api::path::{Variable, is_project_key};
use crate::contract::error::{ApiError, Reason};
use crate::contract::limits;
use crate::contract::param::Refusal;
use crate::rights::{Rights, UserRules};
use crate::shape::{Resources, Shape};
use crate::util::percent;

use super::auth::{self, Claims};
use super::http::Headers;
use super::request::decode;
use super::request::route::Route;

/// The rules of the resources that a deployment declares, by the names of these.
#[derive(Debug, Default)]
pub(super) struct RuleBook(BTreeMap<String, UserRules>);

impl RuleBook {
    pub(super) fn of(resources: &Resources) -> Self {
        let declared = resources.declarations().iter();
        let read = declared.filter_map(|one| Some((one.name.clone(), UserRules::read(one.rules.as_ref()?))));
        Self(read.collect())
    }

    /// Returns the rules of a project with the shape of its resources. `None` if it has none.
    pub(super) fn of_project<'r>(
        &'r self,
        resources: &'r Resources,
        project: &str,
    ) -> Option<ProjectRules<'r>> {
        if self.0.is_empty() {
            return None;
        }
        let declaration = resources.declaration(project)?;
        Some(ProjectRules { rules: self.0.get(&declaration.name)?, shape: &declaration.shape })
    }

    /// Returns the caller without a token, who may only read, and the project. `None` if its rules allow none.
    pub(super) fn anonymous(
        &self,
        resources: &Resources,
        access: Access,
        route: &Route<'_>,
        headers: &dyn Headers,
    ) -> Option<(Caller, String)> {
        let project = project_key(route.project()).ok().filter(|_| access == Access::Read)?;
        let ProjectRules { rules, shape } = self.of_project(resources, &project)?;
        let rights = Some(rules.of_anonymous(shape)?);
        let address = headers.get(RequestHeader::ConnectingIp).unwrap_or_default();
        Some((Caller { claims: Rc::new(Claims::anonymous(&address)), rights }, project))
    }
}

/// The rules of a project, and the shape of its resources.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProjectRules<'r> {
    rules: &'r UserRules,
    shape: &'r Shape,
}

/// A caller who may send the request.
#[derive(Debug)]
pub(super) struct Caller {
    pub(super) claims: Rc<Claims>,
    /// What a user may do. `None` if the token has a scope for the project.
    pub(super) rights: Option<Rights>,
}

impl Caller {
    /// Returns the caller with a token. Returns 403 if neither a scope nor a rule gives it the access.
    pub(super) fn of_token<'r>(
        claims: Rc<Claims>,
        (access, endpoint): (Access, &Endpoint),
        project: &str,
        rules: impl FnOnce() -> Option<ProjectRules<'r>>,
    ) -> Result<Self, ApiError> {
        let refused = match auth::authorize(&claims, access, project) {
            Ok(()) => return Ok(Self { claims, rights: None }),
            Err(refused) => refused,
        };
        let rules = rules().filter(|_| endpoint.is_for_users() && !claims.has_scope_of(project));
        let Some(ProjectRules { rules, shape }) = rules else { return Err(refused) };
        let rights = Some(rules.of_user(shape, claims.members()));
        Ok(Self { claims, rights })
    }

    /// Returns an error if the token lacks a scope for the access, or if there is none for a write. The rights of a
    /// user decide later.
    pub(super) fn authorize(&self, access: Access, project: &str) -> Result<(), ApiError> {
        let is_limited = self.rights.is_some() && (access == Access::Read || !self.claims.are_anonymous());
        if is_limited { Ok(()) } else { auth::authorize(&self.claims, access, project) }
    }

    /// Returns whether a write may be permitted.
    pub(super) fn may_write(&self, project: &str) -> bool {
        match &self.rights {
            None => auth::authorize(&self.claims, Access::Write, project).is_ok(),
            Some(rights) => rights.may_write(),
        }
    }

    /// Returns the call within the caller's rights.
    pub(super) fn limit(&self, mut call: Call) -> Result<Call, ApiError> {
        let Some(rights) = &self.rights else { return Ok(call) };
        if let Some(idempotency) = call.idempotency_mut() {
            // The first response is only for a caller with the same rights.
            let bytes = wire::encode(rights).map_err(ApiError::of_fault)?;
            let hash: [u8; 32] =
                Sha256::new().chain_update(idempotency.fingerprint).chain_update(bytes).finalize().into();
            idempotency.fingerprint = hash.first_chunk().copied().unwrap_or_default();
        }
        let call = call.limited(rights.clone());
        if let Call::Listen(listener) = &call {
            decode::check_size(listener)?;
        }
        Ok(call)
    }
}

/// Returns the project that the path names (D4).
pub(super) fn project_key(raw: &str) -> Result<String, ApiError> {
    percent::decode(raw).ok().filter(|key| is_project_key(key)).ok_or_else(|| {
        let sentence =
            format!("expected 1 to {} of the characters A-Z a-z 0-9 _ -", limits::PROJECT_KEY_CHARS);
        Refusal::new(Reason::Format, sentence).of(Variable::ProjectKey.name()).into()
    })
}
