//! Changes of the own fields by a deployment: any, because stored data fits every table (D37).

use super::own_fields::{Table, kinds};
use super::random::Random;

/// The most own fields that a table gets.
pub const MOST: usize = 12;

/// Returns a table after up to three changes: fields are added at any place, removed, moved, or get another type. A name
/// that no field has any more may return with another type.
pub fn changed(table: &Table, random: &Random) -> Table {
    let kinds = kinds();
    let below = |count: usize| random.below(count as u64) as usize;
    let mut fields: Vec<(String, String)> =
        table.fields().map(|(name, kind)| (name.to_owned(), kind.to_owned())).collect();
    for _ in 0..=random.below(3) {
        let count = fields.len();
        match random.below(10) {
            0..3 if count < MOST => {
                let is_free = |name: &String| fields.iter().all(|(other, _)| other != name);
                let name = (0..).map(|at| format!("own{at}")).find(is_free).expect("a name");
                fields.insert(below(count + 1), (name, random.pick(&kinds).clone()));
            }
            3..5 if count > 0 => drop(fields.remove(below(count))),
            5 if count > 0 => {
                let field = fields.remove(below(count));
                fields.insert(below(count), field);
            }
            6..8 if count > 0 => fields[below(count)].1.clone_from(random.pick(&kinds)),
            8 if count > 0 => {
                let (_, kind) = &mut fields[below(count)];
                *kind = match kind.strip_suffix("[]") {
                    Some(single) => single.to_owned(),
                    None => format!("{kind}[]"),
                };
            }
            9 if random.chance(300) => fields.clear(),
            _ => {}
        }
    }
    Table::of(&fields.iter().map(|(name, kind)| format!("{name} {kind}\n")).collect::<String>())
}
