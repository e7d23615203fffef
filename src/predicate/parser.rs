//! The parser: recursive descent with one function per production. [`limits::PREDICATE_DEPTH`] limits the nesting.
//!
//! ```text
//! or     := and ("or" and)*
//! and    := not ("and" not)*
//! not    := "not" not | "(" or ")" | simple
//! simple := path "(" or ")"
//!         | path ("=" | "!=" | "<>" | "<" | "<=" | ">" | ">=") value
//!         | path ["not"] "in" values
//!         | path "contains" ("all" | "any") values
//!         | path "is" ["not"] ("empty" | "defined")
//!         | path "matches" "ignore" "case" value
//!         | path "within" "circle" "(" number "," number "," number ")"
//! path   := name ("." name)*
//! value  := string | number | "true" | "false" | ":" param
//! values := "(" [value ("," value)*] ")" | ":" param
//! name   := [-_A-Za-z0-9]+          param := [A-Za-z0-9]+
//! string := JSON's, without U+0000  number := JSON's
//! ```
//!
//! Keywords may have any case. They are reserved only in their places, so a field may have the name of a keyword. The
//! only ambiguous place is `not` before a predicate: it is the operator unless a comparison or a dot follows directly
//! (`not = 3`, `not.a = 3`).

use crate::contract::error::{Expected, Member, Reason};
use crate::contract::limits;
use crate::contract::param::Refusal;
use crate::shape::types::NOT;

use super::ast::{Ast, Literal, Name, Operand, Operands, Operator, Path, Position};
use super::error::ExpressionError;
use super::lexer::{Lexer, is_name};
use super::token::Token;
use super::typed::Comparison;

const PREDICATE: Expected = &["<field>", NOT, "("];
const OPERATOR: Expected = &[
    ".",
    "(",
    "=",
    "!=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "in",
    "not in",
    "contains",
    "is",
    "matches ignore case",
    "within circle",
];
const VALUE: Expected = &["<string>", "<number>", "true", "false", "<variable>"];

type Parsed<T> = Result<T, ExpressionError>;

pub fn parse(text: &str) -> Result<Ast, ExpressionError> {
    parse_with(text, |c| c.is_ascii_alphanumeric())
}

/// Parses a rule, whose variables are claims. Their names may have `-` and `_`, and a dot leads into an object.
pub fn parse_rule(text: &str) -> Result<Ast, ExpressionError> {
    parse_with(text, |c| is_name(c) || c == '.')
}

fn parse_with(text: &str, of_variable: fn(char) -> bool) -> Result<Ast, ExpressionError> {
    let lexer = Lexer::new(text, "predicate", limits::PREDICATE_BYTES)?;
    let mut parser = Parser { lexer, depth: 0, of_variable };
    let ast = parser.or()?;
    match parser.lexer.next() {
        (_, Token::End) => Ok(ast),
        (at, found) => Err(ExpressionError::unexpected(at, found, &["and", "or", "<end>"])),
    }
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    /// How many parentheses, `not`s and nested conditions are open.
    depth: usize,
    /// Whether the name of a variable can contain a character.
    of_variable: fn(char) -> bool,
}

