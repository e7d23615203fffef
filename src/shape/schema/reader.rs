//! Walks a schema, and returns the properties that it describes.

use super::inline::{DEFINITIONS, definition, is_null};
use super::keyword::{add_rule, has_meaning, is_format, text, unsupported};
use super::kind;
use super::node::{Inside, Marks, Node, SchemaForm, SchemaProperty, members_of};
use super::place::{BoxedRefusal, Refused, SchemaPlace};
use crate::contract::error::Member;
use crate::contract::limits;
use crate::contract::resource::System;
use crate::shape::rules::RuleSet;
use crate::shape::types::{JsonType, NOT, titled};
use crate::util::json::{self, canonical};
use crate::util::text::concat;

/// The most properties of a shape, over all levels.
const PROPERTIES: usize = 200;
/// The most levels of objects and arrays.
const DEPTH: usize = 8;

/// Returns a form of the schema of a resource, which is an object. `text`: JSON as `JSON.stringify` writes it.
pub(in crate::shape) fn read(text: &str, form: SchemaForm) -> Result<String, Refused> {
    let inside = resource(text, form).map_err(|refused| *refused)?;
    Ok(json::object(|out| inside.iter().for_each(|(name, value)| out.member(name).push_str(value))))
}

fn resource(text: &str, form: SchemaForm) -> Result<Inside, BoxedRefusal> {
    let mut reader = Reader { root: text, form, references: Vec::new(), count: 0 };
    let place = SchemaPlace::Root;
    if canonical::member(text, "$ref").is_some() {
        let at = SchemaPlace::In(&place, "$ref");
        return Err(at.refuse("Write the schema of the resource itself here, with its \"properties\"."));
    }
    let node = keywords(text, &place)?;
    if node.kind != JsonType::Object || node.nullable {
        return Err(
            place.refuse("A resource is an object: write \"type\": \"object\" and its \"properties\".")
        );
    }
    if node.default.is_some() || node.marks != Marks::default() {
        return Err(place.refuse(NO_MARKS));
    }
    check_meaning(node.kind, text, &place)?;
    Ok(members_of(&reader.properties(text, &place, 0)?, form))
}

struct Reader<'t> {
    root: &'t str,
    form: SchemaForm,
    /// The references that are being followed.
    references: Vec<String>,
    /// How many properties there are so far, over all levels.
    count: usize,
}

/// Reads the keywords of a schema, but not the schemas inside it.
#[inline(never)]
fn keywords<'t>(schema: &'t str, place: &SchemaPlace<'_>) -> Result<Node<'t>, BoxedRefusal> {
    if !schema.starts_with('{') {
        let wanted = "A schema is an object with a \"type\", such as { \"type\": \"string\" }.";
        return Err(place.refuse(wanted));
    }
    let mut node = Node {
        kind: JsonType::Object,
        rules: RuleSet::default(),
        inside: Vec::new(),
        default: None,
        marks: Marks::default(),
        nullable: has_null(schema),
        notes: Vec::new(),
    };
    let mut written = None;
    for (name, value) in canonical::members(schema) {
        let at = SchemaPlace::In(place, name);
        match name {
            "type" => written = Some(kind::read(value, &at)?),
            "$defs" if matches!(place, SchemaPlace::Root) => {}
            // Read below, when the type is known.
            "properties" | "required" | "items" => {}
            // zod names its own patterns so: the pattern is the rule.
            "format" if !is_format(value) && canonical::member(schema, "pattern").is_some() => {}
            name => {
                if !node.note(name, value, &at)? && !add_rule(&mut node.rules, name, value, &at)? {
                    return Err(unsupported(name, &at));
                }
            }
        }
    }
    let Some(kind) = written.or_else(|| kind::of_rules(schema, &node.rules)) else {
        let wanted = "Expected a \"type\": string, number, integer, boolean, array, or object.";
        return Err(place.refuse(wanted));
    };
    Ok(Node { kind, ..node })
}

