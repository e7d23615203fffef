//! JavaScript that accepts the objects that are valid, and no others, printed from the schema.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use resource_edge::contract::limits;
use resource_edge::contract::operation::OPERATIONS;
use resource_edge::contract::path::Segment;
use resource_edge::contract::schema::{Array, ArrayRule, BODIES, Field, Format, Object, Type, Union};
use resource_edge::validate::{FOREIGN, FOREIGN_FROM};

const HEAD: &str = "\
// Written by tests/validate from the schema (src/contract/schema.rs). Do not edit: UPDATE=1 cargo test --test validate
//
// Each function takes any value and returns whether it is valid; what is wrong with another, the WebAssembly says. A
// member that is undefined is as good as absent, one that is null too where the field is known.

import { dateTime, name, plain, text, unique } from \"./value.js\";

const own = Object.hasOwn;
";

/// The text of `pkg/accept.js`.
pub(super) fn javascript() -> String {
    let mut writer = Writer::default();
    for object in BODIES {
        writer.object(object);
    }
    let mut out = String::from(HEAD);
    out.push_str(&writer.out);
    out.push_str(&hidden_ids());
    let kinds: Vec<String> = BODIES.iter().map(|object| camel(object.name)).collect();
    writeln!(out, "\n/** The kinds of bodies, by the numbers that they have in the WebAssembly. */").unwrap();
    writeln!(out, "export const kinds = [\"{}\"];\n", kinds.join("\", \"")).unwrap();
    writeln!(out, "/** Whether an object is valid, by the same numbers. */").unwrap();
    writeln!(out, "export const accepts = [{}];\n", kinds.join(", ")).unwrap();
    writeln!(out, "/** The largest body, in bytes (D10). */").unwrap();
    writeln!(out, "export const BODY_BYTES = {};\n", limits::BODY_BYTES).unwrap();
    writeln!(
        out,
        "/** The deepest array or object that a body may have; what is deeper is never looked into. */"
    )
    .unwrap();
    writeln!(
        out,
        "export const DEPTH = {};\n",
        BODIES.iter().map(|object| depth(&Type::Object(object))).max().unwrap()
    )
    .unwrap();
    writeln!(out, "/** The characters that stand for what JSON cannot write. */").unwrap();
    writeln!(out, "export const foreign = {{").unwrap();
    for (name, byte) in FOREIGN.iter().zip(FOREIGN_FROM..) {
        writeln!(out, "  \"{name}\": \"\\x{byte:02x}\",").unwrap();
    }
    out.push_str("};\n");
    out
}

/// The name with a small first letter.
pub(super) fn camel(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_lowercase() + rest
}

fn depth(ty: &Type) -> usize {
    let fields = |object: &Object| object.fields.iter().map(|field| depth(&field.ty)).max().unwrap_or(0);
    match ty {
        Type::Integer { .. } | Type::Number | Type::String(_) => 0,
        Type::Array(array) => 1 + depth(&array.items),
        Type::Object(object) => 1 + fields(object),
        Type::Union(union) => 1 + union.variants.iter().map(|(_, object)| fields(object)).max().unwrap_or(0),
    }
}

/// The ids that would hide behind a literal path (D3).
fn hidden_ids() -> String {
    let mut tests = BTreeSet::new();
    for segment in OPERATIONS.iter().filter_map(|row| row.path.get(2)) {
        match segment {
            Segment::Literal(literal) => tests.insert(format!("value !== \"{literal}\"")),
            Segment::Prefixed(prefix, _) => tests.insert(format!("!value.startsWith(\"{prefix}\")")),
            Segment::Variable(_) => false,
        };
    }
    let tests: Vec<String> = tests.into_iter().collect();
    format!(
        "\nfunction id(value) {{\n  return (\n    name(value, {}) &&\n    {}\n  );\n}}\n",
        limits::NAME_BYTES,
        tests.join(" &&\n    ")
    )
}

#[derive(Default)]
struct Writer {
    out: String,
    written: BTreeSet<String>,
}

