//! The own fields of a deployment: fields that a table names, which the program reads once at the start. Bodies,
//! records, and update actions have them after the fields of the interface.
//!
//! A thread has one table, as an instance of WebAssembly has one thread. It is never freed, so that an own field costs
//! no more than a field of the interface: the shapes of both are constant data.

use std::cell::Cell;

use super::fingerprint::type_number;
use super::schema::{self, ACTION_TAG, Field, FieldId, NO_OWN_FIELDS, Object, Type, UPDATE_ACTION, Variant};
pub use super::schema::{OWN_ROOM, OwnFields};
use crate::contract::{limits, prose};
use crate::util::fnv;
use crate::util::text::{append, concat, cut};

/// The types of own fields, as the table names them.
pub static KINDS: [(&str, Type); 10] = [
    ("text", schema::TEXT),
    ("integer", schema::INTEGER),
    ("number", schema::NUMBER),
    ("boolean", schema::BOOLEAN),
    ("datetime", schema::DATE_TIME),
    ("text[]", schema::TEXTS),
    ("integer[]", schema::INTEGERS),
    ("number[]", schema::NUMBERS),
    ("boolean[]", schema::BOOLEANS),
    ("datetime[]", schema::DATE_TIMES),
];

/// Returns the own field that an update action of this name sets.
pub(super) fn set_by(tag: &str) -> Option<FieldId> {
    let own = OwnFields::current().actions.get(UPDATE_ACTION.fixed.len()..)?;
    let (_, object) = own.iter().find(|(known, _)| *known == tag)?;
    object.fixed.last().map(|field| field.id)
}

/// Lets this thread use the table of a text ([`OwnFields::parse`]) from now on. Returns what is wrong with it, in a
/// sentence.
#[inline(never)]
pub fn set_fields(text: &str) -> Option<String> {
    match OwnFields::parse(text) {
        Ok(table) => {
            table.install();
            None
        }
        Err(wrong) => Some(wrong),
    }
}

thread_local! {
    /// How many own fields a reader needs for what was serialized since [`OwnFields::count_named`] began.
    static NAMED: Cell<usize> = const { Cell::new(0) };
}

impl FieldId {
    /// Counts the field as serialized ([`OwnFields::count_named`]).
    pub(super) fn count(self) {
        if let Some(place) = self.own_place() {
            NAMED.set(NAMED.get().max(place + 1));
        }
    }
}

impl OwnFields {
    /// Returns the result of a function, and how many own fields there are up to the last one that it serialized.
    pub fn count_named<T>(serialize: impl FnOnce() -> T) -> (T, usize) {
        NAMED.set(0);
        (serialize(), NAMED.get())
    }

    /// Returns the table of a text: a line with name and type for each field, in order. It is never freed: a program
    /// reads one. Otherwise, returns what is wrong in a sentence.
    pub fn parse(text: &str) -> Result<&'static Self, String> {
        let (mut fields, mut names): (Vec<Field>, Vec<&'static str>) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let (name, kind) = cut(line, b' ');
            check_name(name, &names)?;
            let ty = type_of(name, kind.unwrap_or_default())?;
            if fields.len() == OWN_ROOM {
                return Err(TOO_MANY.to_owned());
            }
            fields.push(schema::optional(FieldId::of_own(fields.len()), ty));
            names.push(leak(name.to_owned()));
        }
        if fields.is_empty() {
            return Ok(&NO_OWN_FIELDS);
        }
        let fields = fields.leak();
        let names = names.leak();
        let mut actions = UPDATE_ACTION.fixed.to_vec();
        actions.extend(fields.iter().zip(&*names).map(|(field, name)| action(name, *field)));
        let table = Self {
            fields,
            names,
            objects: NO_OWN_FIELDS.objects.map(|fixed| extended(fixed, fields)),
            actions: actions.leak(),
        };
        Ok(Box::leak(Box::new(table)))
    }

    /// Returns the text of the table, for [`Self::parse`]. It begins with the text of every table that this one
    /// continues.
    pub fn to_text(&self) -> String {
        let rows = self.fields.iter().zip(self.names).flat_map(|(field, name)| {
            let kind = KINDS.iter().find(|(_, ty)| type_number(Some(*ty)) == type_number(Some(field.ty)));
            [*name, " ", kind.map_or("", |(kind, _)| *kind), "\n"]
        });
        rows.collect()
    }

    /// Returns a number of the first fields: FNV-1a over their names and types. `None` if there are fewer.
    pub fn fingerprint(&self, count: usize) -> Option<u32> {
        let fields = self.fields.get(..count)?.iter().zip(self.names);
        Some(fields.fold(fnv::START, |hash, (field, name)| {
            let hash = name.bytes().fold(hash, |hash, byte| fnv::add(hash, u32::from(byte)));
            fnv::add(hash, type_number(Some(field.ty)))
        }))
    }
}

