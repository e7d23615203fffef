//! Scopes: a permission in a project, as tokens and clients name them.

use crate::contract::operation::{Access, MANAGE_SCOPE, VIEW_SCOPE};
use crate::contract::path::is_project_key;

/// What stands for any project in a client's scopes; never in a token's.
const ANY: &str = "*";

/// A permission in one project, or for a client in any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scope {
    permission: &'static str,
    project: String,
}

impl Scope {
    /// The scope that a token may name: `manage_test:{projectKey}` or `view_test:{projectKey}`; `None` for any other.
    pub(crate) fn of_token(text: &str) -> Option<Self> {
        Self::read(text).filter(|scope| is_project_key(&scope.project))
    }

    /// The scope that a client may have: one of a token, or one that ends `:*`.
    pub(crate) fn of_client(text: &str) -> Option<Self> {
        Self::read(text).filter(|scope| scope.is_any() || is_project_key(&scope.project))
    }

    fn read(text: &str) -> Option<Self> {
        let (name, project) = text.split_once(':')?;
        let permission = [MANAGE_SCOPE, VIEW_SCOPE].into_iter().find(|known| *known == name)?;
        Some(Self { permission, project: project.to_owned() })
    }

    /// Whether it stands for any project.
    pub(crate) fn is_any(&self) -> bool {
        self.project == ANY
    }

    /// Whether a client with this scope may have a token with the other.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.permission == other.permission && (self.is_any() || self.project == other.project)
    }

    /// Whether a token with this scope has the access to the project.
    pub(super) fn allows(&self, access: Access, project: &str) -> bool {
        access.scopes().contains(&self.permission) && self.project == project
    }

    /// Appends the scope as it stands in a token.
    pub(super) fn push(&self, out: &mut String) {
        out.extend([self.permission, ":", &self.project]);
    }
}

/// The scopes, separated by spaces, each once.
pub(super) fn join(scopes: &[Scope]) -> String {
    let mut out = String::new();
    for (at, scope) in scopes.iter().enumerate() {
        if scopes.iter().take(at).any(|before| before == scope) {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        scope.push(&mut out);
    }
    out
}
