//! The reads: of a resource by its ID or key, and of what a query or a search finds.

use crate::call::{CallResult, Lookup, Outcome, Read, Reply, ResourceHead};
use crate::contract::error::{ApiError, Code, quoted};
use crate::rights::Rights;

use crate::project::Project;
use crate::project::failure::{Failure, too_large};
use crate::project::query::page::{self, Tail};
use crate::project::query::search;
use crate::project::store::database::{Database, Result};
use crate::project::store::records::{self, By};

impl<D: Database> Project<D> {
    pub(crate) fn read(&self, read: &Read) -> Result<Reply<D::Text>, Failure> {
        if !matches!(read, Read::Resource(_)) {
            self.catch_up()?;
        }
        let performed = match read {
            Read::Resource(lookup) => return Ok(self.look_up(lookup, None)?),
            // A declared resource has no arrays that a page could repeat (D38).
            Read::Query(query) if self.shape.is_declared() => page::page(&self.work()?, query, Tail::Nothing),
            Read::Query(query) => page::page(&self.work()?, query, Tail::First),
            Read::QuerySorted(query) => page::page(&self.work()?, query, Tail::Nothing),
            Read::Exists(query) => page::exists(&self.work()?, query),
            Read::Search(search) => search::page(&self.work()?, search),
        };
        let mut reply = performed.map_err(|failure| failure.of_long_query(|fault| too_large(read, fault)))?;
        reply.head.newest = Some(self.totals.newest(&self.database)?);
        Ok(reply)
    }

    /// Reads a resource, if it exists for a caller with these rights.
    pub(crate) fn look_up(&self, lookup: &Lookup, rights: Option<&Rights>) -> Result<Reply<D::Text>> {
        let by = match lookup {
            Lookup::Id(id) => By::Id(id),
            Lookup::Key(key) => By::Key(key),
        };
        if rights.is_some() {
            let (sql, binds) = by.select("body");
            let body = self.database.first(&sql, &binds, |row| row.text(0))?;
            if !body.is_some_and(|body| self.permit(rights).shows(&body)) {
                return Ok(self.not_found(by)?.into());
            }
        }
        let Some((id, revision, body)) = records::passing(&self.database, by)? else {
            return Ok(self.not_found(by)?.into());
        };
        let head = ResourceHead { outcome: Outcome::Done, id, revision, newest: revision };
        Ok(Reply::new(CallResult::Resource(head), Some(body)))
    }

    /// Returns 404 with the project's newest revision (D19; section 10).
    pub(crate) fn not_found(&self, by: By<'_>) -> Result<ApiError> {
        let (what, name) = match by {
            By::Id(id) => ("ID", id),
            By::Key(key) => ("key", key),
        };
        self.absent(format!("The Resource with {what} '{}' was not found.", quoted(name)))
    }

    /// Returns 404 with this message, and the project's newest revision.
    pub(crate) fn absent(&self, message: impl Into<String>) -> Result<ApiError> {
        let mut error = ApiError::new(Code::ResourceNotFound, message);
        error.revision = Some(self.totals.newest(&self.database)?);
        Ok(error)
    }
}
