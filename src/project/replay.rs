//! First answers to writes that carry an `Idempotency-Key`, and their replay (D18).

use core::cell::Cell;

use crate::call::Idempotency;
use crate::contract::error::{ApiError, Code};
use crate::contract::header::RequestHeader;
use crate::contract::limits;
use crate::contract::reply::Reply;
use crate::contract::time::Millis;
use crate::wire;

use super::database::{Bind, Database, StoreError};
use super::records::millis;

/// How many rows past their time one write clears away: more than it adds, so that the table shrinks.
const PRUNE: i64 = 4;

/// Returns the first response under the key, an error if it belongs to another request, or `None` for a new key.
pub(super) fn recall<D: Database>(
    database: &D,
    idempotency: &Idempotency,
    now: Millis,
) -> Result<Option<Reply<String>>, StoreError> {
    let row = database.first(
        "SELECT fingerprint, reply, at FROM idempotency WHERE caller = ? AND key = ?",
        &[Bind::Text(&idempotency.caller), Bind::Text(&idempotency.key)],
        |row| Some((row.blob(0)?, row.blob(1)?, millis(row, 2)?)),
    )?;
    let Some((fingerprint, reply, at)) = row else { return Ok(None) };
    if at + limits::IDEMPOTENCY_MS <= now {
        return Ok(None);
    }
    if fingerprint != idempotency.fingerprint {
        let name = RequestHeader::IdempotencyKey.name();
        let message = format!("This {name} was already used for a different request. Use a new key.");
        return Ok(Some(ApiError::new(Code::IdempotencyKeyReused, message).into()));
    }
    let mut reply: Reply<String> =
        wire::decode(&reply).map_err(|error| StoreError(format!("a stored reply: {error}")))?;
    reply.head.replayed = true;
    Ok(Some(reply))
}

/// The oldest and the newest stored response, kept in memory: no other code changes the table.
#[derive(Debug, Default)]
pub(super) struct Replays(Cell<Option<Span>>);

#[derive(Debug, Clone, Copy)]
struct Span {
    /// `seq` and `at` of the oldest row; `None` if there is no row.
    oldest: Option<(i64, Millis)>,
    newest: i64,
}

impl Replays {
    fn get<D: Database>(&self, database: &D) -> Result<Span, StoreError> {
        if let Some(known) = self.0.get() {
            return Ok(known);
        }
        let oldest = database.first("SELECT seq, at FROM idempotency ORDER BY seq LIMIT 1", &[], |row| {
            Some((row.integer(0)?, millis(row, 1)?))
        })?;
        let newest = database
            .first("SELECT max(seq) FROM idempotency", &[], |row| Some(row.integer(0).unwrap_or(0)))?;
        let span = Span { oldest, newest: newest.unwrap_or(0) };
        self.0.set(Some(span));
        Ok(span)
    }

    /// Discards what a write that was rolled back may have set.
    pub(super) fn forget(&self) {
        self.0.set(None);
    }
}

/// Removes responses that are too old or too many, if there are any, before one is added (D30).
fn prune<D: Database>(database: &D, replays: &Replays, now: Millis) -> Result<(), StoreError> {
    let Span { oldest: Some((seq, at)), newest } = replays.get(database)? else { return Ok(()) };
    let most = limits::IDEMPOTENCY_ROWS as i64;
    if newest - seq + 1 < most && at + limits::IDEMPOTENCY_MS > now {
        return Ok(());
    }
    database.execute(
        "DELETE FROM idempotency WHERE seq <= ? \
         OR seq IN (SELECT seq FROM (SELECT seq, at FROM idempotency ORDER BY seq LIMIT ?) WHERE at <= ?)",
        &[
            Bind::Integer(newest + 1 - most),
            Bind::Integer(PRUNE),
            Bind::Integer(now.saturating_sub(limits::IDEMPOTENCY_MS) as i64),
        ],
    )?;
    replays.forget();
    Ok(())
}

/// Stores the first response.
pub(super) fn remember<D: Database>(
    database: &D,
    replays: &Replays,
    idempotency: &Idempotency,
    reply: &Reply<String>,
    now: Millis,
) -> Result<(), StoreError> {
    prune(database, replays, now)?;
    let span = replays.get(database)?;
    let bytes = wire::encode(reply).map_err(|error| StoreError(format!("a reply: {error}")))?;
    // `seq` is explicit, so that it rises even if the newest row is the one that is replaced.
    let seq = span.newest + 1;
    database.execute(
        "INSERT OR REPLACE INTO idempotency(seq, caller, key, fingerprint, at, reply) VALUES(?, ?, ?, ?, ?, ?)",
        &[
            Bind::Integer(seq),
            Bind::Text(&idempotency.caller),
            Bind::Text(&idempotency.key),
            Bind::Blob(&idempotency.fingerprint),
            Bind::Integer(now as i64),
            Bind::Blob(&bytes),
        ],
    )?;
    replays.0.set(Some(Span { oldest: span.oldest.or(Some((seq, now))), newest: seq }));
    Ok(())
}
