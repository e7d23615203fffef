//! The messages that JavaScript sends to the client's core: any bytes get a result, and the address of every rendered
//! request begins with that of the service.

use resource_edge::client::message::TextList;
use resource_edge::client::message::encode;
use resource_edge::client::{Call, CallState, Client, Decision, Options, Response, Step};
use resource_edge::shape::Shape;
use resource_edge::validate;

use super::input::Input;

const BASE: &str = "https://api.example";

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    if input.choice(4) == 0 {
        return options(input.0);
    }
    let plain = Options {
        project_key: "p",
        base_url: BASE,
        retries: 3,
        base_delay: 10,
        max_delay: 100,
        ..Options::default()
    };
    let mut client = Client::new(&plain).expect("good options");
    let mut call = begin(&mut input);
    for _ in 0..6 {
        match input.choice(4) {
            0 => call = begin(&mut input),
            1 => render(&client, &mut call.1),
            2 => next(&mut client, &mut call, &part(&mut input, Response::LAYOUT.numbers.len())),
            _ => client.observe(TextList::decode(&part(&mut input, 0))),
        }
    }
}

/// Begins the call of a message, and returns both.
fn begin(input: &mut Input<'_>) -> (Vec<u8>, CallState) {
    let message = part(input, Call::LAYOUT.numbers.len());
    let call = CallState::new(&message);
    (message, call)
}

/// Takes a part of the input as a message: as it is, or built with `numbers` numbers.
fn part(input: &mut Input<'_>, numbers: usize) -> Vec<u8> {
    let length = input.choice(256);
    let (bytes, rest) = input.0.split_at(length.min(input.0.len()));
    input.0 = rest;
    let mut parts = Input(bytes);
    if parts.choice(2) == 0 { parts.0.to_vec() } else { built(&mut parts, numbers) }
}

/// Builds a message with `numbers` numbers: bytes become numbers, and lines become texts.
fn built(parts: &mut Input<'_>, numbers: usize) -> Vec<u8> {
    let mut number = || match parts.byte() {
        250.. => f64::from_bits(parts.number()),
        249 => f64::NAN,
        248 => 1e13,
        247 => f64::INFINITY,
        small => f64::from(small),
    };
    let numbers: Vec<f64> = (0..numbers).map(|_| number()).collect();
    let mut texts = Vec::new();
    while !parts.0.is_empty() {
        texts.push(parts.text_line());
    }
    encode(&numbers, &texts.iter().map(String::as_str).collect::<Vec<_>>())
}

fn next(client: &mut Client, (message, call): &mut (Vec<u8>, CallState), response: &[u8]) {
    let (begun, response) = (Call::decode(message), Response::decode(response));
    let Decision { step, pause, .. } = client.next(call, &response);
    let in_time = response.now.checked_add(pause).is_some_and(|then| then < begun.deadline);
    assert!(step != Step::Retry || in_time || begun.operation.is_none(), "{call:?} {response:?}");
    assert!(step != Step::Wait || response.late);
    assert!(step != Step::RenewToken || begun.renewable);
}

fn render(client: &Client, call: &mut CallState) {
    let mut headers = Vec::new();
    let check = |object, text: &str| validate::check(Shape::built_in().object(object), text);
    let rendered = client.render(call, check, |name, value| {
        headers.push((name.to_owned(), value.to_owned()));
    });
    let Ok(address) = rendered else { return };
    let path = address.strip_prefix(BASE).expect("the service's address");
    assert!(
        path.starts_with('/') && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#'),
        "{path}"
    );
    assert!(path.split(['/', '?']).all(|part| part != "." && part != ".."), "{path}");
    for (name, value) in headers {
        assert!(value.bytes().all(|byte| (b' '..0x7f).contains(&byte)), "{name}: {value:?}");
    }
}

fn options(bytes: &[u8]) {
    let mut parts = Input(bytes);
    let texts: Vec<String> = (0..5).map(|_| parts.text_line()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for message in [bytes.to_vec(), encode(&[1.0, 2.0, 3.0], &texts)] {
        let options = Options::decode(&message);
        let Ok(base) = options.base() else { continue };
        let host = base.split_once("://").map(|(_, rest)| rest).expect("an absolute address");
        let host = host.split('/').next().unwrap_or_default();
        assert!(!host.is_empty() && !host.contains(['@', '\\', '?', '#', ' ']), "{base:?}");
        if options.base_url.is_empty() {
            let ends = [".", options.region, ".", options.cloud_provider, ".", options.domain].concat();
            assert_eq!(host, ["api", &ends].concat());
        }
    }
}
