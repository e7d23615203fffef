//! Random queries: a predicate, an order, and a page.

use core::fmt;
use std::rc::Rc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use resource_edge::call::Query;
use resource_edge::predicate::{self, Typed};
use resource_edge::shape::{Shape, Sort};

use super::predicates::{Field, Kind, Node, fields, node, test_of};
use super::spelling::{Written, write};

/// A query with its meaning.
#[derive(Clone)]
pub struct Asking {
    pub node: Node,
    seed: u32,
    sort: Vec<(Field, u8)>,
    limit: u32,
    offset: u32,
    with_total: bool,
}

impl fmt::Debug for Asking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Written { text, variables } = self.written();
        write!(f, "where={text:?} variables={variables:?} sort={:?}", self.sorts())?;
        write!(f, " limit={} offset={} withTotal={}", self.limit, self.offset, self.with_total)
    }
}

/// Queries of resources of a shape, with predicates of about `depth` levels.
pub fn asking(shape: &Rc<Shape>, depth: u32) -> BoxedStrategy<Asking> {
    asking_of(fields(shape, None), node(shape, None, depth))
}

/// Queries of the content, each with one test.
pub fn asking_content(shape: &Shape) -> BoxedStrategy<Asking> {
    let mut fields = fields(shape, None);
    fields.retain(Field::is_content);
    let test = test_of(fields.clone());
    let negation = test.clone().prop_map(|test| Node::Not(Box::new(test)));
    asking_of(fields, prop_oneof![3 => test, 1 => negation].boxed())
}

/// Queries with these predicates, in orders by some of these fields.
fn asking_of(fields: Vec<Field>, node: BoxedStrategy<Node>) -> BoxedStrategy<Asking> {
    let mut sortable = fields;
    sortable.retain(|field| !matches!(field.kind, Kind::Object | Kind::Wrapper));
    let sort = if sortable.is_empty() {
        Just(Vec::new()).boxed()
    } else {
        vec((select(sortable), 0u8..5), 0..3).boxed()
    };
    let page = (
        prop_oneof![select(vec![0u32, 1, 20, 500]), 2u32..12],
        prop_oneof![2 => Just(0u32), 2 => 1u32..12, 1 => select(vec![40, 10_000])],
    );
    (node, any::<u32>(), sort, page, any::<bool>())
        .prop_map(|(node, seed, sort, (limit, offset), with_total)| Asking {
            node,
            seed,
            sort,
            limit,
            offset,
            with_total,
        })
        .boxed()
}

impl Asking {
    /// Returns the predicate as text.
    pub fn written(&self) -> Written {
        write(&self.node, self.seed)
    }

    fn sorts(&self) -> Vec<String> {
        self.sort
            .iter()
            .map(|(field, way)| {
                let direction = ["", " asc", " desc", "\tDESC ", " DeSc"][usize::from(*way)];
                format!("{}{direction}", field.spelled)
            })
            .collect()
    }

    /// Returns the query of the collection: the texts, parsed by the product.
    pub fn query(&self, shape: &Shape) -> Result<Query, String> {
        let written = self.written();
        let condition = predicate::read(shape, [written.text.as_str()], &written.variables())
            .map_err(|error| format!("refused: {error:?}"))?;
        let sort = self
            .sorts()
            .iter()
            .map(|sort| predicate::parse_sort(shape, sort).map_err(|refusal| refusal.sentence))
            .collect::<Result<_, _>>()?;
        Ok(self.page_of(condition, sort))
    }

    /// Returns its meaning, without the product's parser.
    pub fn meaning(&self) -> Query {
        let sort = self
            .sort
            .iter()
            .filter_map(|(field, way)| Some(Sort { path: field.path.clone()?, descending: *way > 1 }))
            .collect();
        self.page_of(self.node.meaning(), sort)
    }

    fn page_of(&self, condition: Typed, sort: Vec<Sort>) -> Query {
        let Self { limit, offset, with_total, .. } = *self;
        Query { condition, sort, limit, offset, with_total }
    }
}
