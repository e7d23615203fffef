//! The IDs that no path can name, because a literal part has precedence (D3).

use super::table::ENDPOINTS;
use crate::contract::api::path::Segment;

/// Literal path parts at the place of an ID. The compiler extracts them from the table, so that a program that only
/// calls [`is_reserved_id`] does not contain the whole table with its sentences.
static RESERVED_ID_PARTS: [Option<Segment>; ENDPOINTS.len()] = {
    let mut parts = [None; ENDPOINTS.len()];
    let (mut rows, mut places) = (ENDPOINTS.as_slice(), parts.as_mut_slice());
    while let ([row, more_rows @ ..], [place, more_places @ ..]) = (rows, places) {
        if let [_, _, part, ..] = row.path {
            *place = Some(*part);
        }
        (rows, places) = (more_rows, more_places);
    }
    parts
};

/// Returns the literal parts at the place of an ID, each with whether it is only a prefix (D3).
pub fn reserved_id_parts() -> impl Iterator<Item = (&'static str, bool)> {
    RESERVED_ID_PARTS.iter().flatten().filter_map(|segment| match *segment {
        Segment::Literal(literal) => Some((literal, false)),
        Segment::Prefixed(prefix, _) => Some((prefix, true)),
        Segment::Variable(_) => None,
    })
}

/// Returns whether a literal path part of another endpoint shadows the ID (D3).
pub fn is_reserved_id(id: &str) -> bool {
    reserved_id_parts().any(|(part, beginning)| if beginning { id.starts_with(part) } else { id == part })
}
