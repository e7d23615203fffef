//! Walks a schema, and returns the fields that it describes.

use std::borrow::Cow;
use std::sync::Arc;

use super::inline::{DEFINITIONS, definition, is_null};
use super::keyword::{add_rule, flag, has_meaning, is_format, is_note, text, unsupported};
use super::kind::{KINDS, SchemaType};
use super::place::{BoxedRefusal, SchemaPlace};
use crate::contract::error::Member;
use crate::contract::limits;
use crate::shape::rules::{RuleSet, Rules};
use crate::shape::types::{ArrayRule, Field, INTEGER, Lacks, NUMBER, Object, Role, TEXT, Type, array_of};
use crate::util::json::canonical;
use crate::util::text::concat;

/// The schema of one value.
#[derive(Debug, Clone)]
pub(in crate::shape) struct Node {
    pub(in crate::shape) ty: Type,
    pub(in crate::shape) rules: Rules,
    /// The value of a creation without the field, as canonical JSON.
    pub(in crate::shape) default: Option<String>,
    pub(in crate::shape) marks: Marks,
    /// Whether null is a value. It means the same as absence, so such a field is not required.
    nullable: bool,
}

/// What a shape says about a field beside its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a keyword")]
pub struct Marks {
    /// `x-unique`: no two resources of the project have the same value.
    pub unique: bool,
    /// `x-index`: whether the index has the values.
    pub index: bool,
    /// `x-search`: whether the full-text search finds the words.
    pub search: bool,
    /// `x-title`: the text that names a resource for people.
    pub title: bool,
}

impl Default for Marks {
    fn default() -> Self {
        Self { unique: false, index: true, search: true, title: false }
    }
}

/// The most properties of a shape, over all levels.
const PROPERTIES: usize = 200;
/// The most levels of objects and arrays.
const DEPTH: usize = 8;

/// Reads the schema of a resource: an object. `text`: JSON as `JSON.stringify` writes it.
pub(in crate::shape) fn read(text: &str) -> Result<Vec<(Field, Node)>, BoxedRefusal> {
    let mut reader = Reader { root: text, references: Vec::new(), properties: 0 };
    let place = SchemaPlace::Root;
    if canonical::member(text, "$ref").is_some() {
        let at = SchemaPlace::In(&place, "$ref");
        return Err(at.refuse("Write the schema of the resource itself here, with its \"properties\"."));
    }
    let (node, _, kind) = keywords(text, &place)?;
    if kind != SchemaType::Object || node.nullable {
        return Err(
            place.refuse("A resource is an object: write \"type\": \"object\" and its \"properties\".")
        );
    }
    if node.default.is_some() || node.marks != Marks::default() {
        return Err(place.refuse(NO_MARKS));
    }
    check_meaning(kind, text, &place)?;
    reader.fields(text, &place, 0)
}

