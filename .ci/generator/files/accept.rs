//! Generates TypeScript that accepts exactly the valid objects, from the schema.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::accept_shapes::{depth, required, smallest, wider};
use resource_edge::contract::api::endpoint::ENDPOINTS;
use resource_edge::contract::api::path::Segment;
use resource_edge::contract::limits;
use resource_edge::contract::resource::schema::{
    Array, ArrayRule, BODIES, Field, Format, Object, Type, Union,
};
use resource_edge::validate::{FOREIGN, FOREIGN_FROM};

use super::head;
use super::names::camel;

const HEAD: &str = "\
//
// Functions that accept any value and return whether it is valid, and types for write.ts, which gets the issues of an
// invalid value from the WebAssembly. An undefined member is absent. So is one that is null, if the field is known and
// optional.

import { data, dateTime, isOwn, isOwnAction, name, text, unique } from \"../validate/checks.js\";

const { prototype }: { prototype: any } = Object;

/** The fields of an object, and which are required. `__proto__` is what it inherits from, not a member. */
export interface Shape {
  __proto__?: null;
  fields?: { readonly [name: string]: Type | null };
  required?: readonly string[];
}

/** A type of values, with the members that apply to it. `accepts` gets any value, and reads its members. */
export interface Type extends Shape {
  accepts?: (value: any) => boolean;
  standIn?: string;
  items?: Type;
  unique?: boolean;
  tag?: string;
  variants?: { readonly [value: string]: Shape | null };
}

/** Types inherit nothing: whatever a program puts on `Object.prototype` is no part of them. */
export const type = (accepts?: Type[\"accepts\"], standIn?: string, parts?: Type): Type => ({
  __proto__: null,
  accepts,
  standIn,
  ...parts,
});

/** A type of which nothing is known. */
export const unknownType = /* @__PURE__ */ type();
";

