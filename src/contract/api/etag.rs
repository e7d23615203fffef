//! Entity tags (D16, D20): built from ID and revision, compared as in RFC 9110.

use serde::{Deserialize, Serialize};

use crate::util::percent;
use crate::util::time::Millis;

/// Returns the entity tag of a resource at a revision, with its quotes.
pub fn of(id: &str, revision: Millis) -> String {
    let mut out = String::with_capacity(id.len() + 20);
    out.push('"');
    percent::encode(&mut out, id);
    out.extend([".", &revision.to_string(), "\""]);
    out
}

/// What separates the tag of a resource from the mark of a part. An ID in a tag has no slash.
const PART: char = '/';

/// Returns the tag of a part of the resource that has the tag. Parts with different marks have different tags.
pub fn of_part(etag: &str, mark: &str) -> String {
    let mut out = etag.strip_suffix('"').unwrap_or(etag).to_owned();
    out.push(PART);
    out.extend([mark, "\""]);
    out
}

/// The value of `If-Match` or `If-None-Match`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// `*`: any present resource.
    Any,
    /// These tags, each with its quotes. A weak tag keeps its prefix `W/`.
    Tags(Vec<String>),
}

impl Condition {
    /// Parses a header's value. Returns `None` if it is neither `*` nor a list of entity tags.
    pub fn parse(value: &str) -> Option<Self> {
        if value.trim() == "*" {
            return Some(Self::Any);
        }
        let mut tags = Vec::new();
        let mut rest = value.trim();
        while !rest.is_empty() {
            let weak = rest.starts_with("W/");
            let opaque = rest.strip_prefix("W/").unwrap_or(rest).strip_prefix('"')?;
            let (inner, after) = opaque.split_once('"')?;
            tags.push(format!("{}\"{inner}\"", if weak { "W/" } else { "" }));
            rest = after.trim_start();
            if !rest.is_empty() {
                rest = rest.strip_prefix(',')?.trim_start();
            }
        }
        (!tags.is_empty()).then_some(Self::Tags(tags))
    }

    /// Returns whether a present resource with this tag matches by the strong comparison of `If-Match`: a weak tag
    /// never does. The tag of a part of the resource is as good as that of the whole: both name the revision.
    pub fn matches_strongly(&self, etag: &str) -> bool {
        let is_of_part =
            |tag: &str| tag.split_once(PART).is_some_and(|(whole, _)| etag.strip_suffix('"') == Some(whole));
        match self {
            Self::Any => true,
            Self::Tags(tags) => tags.iter().any(|tag| tag == etag || is_of_part(tag)),
        }
    }

    /// Returns whether a present resource with this tag matches by the weak comparison of `If-None-Match`: a weak tag
    /// may.
    pub fn matches_weakly(&self, etag: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Tags(tags) => tags.iter().any(|tag| tag.strip_prefix("W/").unwrap_or(tag) == etag),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn lists_weak_tags_and_stars_are_read() {
        assert_eq!(Condition::parse(" * "), Some(Condition::Any));
        let list = Condition::parse("\"a.1\" , W/\"b,c.2\"").unwrap();
        assert!(list.matches_strongly("\"a.1\""));
        assert!(!list.matches_strongly("\"b,c.2\""));
        assert!(list.matches_weakly("\"b,c.2\""));
        for bad in ["", "a", "\"a", "\"a\" \"b\"", "w/\"a\""] {
            assert_eq!(Condition::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_tag_of_a_part_is_another_but_names_the_same_revision() {
        let whole = of("a/b", 7);
        let part = of_part(&whole, "1f");
        assert_eq!(part, "\"a%2Fb.7/1f\"");
        let condition = Condition::parse(&part).unwrap();
        assert!(condition.matches_strongly(&whole) && !condition.matches_weakly(&whole));
        assert!(condition.matches_weakly(&part) && !condition.matches_weakly(&of_part(&whole, "20")));
        for other in [of("a/b", 71), of("a", 7)] {
            assert!(!condition.matches_strongly(&other), "{other}");
        }
        assert!(!Condition::parse(&["W/", &part].concat()).unwrap().matches_strongly(&whole));
    }

    #[test]
    fn tags_of_any_id_are_visible_ascii() {
        assert_eq!(of("ä\"b", 7), "\"%C3%A4%22b.7\"");
    }
}
