//! Queries and searches out of a request's parameters.

use crate::call::{Query, Search};
use crate::contract::limits;
use crate::contract::param::{ParamId, ParamValue};
use crate::predicate::{self, Typed, Variables};
use crate::search::{self, Criteria};
use crate::shape::{Shape, Sort};

use super::operation_parameters;
use super::parameters::Params;

/// Returns the query of operations 1, 5, and 12. Adds the problems of its parameters.
pub(crate) fn query(shape: &Shape, params: &mut Params) -> Query {
    params.check_expand();
    // Results satisfy the operation parameters and the predicates (D22, D23).
    let parts = operation_parameters::filters(shape, params);
    Query {
        condition: predicates(shape, params, parts),
        sort: sort(shape, params),
        limit: params.count(ParamId::Limit, limits::PAGE_DEFAULT),
        offset: params.count(ParamId::Offset, 0),
        with_total: params.boolean(ParamId::WithTotal).unwrap_or(true),
    }
}

/// Returns the conjunction of the predicates and of further parts. Adds the problems of the predicates.
pub(crate) fn predicates(shape: &Shape, params: &mut Params, mut parts: Vec<Typed>) -> Typed {
    let variables: Variables = params
        .passed()
        .iter()
        .filter(|one| one.id == ParamId::Var)
        .filter_map(|one| match &one.value {
            ParamValue::Text(text) => Some((one.open.as_str(), text.as_str())),
            _ => None,
        })
        .collect();
    match predicate::read(shape, params.texts(ParamId::Where), &variables) {
        Ok(condition) => parts.push(condition),
        Err(error) => params.extend(error.into_items()),
    }
    Typed::all(parts)
}

/// Returns the search of operation 4. Adds the problems of its parameters.
pub(crate) fn search(shape: &Shape, params: &mut Params) -> Search {
    params.check_expand();
    let criteria = search::decode(shape, params.passed()).unwrap_or_else(|errors| {
        params.extend(errors);
        Criteria::default()
    });
    Search {
        criteria,
        sort: sort(shape, params),
        limit: params.count(ParamId::Limit, limits::PAGE_DEFAULT),
        offset: params.count(ParamId::Offset, 0),
    }
}

fn sort(shape: &Shape, params: &mut Params) -> Vec<Sort> {
    let parsed: Vec<_> = params.texts(ParamId::Sort).map(|text| predicate::parse_sort(shape, text)).collect();
    parsed
        .into_iter()
        .filter_map(|one| one.map_err(|refusal| params.wrong(ParamId::Sort, refusal)).ok())
        .collect()
}
