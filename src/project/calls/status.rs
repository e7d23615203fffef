//! The status of a project for its operator, as JSON.

use crate::call::{Reply, wire};
use crate::contract::response::services::status;
use crate::util::json;
use crate::util::time::{self, Millis};

use crate::project::Project;
use crate::project::store::capacity;
use crate::project::store::database::{Database, Result};
use crate::project::store::tables::Meta;

impl<D: Database> Project<D> {
    pub(crate) fn status(&self, now: Millis) -> Result<Reply<D::Text>> {
        let Self { database, outbox, capacity, totals, listeners, .. } = self;
        let (size, newest) = (totals.count(database)?, totals.newest(database)?);
        let meta = Meta::read(database)?;
        let mut outbox = outbox.borrow_mut();
        let (backlog, oldest) = outbox.backlog(database, now)?;
        let bytes = capacity.read(database)?;
        Ok(self.performed(json::object(|object| {
            // All are integers below 2^53.
            object.integer(status::RESOURCES, size);
            object.integer(status::DATABASE_BYTES, bytes as i64);
            object.integer(status::DATABASE_PERCENT, capacity::percent(bytes) as i64);
            object.text(status::DATABASE_STATE, capacity::state(bytes));
            object.integer(status::NEWEST_REVISION, newest as i64);
            object.integer(status::REPLICATED_REVISION, outbox.replicated(newest) as i64);
            object.integer(status::BACKLOG, backlog as i64);
            if let Some(oldest) = oldest {
                object.integer(status::BACKLOG_AGE_MS, now.saturating_sub(oldest) as i64);
            }
            object.integer(status::LISTENERS, listeners.get().into());
            object.integer(status::TABLES_VERSION, meta.tables);
            object.integer(status::INDEX_VERSION, meta.index);
            json::boolean(object.member(status::IS_INDEXED), meta.renewed.is_none());
            object.integer(status::MESSAGE_FORMAT, i64::from(wire::FORMAT));
            for (name, at) in [(status::LAST_SWEEP_AT, meta.swept), (status::NEXT_SWEEP_AT, meta.sweep)] {
                if let Some(at) = at {
                    object.text(name, &time::format(at));
                }
            }
        })))
    }
}
