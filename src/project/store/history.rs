//! The history of a project's positions (D31): a random text in `meta`. It changes when the project's past changes, so
//! that a follower of the old history gets an error instead of a silent gap.
//!
//! A restore also restores `meta`. So the epoch, which changes before each restore, is stored where a restore does not
//! reach it. `meta` has the epoch for which its history was created. If the two differ, the project was restored since.

use std::cell::{OnceCell, RefCell};

use crate::contract::position::ProjectPosition;

use super::database::{Database, Result, StoreError, binds};
use super::meta::{self, EPOCH, HISTORY};

#[derive(Debug, Default)]
pub(crate) struct History {
    /// The epoch; empty before the first restore; `None` if the platform restores nothing. A restore ends the object,
    /// so it never changes in memory.
    epoch: OnceCell<Option<String>>,
    name: RefCell<Option<String>>,
}

impl History {
    pub(crate) fn set_epoch(&self, epoch: Option<&str>) {
        self.epoch.get_or_init(|| epoch.map(str::to_owned));
    }

    pub(crate) fn lacks_epoch(&self) -> bool {
        self.epoch.get().is_none()
    }

    /// Returns the history's name, if it is known and the project was not restored since.
    pub(crate) fn name(&self) -> Option<String> {
        self.name.borrow().clone()
    }

    /// Reads the history, and creates a new one if there is none or if it is of another epoch. Returns its name and
    /// whether the project was restored since. The caller opens the transaction, and calls [`keep`](Self::keep) after
    /// the commit.
    pub(crate) fn read<D: Database>(&self, database: &D, entropy: &[u8]) -> Result<(String, bool)> {
        let Some(epoch) = self.epoch.get() else {
            return Err(StoreError::new("the epoch of positions is not set"));
        };
        let sql = "SELECT name, value FROM meta WHERE name IN (?, ?)";
        let stored = database.rows(sql, &binds![EPOCH, HISTORY], |row| Some((row.text(0)?, row.text(1)?)))?;
        let stored = |wanted| stored.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
        let restored = epoch.as_deref().filter(|epoch| stored(EPOCH).map_or("", String::as_str) != *epoch);
        if let Some(name) = stored(HISTORY).filter(|_| restored.is_none()) {
            return Ok((name.clone(), false));
        }
        let name = ProjectPosition::new_history(entropy);
        meta::set(database, HISTORY, &name)?;
        if let Some(epoch) = restored {
            meta::set(database, EPOCH, epoch)?;
        }
        Ok((name, restored.is_some()))
    }

    pub(crate) fn keep(&self, name: &str) {
        self.name.replace(Some(name.to_owned()));
    }

    /// Discards the name from memory, after [`end`] was committed or a transaction rolled back.
    pub(crate) fn discard(&self) {
        self.name.replace(None);
    }
}

/// Ends the history, because a deletion of the project's data is complete, and begins the next one.
pub(crate) fn end<D: Database>(database: &D, entropy: &[u8]) -> Result<()> {
    let sql = "UPDATE meta SET value = ? WHERE name = ?";
    database.execute(sql, &binds![&ProjectPosition::new_history(entropy), HISTORY])
}

/// Begins a history, unless there is one. The first write of a project does, so that no read has to write.
pub(crate) fn begin<D: Database>(database: &D, entropy: &[u8]) -> Result<()> {
    let sql = "INSERT INTO meta(name, value) VALUES(?, ?) ON CONFLICT(name) DO NOTHING";
    database.execute(sql, &binds![HISTORY, &ProjectPosition::new_history(entropy)])
}
