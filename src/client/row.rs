//! The operation table as far as the client needs it, taken out of [`OPERATIONS`] by the compiler: its sentences and
//! sources would be a tenth of what a page loads.

use crate::contract::operation::{Access, OPERATIONS, Operation, OperationId, Shape};
use crate::contract::param::{Param, ParamId};
use crate::contract::path::Segment;

/// The most query parameters that an operation has.
const PARAMS: usize = 14;

/// An operation.
#[derive(Debug)]
pub(super) struct Row {
    /// Which it is.
    pub(super) id: OperationId,
    /// Whether it changes the collection.
    pub(super) write: bool,
    /// Whether it takes a body.
    pub(super) body: bool,
    /// Whether it answers with a page of resources, and not with one.
    pub(super) page: bool,
    /// Its path.
    pub(super) path: &'static [Segment],
    /// Its query parameters in the order of presentation, and whether each is repeatable.
    params: [Option<(ParamId, bool)>; PARAMS],
}

/// The thirteen operations, in the order of `interface.md`.
pub(super) static ROWS: [Row; OPERATIONS.len()] = rows();

impl Row {
    /// Its query parameters in the order of presentation, and whether each is repeatable.
    pub(super) fn params(&self) -> impl Iterator<Item = (ParamId, bool)> {
        self.params.iter().flatten().copied()
    }

    /// The path parts that are variables, but for the project, which the client knows.
    pub(super) fn variables(&self) -> impl Iterator<Item = Segment> {
        self.path.iter().copied().filter(|segment| segment.variable().is_some()).skip(1)
    }
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
const fn rows() -> [Row; OPERATIONS.len()] {
    let mut rows = [const { row(&OPERATIONS[0]) }; OPERATIONS.len()];
    let mut at = 0;
    while at < rows.len() {
        rows[at] = row(&OPERATIONS[at]);
        at += 1;
    }
    rows
}

const fn row(operation: &Operation) -> Row {
    Row {
        id: operation.id,
        write: matches!(operation.access, Access::Write),
        body: operation.body.is_some(),
        page: is_page(operation),
        path: operation.path,
        params: params(operation.params),
    }
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
const fn is_page(operation: &Operation) -> bool {
    matches!(operation.success[0].shape, Shape::Page | Shape::PageWithFirst | Shape::SearchResult)
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
const fn params(groups: &[&[Param]]) -> [Option<(ParamId, bool)>; PARAMS] {
    let mut params = [None; PARAMS];
    let mut filled = 0;
    let mut group = 0;
    while group < groups.len() {
        let mut at = 0;
        while at < groups[group].len() {
            params[filled] = Some((groups[group][at].id, groups[group][at].repeatable));
            filled += 1;
            at += 1;
        }
        group += 1;
    }
    params
}
