//! TypeScript types of the bodies, printed from the schema.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use resource_edge::shape::types::{ArrayRule, Field, Format, Object, Role, Type, Union};
use resource_edge::shape::{ObjectId, Shape, System};

use super::head;
use super::names::camel;

/// Returns the text of `bodies.ts`.
pub(super) fn typescript(shape: &Shape) -> String {
    let out = head("the schema (src/shape/built_in.rs)");
    let mut writer = Writer { out, written: BTreeSet::new() };
    for id in ObjectId::BODIES {
        writer.object(shape.object(id));
    }
    let mut out = writer.out;
    out.push_str("\n/** The bodies that a client may send, by the kinds that `validate` accepts. */\nexport interface Bodies {\n");
    for id in ObjectId::BODIES {
        writeln!(out, "  /** {} */\n  {}: {};", id.about(), camel(id.name()), id.name()).unwrap();
    }
    out.push_str("}\n");
    out
}

struct Writer {
    out: String,
    written: BTreeSet<String>,
}

impl Writer {
    fn object(&mut self, object: &Object) {
        self.variant(object, None);
    }

    /// Writes the object. If it is one of several, `tag` is the member that names it, with the name.
    fn variant(&mut self, object: &Object, tag: Option<(&str, &str)>) {
        if !self.written.insert(object.name.to_string()) {
            return;
        }
        let mut members = String::new();
        for field in &object.fields {
            let optional = if field.required { "" } else { "?" };
            let null = if field.required { "" } else { " | null | undefined" };
            let ty = match tag {
                Some((name, value)) if name == field.name => format!("\"{value}\""),
                _ => self.name(&field.ty),
            };
            if let Some(about) = about_field(field) {
                writeln!(members, "  /** {about} */").unwrap();
            }
            writeln!(members, "  {}{optional}: {ty}{null};", field.name).unwrap();
        }
        writeln!(self.out, "\n/** {} */\nexport interface {} {{\n{members}}}", object.about, object.name)
            .unwrap();
    }

    fn name(&mut self, ty: &Type) -> String {
        value_type(ty, "readonly ", &mut |named| match named {
            Type::Object(object) => self.object(object),
            Type::Union(union) => self.union(union),
            _ => {}
        })
    }

    fn union(&mut self, union: &Union) {
        for variant in &union.variants {
            self.variant(&variant.object, Some((&union.tag.name, &variant.tag)));
        }
        if self.written.insert(union.name.to_string()) {
            let names: Vec<&str> = union.variants.iter().map(|variant| &*variant.object.name).collect();
            writeln!(self.out, "\n/** One of the changes that an update makes. */").unwrap();
            writeln!(self.out, "export type {} = {};", union.name, names.join(" | ")).unwrap();
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
        Type::Object(object) => {
            declare(ty);
            object.name.to_string()
        }
        Type::Union(union) => {
            declare(ty);
            union.name.to_string()
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
    Some(match (&field.ty, field.role) {
        (Type::Integer { .. }, Role::System(System::Version)) => {
            "The expected version. If the resource has another, the call fails with 409.".to_owned()
        }
        (Type::String(_), Role::System(System::Version)) => {
            "Digits: the expected version. Any other text is ignored.".to_owned()
        }
        (Type::Object(_), Role::System(System::CreatedBy)) => {
            "Who creates the resource; ignored if it exists.".to_owned()
        }
        (Type::Object(_), Role::System(System::LastModifiedBy)) => {
            "Who makes this change. A write without it removes the previous value.".to_owned()
        }
        (Type::String(Format::DateTime), Role::System(_)) => {
            "`YYYY-MM-DDThh:mm:ss.mmmZ`. Its form is checked; its value is ignored.".to_owned()
        }
        (ty, _) => return about(ty),
    })
}

/// Returns the rules of a type that TypeScript does not express.
pub(super) fn about(ty: &Type) -> Option<String> {
    Some(match ty {
        Type::Integer { min, max } => format!("An integer from {min} to {max}."),
        Type::String(Format::Id) => "An ID: 1 to 256 bytes of UTF-8, no control characters.".to_owned(),
        Type::String(Format::Key) => "A key: 1 to 256 bytes of UTF-8, no control characters.".to_owned(),
        Type::String(Format::DateTime) => "An instant: `YYYY-MM-DDThh:mm:ss.mmmZ`.".to_owned(),
        Type::Array(array) => match (&array.items, array.rule) {
            (_, ArrayRule::AtMost(max)) => format!("At most {max}."),
            (_, ArrayRule::OneTo(max)) => format!("1 to {max}."),
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