impl Writer {
    /// The expression that is true where the value has the type; writes the functions that it calls.
    fn check(&mut self, ty: &Type, name: &str, value: &str) -> String {
        match ty {
            Type::Integer { min, max } if (*min, *max) == (-limits::INTEGER_MAX, limits::INTEGER_MAX) => {
                format!("Number.isSafeInteger({value})")
            }
            Type::Integer { min, max } if *max == limits::INTEGER_MAX => {
                format!("Number.isSafeInteger({value}) && {value} >= {min}")
            }
            Type::Integer { min, max } => {
                format!("Number.isInteger({value}) && {value} >= {min} && {value} <= {max}")
            }
            Type::Number => format!("Number.isFinite({value})"),
            Type::String(Format::Text) => format!("text({value})"),
            Type::String(Format::Id) => format!("id({value})"),
            Type::String(Format::Key) => format!("name({value}, {})", limits::NAME_BYTES),
            Type::String(Format::DateTime) => format!("dateTime({value})"),
            Type::Array(array) => {
                self.array(name, array);
                format!("{name}({value})")
            }
            Type::Object(object) => {
                self.object(object);
                format!("{}({value})", camel(object.name))
            }
            Type::Union(union) => {
                self.union(union);
                format!("{}({value})", camel(union.name))
            }
        }
    }

    fn array(&mut self, name: &str, array: &'static Array) {
        if !self.written.insert(name.to_owned()) {
            return;
        }
        let item = self.check(&array.items, name, "item");
        let rule = match array.rule {
            ArrayRule::Any => "true".to_owned(),
            ArrayRule::Unique => "unique(value)".to_owned(),
            ArrayRule::EmptyOr(count) => format!("value.length === 0 || value.length === {count}"),
            ArrayRule::AtMost(most) => format!("value.length <= {most}"),
        };
        write!(
            self.out,
            "
function {name}(value) {{
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {{
    const item = value[at];
    if (!({item})) return false;
  }}
  return {rule};
}}
"
        )
        .unwrap();
    }

    fn object(&mut self, object: &'static Object) {
        let function = camel(object.name);
        if !self.written.insert(function.clone()) {
            return;
        }
        let mut checks: Vec<(String, String)> = Vec::new();
        for field in object.fields {
            let action = self.member(field);
            let label = format!("      case \"{}\":\n", field.name());
            match checks.iter_mut().find(|(_, same)| *same == action) {
                Some((labels, _)) => labels.push_str(&label),
                None => checks.push((label, action)),
            }
        }
        let cases: String = checks.into_iter().map(|(labels, action)| labels + &action).collect();
        let required = object.fields.iter().filter(|field| field.required).count();
        let (count, verdict) = match required {
            0 => ("", "true".to_owned()),
            _ => ("\n  let given = 0;", format!("given === {required}")),
        };
        write!(
            self.out,
            "
function {function}(value) {{
  if (!plain(value)) return false;{count}
  for (const key in value) {{
    if (!own(value, key)) continue;
    const member = value[key];
    switch (key) {{
{cases}      default:
        if (member !== undefined) return false;
    }}
  }}
  return {verdict};
}}
"
        )
        .unwrap();
    }

    /// What is done with a known member.
    fn member(&mut self, field: &Field) -> String {
        let check = self.check(&field.ty, field.name(), "member");
        let body = if field.required {
            format!("        if (!({check})) return false;\n        given++;\n")
        } else {
            format!("        if (member != null && !({check})) return false;\n")
        };
        body + "        break;\n"
    }

    fn union(&mut self, union: &'static Union) {
        let mut cases = String::new();
        for (tag, object) in union.variants {
            self.object(object);
            writeln!(cases, "    case \"{tag}\":\n      return {}(value);", camel(object.name)).unwrap();
        }
        let (function, tag) = (camel(union.name), union.tag.name());
        write!(
            self.out,
            "
function {function}(value) {{
  if (!plain(value) || !own(value, \"{tag}\")) return false;
  switch (value.{tag}) {{
{cases}    default:
      return false;
  }}
}}
"
        )
        .unwrap();
    }
}
