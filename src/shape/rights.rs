//! The rules of `resources.json` that say who may do what with a resource: here they are texts, which `rights` reads.

use super::schema::Refused;
use super::shape::Shape;
use crate::contract::names;
use crate::contract::resource::System;
use crate::util::json::canonical;
use crate::util::text::concat;

names! {
    /// What a rule is about. Its text is a predicate.
    pub enum RuleName wire:
    /// The resources that a user may read. Others do not exist for the user.
    Read = "read",
    /// What holds for a resource that a user creates.
    Create = "create",
    /// What holds for a resource before and after a user changes it.
    Update = "update",
    /// What holds for a resource that a user deletes.
    Delete = "delete",
    /// The resources that a caller without a token may read.
    Anonymous = "anonymous",
}

/// The rules of a resource.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleTexts {
    pub predicates: Vec<(RuleName, String)>,
    /// The fields that a user cannot change after the creation.
    pub fixed: Vec<String>,
}

/// The member of the rules that lists fields.
pub const FIXED: &str = "fixed";

impl RuleTexts {
    /// Reads the rules of a resource. Places of errors begin with `at`.
    pub(super) fn read(shape: &Shape, rules: &str, at: &str) -> Result<Self, Refused> {
        let mut read = Self::default();
        let mut members = canonical::members(rules);
        for (name, value) in &mut members {
            let at = concat(&[at, "/", name]);
            if name == FIXED {
                read.fixed = fixed(shape, value, &at)?;
                continue;
            }
            let rule = RuleName::ALL.iter().copied().find(|rule| rule.wire() == name);
            let predicate = canonical::text(value).filter(|_| value.starts_with('"'));
            let message = if rule.is_some() { PREDICATE } else { RULES };
            let (Some(rule), Some(predicate)) = (rule, predicate) else {
                return Err(Refused { at, message: message.to_owned() });
            };
            read.predicates.push((rule, predicate.into_owned()));
        }
        if members.ended() {
            return Ok(read);
        }
        Err(Refused { at: at.to_owned(), message: RULES.to_owned() })
    }
}

fn fixed(shape: &Shape, names: &str, at: &str) -> Result<Vec<String>, Refused> {
    let mut fixed = Vec::new();
    for name in canonical::items(names) {
        let name = canonical::text(name).unwrap_or_default();
        if shape.content_field(&name).is_none() && name != System::Key.name() {
            let fields: Vec<&str> = shape.content().map(|field| &*field.name).collect();
            let message = concat(&["Expected names of fields: key, ", &fields.join(", "), "."]);
            return Err(Refused { at: at.to_owned(), message });
        }
        fixed.push(name.into_owned());
    }
    if names.starts_with('[') {
        return Ok(fixed);
    }
    Err(Refused { at: at.to_owned(), message: "Expected a list with names of fields.".to_owned() })
}

const RULES: &str = "Expected the rules of a resource: read, create, update, delete, anonymous, fixed.";
const PREDICATE: &str = "Expected a predicate in a text, such as \"owner = :sub\".";
