//! Texts that parse, their results, and the errors of all others.

use crate::contract::error::{ApiError, Code};
use crate::contract::limits;
use crate::predicate::{Ast, Literal, Operator, Typed, Variables, check, parse};
use crate::shape::Shape;
use crate::test;

use super::print::print;

fn canonical(text: &str) -> String {
    print(&parse(text).unwrap_or_else(|error| panic!("{text}: {error}")))
}

#[test]
fn every_production_parses() {
    for (text, expected) in [
        ("a = 1", "a = 1"),
        ("a=1", "a = 1"),
        ("a != 1", "a != 1"),
        ("a <> 1", "a != 1"),
        ("a<1", "a < 1"),
        ("a <= 1", "a <= 1"),
        ("a > 1", "a > 1"),
        ("a>=-1", "a >= -1"),
        ("a = \"x\"", "a = \"x\""),
        ("a = true", "a = true"),
        ("a = FALSE", "a = false"),
        ("a = :x1", "a = :x1"),
        ("a in ( )", "a in ()"),
        ("a in(1,\"b\",:c)", "a in (1, \"b\", :c)"),
        ("a in :list", "a in :list"),
        ("a not in (1)", "a not in (1)"),
        ("a contains all (1, 2)", "a contains all (1, 2)"),
        ("a contains any :list", "a contains any :list"),
        ("a is empty", "a is empty"),
        ("a is not empty", "a is not empty"),
        ("a is defined", "a is defined"),
        ("a is not defined", "a is not defined"),
        ("a matches ignore case \"X\"", "a matches ignore case \"X\""),
        ("a within circle(13.37, -52.5, 1e3)", "a within circle(13.37, -52.5, 1000)"),
        ("a.b.c = 1", "a.b.c = 1"),
        ("a . b = 1", "a.b = 1"),
        ("a(b = 1)", "a(b = 1)"),
        ("a.b(c = 1 or d = 2)", "a.b(c = 1 or d = 2)"),
        ("a(b(c = 1))", "a(b(c = 1))"),
        ("(a = 1)", "a = 1"),
        ("((a = 1))", "a = 1"),
        ("not a = 1", "not a = 1"),
        ("not(a = 1)", "not a = 1"),
        ("not not a = 1", "not not a = 1"),
        ("not (a = 1 or b = 2)", "not (a = 1 or b = 2)"),
        (" \t\r\n a\n=\n1 \n", "a = 1"),
    ] {
        assert_eq!(canonical(text), expected, "{text}");
    }
}

#[test]
fn and_binds_tighter_than_or_and_not_than_both() {
    for (text, expected) in [
        ("a=1 or b=2 and c=3", "a = 1 or (b = 2 and c = 3)"),
        ("a=1 and b=2 or c=3", "(a = 1 and b = 2) or c = 3"),
        ("(a=1 or b=2) and c=3", "(a = 1 or b = 2) and c = 3"),
        ("not a=1 and b=2", "not a = 1 and b = 2"),
        ("not a=1 or b=2", "not a = 1 or b = 2"),
        ("a=1 or b=2 or c=3", "a = 1 or b = 2 or c = 3"),
        ("(a=1 or b=2) or c=3", "(a = 1 or b = 2) or c = 3"),
        ("a=1 and not b=2 and c=3", "a = 1 and not b = 2 and c = 3"),
    ] {
        assert_eq!(canonical(text), expected, "{text}");
    }
    assert!(matches!(parse("not a=1 and b=2"), Ok(Ast::And(parts)) if matches!(parts[0], Ast::Not(_))));
}

#[test]
fn keywords_are_case_insensitive() {
    assert_eq!(
        canonical("NOT a CONTAINS ANY (TRUE) Or b Is Not Defined aND c MATCHES Ignore cAsE \"x\""),
        "not a contains any (true) or (b is not defined and c matches ignore case \"x\")"
    );
    assert_eq!(canonical("a NOT IN :X OR b WITHIN CIRCLE(1,2,3)"), "a not in :X or b within circle(1, 2, 3)");
}