impl Parser<'_> {
    fn or(&mut self) -> Parsed<Ast> {
        self.chain("or", Self::and, Ast::Or)
    }

    fn and(&mut self) -> Parsed<Ast> {
        self.chain("and", Self::not, Ast::And)
    }

    /// Returns a single part unchanged, or a flat chain of several.
    fn chain(
        &mut self,
        keyword: &str,
        part: fn(&mut Self) -> Parsed<Ast>,
        join: fn(Vec<Ast>) -> Ast,
    ) -> Parsed<Ast> {
        let first = part(self)?;
        if !self.lexer.consume_keyword(keyword) {
            return Ok(first);
        }
        let mut parts = vec![first, part(self)?];
        while self.lexer.consume_keyword(keyword) {
            parts.push(part(self)?);
        }
        Ok(join(parts))
    }

    fn not(&mut self) -> Parsed<Ast> {
        let before = self.lexer;
        match self.lexer.next() {
            (at, found) if found.is_keyword(NOT) && !self.operator_follows() => {
                self.nested(at, |parser| Ok(Ast::Not(Box::new(parser.not()?))))
            }
            (at, Token::Symbol("(")) => self.group(at),
            _ => {
                self.lexer = before;
                self.simple()
            }
        }
    }

    /// Parses the content of a parenthesis that was opened at the place, including its end.
    fn group(&mut self, at: Position) -> Parsed<Ast> {
        self.nested(at, |parser| {
            let inner = parser.or()?;
            parser.lexer.symbol(")", &["and", "or", ")"])?;
            Ok(inner)
        })
    }

    fn nested(&mut self, at: Position, parse: impl FnOnce(&mut Self) -> Parsed<Ast>) -> Parsed<Ast> {
        if self.depth == limits::PREDICATE_DEPTH {
            let message =
                format!("The predicate has more than {} levels of nesting", limits::PREDICATE_DEPTH);
            let refusal = Refusal::new(Reason::Depth, message);
            let max = limits::PREDICATE_DEPTH as i64;
            return Err(ExpressionError::syntax(at, refusal.with(Member::Maximum, max)));
        }
        self.depth += 1;
        let inner = parse(self)?;
        self.depth -= 1;
        Ok(inner)
    }

    fn simple(&mut self) -> Parsed<Ast> {
        let path = self.path()?;
        match self.lexer.next() {
            (at, Token::Symbol("(")) => {
                let condition = Box::new(self.group(at)?);
                Ok(Ast::Nested { path, condition, at })
            }
            (at, Token::Symbol(symbol)) => match Comparison::from_symbol(symbol) {
                Some(comparison) => {
                    let operator = Operator::Compare(comparison, self.value()?);
                    Ok(Ast::Simple { path, operator, at })
                }
                None => Err(ExpressionError::unexpected(at, Token::Symbol(symbol), OPERATOR)),
            },
            (at, Token::Word(word)) => {
                let operator = self.operator(at, word)?;
                Ok(Ast::Simple { path, operator, at })
            }
            (at, found) => Err(ExpressionError::unexpected(at, found, OPERATOR)),
        }
    }

    fn path(&mut self) -> Parsed<Path> {
        let mut names = vec![self.name(PREDICATE)?];
        while self.lexer.consume_symbol(".") {
            names.push(self.name(&["<field>"])?);
        }
        Ok(Path(names))
    }

    fn name(&mut self, expected: Expected) -> Parsed<Name> {
        match self.lexer.next() {
            (at, Token::Word(word)) => Ok(Name { text: word.to_owned(), at }),
            (at, found) => Err(ExpressionError::unexpected(at, found, expected)),
        }
    }

    /// Parses the operator that begins with the word at the place.
    fn operator(&mut self, at: Position, word: &str) -> Parsed<Operator> {
        if is(word, "in") {
            Ok(Operator::In { negated: false, values: self.values()? })
        } else if is(word, NOT) {
            self.lexer.keyword("in", &["in"])?;
            Ok(Operator::In { negated: true, values: self.values()? })
        } else if is(word, "contains") {
            let all = self.one_of(["all", "any"], &["all", "any"])?;
            Ok(Operator::Contains { all, values: self.values()? })
        } else if is(word, "is") {
            let negated = self.lexer.consume_keyword(NOT);
            let expected: Expected = if negated { &["empty", "defined"] } else { &[NOT, "empty", "defined"] };
            let empty = self.one_of(["empty", "defined"], expected)?;
            Ok(if empty { Operator::IsEmpty { negated } } else { Operator::IsDefined { negated } })
        } else if is(word, "matches") {
            self.lexer.keyword("ignore", &["ignore"])?;
            self.lexer.keyword("case", &["case"])?;
            Ok(Operator::MatchesIgnoreCase(self.value()?))
        } else if is(word, "within") {
            self.lexer.keyword("circle", &["circle"])?;
            self.circle()
        } else {
            Err(ExpressionError::unexpected(at, Token::Word(word), OPERATOR))
        }
    }

    fn circle(&mut self) -> Parsed<Operator> {
        self.lexer.symbol("(", &["("])?;
        let longitude = self.number(&["<longitude>"])?;
        self.lexer.symbol(",", &[","])?;
        let latitude = self.number(&["<latitude>"])?;
        self.lexer.symbol(",", &[","])?;
        let metres = self.number(&["<radius>"])?;
        self.lexer.symbol(")", &[")"])?;
        Ok(Operator::WithinCircle { longitude, latitude, metres })
    }

    fn number(&mut self, what: Expected) -> Parsed<f64> {
        self.lexer.place();
        if self.number_begins() {
            return self.lexer.number();
        }
        Err(self.lexer.unexpected(what))
    }

    fn values(&mut self) -> Parsed<Operands> {
        match self.lexer.next() {
            (at, Token::Symbol(":")) => {
                let name = self.variable()?;
                Ok(Operands::Variable(name, self.lexer.since(at)))
            }
            (_, Token::Symbol("(")) => {
                if self.lexer.consume_symbol(")") {
                    return Ok(Operands::List(Vec::new()));
                }
                let mut values = vec![self.value()?];
                while self.lexer.consume_symbol(",") {
                    values.push(self.value()?);
                }
                self.lexer.symbol(")", &[",", ")"])?;
                Ok(Operands::List(values))
            }
            (at, found) => Err(ExpressionError::unexpected(at, found, &["(", "<variable>"])),
        }
    }

    fn value(&mut self) -> Parsed<Operand> {
        let at = self.lexer.place();
        if self.number_begins() {
            let literal = Literal::Number(self.lexer.number()?);
            return Ok(Operand { literal, at: self.lexer.since(at) });
        }
        let before = self.lexer;
        let literal = match self.lexer.token() {
            Token::Quote => {
                self.lexer = before;
                Literal::Text(self.lexer.string()?)
            }
            Token::Symbol(":") => Literal::Variable(self.variable()?),
            Token::Word(word) if is(word, "true") => Literal::Boolean(true),
            Token::Word(word) if is(word, "false") => Literal::Boolean(false),
            found => return Err(ExpressionError::unexpected(self.lexer.since(at), found, VALUE)),
        };
        Ok(Operand { literal, at: self.lexer.since(at) })
    }

    fn variable(&mut self) -> Parsed<String> {
        let name = self.lexer.variable(self.of_variable);
        if name.is_empty() {
            return Err(self.lexer.unexpected(&["<variable-name>"]));
        }
        Ok(name.to_owned())
    }

    fn number_begins(&self) -> bool {
        self.lexer.first().is_some_and(|c| c == '-' || c.is_ascii_digit())
    }

    /// Returns whether a comparison or a dot is next. Does not consume it.
    fn operator_follows(&self) -> bool {
        let mut ahead = self.lexer;
        matches!(ahead.token(), Token::Symbol(symbol) if symbol == "." || Comparison::from_symbol(symbol).is_some())
    }

    /// Reads one of two words. Returns whether it is the first.
    fn one_of(&mut self, [first, second]: [&str; 2], expected: Expected) -> Parsed<bool> {
        match self.lexer.next() {
            (_, found) if found.is_keyword(first) => Ok(true),
            (_, found) if found.is_keyword(second) => Ok(false),
            (at, found) => Err(ExpressionError::unexpected(at, found, expected)),
        }
    }
}

fn is(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}