/// The keyword of predicates that cannot be a field's name, in any case: a predicate that begins with it is a negation.
pub const NOT: &str = "not";

// Written out, because code that prints numbers costs a page more than these.
const TOO_MANY: &str = if OWN_ROOM == limits::OWN_FIELDS {
    "There are too many own fields. The limit is 40."
} else {
    "There are too many own fields, beside those of this build."
};
const NAME_RULE: &str = "' is invalid. It has at most 64 letters, digits, and underscores, and begins with a \
                         lower-case letter.";
const _: () = assert!(limits::OWN_FIELDS == 40 && limits::OWN_NAME_CHARS == 64);

#[inline(never)]
fn extended(fixed: &[Field], own: &[Field]) -> &'static [Field] {
    let mut fields = fixed.to_vec();
    fields.extend_from_slice(own);
    fields.leak()
}

/// Returns an error if the name of a field after others is invalid.
#[inline(never)]
fn check_name(name: &str, others: &[&str]) -> Result<(), String> {
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_name = is_word && name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    let wrong = if !is_name || name.len() > limits::OWN_NAME_CHARS {
        NAME_RULE
    } else if name.eq_ignore_ascii_case(NOT) || FieldId::NAMES.contains(&name) {
        "' is reserved. Choose another name."
    } else if others.contains(&name) {
        "' is not unique. Choose another name."
    } else {
        return Ok(());
    };
    Err(concat(&["The name of an own field '", name, wrong]))
}

/// Returns the type of a field that the table calls `kind`.
#[inline(never)]
fn type_of(name: &str, kind: &str) -> Result<Type, String> {
    if let Some((_, ty)) = KINDS.iter().find(|(known, _)| *known == kind) {
        return Ok(*ty);
    }
    let mut wrong =
        concat(&["The type '", kind, "' of the own field '", name, "' is unknown. The types are "]);
    for (at, (kind, _)) in KINDS.iter().enumerate() {
        append(&mut wrong, &[if at == 0 { "" } else { ", " }, kind]);
    }
    wrong.push('.');
    Err(wrong)
}

/// Returns the update action that sets a field, or removes its value.
#[inline(never)]
fn action(name: &'static str, field: Field) -> Variant {
    let mut tag = concat(&["set", name]);
    if let Some(first) = tag.get_mut(3..4) {
        first.make_ascii_uppercase();
    }
    // Only documents have the name and the description of a shape.
    let shape =
        concat(&[prose("S"), if prose(name).is_empty() { "" } else { tag.get(1..).unwrap_or_default() }]);
    let about = concat(&[prose("Sets `"), prose(name), prose("`, or removes its value.")]);
    let fixed = vec![ACTION_TAG, field].leak();
    let shape = Object { name: leak(shape), about: leak(about), fixed, extended: None };
    (leak(tag), Box::leak(Box::new(shape)))
}

