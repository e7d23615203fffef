//! The fields that a call names. The matches list every variant and every member, so that a new one with a path does
//! not compile until it is visited.

use super::{Call, Change, Changes, Listener, Query, Read, Search, Write, WriteBatch};
use crate::predicate::{Test, Typed};
use crate::search::{Criteria, Facet, FacetKind};
use crate::shape::{Action, Content, FieldPath, ResourceInput, Shape, Sort, UpdateInput, content};

/// Gets a path, and whether the call examines each item of its array.
type Each<'e> = dyn FnMut(&mut FieldPath, bool) + 'e;

impl Call {
    /// Calls the function with every path in the call, and whether the call examines each item of its array.
    pub fn each_path(&mut self, each: &mut impl FnMut(&mut FieldPath, bool)) {
        match self {
            Self::Read(Read::Query(query) | Read::Exists(query) | Read::QuerySorted(query)) => {
                of_query(query, each);
            }
            Self::Read(Read::Search(search)) => of_search(search, each),
            Self::Changes(Changes { after: _, condition, limit: _, wait: _, caller: _ })
            | Self::Listen(Listener { after: _, condition, expires: _, caller: _ }) => {
                if let Some(condition) = condition {
                    of_condition(condition, each);
                }
            }
            // Bodies have only names. Rights are decided on texts, without an index.
            Self::Limited(_)
            | Self::Write(_)
            | Self::Batch(_)
            | Self::Read(Read::Resource(_))
            | Self::Status
            | Self::Ping
            | Self::Export(_)
            | Self::Import(_)
            | Self::Clear
            | Self::Replication
            | Self::Restore(_) => {}
        }
    }

    /// Returns whether the call may have paths. Those that are known to have none need no copy to set their numbers.
    pub const fn may_have_paths(&self) -> bool {
        !matches!(
            self,
            Self::Read(Read::Resource(_))
                | Self::Write(_)
                | Self::Batch(_)
                | Self::Limited(_)
                | Self::Import(_)
        )
    }

    /// Returns whether the call searches for words.
    pub const fn has_words(&self) -> bool {
        matches!(self, Self::Read(Read::Search(search)) if !search.criteria.words.is_empty())
    }

    /// Returns the first field of the content in the call's body that the shape does not have.
    pub fn foreign_field(&self, shape: &Shape) -> Option<&str> {
        match self {
            Self::Limited(limited) => limited.call.foreign_field(shape),
            Self::Write(write) => {
                let Write { change, options: _ } = &**write;
                foreign_field(change, shape)
            }
            Self::Batch(batch) => {
                let WriteBatch { writes, options: _ } = &**batch;
                writes.iter().find_map(|change| foreign_field(change, shape))
            }
            _ => None,
        }
    }
}

fn foreign_field<'c>(change: &'c Change, shape: &Shape) -> Option<&'c str> {
    match change {
        Change::CreateOrUpdate(input)
        | Change::Overwrite(input)
        | Change::CreateOrOverwrite(input)
        | Change::UpdateByPath(input)
        | Change::UpdateWithUrnLinks(input) => of_body(input).foreign_field(shape),
        Change::UpdateById { id: _, update: UpdateInput { version: _, actions } } => {
            actions.iter().find_map(|action| match action {
                Action::Nothing => None,
                Action::Set { field, value } => foreign(shape, field, value.as_deref().unwrap_or("null")),
                Action::Add { field, values } | Action::Remove { field, values } => {
                    foreign(shape, field, values)
                }
            })
        }
        Change::DeleteById { id: _, version: _ } => None,
    }
}

/// Returns the name of a field if the shape does not have it with such a value.
fn foreign<'f>(shape: &Shape, field: &'f str, value: &str) -> Option<&'f str> {
    (!content::is_of(shape, field, value)).then_some(field)
}

fn of_body(input: &ResourceInput) -> &Content {
    let ResourceInput { id: _, version: _, key: _, created_by: _, last_modified_by: _, content } = input;
    content
}

fn of_query(query: &mut Query, each: &mut Each<'_>) {
    let Query { condition, sort, limit: _, offset: _, with_total: _ } = query;
    of_condition(condition, each);
    of_sort(sort, each);
}

fn of_search(search: &mut Search, each: &mut Each<'_>) {
    let Search { criteria, sort, limit: _, offset: _ } = search;
    let Criteria { words: _, filter, filter_query, filter_facets, facets, staged: _ } = criteria;
    let filters = filter.iter_mut().chain(filter_query).chain(filter_facets);
    filters.for_each(|filter| of_condition(filter, each));
    for Facet { path, kind, alias: _, counting_products: _, data_type: _ } in facets {
        each(path, false);
        match kind {
            FacetKind::Terms | FacetKind::Filtered(_) | FacetKind::Ranges(_) => {}
        }
    }
    of_sort(sort, each);
}

fn of_sort(sort: &mut [Sort], each: &mut Each<'_>) {
    for Sort { path, descending: _ } in sort {
        each(path, false);
    }
}

fn of_condition(condition: &mut Typed, each: &mut Each<'_>) {
    match condition {
        Typed::True | Typed::False => {}
        Typed::And(parts) | Typed::Or(parts) => parts.iter_mut().for_each(|part| of_condition(part, each)),
        Typed::Not(inner) => of_condition(inner, each),
        Typed::Test { path, test } => {
            each(path, false);
            match test {
                Test::Compare(_, _)
                | Test::In(_)
                | Test::NotIn(_)
                | Test::ContainsAll(_)
                | Test::ContainsAny(_)
                | Test::Between(_)
                | Test::IsEmpty
                | Test::IsNotEmpty
                | Test::IsDefined
                | Test::IsNotDefined
                | Test::MatchesIgnoreCase(_)
                | Test::WithinCircle { longitude: _, latitude: _, metres: _ }
                | Test::ContainsItems(_) => {}
            }
        }
        Typed::Element { path, condition } => {
            each(path, true);
            of_condition(condition, each);
        }
    }
}
