//! Tests of a place on the earth.

use crate::evaluate::EARTH_METRES;
use crate::shape::FieldPath;

use super::builder::{Sql, entry};
use crate::project::store::index::values::folded;

/// Appends the haversine formula without its last steps, which are applied to the other side of the comparison. The
/// haversine of an angle that [`Sql::double`] makes zero is zero.
pub(crate) fn within(sql: &mut Sql, path: &FieldPath, [longitude, latitude, metres]: [f64; 3]) {
    let place = |at| entry("r.entries->>'$.", folded(path.number), at);
    let own_latitude = place("[1]'");
    let cosine = ["cos(radians(", &own_latitude, "))"].concat();
    sql.push("(pow(sin(radians(").once(own_latitude);
    sql.push("-").double(latitude).push(")/2),2)+").once(cosine).push("*cos(radians(");
    sql.double(latitude).push("))*pow(sin(radians(").once(place("[0]'"));
    sql.push("-").double(longitude).push(")/2),2)<=");
    push_haversine(sql, metres);
    sql.push(" IS TRUE)");
}

/// Appends the haversine of the angle that a distance on the earth has. SQLite computes it once per statement, because
/// the sine of the standard library would add several kilobytes.
fn push_haversine(sql: &mut Sql, metres: f64) {
    let half = metres / EARTH_METRES / 2.0;
    if half < 0.0 {
        sql.push("-1");
    } else if half < core::f64::consts::FRAC_PI_2 {
        sql.push("pow(sin(").double(half).push("),2)");
    } else {
        // A distance of more than half the earth's circumference: above every haversine.
        sql.push("2");
    }
}
