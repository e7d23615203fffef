//! Whether a user's rights permit a read or a write of a record (D44).

use crate::contract::error::{ApiError, Code, Member};
use crate::contract::limits::work;
use crate::evaluate::Evaluator;
use crate::predicate::Typed;
use crate::rights::Rights;
use crate::shape::{FIXED, RuleName, Shape};
use crate::util::json::canonical;

/// What a caller may do with the records of a shape. Without rights, everything.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Permit<'r> {
    pub(crate) shape: &'r Shape,
    pub(crate) rights: Option<&'r Rights>,
    /// The budget of a call (D29).
    pub(crate) budget: u64,
}

impl Permit<'_> {
    /// Returns whether a record exists for the caller.
    pub(crate) fn shows(&self, body: &str) -> bool {
        self.rights.is_none_or(|rights| self.holds(&rights.read, body))
    }

    /// Returns an error unless the caller may create the record.
    pub(crate) fn creation(&self, body: &str) -> Result<(), ApiError> {
        self.rights.map_or(Ok(()), |rights| self.by(RuleName::Create, &rights.create, body))
    }

    /// Returns an error unless the caller may change the record.
    pub(crate) fn change_of(&self, before: &str) -> Result<(), ApiError> {
        self.rights.map_or(Ok(()), |rights| self.by(RuleName::Update, &rights.update, before))
    }

    /// Returns an error unless the caller may change the record in this way.
    pub(crate) fn change(&self, before: &str, after: &str) -> Result<(), ApiError> {
        let Some(rights) = self.rights else { return Ok(()) };
        let is_other = |name: &&String| canonical::member(before, name) != canonical::member(after, name);
        match rights.fixed.iter().find(is_other) {
            Some(name) => {
                let message = format!("The field '{name}' cannot change after the creation.");
                Err(forbidden(message, FIXED)
                    .with(Member::Path, format!("/{name}"))
                    .with(Member::Field, name.as_str()))
            }
            None => self.by(RuleName::Update, &rights.update, after),
        }
    }

    /// Returns an error unless the caller may delete the record.
    pub(crate) fn deletion(&self, body: &str) -> Result<(), ApiError> {
        self.rights.map_or(Ok(()), |rights| self.by(RuleName::Delete, &rights.delete, body))
    }

    fn by(&self, rule: RuleName, condition: &Typed, body: &str) -> Result<(), ApiError> {
        if self.holds(condition, body) {
            return Ok(());
        }
        let rule = rule.wire();
        Err(forbidden(format!("The rule '{rule}' of the project does not permit this."), rule))
    }

    /// Returns whether a record satisfies a condition. What would be too much work is not permitted.
    fn holds(&self, condition: &Typed, body: &str) -> bool {
        let bytes = self.budget.saturating_mul(work::BYTES_PER_UNIT);
        Evaluator::new(self.shape, condition.clone(), bytes).holds(body) == Some(true)
    }
}

fn forbidden(message: String, rule: &str) -> ApiError {
    ApiError::new(Code::Forbidden, message).with(Member::Rule, rule)
}