impl<'t> Reader<'t> {
    /// Reads the schema of one value.
    #[inline(never)]
    fn node(
        &mut self,
        schema: &'t str,
        place: &SchemaPlace<'_>,
        depth: usize,
    ) -> Result<Node<'t>, BoxedRefusal> {
        if depth > DEPTH {
            return Err(place.refuse("Objects and arrays are nested too deeply. The limit is 8 levels."));
        }
        if let Some(target) = canonical::member(schema, "$ref") {
            return self.reference(schema, target, place, depth);
        }
        if let Some(any) = canonical::member(schema, "anyOf") {
            return self.any_of(schema, any, place, depth);
        }
        let mut node = keywords(schema, place)?;
        check_meaning(node.kind, schema, place)?;
        match node.kind {
            JsonType::Integer => bound_integer(&mut node.rules, place)?,
            JsonType::Array => node.inside = self.array(schema, place, depth)?,
            JsonType::Object => node.inside = self.object(schema, place, depth)?,
            JsonType::String | JsonType::Number | JsonType::Boolean => {}
        }
        Ok(node)
    }

    /// Follows a reference to `#/$defs/…`. Only annotations may be beside it.
    #[inline(never)]
    fn reference(
        &mut self,
        schema: &'t str,
        target: &str,
        place: &SchemaPlace<'_>,
        depth: usize,
    ) -> Result<Node<'t>, BoxedRefusal> {
        let at = SchemaPlace::In(place, "$ref");
        let target = text(target, &at)?;
        let found = target.strip_prefix(DEFINITIONS).and_then(|pointer| definition(self.root, pointer));
        let Some(found) = found else {
            return Err(at.refuse("Expected a reference to a definition here, such as \"#/$defs/address\"."));
        };
        if self.references.contains(&target) {
            return Err(at.refuse("The definition contains itself. A resource has at most 8 levels."));
        }
        self.references.push(target.clone());
        let definitions = SchemaPlace::In(&SchemaPlace::Root, "$defs");
        let inside = SchemaPlace::In(&definitions, target.get(DEFINITIONS.len()..).unwrap_or_default());
        let read = self.node(found, &inside, depth);
        self.references.pop();
        read?.with_notes(schema, "$ref", place)
    }

    /// Reads `anyOf` of a schema and null, or of possible values.
    #[inline(never)]
    fn any_of(
        &mut self,
        schema: &'t str,
        any: &'t str,
        place: &SchemaPlace<'_>,
        depth: usize,
    ) -> Result<Node<'t>, BoxedRefusal> {
        let at = SchemaPlace::In(place, "anyOf");
        let mut nullable = false;
        let mut nodes = Vec::new();
        for (index, part) in canonical::items(any).enumerate() {
            if is_null(part) {
                nullable = true;
            } else {
                nodes.push(self.node(part, &SchemaPlace::In(&at, &index.to_string()), depth)?);
            }
        }
        let mut nodes = nodes.into_iter();
        let mut node = nodes.next().ok_or_else(|| at.refuse(ANY_OF))?;
        for other in nodes {
            nullable |= other.nullable;
            node = node.or(&other).ok_or_else(|| at.refuse(ANY_OF))?;
        }
        node.nullable |= nullable;
        node.with_notes(schema, "anyOf", place)
    }

    #[inline(never)]
    fn array(
        &mut self,
        schema: &'t str,
        place: &SchemaPlace<'_>,
        depth: usize,
    ) -> Result<Inside, BoxedRefusal> {
        let at = SchemaPlace::In(place, "items");
        let Some(items) = canonical::member(schema, "items") else {
            return Err(place.refuse("An array needs the schema of its \"items\"."));
        };
        let node = self.node(items, &at, depth + 1)?;
        if node.kind == JsonType::Array {
            return Err(at.refuse("An item cannot be an array. Write an object with an array inside."));
        }
        if node.nullable {
            return Err(at.refuse("An item cannot be null. Write its other type alone."));
        }
        if node.default.is_some() || node.marks != Marks::default() {
            return Err(at.refuse(NO_MARKS));
        }
        let mut written = String::new();
        node.write(&mut written, self.form);
        Ok(vec![("items", written)])
    }

    #[inline(never)]
    fn object(
        &mut self,
        schema: &'t str,
        place: &SchemaPlace<'_>,
        depth: usize,
    ) -> Result<Inside, BoxedRefusal> {
        let all = self.properties(schema, place, depth)?;
        for SchemaProperty { name: property, node, .. } in &all {
            let name = if node.default.is_some() { "default" } else { "x-title" };
            if node.default.is_some() || node.marks.title {
                let at = SchemaPlace::In(place, "properties");
                let at = SchemaPlace::In(&at, property);
                let message =
                    concat(&["Only a field of the resource itself has \"", name, "\". Remove it here."]);
                return Err(SchemaPlace::In(&at, name).refuse(&message));
            }
        }
        Ok(members_of(&all, self.form))
    }

    /// Reads the properties of an object.
    #[inline(never)]
    fn properties(
        &mut self,
        schema: &'t str,
        place: &SchemaPlace<'_>,
        depth: usize,
    ) -> Result<Vec<SchemaProperty<'t>>, BoxedRefusal> {
        let properties = SchemaPlace::In(place, "properties");
        let required = required_names(schema, place)?;
        let mut all: Vec<SchemaProperty<'t>> = Vec::new();
        let schemas = canonical::member(schema, "properties").unwrap_or("{}");
        if !schemas.starts_with('{') {
            return Err(properties.refuse("Expected an object with the schema of each property."));
        }
        for (name, value) in canonical::members(schemas) {
            let at = SchemaPlace::In(&properties, name);
            self.count += 1;
            if self.count > PROPERTIES {
                return Err(at.refuse("There are too many properties. The limit is 200."));
            }
            if !is_name(name) {
                return Err(at.refuse(NAME_RULE));
            }
            if all.iter().any(|other| other.name == name) {
                return Err(at.refuse("The property occurs twice."));
            }
            if depth == 0 {
                check_field_name(name, &all, &at)?;
            }
            let node = self.node(value, &at, depth + 1)?;
            let is_required = !node.nullable && required.iter().any(|required| required == name);
            all.push(SchemaProperty { name, is_required, node });
        }
        if let Some(unknown) = required.iter().find(|name| !all.iter().any(|known| known.name == **name)) {
            let message =
                concat(&["The property '", unknown, "' is required, and \"properties\" does not name it."]);
            return Err(SchemaPlace::In(place, "required").refuse(&message));
        }
        Ok(all)
    }
}