#[test]
fn fields_may_be_named_like_keywords() {
    for text in [
        "and = 1 and or = 2 and in = 3",
        "in in (1)",
        "not in = 3",
        "is is not empty",
        "contains contains all (1)",
        "matches matches ignore case \"x\"",
        "within within circle(1, 2, 3)",
        "true = true and false = false",
        "not = 3",
        "not not = 3",
        "not.not = 3",
        "and(or(not = 1))",
        "-1 = -1",
        "1.2 = 1.2",
        "a-b = 1 and _ = 2 and 1e3 = 3",
    ] {
        assert_eq!(canonical(text), text);
    }
    assert_eq!(canonical("not<3"), "not < 3");
    assert_eq!(canonical("not(in=3)"), "not in = 3");
}

fn literal(text: &str) -> Literal {
    match parse(&format!("a = {text}")) {
        Ok(Ast::Simple { operator: Operator::Compare(_, operand), .. }) => operand.literal,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn strings_have_the_escapes_of_json() {
    for (text, expected) in [
        (r#""""#, ""),
        (r#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{c}\n\r\tz"),
        (r#""\u0041\u00e9\u20AC""#, "Aé€"),
        (r#""\ud83d\ude00""#, "😀"),
        (r#""\uD83D\uDE00x""#, "😀x"),
        ("\"é😀' and or not ( ) :x\"", "é😀' and or not ( ) :x"),
        ("\"\u{7f}\u{2028}\"", "\u{7f}\u{2028}"),
    ] {
        assert_eq!(literal(text), Literal::Text(expected.to_owned()), "{text}");
    }
}

#[test]
fn numbers_are_those_of_json() {
    for (text, expected) in [
        ("0", 0.0),
        ("-0", 0.0),
        ("12", 12.0),
        ("-1.5", -1.5),
        ("1e3", 1000.0),
        ("1E+3", 1000.0),
        ("25e-1", 2.5),
        ("0.1", 0.1),
        ("5e-324", 5e-324),
        ("1e-999", 0.0),
        ("9007199254740993", 9_007_199_254_740_992.0),
    ] {
        assert_eq!(literal(text), Literal::Number(expected), "{text}");
    }
}

const OPERATOR: &str = "expected '.', '(', =, !=, <>, <, <=, >, >=, 'in', 'not in', 'contains', 'is', \
                        'matches ignore case' or 'within circle'";
const VALUE: &str = "expected a string in double quotes, a number, true, false or a variable (:name)";
const PREDICATE: &str = "expected a field name, 'not' or '('";

#[test]
#[allow(clippy::too_many_lines, reason = "a table of cases")]
fn every_syntax_error_says_where_and_what_was_expected() {
    let malformed = |number: &str| format!("Malformed number '{number}', expected one such as -1.5e3");
    let escape = "Malformed escape, expected \\u and four hexadecimal digits".to_owned();
    let lone = "A lone surrogate is not a character, expected a surrogate pair".to_owned();
    let unexpected = |found: &str, expected: &str| format!("Unexpected {found}, {expected}");
    let end = |expected: &str| format!("Unexpected end of input, {expected}");
    for (text, line, column, message) in [
        ("", 1, 1, end(PREDICATE)),
        ("  \n ", 2, 2, end(PREDICATE)),
        ("version", 1, 8, end(OPERATOR)),
        ("version ", 1, 9, end(OPERATOR)),
        ("a b", 1, 3, unexpected("'b'", OPERATOR)),
        ("a , 1", 1, 3, unexpected("','", OPERATOR)),
        ("a \"x\"", 1, 3, unexpected("string", OPERATOR)),
        ("a ! 1", 1, 3, unexpected("'!'", OPERATOR)),
        ("a # 1", 1, 3, unexpected("'#'", OPERATOR)),
        ("a \u{1} 1", 1, 3, unexpected("'\\u{1}'", OPERATOR)),
        ("\u{a0}a = 1", 1, 1, unexpected("'\\u{a0}'", PREDICATE)),
        ("= 1", 1, 1, unexpected("'='", PREDICATE)),
        ("a = 1 or", 1, 9, end(PREDICATE)),
        ("a = 1 and )", 1, 11, unexpected("')'", PREDICATE)),
        ("a.", 1, 3, end("expected a field name")),
        ("a. = 1", 1, 4, unexpected("'='", "expected a field name")),
        ("a =", 1, 4, end(VALUE)),
        ("a = b", 1, 5, unexpected("'b'", VALUE)),
        ("a = 'x'", 1, 5, unexpected("'\\''", VALUE)),
        ("a = 1 2", 1, 7, unexpected("'2'", "expected 'and', 'or' or end of input")),
        ("a = 1)", 1, 6, unexpected("')'", "expected 'and', 'or' or end of input")),
        ("(a = 1", 1, 7, end("expected 'and', 'or' or ')'")),
        ("a(b = 1 c", 1, 9, unexpected("'c'", "expected 'and', 'or' or ')'")),
        ("a()", 1, 3, unexpected("')'", PREDICATE)),
        ("not", 1, 4, end(PREDICATE)),
        ("a not", 1, 6, end("expected 'in'")),
        ("a not empty", 1, 7, unexpected("'empty'", "expected 'in'")),
        ("a in 1", 1, 6, unexpected("'1'", "expected '(' or a variable (:name)")),
        ("a in (", 1, 7, end(VALUE)),
        ("a in (1", 1, 8, end("expected ',' or ')'")),
        ("a in (1,)", 1, 9, unexpected("')'", VALUE)),
        ("a in (1 2)", 1, 9, unexpected("'2'", "expected ',' or ')'")),
        ("a in :", 1, 7, end("expected a variable name of letters and digits")),
        ("a = : x", 1, 7, unexpected("'x'", "expected a variable name of letters and digits")),
        ("a = :_x", 1, 6, unexpected("'_x'", "expected a variable name of letters and digits")),
        ("a = :x-y", 1, 7, unexpected("'-y'", "expected 'and', 'or' or end of input")),
        ("a contains (1)", 1, 12, unexpected("'('", "expected 'all' or 'any'")),
        ("a contains some (1)", 1, 12, unexpected("'some'", "expected 'all' or 'any'")),
        ("a contains any", 1, 15, end("expected '(' or a variable (:name)")),
        ("a is", 1, 5, end("expected 'not', 'empty' or 'defined'")),
        ("a is not", 1, 9, end("expected 'empty' or 'defined'")),
        ("a is nil", 1, 6, unexpected("'nil'", "expected 'not', 'empty' or 'defined'")),
        ("a matches \"x\"", 1, 11, unexpected("string", "expected 'ignore'")),
        ("a matches ignore \"x\"", 1, 18, unexpected("string", "expected 'case'")),
        ("a matches ignore case", 1, 22, end(VALUE)),
        ("a within(1,2,3)", 1, 9, unexpected("'('", "expected 'circle'")),
        ("a within circle", 1, 16, end("expected '('")),
        ("a within circle(x)", 1, 17, unexpected("'x'", "expected the longitude as a number")),
        ("a within circle(1 2", 1, 19, unexpected("'2'", "expected ','")),
        ("a within circle(1, :x", 1, 20, unexpected("':'", "expected the latitude as a number")),
        ("a within circle(1,2)", 1, 20, unexpected("')'", "expected ','")),
        ("a within circle(1,2,)", 1, 21, unexpected("')'", "expected the radius in meters as a number")),
        ("a within circle(1,2,3", 1, 22, end("expected ')'")),
        ("a = 01", 1, 5, malformed("01")),
        ("a = 1.", 1, 5, malformed("1.")),
        ("a = -", 1, 5, malformed("-")),
        ("a = 1e", 1, 5, malformed("1e")),
        ("a = 1or b = 2", 1, 5, malformed("1or")),
        ("a = 2015-01-01", 1, 5, malformed("2015-01-01")),
        ("a = .5", 1, 5, unexpected("'.'", VALUE)),
        ("a = +5", 1, 5, unexpected("'+'", VALUE)),
        ("a = 1e999", 1, 5, "The number '1e999' is out of range".to_owned()),
        ("a = \"x", 1, 7, end("expected '\"' at the end of the string")),
        ("a = \"x\\", 1, 8, end("expected an escape")),
        (
            "a = \"\\x\"",
            1,
            6,
            r#"Unknown escape, expected \", \\, \/, \b, \f, \n, \r, \t or \u and four hexadecimal digits"#
                .to_owned(),
        ),
        ("a = \"\\u12\"", 1, 6, escape.clone()),
        ("a = \"\\u+123\"", 1, 6, escape.clone()),
        ("a = \"\\ud83d\\u12", 1, 6, escape),
        ("a = \"\\ud83d\"", 1, 6, lone.clone()),
        ("a = \"\\ude00\\ud83d\"", 1, 6, lone.clone()),
        ("a = \"\\ud83d\\u0041\"", 1, 6, lone),
        ("a = \"\\u0000\"", 1, 6, "A string must not contain U+0000".to_owned()),
        (
            "a = \"é\n\"",
            1,
            7,
            "Unexpected control character U+000A in a string, expected an escape".to_owned(),
        ),
        ("a = \"😀é\" and\r\n\tb = ?", 2, 6, unexpected("'?'", VALUE)),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!(error.refusal.sentence, message, "{text}");
        assert_eq!((error.at.line, error.at.column), (line, column), "{text}");
    }
}

#[test]
fn an_operator_of_another_language_is_answered_with_ours() {
    let search = "The search (searchApiPattern) finds words in texts";
    let whole = format!("A condition compares whole texts. {search}");
    let array = format!("For an array, write contains any (\"value\"). {search}");
    let comparisons = "The comparisons are =, !=, <>, <, <=, >, >=";
    let range = "A range is two comparisons, such as version >= 1 and version <= 5";
    let null = "A field without a value satisfies 'is not defined'";
    let opposite = "The opposite of a condition is written with 'not'";
    for (text, column, found, advice) in [
        ("a like \"%x%\"", 3, "'like'", whole.as_str()),
        ("a ILIKE \"x\"", 3, "'ILIKE'", &whole),
        ("a starts with \"x\"", 3, "'starts'", &whole),
        ("a startsWith \"x\"", 3, "'startsWith'", &whole),
        ("a includes \"x\"", 3, "'includes'", &whole),
        ("a ~ \"x\"", 3, "'~'", &whole),
        ("a =~ \"x\"", 4, "'~'", &whole),
        ("a contains \"x\"", 12, "string", &array),
        ("a == 1", 4, "'='", comparisons),
        ("a === 1", 4, "'='", comparisons),
        ("a !== 1", 5, "'='", comparisons),
        ("a => 1", 4, "'>'", comparisons),
        ("a > = 1", 5, "'='", comparisons),
        ("a: 1", 2, "':'", comparisons),
        ("a between 1 and 2", 3, "'between'", range),
        ("a = null", 5, "'null'", null),
        ("a != undefined", 6, "'undefined'", null),
        ("a is null", 6, "'null'", null),
        ("a is not NULL", 10, "'NULL'", null),
        ("a = (1)", 5, "'('", "A list of values follows in, not in, contains all, or contains any"),
        ("a in [1]", 6, "'['", "A list is in parentheses"),
        ("a = 1 && b = 2", 7, "'&'", "Conditions are joined by 'and'"),
        ("(a = 1 & b = 2)", 8, "'&'", "Conditions are joined by 'and'"),
        ("a = 1 || b = 2", 7, "'|'", "Conditions are joined by 'or'"),
        ("!(a = 1)", 1, "'!'", opposite),
        ("a = 1 and !b = 2", 11, "'!'", opposite),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!(error.refusal.sentence, format!("Unexpected {found}. {advice}"), "{text}");
        assert_eq!(error.at.column, column, "{text}");
    }
}

#[test]
fn a_syntax_error_reaches_the_caller_as_the_contract_words_it() {
    let error = ApiError::from(parse("version").unwrap_err());
    assert_eq!(error.code(), Code::SyntaxError);
    assert_eq!(
        error.message(),
        format!(
            "Malformed parameter: where: Syntax error while parsing 'where'. Unexpected end of input, {OPERATOR} \
             (line 1, column 8)."
        )
    );
    assert!(error.to_json().ends_with(
        "\"parameter\":\"where\",\"reason\":\"syntax\",\"expected\":[\".\",\"(\",\"=\",\"!=\",\"<>\",\"<\",\"<=\",\">\",\">=\",\"in\",\
         \"not in\",\"contains\",\"is\",\"matches ignore case\",\"within circle\"],\"line\":1,\"column\":8,\"length\":0}]}"
    ));
}

#[test]
fn long_words_are_cut_in_messages() {
    let error = parse(&format!("a {}", "b".repeat(5000))).unwrap_err();
    assert!(
        error
            .refusal
            .sentence
            .starts_with(&format!("Unexpected '{}', expected", "b".repeat(limits::QUOTED_CHARS)))
    );
    let error = parse(&format!("a = 0{}", "1".repeat(5000))).unwrap_err();
    assert!(error.refusal.sentence.len() < 200);
}

#[test]
fn sixty_four_levels_parse_and_sixty_five_do_not() {
    type Nest = fn(usize) -> String;
    let nests: [(&str, Nest, u32); 4] = [
        ("parentheses", |n| format!("{}version = 1{}", "(".repeat(n), ")".repeat(n)), 65),
        ("nots", |n| format!("{}version = 1", "not ".repeat(n)), 257),
        (
            "nots with parentheses",
            |n| format!("{}{}version = 1{}", "not (".repeat(n / 2), "not ".repeat(n % 2), ")".repeat(n / 2)),
            161,
        ),
        ("nested conditions", |n| format!("{}version = 1{}", "a(".repeat(n), ")".repeat(n)), 130),
    ];
    for (name, nest, column) in nests {
        let deepest = parse(&nest(limits::PREDICATE_DEPTH)).expect(name);
        assert_eq!(canonical(&print(&deepest)), print(&deepest), "{name}");
        let error = parse(&nest(limits::PREDICATE_DEPTH + 1)).expect_err(name);
        assert_eq!(error.refusal.sentence, "The predicate has more than 64 levels of nesting", "{name}");
        assert_eq!((error.at.line, error.at.column), (1, column), "{name}");
    }
    // Chains on each level double the nesting of the tree.
    let chains = format!("{}key=\"c\"{}", "(key=\"a\" or key=\"b\" and ".repeat(64), ")".repeat(64));
    let typed = check(&Shape::built_in(), &parse(&chains).unwrap(), &Variables::default()).unwrap();
    let sent = postcard::to_allocvec(&typed).unwrap();
    assert_eq!(postcard::from_bytes::<Typed>(&sent), Ok(typed));
    // Closed parentheses no longer count.
    let wide = format!("{}a = 1", "((a = 1)) and ".repeat(100));
    assert!(parse(&wide).is_ok());
}

#[test]
fn eight_kib_parse_and_a_byte_more_does_not() {
    let text = format!("key = \"{}\"", "é".repeat((limits::PREDICATE_BYTES - 8) / 2));
    assert_eq!(text.len(), limits::PREDICATE_BYTES);
    assert!(parse(&text).is_ok());
    let error = parse(&format!("{text}\n")).unwrap_err();
    assert_eq!(error.refusal.sentence, "The predicate is longer than 8192 bytes");
    assert_eq!((error.at.line, error.at.column), (1, 8 + (8192 - 8) / 2 + 1));
    let error = parse(&format!("\n\nx{}", "é".repeat(8000))).unwrap_err();
    assert_eq!((error.at.line, error.at.column), (3, 2 + (8192 - 3) / 2));
    let error = parse(&"(".repeat(1_000_000)).unwrap_err();
    assert_eq!((error.at.line, error.at.column), (1, 8193));
}

#[cfg(not(target_arch = "wasm32"))] // WebAssembly has no clock.
#[test]
fn the_longest_flat_chain_that_fits_works_quickly() {
    use std::fmt::Write as _;
    use std::time::{Duration, Instant};

    for (keyword, part) in [("or", "id=\"a\""), ("and", "key<\"a\""), ("or", "not id=\"a\"and(key=\"b\")")] {
        let mut text = part.to_owned();
        while text.len() + 1 + keyword.len() + 1 + part.len() <= limits::PREDICATE_BYTES {
            write!(text, " {keyword} {part}").unwrap();
        }
        let begin = Instant::now();
        let ast = parse(&text).unwrap();
        let typed = check(&Shape::built_in(), &ast, &Variables::default()).unwrap();
        let sent = postcard::to_allocvec(&typed).unwrap();
        assert_eq!(postcard::from_bytes::<Typed>(&sent).unwrap(), typed);
        assert!(begin.elapsed() < Duration::from_secs(1), "{keyword} took {:?}", begin.elapsed());
    }
}
