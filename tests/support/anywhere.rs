//! Predicates without positions in their text, so that a printed and reparsed predicate can be equal. The including
//! file imports the types beside it.

use super::{Ast, Name, Operand, Operands, Operator, Path, Position};

/// Returns the predicate with all positions at the start of the text.
pub(super) fn anywhere(ast: Ast) -> Ast {
    const AT: Position = Position::START;
    let path = |Path(names): Path| Path(names.into_iter().map(|name| Name { at: AT, ..name }).collect());
    let one = |operand: Operand| Operand { at: AT, ..operand };
    let list = |values: Operands| match values {
        Operands::List(values) => Operands::List(values.into_iter().map(one).collect()),
        Operands::Variable(name, _) => Operands::Variable(name, AT),
    };
    let all = |parts: Vec<Ast>| parts.into_iter().map(anywhere).collect();
    match ast {
        Ast::Or(parts) => Ast::Or(all(parts)),
        Ast::And(parts) => Ast::And(all(parts)),
        Ast::Not(inner) => Ast::Not(Box::new(anywhere(*inner))),
        Ast::Nested { path: names, condition, .. } => {
            Ast::Nested { path: path(names), condition: Box::new(anywhere(*condition)), at: AT }
        }
        Ast::Simple { path: names, operator, .. } => {
            let operator = match operator {
                Operator::Compare(comparison, operand) => Operator::Compare(comparison, one(operand)),
                Operator::In { negated, values } => Operator::In { negated, values: list(values) },
                Operator::Contains { all, values } => Operator::Contains { all, values: list(values) },
                Operator::MatchesIgnoreCase(operand) => Operator::MatchesIgnoreCase(one(operand)),
                other => other,
            };
            Ast::Simple { path: path(names), operator, at: AT }
        }
    }
}
