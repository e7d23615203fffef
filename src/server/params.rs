//! A request's query parameters by name, with all their problems.

use crate::call::{Query, Search};
use crate::contract::error::{ApiError, Code, ErrorItem, Member, Members, parameter_message};
use crate::contract::field::Sort;
use crate::contract::limits;
use crate::contract::param::{self, Param, ParamError, ParamId, Passed, Refusal, Value};
use crate::predicate::{self, Typed, Variables};
use crate::search::{self, Criteria};

use super::own;

/// The parameters of a request by name, and their problems.
pub(super) struct Params {
    passed: Vec<Passed>,
    errors: Vec<ErrorItem>,
}

impl Params {
    /// Decodes the query string.
    pub(super) fn decode(params: &[&[Param]], query: &str) -> Self {
        match param::decode(params, query) {
            Ok(passed) => Self { passed, errors: Vec::new() },
            Err(errors) => Self { passed: Vec::new(), errors: errors.into_iter().map(item).collect() },
        }
    }

    pub(super) fn value(&self, id: ParamId) -> Option<&Value> {
        self.passed.iter().find(|one| one.id == id).map(|one| &one.value)
    }

    pub(super) fn texts(&self, id: ParamId) -> impl Iterator<Item = &str> {
        self.passed.iter().filter(move |one| one.id == id).filter_map(|one| match &one.value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    pub(super) fn whole(&self, id: ParamId) -> Option<i64> {
        match self.value(id)? {
            Value::Whole(whole) => Some(*whole),
            _ => None,
        }
    }

    pub(super) fn float(&self, id: ParamId) -> Option<f64> {
        match self.value(id)? {
            Value::Float(float) => Some(*float),
            _ => None,
        }
    }

    pub(super) fn boolean(&self, id: ParamId) -> Option<bool> {
        match self.value(id)? {
            Value::Boolean(boolean) => Some(*boolean),
            _ => None,
        }
    }

    /// Returns a bounded whole number. The parameter's type ensures that it fits into `u32`.
    pub(super) fn count(&self, id: ParamId, default: u32) -> u32 {
        self.whole(id).and_then(|whole| u32::try_from(whole).ok()).unwrap_or(default)
    }

    pub(super) fn wrong(&mut self, id: ParamId, refusal: Refusal) {
        self.errors.push(item(refusal.of(id.name())));
    }

    fn sort(&mut self) -> Vec<Sort> {
        let parsed: Vec<_> = self.texts(ParamId::Sort).map(predicate::parse_sort).collect();
        parsed
            .into_iter()
            .filter_map(|one| one.map_err(|refusal| self.wrong(ParamId::Sort, refusal)).ok())
            .collect()
    }

    pub(super) fn check_expand(&mut self) {
        let refusals: Vec<Refusal> =
            self.texts(ParamId::Expand).filter_map(|text| predicate::check_expand(text).err()).collect();
        for refusal in refusals {
            self.wrong(ParamId::Expand, refusal);
        }
    }

    pub(super) fn query(&mut self) -> Query {
        self.check_expand();
        Query {
            condition: self.condition(),
            sort: self.sort(),
            limit: self.count(ParamId::Limit, limits::PAGE_DEFAULT),
            offset: self.count(ParamId::Offset, 0),
            with_total: self.boolean(ParamId::WithTotal).unwrap_or(true),
        }
    }

    /// Returns the conditions of the predicates and of the operation parameters; results satisfy all (D22, D23).
    fn condition(&mut self) -> Typed {
        let variables: Variables = self
            .passed
            .iter()
            .filter(|one| one.id == ParamId::Var)
            .filter_map(|one| match &one.value {
                Value::Text(text) => Some((one.open.as_str(), text.as_str())),
                _ => None,
            })
            .collect();
        let mut parts = own::filters(self);
        match predicate::read(self.texts(ParamId::Where), &variables) {
            Ok(condition) => parts.push(condition),
            Err(error) => self.errors.extend(error.into_items()),
        }
        Typed::all(parts)
    }

    pub(super) fn search(&mut self) -> Search {
        self.check_expand();
        Search {
            criteria: self.criteria(),
            sort: self.sort(),
            limit: self.count(ParamId::Limit, limits::PAGE_DEFAULT),
            offset: self.count(ParamId::Offset, 0),
        }
    }

    fn criteria(&mut self) -> Criteria {
        search::decode(&self.passed).unwrap_or_else(|errors| {
            self.errors.extend(errors.into_iter().map(item));
            Criteria::default()
        })
    }

    /// Returns all problems as one error.
    pub(super) fn finish(self) -> Result<(), ApiError> {
        let mut items = self.errors;
        // The length of the request target limits the count.
        let more = items.len().saturating_sub(limits::ISSUES) as u32;
        items.truncate(limits::ISSUES);
        ApiError::from_items(items, more).map_or(Ok(()), Err)
    }
}

fn item(error: ParamError) -> ErrorItem {
    let message = parameter_message(&error.parameter, &error.reason);
    let mut item = ErrorItem::new(Code::InvalidInput, message);
    item.members.text(Member::Parameter, &error.parameter);
    item.members.extend(error.members);
    item
}
