//! Compares responses with the tables that declare them (`src/shape`, `src/contract/response`).

use std::cell::RefCell;
use std::collections::BTreeSet;

use resource_edge::contract::api::endpoint::{ENDPOINTS, Endpoint};
use resource_edge::contract::api::path;
use resource_edge::contract::error::{Code, Member, Reason};
use resource_edge::contract::response::errors::{ERROR, ERROR_ITEM, PROBLEM};
use resource_edge::contract::response::{ResponseContent, ResponseMember, ResponseSchema, ResponseType};
use resource_edge::shape::{ObjectId, Shape};
use resource_edge::validate;
use serde_json::{Map, Value};

use super::edge::{Got, Sent};

thread_local! {
    static SEEN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Returns the members that the responses of this test had since the last call, as `Shape.member`.
pub fn seen() -> BTreeSet<String> {
    SEEN.take()
}

/// Returns the declared members that are not among these.
pub fn unseen(seen: &BTreeSet<String>) -> Vec<String> {
    let mut all = BTreeSet::new();
    let of_endpoints = ENDPOINTS.iter().flat_map(|row| row.success).filter_map(|one| one.shape.schema());
    for ty in of_endpoints.chain([ResponseType::Named(&ERROR), ResponseType::Named(&PROBLEM)]) {
        collect(&ty, &mut all);
    }
    all.difference(seen).cloned().collect()
}

fn collect(ty: &ResponseType, all: &mut BTreeSet<String>) {
    let shape = match ty {
        ResponseType::Array(item) | ResponseType::NonEmpty(item) | ResponseType::Map(item) => {
            return collect(item, all);
        }
        ResponseType::Inline(shape) | ResponseType::Named(shape) => shape,
        _ => return,
    };
    match &shape.content {
        ResponseContent::Text => {}
        ResponseContent::Union { variants, .. } => {
            variants.iter().for_each(|(_, variant)| collect(&ResponseType::Named(variant), all));
        }
        ResponseContent::Object { parents, members } => {
            parents.iter().for_each(|parent| collect(parent, all));
            for member in declared_members(shape, members) {
                all.insert(format!("{}.{}", shape.name, member.name));
                collect(&member.ty, all);
            }
        }
    }
}

/// Returns how the body of a response differs from its declared shape; `None` if it does not.
pub fn broken(shape: &Shape, sent: &Sent, got: &Got) -> Option<String> {
    let media = got.header("Content-Type").unwrap_or_default();
    if got.body.is_empty() || !media.contains("json") || media.starts_with("application/x-ndjson") {
        return None;
    }
    let declared = if media.starts_with("application/problem+json") {
        Some(ResponseType::Named(&PROBLEM))
    } else if got.status >= 400 {
        Some(ResponseType::Named(&ERROR))
    } else {
        declared(shape, sent, got.status)
    };
    let Some(ty) = declared else { return Some(format!("no shape is declared for {got:?}")) };
    value(shape, &ty, &got.json()).err()
}

/// Returns the declared type of a successful response.
fn declared(shape: &Shape, sent: &Sent, status: u16) -> Option<ResponseType> {
    let parts = path::parts(sent.target.split('?').next().unwrap_or_default());
    let is_at = |row: &&Endpoint| row.method.name() == sent.method && path::matches(row.path, &parts);
    let row = ENDPOINTS.iter().filter(is_at).min_by_key(|row| path::specificity(row.path))?;
    let row = if shape.is_declared() { row.of_declared() } else { row };
    row.success.iter().find(|success| success.status == status)?.shape.schema()
}

/// Checks a value. The error is a sentence.
fn value(shape: &Shape, ty: &ResponseType, found: &Value) -> Result<(), String> {
    let is_text = |value: &Value| value.is_string();
    let are_texts = |value: &Value| value.as_array().is_some_and(|items| items.iter().all(is_text));
    let holds = match ty {
        ResponseType::Integer => found.is_i64() || found.is_u64(),
        ResponseType::Number => found.is_number(),
        ResponseType::Boolean => found.is_boolean(),
        ResponseType::Text | ResponseType::Format(_) | ResponseType::Pattern(_) => is_text(found),
        ResponseType::Constant(text) => found == text,
        ResponseType::Choice(texts) => texts.iter().any(|text| found == text),
        ResponseType::Code => Code::ALL.iter().any(|code| found == code.wire()),
        ResponseType::Reason => Reason::ALL.iter().any(|reason| found == reason.wire()),
        ResponseType::Texts => are_texts(found),
        ResponseType::TextOrTexts => is_text(found) || are_texts(found),
        ResponseType::Any => true,
        ResponseType::Array(item) => {
            let items = found.as_array().ok_or_else(|| format!("not an array: {found}"))?;
            return items.iter().try_for_each(|found| value(shape, item, found));
        }
        ResponseType::NonEmpty(item) => {
            let items = found.as_array().filter(|items| !items.is_empty());
            let items = items.ok_or_else(|| format!("no items: {found}"))?;
            return items.iter().try_for_each(|found| value(shape, item, found));
        }
        ResponseType::Map(item) => {
            let members = found.as_object().ok_or_else(|| format!("not an object: {found}"))?;
            return members.values().try_for_each(|found| value(shape, item, found));
        }
        ResponseType::Inline(schema) | ResponseType::Named(schema) => return named(shape, schema, found),
        ResponseType::Object(id) => {
            validate::validate(shape.object(*id), found.to_string().as_bytes(), &mut validate::Verdict)
                .is_ok()
        }
    };
    if holds { Ok(()) } else { Err(format!("not {ty:?}: {found}")) }
}

fn named(shape: &Shape, schema: &ResponseSchema, found: &Value) -> Result<(), String> {
    match &schema.content {
        ResponseContent::Text => Err(format!("{} is no JSON: {found}", schema.name)),
        ResponseContent::Union { tag, variants } => {
            let variant = variants.iter().find(|(value, _)| found[*tag] == *value);
            let (_, variant) =
                variant.ok_or_else(|| format!("no {} has this {tag}: {found}", schema.name))?;
            named(shape, variant, found)
        }
        ResponseContent::Object { .. } => {
            let members = found.as_object().ok_or_else(|| format!("not an object: {found}"))?;
            let mut rest = members.clone();
            object(shape, schema, &mut rest)?;
            if rest.is_empty() || schema.name == "Document" {
                Ok(())
            } else {
                Err(format!("{} does not declare the members of {}", schema.name, Value::Object(rest)))
            }
        }
    }
}

/// Removes the members that the shape and its parents declare, and checks them.
fn object(shape: &Shape, schema: &ResponseSchema, rest: &mut Map<String, Value>) -> Result<(), String> {
    let ResponseContent::Object { parents, members } = &schema.content else { return Ok(()) };
    for parent in *parents {
        match parent {
            ResponseType::Named(parent) => object(shape, parent, rest)?,
            ResponseType::Object(id) => fields(shape, *id, rest)?,
            other => return Err(format!("{other:?} has no members")),
        }
    }
    for ResponseMember { name, ty, is_always, .. } in declared_members(schema, members) {
        match rest.remove(name) {
            Some(found) => {
                value(shape, &ty, &found).map_err(|what| format!("{}.{name}: {what}", schema.name))?;
                SEEN.with_borrow_mut(|seen| seen.insert(format!("{}.{name}", schema.name)));
            }
            None if is_always => return Err(format!("{} lacks {name}", schema.name)),
            None => {}
        }
    }
    Ok(())
}

/// Removes the fields that an object of the shape has, and checks them.
fn fields(shape: &Shape, id: ObjectId, rest: &mut Map<String, Value>) -> Result<(), String> {
    let is_known = |name: &str| shape.object(id).field(name).is_some();
    let (known, other) = core::mem::take(rest).into_iter().partition(|(name, _)| is_known(name));
    *rest = other;
    value(shape, &ResponseType::Object(id), &Value::Object(known))
}

/// Returns the members of a response, for an error with the further ones.
fn declared_members(
    schema: &ResponseSchema,
    members: &[ResponseMember],
) -> impl Iterator<Item = ResponseMember> {
    let further = if schema.name == ERROR_ITEM.name { Member::ALL } else { &[] };
    members.iter().copied().chain(further.iter().map(|member| member.described()))
}
