//! Predicates and orders as text. Each is parsed, or rejected with a place in the text; printed and parsed again as the
//! same; sent unchanged; and has the same results on SQLite under the platform's limits as in the reference.

#[path = "../../../tests/support/anywhere.rs"]
mod anywhere;
#[path = "../../../src/predicate/tests/print.rs"]
mod print;

use std::cell::OnceCell;

use resource_edge::call::wire;
use resource_edge::call::{Call, Message, Query, Read};
use resource_edge::contract::limits;
use resource_edge::predicate::{
    Ast, Literal, Name, Operand, Operands, Operator, Path, Position, Variables, check_all, check_expand,
    parse, parse_sort, read,
};
use resource_edge::util::json;

use super::input::Input;
use super::queries::twins;
use crate::native::reference::evaluate::lies_on_an_edge;
use crate::native::reference::page::matches;
use crate::native::reference::twin::Twin;

use anywhere::anywhere;
use print::print;

thread_local! {
    static TWINS: OnceCell<Vec<Twin>> = const { OnceCell::new() };
}

/// Runs the target. The input consists of lines: the first are orders, up to a dot; then predicates follow.
pub fn run(data: &[u8]) {
    TWINS.with(|cell| cell.get_or_init(twins).iter().for_each(|twin| run_on(twin, data)));
}

#[allow(clippy::too_many_lines, reason = "all rules of a predicate")]
fn run_on(twin: &Twin, data: &[u8]) {
    let shape = &twin.shape;
    let mut input = Input(data);
    let mut sort = Vec::new();
    for _ in 0..input.choice(4) {
        let line = input.text_line();
        let _ = check_expand(&line);
        sort.extend(parse_sort(shape, &line));
    }
    let Some(text) = input.text() else { return };
    let variables = Variables::from_iter([
        ("x", "1"),
        ("list", "a"),
        ("list", "2"),
        ("t", "2024-01-01T00:00:00.001Z"),
        ("e", ""),
    ]);
    // A line that begins with a bar starts a second predicate.
    let texts: Vec<&str> = text.split("\n|").collect();
    for text in &texts {
        match parse(text) {
            Ok(ast) => {
                assert!(text.len() <= limits::PREDICATE_BYTES);
                let printed = print(&ast);
                // Escapes may be longer than the characters that they mean.
                if printed.len() <= limits::PREDICATE_BYTES {
                    assert_eq!(parse(&printed).map(anywhere), Ok(anywhere(ast)), "{printed}");
                }
            }
            Err(error) => {
                let line = text.split('\n').nth(error.at.line as usize - 1);
                let inside = line.is_some_and(|line| error.at.column as usize <= line.chars().count() + 1);
                assert!(inside || text.len() > limits::PREDICATE_BYTES, "{error:?}");
            }
        }
    }
    let Ok(condition) = read(shape, texts.iter().copied(), &variables) else { return };
    let asts: Vec<Ast> = texts.iter().filter_map(|text| parse(text).ok()).collect();
    assert_eq!(check_all(shape, &asts, &variables).ok().as_ref(), Some(&condition));
    let query = Query { condition, sort, limit: 500, offset: 0, with_total: true };
    let call = Call::Read(Read::Query(query.clone()));
    let message = Message { project: "twin".to_owned(), call };
    assert_eq!(wire::decode(&wire::encode(&message).expect("a message")), Ok(message));
    let stored = twin.stored();
    if !stored.iter().any(|stored| lies_on_an_edge(&query.condition, stored.body)) {
        let found = matches(&stored, &query);
        if let Err(error) = twin.compare(&query, &found) {
            panic!("{error}");
        }
    }
}