/// Refuses the name of a field that the system has, or whose update action another field has.
fn check_field_name(
    name: &str,
    others: &[SchemaProperty<'_>],
    at: &SchemaPlace<'_>,
) -> Result<(), BoxedRefusal> {
    if System::ALL.iter().any(|system| system.name() == name) || name.eq_ignore_ascii_case(NOT) {
        return Err(at.refuse("The name is reserved. Choose another one."));
    }
    let Some(same) = others.iter().find(|other| titled(other.name) == titled(name)) else { return Ok(()) };
    Err(at.refuse(&concat(&[
        "The update actions of this property and of '",
        same.name,
        "' would have the same name. Choose another one.",
    ])))
}

/// Refuses keywords that have no meaning for the type.
fn check_meaning(kind: JsonType, schema: &str, place: &SchemaPlace<'_>) -> Result<(), BoxedRefusal> {
    if let Some((name, _)) = canonical::members(schema).find(|(name, _)| !has_meaning(name, kind)) {
        let message = concat(&["The rule has no meaning for the type ", kind.name(), ". Remove it."]);
        return Err(SchemaPlace::In(place, name).refuse(&message));
    }
    Ok(())
}

/// Returns the names of the required properties of an object.
#[inline(never)]
fn required_names(schema: &str, place: &SchemaPlace<'_>) -> Result<Vec<String>, BoxedRefusal> {
    let at = SchemaPlace::In(place, "required");
    match canonical::member(schema, "required") {
        None => Ok(Vec::new()),
        Some(list) if list.starts_with('[') => canonical::items(list).map(|name| text(name, &at)).collect(),
        Some(_) => Err(at.refuse("Expected a list of names.")),
    }
}

const NO_MARKS: &str = "Only a property has a default, or a keyword that begins with x-. Write it in one.";
const ANY_OF: &str =
    "Expected one schema and { \"type\": \"null\" }, or constants of one type. Write one type, or \"enum\".";

/// Returns whether null is a value of a schema, which has no reference and no `anyOf`.
fn has_null(schema: &str) -> bool {
    let has = |name, null| {
        canonical::member(schema, name).map(|list| canonical::items(list).any(|one| one == null))
    };
    let of_type = has("type", "\"null\"");
    let of_choices = has("enum", "null").or_else(|| has("const", "null"));
    of_type.or(of_choices).is_some_and(|first| first && of_choices.unwrap_or(true))
}

const NAME_RULE: &str = "The name of a property has letters, digits, and underscores, does not begin with a digit, and has \
                         at most 64 characters.";
const _: () = assert!(limits::SHAPE_NAME_CHARS == 64);

fn is_name(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit())
        && name.len() <= limits::SHAPE_NAME_CHARS
}

/// Replaces the bounds of an integer by the least and the greatest one.
fn bound_integer(rules: &mut RuleSet, place: &SchemaPlace<'_>) -> Result<(), BoxedRefusal> {
    let (mut min, mut max) = (-limits::INTEGER_MAX, limits::INTEGER_MAX);
    // The conversions saturate, beyond every integer of a record.
    if let Some(bound) = rules.set_bound(Member::Minimum, None) {
        min = min.max(bound.ceil() as i64);
    }
    if let Some(bound) = rules.set_bound(Member::ExclusiveMinimum, None) {
        min = min.max((bound.floor() as i64).saturating_add(1));
    }
    if let Some(bound) = rules.set_bound(Member::Maximum, None) {
        max = max.min(bound.floor() as i64);
    }
    if let Some(bound) = rules.set_bound(Member::ExclusiveMaximum, None) {
        max = max.min((bound.ceil() as i64).saturating_sub(1));
    }
    if min > max {
        return Err(place.refuse("No integer is within these bounds."));
    }
    rules.set_bound(Member::Minimum, Some(min as f64).filter(|_| min > -limits::INTEGER_MAX));
    rules.set_bound(Member::Maximum, Some(max as f64).filter(|_| max < limits::INTEGER_MAX));
    Ok(())
}
