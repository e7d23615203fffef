//! The query language (contract, section 5): text → [`Ast`] → [`Typed`]. Pure. Imports only the contract.
//!
//! Semantics:
//!
//! - Logic has two values: every test is true or false, even if the field is absent, and `not` inverts it exactly.
//!   `!=`, `<>`, `not in`, `is not empty`, and `is not defined` are the exact negations of their counterparts, so they
//!   are true for an absent field.
//! - On a primitive array, `=`, `<`, `<=`, `>`, `>=`, `in`, and `matches ignore case` are true if they are true for an
//!   item.
//! - A dotted path through `arrayOfObjectType` reads the values of all its items as one primitive array:
//!   `arrayOfObjectType.integerExample = 3` is true if an item has 3, `… != 3` if none has, and `… is defined` if an
//!   item has the field. In `arrayOfObjectType(…)` one item must satisfy the whole condition, and the tests inside are
//!   about that item only: `arrayOfObjectType(integerExample != 3)` is true if an item does not have 3.
//! - Of a declared resource, a path leads through objects and arrays at any depth ([`Typed`]). In `variants(…)` one
//!   item must satisfy the condition, and in `variants.parts(…)` one part of any item.
//! - `createdBy(…)` and `createdBy.firstName …` are equivalent, as are `objectTypeProperty(…)`, `objectTypeProperty.…`,
//!   and the seven arrays without it. An absent person is one without fields.
//! - `is defined` means present and not null. `id`, `version`, the two times, `objectTypeProperty`, and its seven
//!   arrays always are (D1). An array of a declared resource is, if it was sent, also without items. `is empty` is only
//!   for arrays: it is true for an absent one, too.
//! - Times compare only with texts in the form of D6. Integers compare with any number. Texts compare by code point.

mod ast;
mod check;
mod error;
mod fields;
mod lexer;
mod parser;
mod sort;
#[cfg(test)]
pub(crate) mod tests;
mod token;
mod typed;

use crate::contract::error::{ApiError, Member, Reason};
use crate::contract::limits;
use crate::contract::param::{ParamId, Refusal};
use crate::shape::Shape;

pub use ast::{Ast, Literal, Name, Operand, Operands, Operator, Path, Position};
pub(crate) use check::field_at;
pub use check::{Variables, check, check_all};
pub use error::{ErrorKind, ExpressionError};
pub(crate) use lexer::Lexer;
pub use parser::{parse, parse_rule};
pub use sort::{check_expand, parse_path, parse_sort};
pub(crate) use token::Token;
pub use typed::{Comparison, Interval, Test, Typed, Value};

/// Returns the conjunction of all the `where` parameters; [`Typed::True`] if there are none.
pub fn read<'t>(
    shape: &Shape,
    texts: impl IntoIterator<Item = &'t str>,
    variables: &Variables,
) -> Result<Typed, ApiError> {
    let mut bytes = 0;
    let mut asts: Vec<Ast> = Vec::new();
    for text in texts {
        bytes += text.len();
        // Together they become one statement, and the platform limits its length.
        if !asts.is_empty() && bytes > limits::PREDICATE_BYTES {
            let reason =
                format!("the predicates of the request are longer than {} bytes", limits::PREDICATE_BYTES);
            let refusal = Refusal::new(Reason::Length, reason);
            let refusal = refusal.with(Member::MaxLength, limits::PREDICATE_BYTES as i64);
            return Err(refusal.of(ParamId::Where.name()).into());
        }
        asts.push(parse(text)?);
    }
    Ok(check_all(shape, &asts, variables)?)
}
