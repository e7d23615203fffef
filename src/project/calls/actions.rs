//! The update actions (operation 10) on the content of a record.

use crate::contract::error::{ApiError, Code, ErrorItem, Member, Members, Reason};
use crate::shape::rules::RuleSet;
use crate::shape::{Action, Content, Shape};
use crate::util::json::canonical;

/// Performs the actions, in their order. Returns the error of the first after which an array breaks a rule.
pub(crate) fn perform(shape: &Shape, content: &mut Content, actions: &[Action]) -> Result<(), ApiError> {
    for (at, action) in actions.iter().enumerate() {
        let (field, before, after) = match action {
            Action::Nothing => continue,
            Action::Set { field, value } => {
                content.set(shape, field, value.as_deref());
                continue;
            }
            Action::Add { field, values } => {
                let before: Vec<&str> = content.get(field).into_iter().flat_map(canonical::items).collect();
                (field, before.len(), added(rules(shape, field), before, values))
            }
            Action::Remove { field, values } => {
                let before: Vec<&str> = content.get(field).into_iter().flat_map(canonical::items).collect();
                (field, before.len(), removed(before, values))
            }
        };
        // An earlier shape may have allowed what the action does not change (D41).
        if after.len() == before {
            continue;
        }
        let value = ["[", &after.join(","), "]"].concat();
        if let Some(rules) = rules(shape, field)
            && let Some(broken) = broken(rules, before, after.len(), &value)
        {
            return Err(refused(&place(at, field), field, after.len(), rules, broken));
        }
        content.set(shape, field, Some(&value));
    }
    Ok(())
}

/// Returns the place in the body of the last action that sets a field, as a JSON Pointer.
pub(crate) fn place_of(actions: &[Action], name: &str) -> Option<String> {
    let sets = |action: &Action| matches!(action, Action::Set { field, .. } if field == name);
    actions.iter().rposition(sets).map(|at| place(at, name))
}

fn place(at: usize, name: &str) -> String {
    format!("/actions/{at}/{name}")
}

fn rules<'s>(shape: &'s Shape, name: &str) -> Option<&'s RuleSet> {
    shape.content_field(name).and_then(|field| field.rules.get())
}

/// Returns the items with the values after them. If the items are unique, without those that the array already has.
fn added<'v>(rules: Option<&RuleSet>, mut items: Vec<&'v str>, values: &'v str) -> Vec<&'v str> {
    let are_unique = rules.is_some_and(|rules| rules.unique_items);
    for value in canonical::items(values) {
        if !are_unique || !items.contains(&value) {
            items.push(value);
        }
    }
    items
}

/// Returns the items without those that equal one of the values.
fn removed<'v>(mut items: Vec<&'v str>, values: &str) -> Vec<&'v str> {
    let gone: Vec<&str> = canonical::items(values).collect();
    items.retain(|item| !gone.contains(item));
    items
}

/// Returns the rule that an array breaks by an action that adds or removes items. A number of items that the action
/// brings nearer to a bound is allowed (D41).
fn broken(rules: &RuleSet, before: usize, after: usize, value: &str) -> Option<Reason> {
    let breaks = if after < before {
        rules.bound(Member::MinItems).is_some_and(|least| (after as f64) < least)
    } else {
        rules.bound(Member::MaxItems).is_some_and(|most| after as f64 > most)
    };
    if breaks {
        return Some(Reason::Count);
    }
    rules.broken_by_choice(value)
}

fn refused(place: &str, field: &str, count: usize, rules: &RuleSet, broken: Reason) -> ApiError {
    let items = if count == 1 { "item" } else { "items" };
    let mut message = format!("After this action, '{field}' would have {count} {items}. Expected ");
    rules.push_expected(broken, &mut message);
    message.push('.');
    let mut item = ErrorItem::new(Code::InvalidField, message);
    item.members.reason(broken);
    item.members.text(Member::Path, place);
    item.members.text(Member::Field, field);
    rules.describe(broken, &mut item.members);
    item.into()
}
