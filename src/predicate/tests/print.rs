//! Predicates as text that parses to the same predicate. The fuzz targets use this file too. The including file
//! imports the names beside it.

use super::{Ast, Literal, Operand, Operands, Operator, json};

/// Returns the predicate in its canonical form, which has parentheses around chains in other chains.
pub(super) fn print(ast: &Ast) -> String {
    let join = |parts: &[Ast], between| parts.iter().map(part).collect::<Vec<_>>().join(between);
    match ast {
        Ast::Or(parts) => join(parts, " or "),
        Ast::And(parts) => join(parts, " and "),
        Ast::Not(inner) => format!("not {}", part(inner)),
        Ast::Nested { path, condition, .. } => format!("{path}({})", print(condition)),
        Ast::Simple { path, operator: test, .. } => format!("{path} {}", operator(test)),
    }
}

/// Prints a part of a larger predicate. A chain needs parentheses, so that it remains one part.
fn part(ast: &Ast) -> String {
    if matches!(ast, Ast::Or(_) | Ast::And(_)) { format!("({})", print(ast)) } else { print(ast) }
}

fn operator(operator: &Operator) -> String {
    let not = |negated: bool| if negated { "not " } else { "" };
    match operator {
        Operator::Compare(comparison, operand) => format!("{} {}", comparison.symbol(), literal(operand)),
        Operator::In { negated, values } => format!("{}in {}", not(*negated), operands(values)),
        Operator::Contains { all: true, values } => format!("contains all {}", operands(values)),
        Operator::Contains { all: false, values } => format!("contains any {}", operands(values)),
        Operator::IsEmpty { negated } => format!("is {}empty", not(*negated)),
        Operator::IsDefined { negated } => format!("is {}defined", not(*negated)),
        Operator::MatchesIgnoreCase(operand) => format!("matches ignore case {}", literal(operand)),
        Operator::WithinCircle { longitude, latitude, metres } => {
            format!("within circle({}, {}, {})", number(*longitude), number(*latitude), number(*metres))
        }
    }
}

fn operands(values: &Operands) -> String {
    match values {
        Operands::Variable(name, _) => format!(":{name}"),
        Operands::List(list) => format!("({})", list.iter().map(literal).collect::<Vec<_>>().join(", ")),
    }
}

fn literal(operand: &Operand) -> String {
    let mut out = String::new();
    match &operand.literal {
        Literal::Text(text) => json::string(&mut out, text),
        Literal::Number(value) => json::number(&mut out, *value),
        Literal::Boolean(value) => json::boolean(&mut out, *value),
        Literal::Variable(name) => return format!(":{name}"),
    }
    out
}

fn number(value: f64) -> String {
    let mut out = String::new();
    json::number(&mut out, value);
    out
}
