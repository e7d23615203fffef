//! Facts derived from an operation's row: the request headers that apply and the possible errors.

use super::{Access, Operation, OperationId, Shape};
use crate::contract::api::header::RequestHeader;
use crate::contract::api::path::Variable;
use crate::contract::error::Code;
use crate::contract::param::ParamId;

impl Operation {
    /// Returns the request headers that change what it does, besides those of every request with a body or a token.
    pub fn headers(&self) -> impl Iterator<Item = RequestHeader> {
        RequestHeader::ALL.iter().copied().filter(|header| match header {
            RequestHeader::CorrelationId | RequestHeader::TraceParent => true,
            RequestHeader::CacheControl | RequestHeader::MinRevision => self.reads_one(),
            RequestHeader::IfNoneMatch => self.reads_one() || self.access == Access::Write,
            RequestHeader::IfMatch | RequestHeader::IdempotencyKey => self.access == Access::Write,
            RequestHeader::Prefer => self.may_return(Shape::Receipt),
            RequestHeader::Authorization
            | RequestHeader::ContentType
            | RequestHeader::ContentEncoding
            | RequestHeader::Accept
            | RequestHeader::Origin
            | RequestHeader::AccessControlRequestHeaders
            | RequestHeader::ConnectingIp => false,
        })
    }

    /// Returns the errors that it may return, in the order of the table (contract, section 7).
    pub fn errors(&self) -> impl Iterator<Item = Code> {
        Code::ALL.iter().copied().filter(|code| self.fails_with(*code))
    }

    #[expect(clippy::too_many_lines, reason = "two tables: a line for each operation, and for each error")]
    fn fails_with(&self, code: Code) -> bool {
        let write = self.access == Access::Write;
        let by_name =
            self.path.iter().any(|segment| matches!(segment.variable(), Some(Variable::Id | Variable::Key)));
        // D12: a body that names no resource means the only one. And whether there may be none.
        let (on_the_only_one, may_find_none) = match self.id {
            OperationId::Overwrite => (true, true),
            OperationId::CreateOrOverwrite => (true, false),
            OperationId::Exists => (false, true),
            OperationId::Query
            | OperationId::GetById
            | OperationId::GetByKey
            | OperationId::Search
            | OperationId::CreateOrUpdate
            | OperationId::UpdateByPath
            | OperationId::UpdateById
            | OperationId::DeleteById
            | OperationId::QuerySorted
            | OperationId::UpdateWithUrnLinks => (false, by_name),
        };
        match code {
            Code::InvalidInput
            | Code::InvalidToken
            | Code::InsufficientScope
            | Code::TooManyRequests
            | Code::General
            | Code::ServiceUnavailable => true,
            Code::InvalidJsonInput
            | Code::InvalidField
            | Code::RequiredField
            | Code::ContentTooLarge
            | Code::UnsupportedMediaType => self.body.is_some(),
            Code::SyntaxError => self.params().any(|param| param.id == ParamId::Where),
            Code::DuplicateField => self.body.is_some() && !by_name,
            Code::InvalidOperation => on_the_only_one,
            Code::ResourceNotFound => may_find_none,
            Code::ConcurrentModification
            | Code::PreconditionFailed
            | Code::IdempotencyKeyReused
            | Code::InsufficientStorage => write,
            Code::MethodNotAllowed
            | Code::HistoryChanged
            | Code::InvalidClient
            | Code::InvalidRequest
            | Code::UnsupportedGrantType
            | Code::InvalidScope => false,
        }
    }
}
