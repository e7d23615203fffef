//! Changes of the own fields by a deployment: any, because stored data fits every table (D37).

use super::own_fields::{Table, kinds};
use super::random::Random;

/// The most own fields that a table gets.
pub const MOST: usize = 12;

/// Returns a table after up to three changes: fields are added at any place, removed, moved, or get another type. A
/// name that no field has any more may return with another type.
pub fn changed(table: &Table, random: &Random) -> Table {
    let kinds = kinds();
    let mut fields = fields_of(table);
    for _ in 0..=random.below(3) {
        let count = fields.len();
        match random.below(10) {
            0..3 => add(&mut fields, random),
            3..5 if count > 0 => drop(fields.remove(below(count, random))),
            5 if count > 0 => reorder(&mut fields, random),
            6..8 if count > 0 => fields[below(count, random)].1.clone_from(random.pick(&kinds)),
            8 if count > 0 => {
                let (_, kind) = &mut fields[below(count, random)];
                *kind = match kind.strip_suffix("[]") {
                    Some(single) => single.to_owned(),
                    None => format!("{kind}[]"),
                };
            }
            9 if random.chance(300) => fields.clear(),
            _ => {}
        }
    }
    table_of(&fields)
}

/// Returns a table after up to three changes that every stored record fits: fields are added at any place, or moved.
pub fn grown(table: &Table, random: &Random) -> Table {
    let mut fields = fields_of(table);
    for _ in 0..=random.below(3) {
        if random.chance(500) {
            add(&mut fields, random);
        } else if !fields.is_empty() {
            reorder(&mut fields, random);
        }
    }
    table_of(&fields)
}

/// Names and types.
type Fields = Vec<(String, String)>;

fn fields_of(table: &Table) -> Fields {
    table.fields().map(|(name, kind)| (name.to_owned(), kind.to_owned())).collect()
}

fn table_of(fields: &Fields) -> Table {
    let lines: Vec<String> = fields.iter().map(|(name, kind)| format!("{name} {kind}\n")).collect();
    Table::of(&lines.concat())
}

fn below(count: usize, random: &Random) -> usize {
    random.below(count as u64) as usize
}

/// Adds a field at any place, if there is room for one.
fn add(fields: &mut Fields, random: &Random) {
    if fields.len() < MOST {
        let is_free = |name: &String| fields.iter().all(|(other, _)| other != name);
        let name = (0..MOST).map(|at| format!("own{at}")).find(is_free).expect("a name");
        fields.insert(below(fields.len() + 1, random), (name, random.pick(&kinds()).clone()));
    }
}

fn reorder(fields: &mut Fields, random: &Random) {
    let field = fields.remove(below(fields.len(), random));
    fields.insert(below(fields.len() + 1, random), field);
}
