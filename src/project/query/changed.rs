//! Which of the resources that have changed satisfy a condition.

use crate::contract::limits::work;
use crate::contract::param::ParamId;
use crate::predicate::Typed;
use crate::util::time::Millis;

use super::budget::{RowCost, Work, too_much};
use super::plan::candidates::{Constraints, Guess};
use super::plan::merge::merge;
use super::sql::builder::Sql;
use crate::project::failure::Failure;
use crate::project::store::database::{Database, Result};

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
        Constraints { condition: Some(&self.condition), ..Constraints::of(self.work.fields) }
    }

    /// Returns what it costs to examine a row (D29).
    pub(crate) fn cost(&self) -> RowCost {
        let constraints = self.constraints();
        self.work.cost(constraints.units(), constraints.reading(None))
    }

    /// Returns what has changed between two revisions, of which the rows cost these units. Returns an error if the
    /// budget does not allow to examine a single resource, and no index shows that it does not match.
    pub(crate) fn run(
        &self,
        after: Millis,
        deletions_after: Millis,
        last: Millis,
        units: u64,
    ) -> Result<Vec<Changed>, Failure> {
        let mut constraints = self.constraints();
        if !self.work.fits(1, units) {
            if !self.is_excluded(last)? {
                let reason = "a changed resource is too large for these conditions; send fewer";
                return Err(too_much(ParamId::Where.name(), reason).into());
            }
            constraints.condition = Some(&Typed::False);
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

    /// Returns whether the resource with a revision is not in the set that would drive a query. So a large resource
    /// ends a follower only if it matches the index, and then the query is rejected, too.
    fn is_excluded(&self, revision: Millis) -> Result<bool> {
        let database = self.work.database;
        let set = self.constraints().choose_set(database, Guess::Allowed, self.work.rows(work::SET_ROW))?;
        let Some(found) = set else { return Ok(false) };
        let mut sql = Sql::new("SELECT NOT (");
        found.set.push(&mut sql);
        sql.push(") FROM resource r WHERE r.revision=").integer(revision as i64);
        Ok(sql.first_integer(database)? == Some(1))
    }
}