fn leak(text: String) -> &'static str {
    text.leak()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    fn refusal(text: &str) -> String {
        let before = OwnFields::current().to_text();
        let refused = set_fields(text).unwrap();
        assert_eq!(OwnFields::current().to_text(), before);
        refused
    }

    #[test]
    fn own_fields_follow_the_fields_of_the_interface() {
        let none = OwnFields::current();
        assert!(schema::RESOURCE_DRAFT.field("title").is_none());
        assert_eq!(set_fields("title text\nmoments datetime[]"), None);
        for object in
            [&schema::RESOURCE_DRAFT, &schema::RESOURCE_OVERWRITE, &schema::RESOURCE, &schema::COMPLEX_BODY]
        {
            let names: Vec<&str> = object.fields().iter().map(Field::name).collect();
            assert!(names.starts_with(&object.fixed.iter().map(Field::name).collect::<Vec<_>>()));
            assert_eq!(names[object.fixed.len()..], ["title", "moments"], "{}", object.name);
        }
        let moments = schema::RESOURCE.field("moments").unwrap();
        assert!(moments.id.content().unwrap().is_array());
        assert_eq!(FieldId::from_number(moments.id.number()), Some(moments.id));
        assert_eq!(FieldId::from_number(moments.id.number() + 1), None);
        assert_eq!(FieldId::all().count(), FieldId::FIXED.len() + 2);
        let tags: Vec<&str> = UPDATE_ACTION.variants().iter().map(|(tag, _)| *tag).collect();
        assert_eq!(tags[UPDATE_ACTION.fixed.len()..], ["setTitle", "setMoments"]);
        none.install();
        assert!(schema::RESOURCE_DRAFT.field("title").is_none());
    }

    #[test]
    fn a_table_is_refused_at_its_first_fault() {
        let name = |name: &str, wrong: &str| format!("The name of an own field '{name}' is {wrong}");
        let long = "a".repeat(limits::OWN_NAME_CHARS + 1);
        for wrong in ["", "Title", "1a", "_a", "a-b", "a.b", "é", "__proto__", &long] {
            let rule = "invalid. It has at most 64 letters, digits, and underscores, and begins with a lower-case letter.";
            assert_eq!(refusal(&format!("a text\n{wrong} text\n")), name(wrong, rule));
        }
        for taken in ["not", "nOT", "id", "custom", "arrayOfIntExample", "actions", "deletedAt"] {
            assert_eq!(refusal(&format!("{taken} text")), name(taken, "reserved. Choose another name."));
        }
        assert_eq!(refusal("a text\nb text\na number"), name("a", "not unique. Choose another name."));
        for kind in ["Text", "", "text []", "text "] {
            let found = refusal(&format!("a {kind}"));
            let expected = "is unknown. The types are text, integer, number, boolean, datetime, text[], integer[], \
                            number[], boolean[], datetime[].";
            assert_eq!(found, format!("The type '{kind}' of the own field 'a' {expected}"));
        }
        let text = |count: usize| (0..count).map(|at| format!("a{at} text")).collect::<Vec<_>>().join("\n");
        assert!(OwnFields::parse(&text(OWN_ROOM)).is_ok());
        assert_eq!(refusal(&text(OWN_ROOM + 1)), TOO_MANY);
    }

    #[test]
    fn a_longer_table_begins_with_the_text_and_the_number_of_the_shorter_one() {
        let rows = KINDS.map(|(kind, _)| format!("a{} {kind}\n", kind.replace("[]", "s")));
        let all = OwnFields::parse(&rows.concat()).unwrap();
        assert_eq!(all.to_text(), rows.concat());
        for count in 0..=rows.len() {
            let some = OwnFields::parse(&rows[..count].concat()).unwrap();
            assert_eq!(all.fingerprint(count), some.fingerprint(count));
            assert_eq!(some.fingerprint(count + 1), None);
        }
        let one = |row| OwnFields::parse(row).unwrap().fingerprint(1);
        assert_ne!(one("a text"), one("b text"));
        assert_ne!(one("a text"), one("a text[]"));
    }
}
