//! A request's query parameters by name, with all their problems.

use crate::contract::error::{ApiError, ErrorItem};
use crate::contract::limits;
use crate::contract::param::{self, Param, ParamId, ParamValue, Passed, Refusal};
use crate::predicate;

pub(crate) struct Params {
    passed: Vec<Passed>,
    errors: Vec<ErrorItem>,
}

impl Params {
    pub(crate) fn decode(params: &[&[Param]], query: &str) -> Self {
        match param::decode(params, query) {
            Ok(passed) => Self { passed, errors: Vec::new() },
            Err(errors) => Self { passed: Vec::new(), errors },
        }
    }

    pub(crate) fn value(&self, id: ParamId) -> Option<&ParamValue> {
        self.passed.iter().find(|one| one.id == id).map(|one| &one.value)
    }

    pub(crate) fn texts(&self, id: ParamId) -> impl Iterator<Item = &str> {
        self.passed.iter().filter(move |one| one.id == id).filter_map(move |one| {
            if let ParamValue::Text(text) = &one.value { Some(text.as_str()) } else { mismatch(id) }
        })
    }

    pub(crate) fn whole(&self, id: ParamId) -> Option<i64> {
        let value = self.value(id)?;
        if let ParamValue::Whole(whole) = value { Some(*whole) } else { mismatch(id) }
    }

    pub(crate) fn float(&self, id: ParamId) -> Option<f64> {
        let value = self.value(id)?;
        if let ParamValue::Float(float) = value { Some(*float) } else { mismatch(id) }
    }

    pub(crate) fn boolean(&self, id: ParamId) -> Option<bool> {
        let value = self.value(id)?;
        if let ParamValue::Boolean(boolean) = value { Some(*boolean) } else { mismatch(id) }
    }

    /// Returns a bounded whole number. The parameter's type ensures that it fits into `u32`.
    pub(crate) fn count(&self, id: ParamId, default: u32) -> u32 {
        self.whole(id).and_then(|whole| u32::try_from(whole).ok()).unwrap_or(default)
    }

    pub(crate) fn passed(&self) -> &[Passed] {
        &self.passed
    }

    pub(crate) fn extend(&mut self, errors: impl IntoIterator<Item = ErrorItem>) {
        self.errors.extend(errors);
    }

    pub(crate) fn wrong(&mut self, id: ParamId, refusal: Refusal) {
        self.errors.push(refusal.of(id.name()));
    }

    pub(crate) fn check_expand(&mut self) {
        let refusals: Vec<Refusal> =
            self.texts(ParamId::Expand).filter_map(|text| predicate::check_expand(text).err()).collect();
        for refusal in refusals {
            self.wrong(ParamId::Expand, refusal);
        }
    }

    /// Returns all problems as one error.
    pub(crate) fn finish(self) -> Result<(), ApiError> {
        self.sound().map(drop)
    }

    /// Returns the parameters if there is no problem so far. After one in the query string there are no parameters, so
    /// a missing one would not be another problem.
    pub(crate) fn sound(mut self) -> Result<Self, ApiError> {
        let mut items = core::mem::take(&mut self.errors);
        // The length of the request target limits the count.
        let more = items.len().saturating_sub(limits::ISSUES) as u32;
        items.truncate(limits::ISSUES);
        ApiError::from_items(items, more).map_or(Ok(self), Err)
    }
}

/// Returns `None` for a parameter that was read as a type that it does not have. Tests read each parameter.
fn mismatch<T>(id: ParamId) -> Option<T> {
    debug_assert!(false, "{} has another type", id.name());
    None
}
