//! Which of the resources that have changed satisfy a condition.

use crate::contract::limits;
use crate::contract::param::ParamId;
use crate::predicate::Typed;
use crate::util::time::Millis;

use super::budget::{Reading, Work, too_much};
use super::plan::candidates::Constraints;
use super::plan::merge::merge;
use super::sql::builder::Sql;
use crate::project::failure::Failure;
use crate::project::store::database::Database;
use crate::project::store::totals::Contents;

/// A changed resource, or a deletion.
#[derive(Debug)]
pub(crate) struct Changed {
    pub(crate) revision: Millis,
    pub(crate) id: String,
    /// The length of the resource's body.
    pub(crate) bytes: usize,
    pub(crate) kind: ChangeKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    /// The resource satisfies the condition.
    Matches,
    /// The resource does not satisfy the condition.
    Outside,
    /// The ID was deleted with this version.
    Deleted(u64),
}

/// The test of changed resources in the order of their revisions.
pub(crate) struct Examination<'a, D> {
    work: &'a Work<'a, D>,
    condition: Typed,
}

impl<'a, D: Database> Examination<'a, D> {
    pub(crate) fn new(work: &'a Work<'a, D>, condition: &Typed) -> Self {
        Self { work, condition: merge(condition) }
    }

    fn constraints(&self) -> Constraints<'_> {
        Constraints { condition: Some(&self.condition), ..Constraints::default() }
    }

    /// Returns how many rows, and how many bytes of their bodies, the budget allows to examine (D29).
    pub(crate) fn bounds(&self) -> (usize, usize) {
        let constraints = self.constraints();
        let rows = usize::try_from(self.work.rows(constraints.units())).unwrap_or(0);
        let reading = constraints.reading(None);
        let mut bytes = limits::EXAMINED_BYTES;
        while bytes > 1 && !self.allows(reading, bytes) {
            bytes /= 2;
        }
        (rows.clamp(1, limits::EXAMINED_ROWS), bytes)
    }

    fn allows(&self, reading: Reading, bytes: usize) -> bool {
        self.work.fits(1, reading.units(Contents::of_bytes(bytes as u64)))
    }

    /// Returns what has changed between two revisions. Returns an error if the budget does not allow to examine the
    /// bytes of its bodies: those of a single resource.
    pub(crate) fn run(
        &self,
        after: Millis,
        deletions_after: Millis,
        last: Millis,
        bytes: usize,
    ) -> Result<Vec<Changed>, Failure> {
        let constraints = self.constraints();
        if !self.allows(constraints.reading(None), bytes) {
            let reason = "a changed resource is too large for these conditions; send fewer";
            return Err(too_much(ParamId::Where.name(), reason).into());
        }
        let mut sql = Sql::new("SELECT r.revision, octet_length(r.body) AS bytes, r.id, (1");
        constraints.push(&mut sql, None);
        sql.push(") AS matches, NULL AS version FROM ").resources();
        sql.push(" WHERE r.revision>").integer(after as i64).push(" AND r.revision<=").integer(last as i64);
        sql.push(" UNION ALL SELECT revision, 0, id, 0, version FROM tombstone WHERE revision>");
        sql.integer(deletions_after as i64).push(" AND revision<=").integer(last as i64);
        sql.push(" ORDER BY 1");
        Ok(sql.rows(self.work.database, |row| {
            let kind = match (row.unsigned(4), row.integer(3)?) {
                (Some(version), _) => ChangeKind::Deleted(version),
                (None, 0) => ChangeKind::Outside,
                (None, _) => ChangeKind::Matches,
            };
            let bytes = row.size(1)?;
            Some(Changed { revision: row.unsigned(0)?, id: row.text(2)?, bytes, kind })
        })?)
    }
}