impl Node {
    /// Takes a keyword that says something beside the values. Returns whether it is one.
    #[inline(never)]
    fn mark(&mut self, name: &str, value: &str, at: &SchemaPlace<'_>) -> Result<bool, BoxedRefusal> {
        match name {
            "default" => self.default = Some(value.to_owned()).filter(|value| value != "null"),
            "x-unique" => self.marks.unique = flag(value, at)?,
            "x-index" => self.marks.index = flag(value, at)?,
            "x-search" => self.marks.search = flag(value, at)?,
            "x-title" => self.marks.title = flag(value, at)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the schema of the values of both. `None` if one of them says more than which values are possible.
    fn or(self, other: Self) -> Option<Self> {
        let mut all = Vec::new();
        for node in [&self, &other] {
            let choices = node.rules.get()?.choices.as_deref()?;
            let only = RuleSet::of_choices(choices.to_vec());
            let is_only =
                node.rules == only.into() && node.default.is_none() && node.marks == Marks::default();
            if !is_only || ![TEXT, NUMBER, INTEGER, Type::Boolean].contains(&node.ty) {
                return None;
            }
            all.extend_from_slice(choices);
        }
        let is_number = |ty: &Type| [NUMBER, INTEGER].contains(ty);
        let ty = match (self.ty, other.ty) {
            (one, other) if one == other => one,
            (one, other) if is_number(&one) && is_number(&other) => NUMBER,
            _ => return None,
        };
        let rules = RuleSet::of_choices(all).into();
        Some(Self { ty, rules, default: None, marks: self.marks, nullable: self.nullable })
    }

    /// Adds the annotations that are beside a reference or `anyOf`. A rule there is refused.
    #[inline(never)]
    fn with_notes(
        mut self,
        schema: &str,
        keyword: &str,
        place: &SchemaPlace<'_>,
    ) -> Result<Self, BoxedRefusal> {
        for (name, value) in canonical::members(schema) {
            let at = SchemaPlace::In(place, name);
            let is_note = name == keyword || name == "$defs" || is_note(name);
            if !is_note && !self.mark(name, value, &at)? {
                let message = concat(&["This rule is beside \"", keyword, "\". Write it inside."]);
                return Err(at.refuse(&message));
            }
        }
        Ok(self)
    }
}

struct Reader<'t> {
    root: &'t str,
    /// The references that are being followed.
    references: Vec<String>,
    properties: usize,
}

/// Reads the keywords of a schema, but not the schemas inside it. Returns also its type.
#[inline(never)]
fn keywords(schema: &str, place: &SchemaPlace<'_>) -> Result<(Node, RuleSet, SchemaType), BoxedRefusal> {
    if !schema.starts_with('{') {
        let wanted = "A schema is an object with a \"type\", such as { \"type\": \"string\" }.";
        return Err(place.refuse(wanted));
    }
    let mut rules = RuleSet::default();
    let nullable = has_null(schema);
    let mut node =
        Node { ty: TEXT, rules: Rules::default(), default: None, marks: Marks::default(), nullable };
    let mut written: Option<SchemaType> = None;
    for (name, value) in canonical::members(schema) {
        let at = SchemaPlace::In(place, name);
        match name {
            "type" => written = Some(SchemaType::read(value, &at)?),
            "$defs" if matches!(place, SchemaPlace::Root) => {}
            // Read below, when the type is known.
            "properties" | "required" | "items" => {}
            // zod names its own patterns so: the pattern is the rule.
            "format" if !is_format(value) && canonical::member(schema, "pattern").is_some() => {}
            name if is_note(name) => {}
            name => {
                if !node.mark(name, value, &at)? && !add_rule(&mut rules, name, value, &at)? {
                    return Err(unsupported(name, &at));
                }
            }
        }
    }
    let Some(kind) = written.or_else(|| SchemaType::of_rules(schema, &rules)) else {
        let wanted = "Expected a \"type\": string, number, integer, boolean, array, or object.";
        return Err(place.refuse(wanted));
    };
    Ok((node, rules, kind))
}

impl Reader<'_> {
    /// Reads the schema of one value.
    #[inline(never)]
    fn node(&mut self, schema: &str, place: &SchemaPlace<'_>, depth: usize) -> Result<Node, BoxedRefusal> {
        if depth > DEPTH {
            return Err(place.refuse("Objects and arrays are nested too deeply. The limit is 8 levels."));
        }
        if let Some(target) = canonical::member(schema, "$ref") {
            return self.reference(schema, target, place, depth);
        }
        if let Some(any) = canonical::member(schema, "anyOf") {
            return self.any_of(schema, any, place, depth);
        }
        let (mut node, mut rules, kind) = keywords(schema, place)?;
        check_meaning(kind, schema, place)?;
        node.ty = self.type_of(kind, schema, &mut rules, place, depth)?;
        node.rules = rules.into();
        Ok(node)
    }
}

