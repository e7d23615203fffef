//! Facts about a shape for the validator's JavaScript.

use std::collections::BTreeSet;

use resource_edge::contract::resource::schema::{BODIES, Format, Object, Type};

pub(super) fn depth(ty: &Type) -> usize {
    let fields = |object: &Object| object.fields().iter().map(|field| depth(&field.ty)).max().unwrap_or(0);
    match ty {
        Type::Integer { .. } | Type::Number | Type::Boolean | Type::String(_) => 0,
        Type::Array(array) => 1 + depth(&array.items),
        Type::Object(object) => 1 + fields(object),
        Type::Union(union) => {
            1 + union.variants().iter().map(|(_, object)| fields(object)).max().unwrap_or(0)
        }
    }
}

/// Returns the earlier body that has the same fields but fewer required ones.
pub(super) fn wider(object: &'static Object) -> Option<&'static Object> {
    let like = |wide: &&'static Object| {
        wide.fields().len() == object.fields().len()
            && wide.fields().iter().zip(object.fields()).all(|(wide, field)| {
                (wide.required <= field.required)
                    && format!("{:?}", (wide.id, wide.ty)) == format!("{:?}", (field.id, field.ty))
            })
    };
    BODIES.into_iter().take_while(|body| !core::ptr::eq(*body, object)).find(like)
}

/// Returns the JSON of the smallest value of a type.
pub(super) fn smallest(ty: &Type) -> String {
    let members = |object: &Object, tag: Option<(&str, &str)>| {
        let members: Vec<String> = object
            .fields()
            .iter()
            .filter(|field| field.required)
            .map(|field| match tag {
                Some((name, value)) if name == field.name() => format!("\"{name}\":\"{value}\""),
                _ => format!("\"{}\":{}", field.name(), smallest(&field.ty)),
            })
            .collect();
        format!("{{{}}}", members.join(","))
    };
    match ty {
        Type::Integer { min, .. } => min.max(&0).to_string(),
        Type::Number => "0".to_owned(),
        Type::Boolean => "true".to_owned(),
        Type::String(Format::Text) => "\"\"".to_owned(),
        Type::String(Format::Id | Format::Key) => "\"0\"".to_owned(),
        Type::String(Format::DateTime) => "\"2000-01-01T00:00:00.000Z\"".to_owned(),
        Type::Array(_) => "[]".to_owned(),
        Type::Object(object) => members(object, None),
        Type::Union(union) => union
            .variants()
            .first()
            .map_or_else(String::new, |(value, object)| members(object, Some((union.tag.name(), value)))),
    }
}

/// Collects the names of all required fields, which no one may put on `Object.prototype`.
pub(super) fn required(ty: &Type, names: &mut BTreeSet<&'static str>) {
    let mut fields = |object: &'static Object| {
        for field in object.fields() {
            if field.required {
                names.insert(field.name());
            }
            required(&field.ty, names);
        }
    };
    match ty {
        Type::Integer { .. } | Type::Number | Type::Boolean | Type::String(_) => {}
        Type::Array(array) => required(&array.items, names),
        Type::Object(object) => fields(object),
        Type::Union(union) => union.variants().iter().for_each(|(_, object)| fields(object)),
    }
}
