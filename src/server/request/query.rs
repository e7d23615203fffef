//! Queries and searches out of a request's parameters.

use crate::call::{Query, Search};
use crate::contract::limits;
use crate::contract::param::{ParamId, ParamValue};
use crate::contract::resource::Sort;
use crate::predicate::{self, Typed, Variables};
use crate::search::{self, Criteria};

use super::operation_parameters;
use super::parameters::Params;

/// Returns the query of operations 1, 5, and 12. Adds the problems of its parameters.
pub(crate) fn query(params: &mut Params) -> Query {
    params.check_expand();
    Query {
        condition: condition(params),
        sort: sort(params),
        limit: params.count(ParamId::Limit, limits::PAGE_DEFAULT),
        offset: params.count(ParamId::Offset, 0),
        with_total: params.boolean(ParamId::WithTotal).unwrap_or(true),
    }
}

/// Returns the conditions of the predicates and of the operation parameters; results satisfy all (D22, D23).
fn condition(params: &mut Params) -> Typed {
    let parts = operation_parameters::filters(params);
    predicates(params, parts)
}

/// Returns the conjunction of the predicates and of further parts. Adds the problems of the predicates.
pub(crate) fn predicates(params: &mut Params, mut parts: Vec<Typed>) -> Typed {
    let variables: Variables = params
        .passed()
        .iter()
        .filter(|one| one.id == ParamId::Var)
        .filter_map(|one| match &one.value {
            ParamValue::Text(text) => Some((one.open.as_str(), text.as_str())),
            _ => None,
        })
        .collect();
    match predicate::read(params.texts(ParamId::Where), &variables) {
        Ok(condition) => parts.push(condition),
        Err(error) => params.extend(error.into_items()),
    }
    Typed::all(parts)
}

/// Returns the search of operation 4. Adds the problems of its parameters.
pub(crate) fn search(params: &mut Params) -> Search {
    params.check_expand();
    Search {
        criteria: criteria(params),
        sort: sort(params),
        limit: params.count(ParamId::Limit, limits::PAGE_DEFAULT),
        offset: params.count(ParamId::Offset, 0),
    }
}

fn criteria(params: &mut Params) -> Criteria {
    search::decode(params.passed()).unwrap_or_else(|errors| {
        params.extend(errors);
        Criteria::default()
    })
}

fn sort(params: &mut Params) -> Vec<Sort> {
    let parsed: Vec<_> = params.texts(ParamId::Sort).map(predicate::parse_sort).collect();
    parsed
        .into_iter()
        .filter_map(|one| one.map_err(|refusal| params.wrong(ParamId::Sort, refusal)).ok())
        .collect()
}
