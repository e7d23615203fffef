//! Scopes: a permission in a project, in tokens and in the settings of API clients.

use crate::contract::api::endpoint::{Access, MANAGE_SCOPE, VIEW_SCOPE};
use crate::contract::api::path::is_project_key;

/// Means any project in the scopes of an API client. Tokens never have it.
const ANY: &str = "*";

/// A permission in one project, or for an API client in any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scope {
    permission: &'static str,
    project: String,
}

impl Scope {
    /// Parses a scope of a token: `manage_test:{projectKey}` or `view_test:{projectKey}`. Returns `None` for any other.
    pub(crate) fn of_token(text: &str) -> Option<Self> {
        Self::read(text).filter(|scope| is_project_key(&scope.project))
    }

    /// Parses a scope of an API client: one of a token, or one that ends in `:*`.
    pub(crate) fn of_client(text: &str) -> Option<Self> {
        Self::read(text).filter(|scope| scope.is_any() || is_project_key(&scope.project))
    }

    fn read(text: &str) -> Option<Self> {
        let (name, project) = text.split_once(':')?;
        let permission = [MANAGE_SCOPE, VIEW_SCOPE].into_iter().find(|known| *known == name)?;
        Some(Self { permission, project: project.to_owned() })
    }

    pub(crate) fn is_any(&self) -> bool {
        self.project == ANY
    }

    /// Returns whether an API client with this scope may get a token with the other.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        self.permission == other.permission && (self.is_any() || self.project == other.project)
    }

    pub(crate) fn allows(&self, access: Access, project: &str) -> bool {
        access.scopes().contains(&self.permission) && self.project == project
    }
}

/// Returns the scopes, separated by spaces, each once.
pub(crate) fn join(scopes: &[Scope]) -> String {
    let mut out = String::new();
    for (at, scope) in scopes.iter().enumerate() {
        if scopes.iter().take(at).any(|before| before == scope) {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend([scope.permission, ":", &scope.project]);
    }
    out
}
