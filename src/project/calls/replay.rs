//! Stores the first responses to writes with an `Idempotency-Key`, and replays them (D18).
//!
//! A row has the response's head, and its body if that is small. A larger body is the record after the write, or its
//! arrays: the row has the record's revision. A later write that changes or removes the record moves that state to
//! `replaced`. So no body is stored twice, and a replay is always the first response.

use core::cell::Cell;
use std::borrow::Cow;

use base64ct::{Base64UrlUnpadded, Encoding as _};
use sha2::{Digest as _, Sha256};

use crate::call::{CallResult, Idempotency, Reply, wire};
use crate::contract::api::header::RequestHeader;
use crate::contract::error::{ApiError, Code};
use crate::contract::limits;
use crate::shape::built_in::WRAPPER;
use crate::util::json::canonical;
use crate::util::time::Millis;

use crate::project::store::database::{Database, Result, StoreError, binds, cached, unexpected};
use crate::project::store::records::Stored;

/// How many expired rows a write removes: more than it adds, so that the tables shrink.
const PRUNE: i64 = 4;
/// How many stored responses, and how many old states, a turn of a project's deletion removes.
const CLEAR: i64 = 2_000;
const CLEAR_REPLACED: i64 = 16;

/// Returns a caller's name as the table has it: a long name is hashed. A hash equals no other name, because a name is a
/// JSON array.
fn name(caller: &str) -> Cow<'_, str> {
    if caller.len() <= limits::IDEMPOTENCY_CALLER_BYTES {
        return Cow::Borrowed(caller);
    }
    Cow::Owned(Base64UrlUnpadded::encode_string(&Sha256::digest(caller)))
}

/// Returns the first response under the key, an error if it belongs to another request, or `None` for a new key.
pub(crate) fn recall<D: Database>(
    database: &D,
    idempotency: &Idempotency,
    now: Millis,
) -> Result<Option<Reply<String>>> {
    let row = database.first(
        "SELECT fingerprint, reply, at, record, arrays FROM idempotency WHERE caller = ? AND key = ?",
        &binds![&*name(&idempotency.caller), &idempotency.key],
        |row| Some((row.blob(0)?, row.blob(1)?, row.unsigned(2)?, row.integer(3), row.integer(4))),
    )?;
    let Some((fingerprint, reply, at, record, arrays)) = row else { return Ok(None) };
    if at + limits::IDEMPOTENCY_MS <= now {
        return Ok(None);
    }
    if fingerprint != idempotency.fingerprint {
        let name = RequestHeader::IdempotencyKey.name();
        let message = format!("This {name} was already used for a different request. Use a new key.");
        return Ok(Some(ApiError::new(Code::IdempotencyKeyReused, message).into()));
    }
    let mut reply: Reply<String> =
        wire::decode(&reply).map_err(|error| StoreError::new(format!("a stored reply: {error}")))?;
    if let Some(revision) = record {
        reply.body = Some(body(database, revision, arrays.is_some())?);
    }
    reply.head.replayed = true;
    Ok(Some(reply))
}

/// Returns the record of a revision that a response refers to, or its arrays.
fn body<D: Database>(database: &D, revision: i64, arrays: bool) -> Result<String> {
    let sql = "SELECT body FROM resource WHERE revision = ?1 \
               UNION ALL SELECT body FROM replaced WHERE revision = ?1";
    let body = database.first(sql, &binds![revision], |row| row.text(0))?;
    let body = body.ok_or_else(|| unexpected(sql))?;
    if !arrays {
        return Ok(body);
    }
    canonical::member(&body, WRAPPER).map(str::to_owned).ok_or_else(|| unexpected(sql))
}

/// The extent of the stored responses, cached in memory: no other code changes the tables.
#[derive(Debug, Default)]
pub(crate) struct Replays {
    span: Cell<Option<Span>>,
    replaced: Cell<Option<usize>>,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    /// `seq` and `at` of the oldest row; `None` if there is no row.
    oldest: Option<(i64, Millis)>,
    newest: i64,
}

impl Replays {
    fn span<D: Database>(&self, database: &D) -> Result<Span> {
        cached(&self.span, || {
            let sql = "SELECT seq, at FROM idempotency ORDER BY seq LIMIT 1";
            let oldest = database.first(sql, &[], |row| Some((row.integer(0)?, row.unsigned(1)?)))?;
            let sql = "SELECT max(seq) FROM idempotency";
            let newest = database.first(sql, &[], |row| Some(row.integer(0).unwrap_or(0)))?;
            Ok(Span { oldest, newest: newest.unwrap_or(0) })
        })
    }

    fn replaced<D: Database>(&self, database: &D) -> Result<usize> {
        cached(&self.replaced, || {
            let sql = "SELECT coalesce(sum(bytes), 0) FROM replaced";
            Ok(database.first(sql, &[], |row| row.size(0))?.unwrap_or(0))
        })
    }

    /// Discards the cached values, because a write that was rolled back may have set them.
    pub(crate) fn discard_cache(&self) {
        self.span.set(None);
        self.replaced.set(None);
    }

