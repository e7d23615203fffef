//! TypeScript types of the bodies, printed from the schema.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use resource_edge::contract::resource::FieldId;
use resource_edge::contract::resource::schema::{ArrayRule, BODIES, Field, Format, Object, Type, Union};

use super::head;
use super::names::camel;

/// Returns the text of `bodies.ts`.
pub(super) fn typescript() -> String {
    let import = "\nimport type { OwnAction, OwnBody } from \"../own/types.js\";\n";
    let out = head("the schema (src/contract/resource/schema.rs)") + import;
    let mut writer = Writer { out, written: BTreeSet::new() };
    for object in BODIES {
        writer.object(object);
    }
    let mut out = writer.out;
    out.push_str("\n/** The bodies that a client may send, by the kinds that `validate` accepts. */\nexport interface Bodies {\n");
    for object in BODIES {
        writeln!(out, "  /** {} */\n  {}: {};", object.about, camel(object.name), object.name).unwrap();
    }
    out.push_str("}\n");
    out
}

struct Writer {
    out: String,
    written: BTreeSet<&'static str>,
}

impl Writer {
    fn object(&mut self, object: &'static Object) {
        self.shape(object, None);
    }

    /// Writes the shape. If it is one of several, `tag` is the member that names it, with the name.
    fn shape(&mut self, object: &'static Object, tag: Option<(&str, &str)>) {
        if !self.written.insert(object.name) {
            return;
        }
        let mut members = String::new();
        for field in object.fields() {
            let optional = if field.required { "" } else { "?" };
            let null = if field.required { "" } else { " | null | undefined" };
            let ty = match tag {
                Some((name, value)) if name == field.name() => format!("\"{value}\""),
                _ => self.name(&field.ty),
            };
            if let Some(about) = about_field(field) {
                writeln!(members, "  /** {about} */").unwrap();
            }
            writeln!(members, "  {}{optional}: {ty}{null};", field.name()).unwrap();
        }
        let own = if object.extended.is_some() { " extends OwnBody" } else { "" };
        writeln!(
            self.out,
            "\n/** {} */\nexport interface {}{own} {{\n{members}}}",
            object.about, object.name
        )
        .unwrap();
    }

    fn name(&mut self, ty: &Type) -> String {
        value_type(ty, "readonly ", &mut |named| match named {
            Type::Object(object) => self.object(object),
            Type::Union(union) => self.union(union),
            _ => {}
        })
    }

    fn union(&mut self, union: &'static Union) {
        for (tag, object) in union.variants() {
            self.shape(object, Some((union.tag.name(), tag)));
        }
        if self.written.insert(union.name) {
            let names: Vec<&str> = union.variants().iter().map(|(_, object)| object.name).collect();
            writeln!(self.out, "\n/** One of the changes that an update makes. */").unwrap();
            writeln!(self.out, "export type {} = {} | OwnAction;", union.name, names.join(" | ")).unwrap();
        }
    }
}

/// Returns the type of a value of the schema, with the modifier before each array. Passes the objects and unions that
/// it names to `declare`.
pub(super) fn value_type(ty: &Type, modifier: &str, declare: &mut impl FnMut(&Type)) -> String {
    match ty {
        Type::Integer { .. } | Type::Number => "number".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::String(_) => "string".to_owned(),
        Type::Object(Object { name, .. }) | Type::Union(Union { name, .. }) => {
            declare(ty);
            (*name).to_owned()
        }
        Type::Array(array) => {
            let item = value_type(&array.items, modifier, declare);
            match array.rule {
                ArrayRule::EmptyOr(count) => {
                    format!("{modifier}[] | {modifier}[{}]", vec![item; count].join(", "))
                }
                _ => format!("{modifier}{item}[]"),
            }
        }
    }
}

/// Returns the rules of a field that its type does not express.
fn about_field(field: &Field) -> Option<String> {
    Some(match field.ty {
        Type::Integer { .. } if field.id == FieldId::Version => {
            "The expected version. If the resource has another, the call fails with 409.".to_owned()
        }
        Type::String(_) if field.id == FieldId::Version => {
            "Digits: the expected version. Any other text is ignored.".to_owned()
        }
        Type::Object(_) if field.id == FieldId::CreatedBy => {
            "Who creates the resource; ignored if it exists.".to_owned()
        }
        Type::Object(_) if field.id == FieldId::LastModifiedBy => {
            "Who makes this change. A write without it removes the previous value.".to_owned()
        }
        Type::String(Format::DateTime) if field.id.content().is_none() => {
            "`YYYY-MM-DDThh:mm:ss.mmmZ`. Its form is checked; its value is ignored.".to_owned()
        }
        ty => return about(&ty),
    })
}

/// Returns the rules of a type that TypeScript does not express.
pub(super) fn about(ty: &Type) -> Option<String> {
    Some(match ty {
        Type::Integer { min, max } => format!("An integer from {min} to {max}."),
        Type::String(Format::Id) => "An ID: 1 to 256 bytes of UTF-8, no control characters.".to_owned(),
        Type::String(Format::Key) => "A key: 1 to 256 bytes of UTF-8, no control characters.".to_owned(),
        Type::String(Format::DateTime) => "An instant: `YYYY-MM-DDThh:mm:ss.mmmZ`.".to_owned(),
        Type::Array(array) => match (array.items, array.rule) {
            (_, ArrayRule::AtMost(max)) => format!("At most {max}."),
            (Type::Integer { .. }, ArrayRule::Unique) => "Integers, none twice.".to_owned(),
            (Type::Integer { .. }, ArrayRule::EmptyOr(count)) => {
                format!("None, or exactly {count} integers.")
            }
            (Type::Integer { .. }, _) => "Integers.".to_owned(),
            (Type::Number, _) => "Finite numbers.".to_owned(),
            _ => return None,
        },
        _ => return None,
    })
}
