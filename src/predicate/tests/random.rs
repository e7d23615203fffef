//! Random predicates and random texts.

#[path = "../../../tests/support/anywhere.rs"]
mod anywhere;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::contract::limits;
use crate::predicate::{
    Ast, Comparison, Literal, Name, Operand, Operands, Operator, Path, Position, Variables, check, parse,
    read,
};
use crate::shape::Shape;
use crate::test;

use super::print::print;
use anywhere::anywhere;

const AT: Position = Position::START;

fn path() -> impl Strategy<Value = Path> {
    let name = prop_oneof![
        3 => "[-_A-Za-z0-9]{1,8}",
        1 => select(vec!["and", "or", "in", "is", "contains", "true", "1", "-1"]).prop_map(str::to_owned),
    ];
    // A lone `not` is a field only before a comparison.
    vec(name, 1..4)
        .prop_filter("not", |names| !names[0].eq_ignore_ascii_case("not"))
        .prop_map(|names| Path(names.into_iter().map(|text| Name { text, at: AT }).collect()))
}

fn number() -> impl Strategy<Value = f64> {
    proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO
}

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        any::<String>().prop_map(|text| Literal::Text(text.replace('\0', ""))),
        number().prop_map(Literal::Number),
        any::<i32>().prop_map(|number| Literal::Number(f64::from(number))),
        any::<bool>().prop_map(Literal::Boolean),
        "[A-Za-z0-9]{1,4}".prop_map(Literal::Variable),
    ]
    .prop_map(|literal| Operand { literal, at: AT })
}

fn operands() -> impl Strategy<Value = Operands> {
    prop_oneof![
        vec(operand(), 0..4).prop_map(Operands::List),
        "[A-Za-z0-9]{1,4}".prop_map(|name| Operands::Variable(name, AT)),
    ]
}

fn operator() -> impl Strategy<Value = Operator> {
    let comparison = select(vec![
        Comparison::Eq,
        Comparison::Ne,
        Comparison::Lt,
        Comparison::Le,
        Comparison::Gt,
        Comparison::Ge,
    ]);
    prop_oneof![
        (comparison, operand()).prop_map(|(comparison, operand)| Operator::Compare(comparison, operand)),
        (any::<bool>(), operands()).prop_map(|(negated, values)| Operator::In { negated, values }),
        (any::<bool>(), operands()).prop_map(|(all, values)| Operator::Contains { all, values }),
        any::<bool>().prop_map(|negated| Operator::IsEmpty { negated }),
        any::<bool>().prop_map(|negated| Operator::IsDefined { negated }),
        operand().prop_map(Operator::MatchesIgnoreCase),
        (number(), number(), number()).prop_map(|(longitude, latitude, metres)| Operator::WithinCircle {
            longitude,
            latitude,
            metres
        }),
    ]
}

fn ast() -> impl Strategy<Value = Ast> {
    let simple = (path(), operator()).prop_map(|(path, operator)| Ast::Simple { path, operator, at: AT });
    simple.prop_recursive(5, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..4).prop_map(Ast::Or),
            vec(inner.clone(), 2..4).prop_map(Ast::And),
            inner.clone().prop_map(|inner| Ast::Not(Box::new(inner))),
            (path(), inner).prop_map(|(path, condition)| Ast::Nested {
                path,
                condition: Box::new(condition),
                at: AT
            }),
        ]
    })
}

/// Words and punctuation of the language in any order, so that random texts get far into the parser and the checker.
#[allow(clippy::too_many_lines, reason = "a list of words for texts")]
fn soup() -> impl Strategy<Value = String> {
    let words = vec![
        "and", "or", "not", "(", ")", "(", ")", ",", ".", ":", ":x", ":list", "=", "!=", "<", ">=", "in",
        "contains", "all", "any", "is", "empty", "defined", "matches", "ignore", "case", "within", "circle",
        "\"a\"", "\"", "\\u", "1", "-1.5", "1e", "true", "nope", "é", "\n",
    ];
    let simple = vec![
        "id = \"a\"",
        "version > :x",
        "createdBy(firstName in :list)",
        "arrayOfObjectType(integerExample = 1)",
        "arrayOfIntExample contains any (1, 2)",
        "key in ()",
        "not custom is defined",
    ];
    let fields = Shape::built_in().query_fields().into_iter().filter_map(|field| field.path);
    let fields: Vec<String> = fields.map(|path| path.to_string()).collect();
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect::<Vec<_>>();
    vec(prop_oneof![7 => select(owned(words)), 2 => select(fields), 3 => select(owned(simple))], 0..20)
        .prop_flat_map(|words| (Just(words), any::<bool>()))
        .prop_map(|(words, spaced)| words.join(if spaced { " " } else { "" }))
}

proptest! {
    #[test]
    fn a_printed_predicate_parses_to_itself(ast in ast()) {
        let text = print(&ast);
        prop_assume!(text.len() <= limits::PREDICATE_BYTES);
        prop_assert_eq!(parse(&text).map(anywhere), Ok(ast), "{}", text);
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = read(&Shape::built_in(), [text.as_str()], &Variables::default());
    }

    #[test]
    fn no_words_of_the_language_panic(text in soup()) {
        let variables = Variables::from_iter([("x", "1"), ("list", "a"), ("list", "b")]);
        if let Ok(ast) = parse(&text) {
            prop_assert_eq!(parse(&print(&ast)).map(anywhere), Ok(anywhere(ast.clone())));
            if let Ok(typed) = check(&Shape::built_in(), &ast, &variables) {
                let sent = postcard::to_allocvec(&typed).unwrap();
                prop_assert_eq!(postcard::from_bytes(&sent), Ok(typed));
            }
        }
    }

    #[test]
    fn the_place_of_an_error_is_in_the_text_or_at_its_end(text in soup()) {
        if let Err(error) = parse(&text) {
            let lines: Vec<&str> = text.split('\n').collect();
            let line = lines.get(error.at.line as usize - 1);
            prop_assert!(line.is_some_and(|line| error.at.column as usize <= line.chars().count() + 1), "{}", text);
        }
    }
}
