//! Reads schemas that say each rule in one way, without references: the one builder of fields. Pages contain only this
//! reader, because that of all forms would double the size of their WebAssembly.

use std::borrow::Cow;
use std::sync::Arc;

use crate::contract::error::Member;
use crate::shape::rules::{BOUNDS, Pattern, RuleSet, Rules, TextFormat};
use crate::shape::types::{ArrayRule, Field, Lacks, NUMBER, Object, Role, TEXT, Type, array_of};
use crate::util::json::canonical;
use crate::util::number::nearest;

/// Returns the fields of a resource from a schema that [`super::read`] has written. Of other text, it returns
/// something, and never panics.
#[inline(never)]
pub(in crate::shape) fn read(schema: &str, role: Role) -> Vec<Field> {
    let required = canonical::member(schema, "required").unwrap_or_default();
    canonical::members(canonical::member(schema, "properties").unwrap_or_default())
        .map(|(name, schema)| {
            let (ty, rules) = read_value(schema);
            Field {
                required: canonical::items(required)
                    .any(|item| canonical::text(item).is_some_and(|required| required == name)),
                name: Cow::Owned(name.to_owned()),
                ty,
                has_default: canonical::member(schema, "default").is_some(),
                role,
                rules,
            }
        })
        .collect()
}

#[inline(never)]
fn read_value(schema: &str) -> (Type, Rules) {
    let mut rules = RuleSet::default();
    let (mut ty, mut items) = ("", "");
    for (name, value) in canonical::members(schema) {
        match name {
            "type" => ty = value,
            "items" => items = value,
            "enum" => rules.choices = Some(canonical::items(value).map(str::to_owned).collect()),
            "format" => rules.format = canonical::text(value).and_then(|name| TextFormat::from_name(&name)),
            "pattern" => rules.pattern = canonical::text(value).and_then(|source| Pattern::new(&source)),
            "uniqueItems" => rules.unique_items = true,
            _ => {
                if let Some(keyword) = BOUNDS.into_iter().find(|keyword| keyword.name() == name) {
                    rules.set_bound(keyword, Some(nearest(value)));
                }
            }
        }
    }
    let ty = match ty {
        "\"integer\"" => {
            let mut bound = |keyword| rules.set_bound(keyword, None).unwrap_or_default() as i64;
            Type::Integer { min: bound(Member::Minimum), max: bound(Member::Maximum) }
        }
        "\"number\"" => NUMBER,
        "\"boolean\"" => Type::Boolean,
        "\"array\"" => {
            let (items, item_rules) = read_value(items);
            array_of(items, item_rules, ArrayRule::Any)
        }
        "\"object\"" => {
            let about = Cow::Borrowed("");
            let fields = read(schema, Role::Inner);
            Type::Object(Arc::new(Object { name: about.clone(), about, fields, lacks: Lacks::Absent }))
        }
        _ => TEXT,
    };
    (ty, rules.into())
}