impl Reader<'_> {
    /// Follows a reference to `#/$defs/…`. Only annotations may be beside it.
    #[inline(never)]
    fn reference(
        &mut self,
        schema: &str,
        target: &str,
        place: &SchemaPlace<'_>,
        depth: usize,
    ) -> Result<Node, BoxedRefusal> {
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
        schema: &str,
        any: &str,
        place: &SchemaPlace<'_>,
        depth: usize,
    ) -> Result<Node, BoxedRefusal> {
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
            node = node.or(other).ok_or_else(|| at.refuse(ANY_OF))?;
        }
        node.nullable |= nullable;
        node.with_notes(schema, "anyOf", place)
    }

    #[inline(never)]
    fn type_of(
        &mut self,
        kind: SchemaType,
        schema: &str,
        rules: &mut RuleSet,
        place: &SchemaPlace<'_>,
        depth: usize,
    ) -> Result<Type, BoxedRefusal> {
        Ok(match kind {
            SchemaType::Text => TEXT,
            SchemaType::Number => NUMBER,
            SchemaType::Boolean => Type::Boolean,
            SchemaType::Integer => integer(rules, place)?,
            SchemaType::Array => self.array(schema, place, depth)?,
            SchemaType::Object => self.object(schema, place, depth)?,
        })
    }

    #[inline(never)]
    fn array(&mut self, schema: &str, place: &SchemaPlace<'_>, depth: usize) -> Result<Type, BoxedRefusal> {
        let at = SchemaPlace::In(place, "items");
        let Some(items) = canonical::member(schema, "items") else {
            return Err(place.refuse("An array needs the schema of its \"items\"."));
        };
        let node = self.node(items, &at, depth + 1)?;
        if matches!(node.ty, Type::Array(_)) {
            return Err(at.refuse("An item cannot be an array. Write an object with an array inside."));
        }
        if node.nullable {
            return Err(at.refuse("An item cannot be null. Write its other type alone."));
        }
        if node.default.is_some() || node.marks != Marks::default() {
            return Err(at.refuse(NO_MARKS));
        }
        Ok(array_of(node.ty, node.rules, ArrayRule::Any))
    }

    #[inline(never)]
    fn object(&mut self, schema: &str, place: &SchemaPlace<'_>, depth: usize) -> Result<Type, BoxedRefusal> {
        let properties = SchemaPlace::In(place, "properties");
        let mut fields = Vec::new();
        for (field, node) in self.fields(schema, place, depth)? {
            if node.default.is_some() || node.marks.title {
                let name = if node.default.is_some() { "default" } else { "x-title" };
                let at = SchemaPlace::In(&properties, &field.name);
                let message =
                    concat(&["Only a field of the resource itself has \"", name, "\". Remove it here."]);
                return Err(SchemaPlace::In(&at, name).refuse(&message));
            }
            fields.push(field);
        }
        let about = Cow::Borrowed("");
        Ok(Type::Object(Arc::new(Object { name: about.clone(), about, fields, lacks: Lacks::Absent })))
    }

    /// Reads the properties of an object.
    #[inline(never)]
    fn fields(
        &mut self,
        schema: &str,
        place: &SchemaPlace<'_>,
        depth: usize,
    ) -> Result<Vec<(Field, Node)>, BoxedRefusal> {
        let properties = SchemaPlace::In(place, "properties");
        let required = required_names(schema, place)?;
        let mut fields: Vec<(Field, Node)> = Vec::new();
        let schemas = canonical::member(schema, "properties").unwrap_or("{}");
        if !schemas.starts_with('{') {
            return Err(properties.refuse("Expected an object with the schema of each property."));
        }
        for (name, value) in canonical::members(schemas) {
            let at = SchemaPlace::In(&properties, name);
            self.properties += 1;
            if self.properties > PROPERTIES {
                return Err(at.refuse("There are too many properties. The limit is 200."));
            }
            if !is_name(name) {
                return Err(at.refuse(NAME_RULE));
            }
            if fields.iter().any(|(field, _)| field.name == name) {
                return Err(at.refuse("The property occurs twice."));
            }
            let node = self.node(value, &at, depth + 1)?;
            let field = Field {
                name: Cow::Owned(name.to_owned()),
                ty: node.ty.clone(),
                required: !node.nullable && required.iter().any(|required| required == name),
                has_default: node.default.is_some(),
                role: if depth == 0 { Role::Content } else { Role::Inner },
                rules: node.rules.clone(),
            };
            fields.push((field, node));
        }
        if let Some(unknown) =
            required.iter().find(|name| !fields.iter().any(|(field, _)| field.name == **name))
        {
            let message =
                concat(&["The property '", unknown, "' is required, and \"properties\" does not name it."]);
            return Err(SchemaPlace::In(place, "required").refuse(&message));
        }
        Ok(fields)
    }
}

/// Refuses keywords that have no meaning for the type.
fn check_meaning(kind: SchemaType, schema: &str, place: &SchemaPlace<'_>) -> Result<(), BoxedRefusal> {
    if let Some((name, _)) = canonical::members(schema).find(|(name, _)| !has_meaning(name, kind)) {
        let (name_of_kind, _) = KINDS.iter().find(|(_, known)| *known == kind).copied().unwrap_or(("", kind));
        let message = concat(&["The rule has no meaning for the type ", name_of_kind, ". Remove it."]);
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

/// Returns the type of an integer, whose bounds are those of the schema.
fn integer(rules: &mut RuleSet, place: &SchemaPlace<'_>) -> Result<Type, BoxedRefusal> {
    let Type::Integer { mut min, mut max } = INTEGER else { return Ok(INTEGER) };
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
        Err(place.refuse("No integer is within these bounds."))
    } else {
        Ok(Type::Integer { min, max })
    }
}
