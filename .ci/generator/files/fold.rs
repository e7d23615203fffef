//! The tables by which search folds texts, from `caseless` and `unicode-normalization`. Another version of Unicode
//! changes what search treats as equal, and so the index (`INDEX`).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use unicode_normalization::UnicodeNormalization as _;

use super::head;

/// The marks that are composed with a letter before them.
const MARKS: [u32; 44] = [
    0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30a, 0x30b, 0x30c, 0x31b, 0x323, 0x326,
    0x327, 0x328, 0x331, 0x653, 0x654, 0x655, 0x93c, 0x9bc, 0x9be, 0x9d7, 0xa3c, 0xb3c, 0xb3e, 0xb56, 0xb57,
    0xbbe, 0xbd7, 0xc56, 0xcc2, 0xcd5, 0xcd6, 0xd3e, 0xd57, 0xdca, 0xdcf, 0xddf, 0x102e, 0x3099, 0x309a,
];
/// The letters of ancient Greek.
const ANCIENT: std::ops::RangeInclusive<char> = '\u{1f00}'..='\u{1fff}';

/// Returns the text of `folding.rs`.
pub(super) fn rust() -> String {
    let (mut runs, mut several): (Vec<[u32; 4]>, Vec<[u32; 4]>) = Default::default();
    for c in '\0'..=char::MAX {
        let folded = caseless::default_case_fold_str(c.encode_utf8(&mut [0; 4]));
        let code = u32::from(c);
        match folded.chars().map(u32::from).collect::<Vec<_>>()[..] {
            [one] if one == code => (),
            [one] => match runs.last_mut() {
                Some([first, last, step, start])
                    if one.wrapping_sub(*start) == code - *first
                        && (code - *last == *step || first == last && code - *last == 2) =>
                {
                    *step = code - *last;
                    *last = code;
                }
                _ => runs.push([code, code, 1, one]),
            },
            [one, two] => several.push([code, one, two, 0]),
            [one, two, three] => several.push([code, one, two, three]),
            ref other => panic!("{c:?} folds to {} characters", other.len()),
        }
    }
    let mut out = head("Unicode");
    out += "\n/// Runs of characters that each fold to one character: the first, the last, the step between neighbors, and the\n\
            /// folded form of the first. The others of a run have the same distance to theirs.\n";
    table(&mut out, "RUNS", "u32", &runs);
    out += "\n/// Characters that fold to two or three characters, which follow them. A third of 0 means none.\n";
    table(&mut out, "SEVERAL", "u16", &several);
    out += "\n/// Marks, each with pairs of a letter and what the mark makes of it. A dot above makes no other letter of an `i`,\n\
            /// so that `İ`, which folds to both, is also an `i`.\n\
            #[rustfmt::skip]\npub(super) const PAIRS: &[(char, &[char])] = &[\n";
    for (mark, pairs) in pairs() {
        writeln!(out, "    ({mark:?}, &[").unwrap();
        for pairs in pairs.into_iter().collect::<Vec<_>>().chunks(8) {
            let pairs: Vec<String> = pairs
                .iter()
                .map(|(letter, both)| format!("{},{}", literal(*letter), literal(*both)))
                .collect();
            writeln!(out, "        {},", pairs.join(", ")).unwrap();
        }
        out += "    ]),\n";
    }
    out + "];\n"
}

/// Returns the literal of a character. One that normalization would replace is escaped.
fn literal(c: char) -> String {
    if [c].into_iter().nfc().eq([c]) { format!("{c:?}") } else { format!("'{}'", c.escape_unicode()) }
}

/// Returns the pairs of each mark: a letter, and the one character that letter and mark are together. Both stay when
/// folded.
fn pairs() -> BTreeMap<char, BTreeSet<(char, char)>> {
    let marks = MARKS.map(|code| char::from_u32(code).unwrap());
    let living = ('\0'..='\u{ffff}').filter(|c| !ANCIENT.contains(c));
    let folded = living.map(|c| (c.nfd().collect::<Vec<char>>(), c));
    let composed: BTreeMap<Vec<char>, char> = folded
        .filter(|(parts, c)| {
            parts.len() > 1 && caseless::default_case_fold_str(&c.to_string()) == c.to_string()
        })
        .collect();
    let mut found: BTreeMap<char, BTreeSet<(char, char)>> = BTreeMap::new();
    for (parts, both) in &composed {
        for (at, mark) in parts.iter().enumerate().skip(1).filter(|(_, mark)| marks.contains(mark)) {
            let mut rest = parts.clone();
            rest.remove(at);
            let letter = if let [letter] = rest[..] { Some(letter) } else { composed.get(&rest).copied() };
            if let Some(letter) = letter.filter(|letter| letter.is_alphabetic())
                && [letter, *mark].into_iter().nfd().eq(parts.iter().copied())
            {
                found.entry(*mark).or_default().insert((letter, *both));
            }
        }
    }
    found.entry('\u{307}').or_default().insert(('i', 'i'));
    found
}

fn table(out: &mut String, name: &str, kind: &str, rows: &[[u32; 4]]) {
    write!(out, "#[rustfmt::skip]\npub(super) const {name}: &[[{kind}; 4]] = &[\n").unwrap();
    for rows in rows.chunks(4) {
        let rows: Vec<String> = rows.iter().map(|row| format!("{row:#x?}").replace(",\n]", "]")).collect();
        writeln!(out, "    {},", rows.join(", ").replace("\n    ", " ").replace("[ ", "[")).unwrap();
    }
    out.push_str("];\n");
}