    /// Removes responses that are too old or too many, if there are any, in a separate transaction: if a write fails
    /// because the database is full, there is room for the next one (D30). If the clock was set back, responses live
    /// longer, up to their maximum number: a repeat must not be performed again.
    pub(crate) fn prune<D: Database>(&self, database: &D, now: Millis) -> Result<()> {
        let Span { oldest: Some((seq, at)), newest } = self.span(database)? else { return Ok(()) };
        let max = limits::IDEMPOTENCY_ROWS as i64;
        if newest - seq + 1 < max && at + limits::IDEMPOTENCY_MS > now {
            return Ok(());
        }
        let pruned = database.transaction(|| {
            database.execute(
                "DELETE FROM idempotency WHERE seq <= ? \
                 OR seq IN (SELECT seq FROM (SELECT seq, at FROM idempotency ORDER BY seq LIMIT ?) WHERE at <= ?)",
                &binds![newest + 1 - max, PRUNE, now.saturating_sub(limits::IDEMPOTENCY_MS)],
            )?;
            self.prune_replaced(database)
        });
        self.span.set(None);
        if pruned.is_err() {
            self.discard_cache();
        }
        pruned
    }

    /// Removes stored responses, whatever their age. Returns whether some remain.
    pub(crate) fn clear<D: Database>(&self, database: &D) -> Result<bool> {
        self.discard_cache();
        let sql = "DELETE FROM idempotency WHERE seq IN (SELECT seq FROM idempotency ORDER BY seq LIMIT ?)";
        database.execute(sql, &binds![CLEAR])?;
        let sql = "DELETE FROM replaced WHERE revision IN (SELECT revision FROM replaced ORDER BY revision LIMIT ?) \
                   AND NOT EXISTS (SELECT 1 FROM idempotency)";
        database.execute(sql, &binds![CLEAR_REPLACED])?;
        database.has_row("SELECT 1 FROM idempotency UNION ALL SELECT 1 FROM replaced LIMIT 1", &[])
    }

    /// Removes old states that no response refers to.
    fn prune_replaced<D: Database>(&self, database: &D) -> Result<()> {
        let mut bytes = self.replaced(database)?;
        if bytes == 0 {
            return Ok(());
        }
        database.query(
            "DELETE FROM replaced WHERE revision IN (SELECT revision FROM replaced ORDER BY revision LIMIT ?) \
             AND NOT EXISTS (SELECT 1 FROM idempotency WHERE record = replaced.revision) RETURNING bytes",
            &binds![2 * PRUNE],
            &mut |row| {
                bytes -= row.size(0).unwrap_or(0);
                Ok(())
            },
        )?;
        self.replaced.set(Some(bytes));
        Ok(())
    }

    /// Stores the state that a write has just changed or removed, if a stored response refers to it, or that to the
    /// write will.
    pub(crate) fn keep<D: Database>(&self, database: &D, before: &Stored, will_refer: bool) -> Result<()> {
        if before.body.len() <= limits::IDEMPOTENCY_BODY_BYTES {
            return Ok(());
        }
        let (find, revision) = ("SELECT 1 FROM idempotency WHERE record = ? LIMIT 1", before.record.revision);
        if will_refer || database.has_row(find, &binds![revision])? {
            self.keep_body(database, revision, &before.body)?;
        }
        Ok(())
    }

    /// Stores a body under a revision that no record has.
    fn keep_body<D: Database>(&self, database: &D, revision: Millis, body: &str) -> Result<()> {
        let mut bytes = self.replaced(database)?;
        while bytes + body.len() > limits::IDEMPOTENCY_BYTES {
            let sql = "SELECT revision, bytes FROM replaced ORDER BY revision LIMIT 1";
            let oldest = database.first(sql, &[], |row| Some((row.integer(0)?, row.size(1)?)))?;
            let (oldest, freed) = oldest.ok_or_else(|| unexpected(sql))?;
            database.execute("DELETE FROM idempotency WHERE record = ?", &binds![oldest])?;
            database.execute("DELETE FROM replaced WHERE revision = ?", &binds![oldest])?;
            bytes -= freed;
        }
        database.execute(
            "INSERT INTO replaced(revision, bytes, body) VALUES(?, ?, ?)",
            &binds![revision, body.len(), body],
        )?;
        self.replaced.set(Some(bytes + body.len()));
        Ok(())
    }

    /// Stores the first response. `arrays` means that its body is the arrays of the record. `own`: a revision that no
    /// record has, for the body of a batch; `None` if the batch changed nothing, so that a repeat may be performed.
    pub(crate) fn store<D: Database>(
        &self,
        database: &D,
        idempotency: &Idempotency,
        reply: &Reply<String>,
        arrays: bool,
        own: Option<Millis>,
        now: Millis,
    ) -> Result<()> {
        let span = self.span(database)?;
        let body = reply.body.as_deref().filter(|body| body.len() <= limits::IDEMPOTENCY_BODY_BYTES);
        let record = match &reply.head.result {
            CallResult::Resource(head) if body.is_none() => Some(head.revision),
            CallResult::Batch { .. } if body.is_none() => match own {
                Some(revision) => {
                    self.keep_body(database, revision, reply.body.as_deref().unwrap_or_default())?;
                    Some(revision)
                }
                None => return Ok(()),
            },
            _ => None,
        };
        let bytes = wire::encode(&Reply { head: reply.head.clone(), body })
            .map_err(|error| StoreError::new(format!("a reply: {error}")))?;
        // `seq` is explicit, so that it rises even if the newest row is replaced.
        let seq = span.newest + 1;
        database.execute(
            "INSERT OR REPLACE INTO idempotency(seq, caller, key, fingerprint, at, reply, record, arrays) \
             VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
            &binds![
                seq,
                &*name(&idempotency.caller),
                &idempotency.key,
                idempotency.fingerprint.as_slice(),
                now,
                bytes.as_slice(),
                record,
                record.filter(|_| arrays).map(|_| 1_u32),
            ],
        )?;
        self.span.set(Some(Span { oldest: span.oldest.or(Some((seq, now))), newest: seq }));
        Ok(())
    }
}