/// Leaves a function if its value is not an object of data. Engines optimize `__proto__`, and best if each function has
/// its own. If it is removed, as in Deno, `data` uses the slower way.
const DATA: &str = "
  if (typeof value !== \"object\" || value === null || (value.__proto__ !== prototype && !data(value))) return false;";

/// Returns the text of `accept.ts`.
pub(super) fn typescript() -> String {
    let mut writer = Writer::default();
    for object in BODIES {
        writer.object(object);
    }
    let mut out = head("the schema (src/contract/resource/schema.rs)") + HEAD;
    out.push_str(&reserved_ids());
    out.push_str(&writer.out);
    out.push_str(&clean());
    out.push_str(&tables());
    out
}

/// Returns the tables of the bodies, by the numbers that they have in the WebAssembly.
fn tables() -> String {
    let kinds: Vec<String> = BODIES.iter().map(|object| camel(object.name)).collect();
    let mut cases = String::new();
    for (number, kind) in kinds.iter().enumerate() {
        writeln!(cases, "    case \"{kind}\":\n      return {number};").unwrap();
    }
    let types: Vec<String> = BODIES.iter().map(|object| format!("{}Type", camel(object.name))).collect();
    let depth = BODIES.iter().map(|object| depth(&Type::Object(object))).max().unwrap();
    let foreign: String = FOREIGN
        .iter()
        .zip(FOREIGN_FROM..)
        .map(|(name, byte)| format!("  \"{name}\": \"\\x{byte:02x}\",\n"))
        .collect();
    format!(
        "
/** The kinds of bodies, by the numbers that they have in the WebAssembly. */
export const kinds = [\"{}\"];

/** The number of a kind; −1 if there is no such kind. */
export function numberOf(kind: unknown) {{
  switch (kind) {{
{cases}    default:
      return -1;
  }}
}}

/** Whether an object is valid, by the same numbers. */
export const accepts = [{}];

/** The type of a body, by the same numbers. */
export const types = [{}];

/** The largest body, in bytes (D10). */
export const BODY_BYTES = {};

/** The deepest array or object that a body may have; what is deeper is never looked into. */
export const DEPTH = {depth};

/** The characters that replace what JSON cannot write. */
export const foreign: {{ readonly [kind: string]: string }} = {{
{foreign}}};
",
        kinds.join("\", \""),
        kinds.join(", "),
        types.join(", "),
        limits::BODY_BYTES,
    )
}

/// Returns the check that no one has put a required field on `Object.prototype`: the functions would accept it as a
/// member.
fn clean() -> String {
    let mut names = BTreeSet::new();
    for object in BODIES {
        required(&Type::Object(object), &mut names);
    }
    let tests: Vec<String> =
        names.into_iter().map(|name| format!("prototype.{name} === undefined")).collect();
    format!(
        "\n/** Whether nothing that is required is inherited by every object. */\n\
         export function clean() {{\n  return {};\n}}\n",
        tests.join(" && ")
    )
}

/// Returns the IDs that a literal path shadows (D3).
fn reserved_ids() -> String {
    let mut tests = BTreeSet::new();
    for segment in ENDPOINTS.iter().filter_map(|row| row.path.get(2)) {
        match segment {
            Segment::Literal(literal) => tests.insert(format!("value !== \"{literal}\"")),
            Segment::Prefixed(prefix, _) => tests.insert(format!("!value.startsWith(\"{prefix}\")")),
            Segment::Variable(_) => false,
        };
    }
    let tests: Vec<String> = tests.into_iter().collect();
    format!(
        "\nfunction id(value: unknown) {{\n  return (\n    name(value, {}) &&\n    {}\n  );\n}}\n",
        limits::NAME_BYTES,
        tests.join(" &&\n    ")
    )
}

#[derive(Default)]
struct Writer {
    out: String,
    written: BTreeSet<String>,
    /// The checks of the integer types so far.
    integers: Vec<String>,
    /// The names and texts of the lists of fields so far.
    fields: Vec<(String, String)>,
    /// The arrays so far, and the names of their functions.
    arrays: Vec<(String, &'static Array)>,
}

impl Writer {
    /// Returns an expression that is true if the value has the type. Writes the functions that it calls.
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
            Type::Boolean => format!("typeof {value} === \"boolean\""),
            Type::String(Format::Text) => format!("text({value})"),
            Type::String(Format::Id) => format!("id({value})"),
            Type::String(Format::Key) => format!("name({value}, {})", limits::NAME_BYTES),
            Type::String(Format::DateTime) => format!("dateTime({value})"),
            Type::Array(array) => {
                let name = self.array(name, array);
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

    /// Returns the name of the type for `write.ts`: what accepts a value, the substitute for an accepted value, and the
    /// parts. Writes the type if it is a scalar; others are already written.
    fn ty(&mut self, ty: &Type, name: &str) -> String {
        let (name, check) = match ty {
            Type::Array(array) => return format!("{}Type", self.array(name, array)),
            Type::Object(object) => return format!("{}Type", camel(object.name)),
            Type::Union(union) => return format!("{}Type", camel(union.name)),
            Type::Integer { .. } => (format!("integer{}", self.integers(ty)), self.check(ty, name, "value")),
            Type::Number => ("number".to_owned(), "Number.isFinite(value)".to_owned()),
            Type::Boolean => ("boolean".to_owned(), "typeof value === \"boolean\"".to_owned()),
            Type::String(Format::Text) => ("text".to_owned(), "text(value)".to_owned()),
            Type::String(Format::Id) => ("id".to_owned(), "id(value)".to_owned()),
            Type::String(Format::Key) => ("key".to_owned(), self.check(ty, name, "value")),
            Type::String(Format::DateTime) => ("dateTime".to_owned(), "dateTime(value)".to_owned()),
        };
        let name = format!("{name}Type");
        if self.written.insert(name.clone()) {
            let function = check.strip_suffix("(value)").filter(|function| !function.contains(['(', ' ']));
            let accepts = function.map_or_else(|| format!("(value) => {check}"), str::to_owned);
            self.declare(&name, &accepts, ty, "");
        }
        name
    }

    /// Returns the number of an integer type among the distinct ones.
    fn integers(&mut self, ty: &Type) -> usize {
        let check = self.check(ty, "", "value");
        let at = self.integers.iter().position(|known| *known == check);
        at.unwrap_or_else(|| {
            self.integers.push(check);
            self.integers.len() - 1
        })
    }

    /// Writes the type of that name for `write.ts`.
    fn declare(&mut self, name: &str, accepts: &str, ty: &Type, parts: &str) {
        let substitute = smallest(ty);
        let parts = if parts.is_empty() { String::new() } else { format!(", {{ {parts} }}") };
        writeln!(self.out, "\nconst {name} = /* @__PURE__ */ type({accepts}, '{substitute}'{parts});")
            .unwrap();
    }

    /// Returns the types of an object's fields for `write.ts`, and the names of the required ones. `tag` is the field
    /// that identifies the object, which has no substitute.
    fn fields(&mut self, object: &'static Object, tag: Option<&str>) -> String {
        let mut fields = String::from("{\n  __proto__: null,");
        for field in object.fields() {
            let ty = if tag == Some(field.name()) {
                "unknownType".to_owned()
            } else {
                self.ty(&field.ty, field.name())
            };
            write!(fields, "\n  {}: {ty},", field.name()).unwrap();
        }
        fields.push_str("\n}");
        // Two bodies differ only in their required fields.
        let known = self.fields.iter().find(|(_, known)| *known == fields).map(|(name, _)| name.clone());
        let fields = known.unwrap_or_else(|| {
            let name = format!("{}Fields", camel(object.name));
            writeln!(self.out, "\nconst {name} = {fields};").unwrap();
            self.fields.push((name.clone(), fields));
            name
        });
        let required: Vec<String> = object
            .fields()
            .iter()
            .filter(|field| field.required)
            .map(|field| format!("\"{}\"", field.name()))
            .collect();
        format!("fields: {fields}, required: [{}]", required.join(", "))
    }

    /// Writes the function of an array and returns its name: that of the first field with these items and this rule.
    fn array(&mut self, name: &str, array: &'static Array) -> String {
        if let Some((known, _)) = self.arrays.iter().find(|(_, known)| core::ptr::eq(*known, array)) {
            return known.clone();
        }
        self.arrays.push((name.to_owned(), array));
        let item = self.check(&array.items, name, "item");
        let rule = match array.rule {
            ArrayRule::Any => "true".to_owned(),
            ArrayRule::Unique => "unique(value)".to_owned(),
            ArrayRule::EmptyOr(count) => format!("value.length === 0 || value.length === {count}"),
            ArrayRule::AtMost(max) => format!("value.length <= {max}"),
        };
        self.out += &format!(
            "
function {name}(value: any): boolean {{
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {{
    const item = value[at];
    if (!({item})) return false;
  }}
  return {rule};
}}
"
        );
        let mut parts = format!("items: {}", self.ty(&array.items, name));
        // Items may be duplicates, so none is omitted.
        if array.rule == ArrayRule::Unique {
            parts.push_str(", unique: true");
        }
        self.declare(&format!("{name}Type"), name, &Type::Array(array), &parts);
        name.to_owned()
    }

    fn object(&mut self, object: &'static Object) {
        self.shape(object, None);
    }

    /// Writes an object. `tag` is the member that distinguishes it in its union, with its value.
    fn shape(&mut self, object: &'static Object, tag: Option<(&str, &str)>) {
        let function = camel(object.name);
        if !self.written.insert(function.clone()) {
            return;
        }
        if object.fields().iter().all(|field| field.required) {
            self.required_fields(&function, object, tag);
        } else if let Some(wider) = wider(object) {
            self.more_required(&function, object, wider);
        } else {
            self.some_fields(&function, object);
        }
        if tag.is_none() {
            let fields = self.fields(object, None);
            self.declare(&format!("{function}Type"), &function, &Type::Object(object), &fields);
        }
    }

    /// Writes the function of an object that differs from another only in more required fields.
    fn more_required(&mut self, function: &str, object: &'static Object, wider: &'static Object) {
        let mut checks = format!("{}(value)", camel(wider.name));
        for (field, wide) in object.fields().iter().zip(wider.fields()) {
            if field.required && !wide.required {
                let check = self.check(&field.ty, field.name(), &format!("value.{}", field.name()));
                write!(checks, " && {check}").unwrap();
            }
        }
        write!(self.out, "\nfunction {function}(value: any): boolean {{\n  return {checks};\n}}\n").unwrap();
    }

    /// Writes the function of an object with only required fields: the fastest form if there are few.
    fn required_fields(&mut self, function: &str, object: &'static Object, tag: Option<(&str, &str)>) {
        // The members of a union are distinguished after the union has checked the value and the tag.
        let guard = if tag.is_some() { "" } else { DATA };
        let (mut cases, mut checks) = (String::new(), format!("given === {}", object.fields().len()));
        for field in object.fields() {
            writeln!(cases, "      case \"{}\":", field.name()).unwrap();
            if tag.is_none_or(|(name, _)| name != field.name()) {
                let check = self.check(&field.ty, field.name(), &format!("value.{}", field.name()));
                write!(checks, " && {check}").unwrap();
            }
        }
        self.out += &format!(
            "
function {function}(value: any): boolean {{{guard}
  let given = 0;
  for (const key in value) {{
    switch (key) {{
{cases}        given++;
        break;
      default:
        if (value[key] !== undefined) return false;
    }}
  }}
  return {checks};
}}
"
        );
    }

    fn some_fields(&mut self, function: &str, object: &'static Object) {
        let mut checks: Vec<(String, String)> = Vec::new();
        for field in object.fields() {
            let action = self.member(field);
            let label = format!("      case \"{}\":\n", field.name());
            match checks.iter_mut().find(|(_, same)| *same == action) {
                Some((labels, _)) => labels.push_str(&label),
                None => checks.push((label, action)),
            }
        }
        let cases: String = checks.into_iter().map(|(labels, action)| labels + &action).collect();
        let required = object.fields().iter().filter(|field| field.required).count();
        let (count, verdict) = match required {
            0 => ("", "true".to_owned()),
            _ => ("\n  let given = 0;", format!("given === {required}")),
        };
        let own = if object.extended.is_some() { " && !isOwn(key, member)" } else { "" };
        self.out += &format!(
            "
function {function}(value: any): boolean {{{DATA}{count}
  for (const key in value) {{
    const member = value[key];
    switch (key) {{
{cases}      default:
        if (member !== undefined{own}) return false;
    }}
  }}
  return {verdict};
}}
"
        );
    }

    /// Returns the code for a known member.
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
        let (function, tag) = (camel(union.name), union.tag.name());
        if !self.written.insert(function.clone()) {
            return;
        }
        let (mut cases, mut variants) = (String::new(), String::new());
        for (value, object) in union.variants() {
            self.shape(object, Some((tag, value)));
            writeln!(cases, "    case \"{value}\":\n      return {}(value);", camel(object.name)).unwrap();
            write!(variants, " {value}: {{ {} }},", self.fields(object, Some(tag))).unwrap();
        }
        self.out += &format!(
            "
function {function}(value: any): boolean {{{DATA}
  switch (value.{tag}) {{
{cases}    default:
      return isOwnAction(value);
  }}
}}
"
        );
        let parts = format!("tag: \"{tag}\", variants: {{ __proto__: null,{variants} }}");
        self.declare(&format!("{function}Type"), &function, &Type::Union(union), &parts);
    }
}
