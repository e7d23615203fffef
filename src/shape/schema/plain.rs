//! The plain form of a schema: JSON Schema that says each rule in one way, without references and annotations. Pages
//! read only this form, because the reader of all forms would double the size of their WebAssembly.

use std::borrow::Cow;
use std::sync::Arc;

use super::reader::Node;
use crate::contract::error::Member;
use crate::shape::rules::{BOUNDS, Pattern, RuleSet, Rules, TextFormat};
use crate::shape::types::{ArrayRule, Field, Lacks, NUMBER, Object, Role, TEXT, Type, array_of};
use crate::util::json::{self, ObjectWriter, canonical};
use crate::util::number::nearest;

/// Returns the plain form of the fields of a resource.
pub(in crate::shape) fn write(fields: &[(Field, Node)]) -> String {
    json::object(|out| {
        let defaults = fields.iter().map(|(_, node)| node.default.as_deref());
        write_fields(out, fields.iter().map(|(field, _)| field).zip(defaults));
    })
}

fn write_fields<'f>(out: &mut ObjectWriter<'_>, fields: impl Iterator<Item = (&'f Field, Option<&'f str>)>) {
    let mut required = Vec::new();
    let mut properties = ObjectWriter::open(out.member("properties"));
    for (field, default) in fields {
        if field.required {
            required.push(&field.name);
        }
        let mut schema = ObjectWriter::open(properties.member(&field.name));
        write_value(&mut schema, &field.ty, &field.rules);
        if let Some(default) = default {
            schema.member("default").push_str(default);
        }
        schema.close();
    }
    properties.close();
    out.array("required", &required, |out, name| json::string(out, name));
}

fn write_value(out: &mut ObjectWriter<'_>, ty: &Type, rules: &Rules) {
    out.text("type", ty.name());
    match ty {
        Type::Integer { min, max } => {
            out.integer("minimum", *min);
            out.integer("maximum", *max);
        }
        Type::Array(array) => {
            let mut items = ObjectWriter::open(out.member("items"));
            write_value(&mut items, &array.items, &array.item_rules);
            items.close();
        }
        Type::Object(object) => write_fields(out, object.fields.iter().map(|field| (field, None))),
        _ => {}
    }
    if let Some(rules) = rules.get() {
        write_rules(out, rules);
    }
}

fn write_rules(out: &mut ObjectWriter<'_>, rules: &RuleSet) {
    if let Some(choices) = &rules.choices {
        out.array("enum", choices, |out, choice| out.push_str(choice));
    }
    for keyword in BOUNDS {
        if let Some(bound) = rules.bound(keyword) {
            json::number(out.member(keyword.name()), bound);
        }
    }
    out.text_if("format", rules.format.map(TextFormat::name));
    out.text_if("pattern", rules.pattern.as_ref().map(Pattern::source));
    if rules.unique_items {
        out.boolean("uniqueItems", true);
    }
}

/// Returns the fields of a resource from the plain form of its schema. Of other text, it returns something, and never
/// panics.
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
