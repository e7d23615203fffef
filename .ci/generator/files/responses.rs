//! TypeScript types of the responses of operations and of errors, printed from the schema and from the shapes of
//! responses.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use resource_edge::contract::api::endpoint::{CallId, ResponseBody};
use resource_edge::contract::error::{Member, Reason};
use resource_edge::contract::response::errors::ERROR_ITEM;
use resource_edge::contract::response::{
    RESOURCE_FIELDS, ResponseContent, ResponseMember, ResponseSchema, ResponseType,
};
use resource_edge::shape::types::{Field, Object, Role, Type};
use resource_edge::shape::{ObjectId, Shape};

use super::{comment, head, types};

/// Returns the text of `responses.ts`.
pub(super) fn typescript(shape: &Shape) -> String {
    let mut writer = Writer::new(shape, "");
    for success in CallId::ALL
        .iter()
        .flat_map(|id| id.row().success)
        .filter(|success| success.shape != ResponseBody::Lines)
    {
        if let Some(ty) = success.shape.schema() {
            writer.name(&ty, 0);
        }
    }
    let mut out = head("the schema and the responses (src/contract)");
    let imported: Vec<_> = writer.imported.into_iter().collect();
    write!(out, "\nimport type {{ {} }} from \"./bodies.js\";\n", imported.join(", ")).unwrap();
    out + &writer.out
}

/// Returns the text of `issues.ts`.
pub(super) fn errors(shape: &Shape) -> String {
    let mut out = head("the errors (src/contract/error.rs, src/contract/error/reason.rs)");
    out.push_str(
        "\n/** The broken rule. A later version of the service may have more reasons. */\nexport type Reason =\n",
    );
    for reason in Reason::ALL {
        writeln!(out, "{}  | \"{}\"", comment(2, reason.about()), reason.wire()).unwrap();
    }
    out.truncate(out.trim_end().len());
    let mut writer = Writer::new(shape, "readonly ");
    let ResponseContent::Object { members, .. } = &ERROR_ITEM.content else {
        panic!("an error is an object")
    };
    let further: Vec<_> = Member::ALL.iter().map(|member| member.described()).collect();
    let members = writer.members(members.iter().chain(&further), 0);
    let (about, name) = (comment(0, ERROR_ITEM.about), ERROR_ITEM.name);
    write!(out, ";\n\n{about}export interface {name} {{\n{members}}}\n").unwrap();
    out
}

struct Writer<'s> {
    shape: &'s Shape,
    out: String,
    written: BTreeSet<String>,
    /// The types of bodies that responses contain too.
    imported: BTreeSet<String>,
    /// The text before every member and array.
    modifier: &'static str,
}

impl<'s> Writer<'s> {
    fn new(shape: &'s Shape, modifier: &'static str) -> Self {
        let (out, written, imported) = (String::new(), BTreeSet::new(), BTreeSet::new());
        Self { shape, out, written, imported, modifier }
    }

    /// Returns the type's name. Writes the shapes that it names, if it is the first to do so.
    fn name(&mut self, ty: &ResponseType, indent: usize) -> String {
        let modifier = self.modifier;
        match ty {
            ResponseType::Integer | ResponseType::Number => "number".to_owned(),
            ResponseType::Boolean => "boolean".to_owned(),
            // A later version of the service may have more codes.
            ResponseType::Text | ResponseType::Code | ResponseType::Format(_) | ResponseType::Pattern(_) => {
                "string".to_owned()
            }
            ResponseType::Reason => "Reason".to_owned(),
            ResponseType::Constant(value) => format!("\"{value}\""),
            ResponseType::Choice(values) => {
                values.iter().map(|value| format!("\"{value}\"")).collect::<Vec<_>>().join(" | ")
            }
            ResponseType::Texts => format!("{modifier}string[]"),
            ResponseType::TextOrTexts => format!("string | {modifier}string[]"),
            ResponseType::Any => "unknown".to_owned(),
            ResponseType::Array(item) | ResponseType::NonEmpty(item) => {
                format!("{}{}[]", modifier, self.name(item, indent))
            }
            ResponseType::Map(item) => {
                format!("{{ {}[name: string]: {} }}", modifier, self.name(item, indent))
            }
            ResponseType::Inline(shape) => {
                let ResponseContent::Object { members, .. } = &shape.content else {
                    panic!("only an object is written in place")
                };
                format!("{{\n{}{:indent$}}}", self.members(*members, indent), "")
            }
            ResponseType::Named(shape) => {
                self.shape(shape);
                shape.name.to_owned()
            }
            ResponseType::Object(id) => {
                self.object(self.shape.object(*id));
                id.name().to_owned()
            }
        }
    }

    fn members<'m>(
        &mut self,
        members: impl IntoIterator<Item = &'m ResponseMember>,
        indent: usize,
    ) -> String {
        let indent = indent + 2;
        let mut out = String::new();
        for ResponseMember { name, ty, is_always, about } in members {
            let optional = if *is_always { "" } else { "?" };
            let ty = self.name(ty, indent);
            out.push_str(&comment(indent, about));
            writeln!(out, "{:indent$}{}{name}{optional}: {ty};", "", self.modifier).unwrap();
        }
        out
    }

    fn shape(&mut self, shape: &'static ResponseSchema) {
        if !self.written.insert(shape.name.to_owned()) {
            return;
        }
        let (about, name) = (comment(0, shape.about), shape.name);
        let declaration = match &shape.content {
            ResponseContent::Object { parents, members } => {
                let parents: Vec<_> = parents.iter().map(|parent| self.name(parent, 0)).collect();
                let extends = if parents.is_empty() { "" } else { " extends " };
                let parents = parents.join(", ");
                let members = self.members(*members, 0);
                let line = if members.is_empty() { "" } else { "\n" };
                format!("export interface {name}{extends}{parents} {{{line}{members}}}")
            }
            ResponseContent::Union { variants, .. } => {
                let names: Vec<_> =
                    variants.iter().map(|(_, variant)| self.name(&ResponseType::Named(variant), 0)).collect();
                format!("export type {name} = {};", names.join(" | "))
            }
            ResponseContent::Text => format!("export type {name} = string;"),
        };
        write!(self.out, "\n{about}{declaration}\n").unwrap();
    }

    /// Writes an object of the schema if only responses have it.
    fn object(&mut self, object: &Object) {
        let name = &object.name;
        if ![ObjectId::Record, ObjectId::StoredArrays].iter().any(|id| id.name() == name) {
            self.imported.insert(name.to_string());
        } else if self.written.insert(name.to_string()) {
            let mut members = String::new();
            for field in &object.fields {
                let optional = if field.required { "" } else { "?" };
                let ty = types::value_type(&field.ty, "", &mut |named| match named {
                    Type::Object(object) => self.object(object),
                    _ => panic!("no response has a union of the schema"),
                });
                members.push_str(&about(object, field).map_or_else(String::new, |about| comment(2, &about)));
                writeln!(members, "  {}{optional}: {ty};", field.name).unwrap();
            }
            let about = comment(0, &object.about);
            write!(self.out, "\n{about}export interface {name} {{\n{members}}}\n").unwrap();
        }
    }
}

/// Returns the rules of a field that its type does not express.
fn about(object: &Object, field: &Field) -> Option<String> {
    let is_record = object.name == ObjectId::Record.name();
    let known = RESOURCE_FIELDS.iter().find(|(id, _)| is_record && field.role == Role::System(*id));
    let of_content = || if field.role == Role::Content { types::about(&field.ty) } else { None };
    known.map(|(_, about)| (*about).to_owned()).or_else(of_content)
}
