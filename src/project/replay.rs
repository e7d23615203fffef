//! First answers to writes that carry an `Idempotency-Key`, and their replay (D18).

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

/// The first answer under the key, an error where it was given for another request, or `None` for a new key.
pub(super) fn recall<D: Database>(
    database: &D,
    idempotency: &Idempotency,
    now: Millis,
) -> Result<Option<Reply>, StoreError> {
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
        return Ok(Some(Reply::Error(ApiError::new(
            Code::IdempotencyKeyReused,
            format!("The {name} was used for another request. Use a new key for a new request."),
        ))));
    }
    wire::decode(&reply).map(Some).map_err(|error| StoreError(format!("a stored reply: {error}")))
}

/// Remembers the first answer, and forgets what is past its time or beyond the bound.
pub(super) fn remember<D: Database>(
    database: &D,
    idempotency: &Idempotency,
    reply: &Reply,
    now: Millis,
) -> Result<(), StoreError> {
    let bytes = wire::encode(reply).map_err(|error| StoreError(format!("a reply: {error}")))?;
    database.execute(
        "INSERT OR REPLACE INTO idempotency(caller, key, fingerprint, at, reply) VALUES(?, ?, ?, ?, ?)",
        &[
            Bind::Text(&idempotency.caller),
            Bind::Text(&idempotency.key),
            Bind::Blob(&idempotency.fingerprint),
            Bind::Integer(now as i64),
            Bind::Blob(&bytes),
        ],
    )?;
    database.execute(
        "DELETE FROM idempotency WHERE seq <= (SELECT max(seq) FROM idempotency) - ? \
         OR seq IN (SELECT seq FROM (SELECT seq, at FROM idempotency ORDER BY seq LIMIT ?) WHERE at <= ?)",
        &[
            Bind::Integer(limits::IDEMPOTENCY_ROWS as i64),
            Bind::Integer(PRUNE),
            Bind::Integer(now.saturating_sub(limits::IDEMPOTENCY_MS) as i64),
        ],
    )
}
