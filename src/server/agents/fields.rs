//! What an agent has to know about the fields in the conditions of queries: their names and types, and examples with
//! values that they may have.

use crate::contract::param::ParamId;
use crate::openapi;
use crate::shape::Shape;
use crate::shape::rules::unquoted;
use crate::shape::types::{Field, Type};
use crate::util::json::canonical;
use crate::util::text::{append, concat};

/// The most bytes of a description with names. The schemas of writes have all names.
const MOST: usize = 900;
/// The most choices that follow the name of a field.
const CHOICES: usize = 8;

/// What examples show of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Choice,
    Number,
    List,
    Objects,
    Other,
}

/// A field that a condition names.
struct Named<'s> {
    path: String,
    field: &'s Field,
    /// Its JSON Schema, if the deployment wrote one.
    text: &'s str,
}

impl Named<'_> {
    fn kind(&self) -> Kind {
        match &self.field.ty {
            Type::Array(array) if matches!(array.items, Type::Object(_)) => Kind::Objects,
            Type::Array(_) => Kind::List,
            Type::Number | Type::Integer { .. } => Kind::Number,
            Type::String(_) if self.field.is_date_time() => Kind::Other,
            Type::String(_) if self.choices().is_some() => Kind::Choice,
            Type::String(_) => Kind::Text,
            _ => Kind::Other,
        }
    }

    fn choices(&self) -> Option<&[String]> {
        self.field.rules.get()?.choices.as_deref()
    }

    /// Returns an example of a value as a condition has it: JSON, the items of a list, or a condition of an object.
    fn sample(&self) -> Option<String> {
        let sample = openapi::sample(self.field, self.text)?;
        let items = canonical::items(&sample);
        match self.kind() {
            Kind::List => Some(items.collect::<Vec<_>>().join(", ")),
            Kind::Objects => {
                let is_simple = |(_, value): &(&str, &str)| !value.starts_with(['[', '{']);
                let (name, value) = items.flat_map(canonical::members).find(is_simple)?;
                Some(concat(&[name, " = ", value]))
            }
            _ => Some(sample),
        }
    }
}

/// Returns the fields, with those inside objects instead of these.
fn all(shape: &Shape) -> Vec<Named<'_>> {
    let mut found = Vec::new();
    for field in shape.content() {
        collect(&mut found, "", field, shape.schema_of(&field.name).unwrap_or_default());
    }
    found
}

fn collect<'s>(found: &mut Vec<Named<'s>>, before: &str, field: &'s Field, text: &'s str) {
    let path = concat(&[before, &field.name]);
    let Type::Object(object) = &field.ty else { return found.push(Named { path, field, text }) };
    for field in &object.fields {
        collect(found, &concat(&[&path, "."]), field, text_of(text, field));
    }
}

/// Returns the schema of a field inside a value.
fn text_of<'s>(text: &'s str, field: &Field) -> &'s str {
    let properties = canonical::member(text, "properties").unwrap_or_default();
    canonical::member(properties, &field.name).unwrap_or_default()
}

/// Appends the names of fields with their types: `title text, size.width number, lines(amount number)`.
fn push_names(out: &mut String, fields: &[Named<'_>]) {
    for (at, named) in fields.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        if out.len() > MOST {
            return out.push_str("and more");
        }
        out.push_str(&named.path);
        let ty = &named.field.ty;
        let choices = named.choices().filter(|choices| choices.len() <= CHOICES);
        match (ty.item(), choices) {
            (Type::Object(object), _) => {
                let items = canonical::member(named.text, "items").unwrap_or_default();
                let mut inner = Vec::new();
                for field in &object.fields {
                    collect(&mut inner, "", field, text_of(items, field));
                }
                out.push('(');
                push_names(out, &inner);
                out.push(')');
            }
            (_, Some(choices)) => {
                for (at, choice) in choices.iter().enumerate() {
                    append(out, &[if at == 0 { " " } else { "|" }, unquoted(choice)]);
                }
            }
            (item, None) => {
                let name = if named.field.is_date_time() { "time" } else { item.name() };
                append(out, &[if ty.is_array() { " list of " } else { " " }, name]);
            }
        }
    }
}

/// Writes an example about the first field that has one, of the first kind that has such a field.
fn example(fields: &[Named<'_>], template: &str, kinds: &[Kind]) -> Option<String> {
    let of = |kind: &Kind| {
        let mut of_kind = fields.iter().filter(|named| named.kind() == *kind);
        of_kind.find_map(|named| Some((named, named.sample()?)))
    };
    let (named, sample) = kinds.iter().find_map(of)?;
    Some(template.replace("FIELD", &named.path).replace("VALUE", &sample))
}

/// Returns predicates that are valid for these resources, one for each form that a condition has.
pub(super) fn predicates(shape: &Shape) -> Vec<String> {
    let fields = all(shape);
    let forms: [(&str, &[Kind]); 4] = [
        ("FIELD = VALUE", &[Kind::Text, Kind::Choice]),
        ("FIELD > VALUE", &[Kind::Number]),
        ("FIELD contains any (VALUE)", &[Kind::List]),
        ("FIELD(VALUE)", &[Kind::Objects]),
    ];
    let found = forms.into_iter().filter_map(|(template, kinds)| example(&fields, template, kinds));
    found.chain(["key is defined".to_owned()]).collect()
}

/// Returns what a parameter about fields means; `None` for another one.
pub(super) fn about(shape: &Shape, id: ParamId) -> Option<String> {
    let fields = all(shape);
    let number = |template| example(&fields, template, &[Kind::Number]);
    let text = |template, none: &str| {
        example(&fields, template, &[Kind::Choice, Kind::Text]).unwrap_or_else(|| none.to_owned())
    };
    let mut after = ".".to_owned();
    let (before, examples) = match id {
        ParamId::Where => {
            after.replace_range(
                ..,
                ", or several combined by `and`, `or`, `not`. Operators: = != < <= > >= in. Fields: ",
            );
            push_names(&mut after, &fields);
            after.push_str(", key string, id string, version integer, lastModifiedAt time.");
            ("A condition", predicates(shape))
        }
        ParamId::Sort => {
            after.push_str(" The first matters most.");
            let sort = "FIELD desc";
            (
                "A field, and `desc` for the reverse",
                vec![number(sort).unwrap_or_else(|| text(sort, "key desc"))],
            )
        }
        ParamId::Filter => {
            let texts = [Some(text("FIELD:VALUE", "key:exists")), number("FIELD:range(VALUE to *)")];
            ("Conditions that the results also satisfy", texts.into_iter().flatten().collect())
        }
        ParamId::Facet => {
            let texts = [Some(text("FIELD", "key")), number("FIELD:range(* to VALUE),(VALUE to *)")];
            ("Fields whose values to count", texts.into_iter().flatten().collect())
        }
        _ => return None,
    };
    Some(concat(&[before, ", such as `", &examples.join("`, `"), "`", &after]))
}
