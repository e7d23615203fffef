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
    // Results satisfy the operation parameters and the predicates (D22, D23).
    let parts = operation_parameters::filters(params);
    Query {
        condition: predicates(params, parts),
        sort: sort(params),
        limit: params.count(ParamId::Limit, limits::PAGE_DEFAULT),
        offset: params.count(ParamId::Offset, 0),
        with_total: params.boolean(ParamId::WithTotal).unwrap_or(true),
    }
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
    let criteria = search::decode(params.passed()).unwrap_or_else(|errors| {
        params.extend(errors);
        Criteria::default()
    });
    Search {
        criteria,
        sort: sort(params),
        limit: params.count(ParamId::Limit, limits::PAGE_DEFAULT),
        offset: params.count(ParamId::Offset, 0),
    }
}

fn sort(params: &mut Params) -> Vec<Sort> {
    let parsed: Vec<_> = params.texts(ParamId::Sort).map(predicate::parse_sort).collect();
    parsed
        .into_iter()
        .filter_map(|one| one.map_err(|refusal| params.wrong(ParamId::Sort, refusal)).ok())
        .collect()
}
