//! Prints a predicate as text that parses to the same predicate.

use core::fmt::{self, Display, Formatter};

use crate::util::json;

use super::ast::{Ast, Literal, Operand, Operands, Operator, Path};

impl Display for Ast {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Or(parts) => print_all(f, parts, " or ", print_part),
            Self::And(parts) => print_all(f, parts, " and ", print_part),
            Self::Not(inner) => {
                f.write_str("not ")?;
                print_part(f, inner)
            }
            Self::Nested { path, condition, .. } => write!(f, "{path}({condition})"),
            Self::Simple { path, operator, .. } => write!(f, "{path} {operator}"),
        }
    }
}

fn print_all<T>(
    f: &mut Formatter<'_>,
    parts: &[T],
    between: &str,
    print: fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        f.write_str(if at == 0 { "" } else { between })?;
        print(f, part)?;
    }
    Ok(())
}

/// Prints a part of a larger predicate. A chain needs parentheses, so that it remains one part.
fn print_part(f: &mut Formatter<'_>, ast: &Ast) -> fmt::Result {
    if matches!(ast, Ast::Or(_) | Ast::And(_)) { write!(f, "({ast})") } else { ast.fmt(f) }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print_all(f, &self.0, ".", |f, name| f.write_str(&name.text))
    }
}

impl Display for Operator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let not = |negated: bool| if negated { "not " } else { "" };
        match self {
            Self::Compare(comparison, operand) => write!(f, "{} {operand}", comparison.symbol()),
            Self::In { negated, values } => write!(f, "{}in {values}", not(*negated)),
            Self::Contains { all: true, values } => write!(f, "contains all {values}"),
            Self::Contains { all: false, values } => write!(f, "contains any {values}"),
            Self::IsEmpty { negated } => write!(f, "is {}empty", not(*negated)),
            Self::IsDefined { negated } => write!(f, "is {}defined", not(*negated)),
            Self::MatchesIgnoreCase(operand) => write!(f, "matches ignore case {operand}"),
            Self::WithinCircle { longitude, latitude, metres } => {
                let mut out = String::new();
                for (number, after) in [(longitude, ", "), (latitude, ", "), (metres, ")")] {
                    json::number(&mut out, *number);
                    out.push_str(after);
                }
                write!(f, "within circle({out}")
            }
        }
    }
}

impl Display for Operands {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name, _) => write!(f, ":{name}"),
            Self::List(operands) => {
                f.write_str("(")?;
                print_all(f, operands, ", ", |f, operand| operand.fmt(f))?;
                f.write_str(")")
            }
        }
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.literal.fmt(f)
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        match self {
            Self::Text(text) => json::string(&mut out, text),
            Self::Number(number) => json::number(&mut out, *number),
            Self::Boolean(value) => return value.fmt(f),
            Self::Variable(name) => return write!(f, ":{name}"),
        }
        f.write_str(&out)
    }
}
