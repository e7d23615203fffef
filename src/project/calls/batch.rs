//! Several writes in one transaction: all of them, or none (D43).

use sha2::{Digest as _, Sha256};

use crate::call::{CallResult, Change, Reply, WriteBatch, WriteOptions};
use crate::contract::error::{ApiError, Code, Member};
use crate::contract::limits;
use crate::contract::response::services::{batch_results, write_result};
use crate::rights::Rights;
use crate::util::json;
use crate::util::time::Millis;

use super::write::{OpenWrite, Written, content_too_large};
use crate::project::failure::Failure;
use crate::project::store::database::{Database, Result};
use crate::project::{Moment, Project};

impl<D: Database> Project<D> {
    /// Performs the writes of a batch in their order. If one fails, nothing is changed, and its error is the reply.
    pub(crate) fn batch(
        &self,
        project: &str,
        batch: &WriteBatch,
        rights: Option<&Rights>,
        moment: &Moment,
    ) -> Result<Reply<D::Text>> {
        let WriteBatch { writes, options } = batch;
        let only_deletes = writes.iter().all(Change::is_deletion);
        if let Some(reply) = self.before_write(options, only_deletes, moment.now)? {
            return Ok(reply);
        }
        // No record gets this revision: a large response is stored under it.
        let own = moment.now.max(self.totals.newest(&self.database)? + 1);
        let perform = || Ok((self.perform_all(writes, options, rights, (moment, own))?, false));
        let done = self.write_transaction(project, options, moment, Some(own), perform);
        let error = match done {
            Ok(reply) => return Ok(reply),
            Err(failure) => failure.refusal()?,
        };
        // All writes are rolled back. A repeat is performed if the error is temporary.
        if options.idempotency.is_none() || error.code() == Code::ServiceUnavailable {
            return Ok(error.into());
        }
        let refuse = || Ok(((error.into(), Vec::new()), false));
        let stored = self.write_transaction(project, options, moment, None, refuse);
        stored.or_else(|failure| Ok(failure.refusal()?.into()))
    }

    fn perform_all(
        &self,
        writes: &[Change],
        options: &WriteOptions,
        rights: Option<&Rights>,
        (moment, own): (&Moment, Millis),
    ) -> Result<Written, Failure> {
        // The key is that of the batch.
        let options = WriteOptions { idempotency: None, ..options.clone() };
        let mut write = OpenWrite::new(self, &options, rights, *moment)?;
        let (mut newest, mut last, mut changes) = (0, own, Vec::new());
        let mut results = Vec::with_capacity(writes.len());
        for (index, change) in writes.iter().enumerate() {
            write = write.after(last, entropy_of(moment, index));
            let in_write = |failure: Failure| failure.map(|error| error.in_write(index));
            let (reply, committed) = write.perform(change).map_err(in_write)?;
            if write.bytes() > limits::BATCH_RESOURCE_BYTES {
                return Err(too_large().in_write(index).into());
            }
            last = committed.last().map_or(last, |committed| committed.revision);
            changes.extend(committed);
            if let CallResult::Resource(head) = &reply.head.result {
                newest = newest.max(head.newest);
                results.push((head.outcome.status(), reply.body.unwrap_or_default()));
            }
        }
        let body = json::object(|object| {
            object.array(batch_results::RESULTS, &results, |out, (status, resource)| {
                let mut result = json::ObjectWriter::open(out);
                result.integer(write_result::STATUS, i64::from(*status));
                result.member(write_result::RESOURCE).push_str(resource);
                result.close();
            });
        });
        Ok((Reply::new(CallResult::Batch { newest }, Some(body)), changes))
    }
}

/// Returns the random bytes of a write, so that nobody can compute the ID that it creates from another one.
fn entropy_of(moment: &Moment, index: usize) -> [u8; 10] {
    let mut hash = Sha256::new();
    hash.update(moment.entropy);
    hash.update(index.to_le_bytes());
    let hash: [u8; 32] = hash.finalize().into();
    hash.first_chunk().copied().unwrap_or(moment.entropy)
}

fn too_large() -> ApiError {
    let limit = limits::BATCH_RESOURCE_BYTES;
    let message = format!(
        "The resources of the batch have more than {limit} bytes before and after its writes. Send fewer writes."
    );
    content_too_large(message, Member::Maximum, limit)
}
