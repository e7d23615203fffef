//! Path templates: rendered by the client, matched by the router, printed by the OpenAPI document.

use crate::contract::limits;
use crate::util::percent;
use crate::util::text::append;

/// One part of a path template, between two slashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Segment {
    Literal(&'static str),
    /// A literal beginning, then a variable, as in `key={key}`.
    Prefixed(&'static str, Variable),
    Variable(Variable),
}

names! {
    /// A path variable.
    pub enum Variable name:
    /// The project key.
    ProjectKey = "projectKey",
    /// The resource's ID.
    Id = "id",
    /// The resource's key.
    Key = "key",
    /// It is checked and has no other effect.
    UriParameterOne = "uriParameterOne",
    /// It is checked and has no other effect.
    UriParameterTwo = "uriParameterTwo",
}

impl Segment {
    /// Returns how specific the part is: a literal precedes a prefixed variable, which precedes a variable.
    pub const fn rank(self) -> u8 {
        match self {
            Self::Literal(_) => 0,
            Self::Prefixed(..) => 1,
            Self::Variable(_) => 2,
        }
    }

    /// Returns how the part begins, and the variable that follows.
    const fn parts(self) -> (&'static str, Option<Variable>) {
        match self {
            Self::Literal(literal) => (literal, None),
            Self::Prefixed(prefix, variable) => (prefix, Some(variable)),
            Self::Variable(variable) => ("", Some(variable)),
        }
    }

    /// Returns the raw (still encoded) value of the part, `Some("")` for a literal that matches. `None` if the part
    /// does not match. Literals match before percent-decoding, and an empty variable matches nothing (D3).
    pub fn take(self, part: &str) -> Option<&str> {
        let (literal, variable) = self.parts();
        let value = part.strip_prefix(literal)?;
        (variable.is_none() == value.is_empty()).then_some(value)
    }

    pub const fn variable(self) -> Option<Variable> {
        self.parts().1
    }
}

/// Returns whether a text can be a project's key: `[A-Za-z0-9_-]{1,128}` (D4).
pub fn is_project_key(text: &str) -> bool {
    (1..=limits::PROJECT_KEY_CHARS).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Returns whether a text can be a resource's key. IDs have the same rule for characters (D3).
pub fn is_name(text: &str) -> bool {
    (1..=limits::NAME_BYTES).contains(&text.len())
        && text != "."
        && text != ".."
        && !text.chars().any(char::is_control)
}

/// Returns the parts of a path, between its slashes. Empty if it does not begin with one.
pub fn parts(path: &str) -> Vec<&str> {
    path.strip_prefix('/').map(|path| path.split('/').collect()).unwrap_or_default()
}

/// Returns whether the parts of a path match a template (D3).
pub fn matches(template: &[Segment], parts: &[&str]) -> bool {
    template.len() == parts.len()
        && template.iter().zip(parts).all(|(segment, part)| segment.take(part).is_some())
}

/// Returns the variables of a path whose parts match a template, still percent-encoded.
pub fn variables<'p>(template: &[Segment], parts: &[&'p str]) -> impl Iterator<Item = (Variable, &'p str)> {
    template.iter().zip(parts).filter_map(|(segment, part)| Some((segment.variable()?, segment.take(part)?)))
}

/// Returns a number that orders the templates that one path matches: the most specific first (D3).
pub fn specificity(template: &[Segment]) -> u32 {
    template.iter().fold(0, |number, segment| number * 3 + u32::from(segment.rank()))
}

/// Returns the template in the notation of `interface.md` and OpenAPI: `/{projectKey}/resource/key={key}`.
pub fn template(path: &[Segment]) -> String {
    let mut out = String::new();
    for segment in path {
        out.push('/');
        let (literal, variable) = segment.parts();
        out.push_str(literal);
        if let Some(variable) = variable {
            out.extend(["{", variable.name(), "}"]);
        }
    }
    out
}

/// Appends the path with its variables filled in, percent-encoded.
pub fn render<'v>(out: &mut String, path: &[Segment], value: impl Fn(Variable) -> &'v str) {
    for segment in path {
        let (literal, variable) = segment.parts();
        append(out, &["/", literal]);
        if let Some(variable) = variable {
            percent::encode(out, value(variable));
        }
    }
}
