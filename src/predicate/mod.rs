//! The query language (contract, section 5): text → [`Ast`] → [`Typed`]. Pure; imports the contract alone.
//!
//! What a predicate means:
//!
//! - Logic has two values: every test holds or does not, an absent field included, and `not` inverts it exactly.
//!   `!=`, `<>`, `not in`, `is not empty` and `is not defined` are the exact negations of their counterparts, so
//!   they hold for an absent field.
//! - On a primitive array, `=`, `<`, `<=`, `>`, `>=`, `in` and `matches ignore case` hold when some item does.
//! - A dotted path through `arrayOfObjectType` reads the values of all its items as one primitive array:
//!   `arrayOfObjectType.integerExample = 3` holds when some item has 3, `… != 3` when none has, `… is defined` when
//!   some item has the field. In `arrayOfObjectType(…)` one item must satisfy all that stands inside, and the tests
//!   inside are about that item alone: `arrayOfObjectType(integerExample != 3)` holds when some item does not have 3.
//! - `createdBy(…)` and `createdBy.firstName …` are the same, as are `objectTypeProperty(…)`, `objectTypeProperty.…`
//!   and the seven arrays without it. An absent person is one without fields.
//! - `is defined` is present and not null. `id`, `version`, the two times, `objectTypeProperty` and its seven arrays
//!   always are (D1). `is empty` is for arrays alone.
//! - Times compare with texts in the form of D6, and with no other. Integers compare with any number. Texts compare
//!   by code point.

mod ast;
mod check;
mod error;
mod fields;
mod lexer;
mod parser;
mod print;
mod sort;
#[cfg(test)]
mod tests;
mod typed;
mod variables;

use crate::contract::error::{ApiError, Code, Member};
use crate::contract::limits;
use crate::contract::param::ParamId;
use crate::contract::reason::Reason;

pub use ast::{Ast, Literal, Name, Operand, Operands, Operator, Path, Position};
pub use check::{check, check_all};
pub use error::{PredicateError, Problem, SyntaxError};
pub use fields::Unknown;
pub use parser::parse;
pub use sort::{check_expand, parse_sort};
pub use typed::{Comparison, Test, Typed, Value};
pub use variables::Variables;

/// The condition that all the `where` parameters make together; [`Typed::True`] without one.
pub fn read<'t>(texts: impl IntoIterator<Item = &'t str>, variables: &Variables) -> Result<Typed, ApiError> {
    let mut bytes = 0;
    let mut asts: Vec<Ast> = Vec::new();
    for text in texts {
        bytes += text.len();
        // Together they become one statement, whose length the platform bounds.
        if !asts.is_empty() && bytes > limits::PREDICATE_BYTES {
            let reason = format!("the predicates are together longer than {} bytes", limits::PREDICATE_BYTES);
            let error = ApiError::parameter(Code::InvalidInput, ParamId::Where.name(), &reason);
            let most = limits::PREDICATE_BYTES as i64;
            return Err(error.because(Reason::Length).with_integer(Member::MaxLength, most));
        }
        asts.push(parse(text)?);
    }
    Ok(check_all(&asts, variables)?)
}
