//! The endpoints of a project whose resource the deployment declares (D38).

use super::row::{CallId, Endpoint, Target};
use super::table::{ENDPOINTS, RECEIPT, RESULTS, UPDATED};
use crate::contract::error::Code;
use crate::contract::param;

/// The errors of a write that may need a resource that exists.
const OF_TARGET: &[Code] =
    &[Code::DuplicateField, Code::InvalidOperation, Code::ResourceNotFound, Code::Forbidden];

/// The endpoints, in the order of [`ENDPOINTS`], from which most rows do not differ.
pub static DECLARED: [Endpoint; ENDPOINTS.len()] = {
    let mut declared = ENDPOINTS;
    let mut rows = declared.as_mut_slice();
    while let [row, rest @ ..] = rows {
        *row = row.declared();
        rows = rest;
    }
    declared
};

impl Endpoint {
    /// Returns the row as it is for a declared resource. No parameter and no response is about the arrays of the
    /// interface. More writes need a resource that exists, any may set a value that must be unique (D40), and rules may
    /// forbid any (D44).
    const fn declared(self) -> Self {
        let Target::Project(id, _) = self.target else { return self };
        match id {
            CallId::Query => self.with_params(&[param::PAGE, param::FIELDS]).with_success(RESULTS),
            CallId::Exists => self.with_params(&[param::PAGE]),
            CallId::CreateOrUpdate => self
                .with_summary("Creates a resource, or changes the fields that the body has.")
                .with_errors(OF_TARGET),
            CallId::Overwrite => self.with_errors(OF_TARGET),
            CallId::CreateOrOverwrite => {
                self.with_errors(&[Code::DuplicateField, Code::InvalidOperation, Code::Forbidden])
            }
            CallId::UpdateByPath | CallId::UpdateWithUrnLinks => self
                .with_summary("Changes the fields that the body has.")
                .with_success(&[UPDATED, RECEIPT])
                .with_errors(OF_TARGET),
            CallId::UpdateById => {
                self.with_errors(&[Code::DuplicateField, Code::ResourceNotFound, Code::Forbidden])
            }
            CallId::DeleteById => self.with_errors(&[Code::ResourceNotFound, Code::Forbidden]),
            _ => self,
        }
    }

    /// Returns the row for a declared resource.
    pub fn of_declared(&self) -> &'static Self {
        let [first, ..] = &DECLARED;
        // Each row has another name.
        DECLARED.iter().find(|row| row.name == self.name).unwrap_or(first)
    }
}
