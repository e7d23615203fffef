//! Listeners to changes: who may have a socket or a stream, and what their frames are.

use resource_edge::call::{After, Call, Message, wire};
use resource_edge::contract::limits;

use super::changes::create;
use super::*;

const PROTOCOLS: (&str, &str) = ("Sec-WebSocket-Protocol", "resource-edge.changes");
const UPGRADE: (&str, &str) = ("Upgrade", "websocket");
const EVENTS: (&str, &str) = ("Accept", "text/html, text/event-stream;q=0.9");

/// Returns the present position of the feed.
fn present(caller: &Caller) -> String {
    let page = caller.get("/p/changes?after=now").body;
    let window: Value = serde_json::from_str(page.trim_end()).unwrap();
    window["to"].as_str().unwrap().to_owned()
}

/// Returns the revision of a position.
fn revision(position: &str) -> u64 {
    position.split('.').nth(1).unwrap().parse().unwrap()
}

/// Accepts a listener. Returns the message of its frames.
fn listen(caller: &Caller, query: &str) -> Message {
    // The object has the epoch of positions after its first page.
    present(caller);
    let sent = caller.request_of(&format!("GET /p/changes?{query}"), &[UPGRADE, PROTOCOLS], "");
    let (_, message) = caller.message(&sent);
    let message = message.expect("a listener");
    let reply = caller.edge.projects.borrow()["p"].perform(&message, &caller.edge.moment()).unwrap();
    message.listening(&reply.head).expect("accepted").0
}

fn frame(caller: &Caller, message: &Message, from: u64) -> Option<String> {
    caller.edge.projects.borrow()["p"].frame(message, from, &caller.edge.moment()).unwrap()
}

#[test]
fn a_socket_begins_with_an_empty_page_at_the_present_position() {
    let caller = Caller::new();
    create(&caller, "a", "in");
    let at = present(&caller);
    for query in ["", "after=now", &format!("after={at}"), "where=custom%3D%22in%22"] {
        let got = caller.ask(&format!("GET /p/changes?{query}"), &[UPGRADE, PROTOCOLS], b"");
        let page = format!("{{\"from\":\"{at}\",\"to\":\"{at}\"}}\n");
        assert_eq!((got.status, got.body.as_str()), (101, page.as_str()), "{query}");
        assert_eq!(got.header("Sec-WebSocket-Protocol"), Some("resource-edge.changes"));
    }
    // Without the headers, and with other methods, it is a page.
    for (method, headers) in [("GET", [("Upgrade", "h2c"), PROTOCOLS]), ("HEAD", [UPGRADE, PROTOCOLS])] {
        let got = caller.ask(&format!("{method} /p/changes"), &headers, b"");
        assert_eq!(got.status, 200, "{method}");
    }
    // Another path has no sockets.
    assert_eq!(caller.ask("GET /p/resource/a", &[UPGRADE], b"").status, 200);
}

#[test]
fn the_token_of_a_socket_is_a_header_or_a_protocol_but_of_nothing_else() {
    let caller = Caller::new();
    create(&caller, "a", "in");
    let ask = |target: &str, headers: &[(&str, &str)]| {
        caller.exchange(&Sent::new(target, headers, ""), |_| None).status
    };
    let protocols = format!("bearer.{}, resource-edge.changes", caller.token);
    assert_eq!(ask("GET /p/changes", &[UPGRADE, ("Sec-WebSocket-Protocol", &protocols)]), 101);
    for headers in [&[UPGRADE, PROTOCOLS][..], &[("Sec-WebSocket-Protocol", &protocols)]] {
        assert_eq!(ask("GET /p/changes", headers), 401);
    }
    assert_eq!(ask("GET /p/resource/a", &[UPGRADE, ("Sec-WebSocket-Protocol", &protocols)]), 401);
    assert_eq!(ask("GET /other/changes", &[UPGRADE, ("Sec-WebSocket-Protocol", &protocols)]), 403);
    let only = format!("bearer.{}", caller.token);
    let got = caller
        .exchange(&Sent::new("GET /p/changes", &[UPGRADE, ("Sec-WebSocket-Protocol", &only)], ""), |_| None);
    assert_eq!(got.status, 400, "{got:?}");
    assert_eq!(got.json()["errors"][0]["header"], "Sec-WebSocket-Protocol");
}

#[test]
fn sockets_and_streams_have_fewer_parameters() {
    let caller = Caller::new();
    create(&caller, "a", "in");
    let conditions: Vec<&str> = (0..600).map(|_| "version%3D1").collect();
    let long = format!("where={}", conditions.join("%20or%20"));
    for (headers, query, status) in [
        (&[UPGRADE, PROTOCOLS][..], "limit=1", 400),
        (&[UPGRADE, PROTOCOLS], "wait=1", 400),
        (&[UPGRADE, PROTOCOLS], "after=a.1", 410),
        (&[UPGRADE, PROTOCOLS], long.as_str(), 400),
        (&[EVENTS], "limit=1", 200),
        (&[EVENTS], "wait=1", 400),
        (&[EVENTS], "after=a", 400),
        (&[EVENTS, ("Authorization", "Bearer a")], "after=now", 401),
        (&[EVENTS], long.as_str(), 200),
        (&[EVENTS, ("Last-Event-ID", "a.1")], "after=now", 410),
        (&[EVENTS, ("Last-Event-ID", "now")], "after=now", 400),
        (&[EVENTS, ("Last-Event-ID", "")], "after=now", 200),
    ] {
        let got = caller.ask(&format!("GET /p/changes?{query}"), headers, b"");
        assert_eq!(got.status, status, "{headers:?} {query}: {got:?}");
    }
}

#[test]
fn the_longest_message_of_a_listener_fits_into_what_the_platform_stores() {
    let caller = Caller::new();
    create(&caller, "a", "in");
    // The platform stores 16 KiB with a socket, and the message is not all of it.
    const { assert!(limits::LISTENER_BYTES <= 12 * 1024) };
    let conditions: Vec<&str> = (0..400).map(|_| "version%3D1").collect();
    let message = listen(&caller, &format!("where={}", conditions.join("%20or%20")));
    let bytes = wire::encode(&message).unwrap().len();
    assert!((1_000..=limits::LISTENER_BYTES + 64).contains(&bytes), "{bytes}");
}

#[test]
fn listeners_with_the_same_condition_have_the_same_message() {
    let caller = Caller::new();
    create(&caller, "a", "in");
    let first = listen(&caller, "where=custom%3D%3Ax&var.x=in");
    create(&caller, "b", "in");
    assert_eq!(listen(&caller, "where=custom%3D%22in%22"), first);
    assert_ne!(listen(&caller, "where=custom%3D%22out%22"), first);
    assert_ne!(listen(&caller, ""), first);
}

#[test]
fn a_listener_and_a_stream_end_with_the_token() {
    let caller = Caller::new();
    create(&caller, "a", "in");
    caller.edge.frozen.set(true);
    let expires = caller.edge.clock.get() / 1_000 * 1_000 + 3_600_000;
    let sent = caller.request_of("GET /p/changes", &[UPGRADE, PROTOCOLS], "");
    let (_, message) = caller.message(&sent);
    let Some(Call::Listen(listener)) = message.map(|message| message.call) else { panic!() };
    assert_eq!((listener.after, listener.expires), (After::Now, expires));
    let stream = || {
        let mut found = None;
        let sent = caller.request_of("GET /p/changes", &[EVENTS], "");
        let got = caller.exchange(&sent, |effect| {
            let Effect::Stream { message, ms, .. } = effect else { return None };
            let message: Message = wire::decode(message).unwrap();
            let Call::Changes(changes) = message.call else { panic!() };
            found = Some((changes.wait, *ms));
            None
        });
        assert_eq!((got.status, got.header("Content-Type")), (200, Some("text/event-stream")));
        found.unwrap()
    };
    assert_eq!(stream(), (0, 60_000));
    caller.edge.clock.set(expires - 1_500);
    assert_eq!(stream(), (0, 1_500));
    // A page is allowed a little longer, because clocks differ, but nothing that would end at once.
    caller.edge.clock.set(expires);
    for (headers, status) in [(&[UPGRADE, PROTOCOLS][..], 401), (&[EVENTS], 401), (&[], 200)] {
        assert_eq!(caller.ask("GET /p/changes", headers, b"").status, status, "{headers:?}");
    }
}

#[test]
fn what_waits_names_its_caller_and_its_frames_and_pages_do_not() {
    let caller = Caller::new();
    create(&caller, "a", "in");
    let listener = |query: &str, headers: &[(&str, &str)]| {
        let sent = caller.request_of(&format!("GET /p/changes?{query}"), headers, "");
        caller.message(&sent).1.expect("a message").call.listener()
    };
    let number = listener("wait=1", &[]).expect("a listener");
    assert!(number > 0 && number < 1 << 53, "{number}");
    assert_eq!(listener("after=now&wait=25&where=version%3D1", &[]), Some(number));
    assert_eq!(listener("", &[UPGRADE, PROTOCOLS]), Some(number));
    assert_eq!(listener("", &[]), None);
    assert_eq!(listen(&caller, "").call.listener(), Some(0));
}

#[test]
fn a_frame_is_the_page_over_http_that_follows_the_same_revision() {
    let caller = Caller::new();
    for (id, custom) in [("a", "in"), ("b", "out"), ("c", "in")] {
        create(&caller, id, custom);
    }
    for query in ["", "where=custom%3D%3Ax&var.x=in"] {
        let (message, at) = (listen(&caller, query), present(&caller));
        caller.write("POST /p/resource", &json!({"id": "a", "custom": "out", "objectTypeProperty": {}}));
        caller.write("POST /p/resource", &json!({"id": "b", "custom": "in", "objectTypeProperty": {}}));
        create(&caller, "d", "in");
        caller.ask("DELETE /p/resource/d", &[], b"");
        let page = caller.get(&format!("/p/changes?after={at}&{query}")).body;
        assert_eq!(frame(&caller, &message, revision(&at)), Some(page.clone()), "{query}");
        // A woken object has not opened its database.
        caller.edge.restart();
        caller.edge.projects.borrow()["p"].set_epoch(Some(""));
        assert_eq!(frame(&caller, &message, revision(&at)), Some(page), "{query}");
        caller.write("POST /p/resource", &json!({"id": "a", "custom": "in", "objectTypeProperty": {}}));
        caller.write("POST /p/resource", &json!({"id": "b", "custom": "out", "objectTypeProperty": {}}));
    }
}

#[test]
fn a_frame_has_64_examined_resources_or_500_others_and_256_kib_at_most() {
    let caller = Caller::new();
    create(&caller, "first", "in");
    for (query, most) in [("where=custom%3D%22in%22", limits::FRAME_ROWS), ("", limits::EXPORT_LINES)] {
        let (message, at) = (listen(&caller, query), present(&caller));
        let lines = |from: &str| {
            let text = frame(&caller, &message, revision(from)).unwrap();
            let window: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
            assert_eq!((&window["from"], &window["to"]), (&json!(from), &json!(present(&caller))));
            (text.lines().count() - 1, window["behind"] == true)
        };
        for number in 0..most {
            caller.write(
                "POST /p/resource",
                &json!({"id": format!("r{number}"), "custom": "in", "objectTypeProperty": {}}),
            );
        }
        assert_eq!(lines(&at), (most, false), "{query}");
        create(&caller, &format!("one more {most}"), "in");
        assert_eq!(lines(&at), (0, true), "{query}");
        let at = present(&caller);
        let half = "x".repeat(limits::BATCH_BYTES / 2 - 400);
        create(&caller, &format!("half {most}"), &half);
        create(&caller, &format!("other half {most}"), &half);
        assert!(!lines(&at).1, "{query}");
        create(&caller, &format!("too much {most}"), &half);
        assert_eq!(lines(&at), (0, true), "{query}");
        // A page may have a single larger record, but a frame may not.
        let at = present(&caller);
        create(&caller, &format!("large {most}"), &"x".repeat(limits::BATCH_BYTES));
        assert_eq!(lines(&at), (0, true), "{query}");
    }
}

#[test]
fn a_listener_of_another_history_has_no_frame() {
    let caller = Caller::new();
    create(&caller, "a", "in");
    let (message, at) = (listen(&caller, ""), present(&caller));
    assert_eq!(caller.ask("DELETE /p/data?confirm=p", &[], b"").status, 200);
    assert_eq!(frame(&caller, &message, revision(&at)), None);
}

#[test]
fn a_page_of_an_origin_that_is_not_allowed_gets_no_socket() {
    let caller = Caller::with(&json!({"CORS_ORIGINS": "https://good.example"}));
    create(&caller, "a", "in");
    for (origin, status) in [("https://evil.example", 400), ("https://good.example", 101)] {
        let got = caller.ask("GET /p/changes", &[UPGRADE, PROTOCOLS, ("Origin", origin)], b"");
        assert_eq!(got.status, status, "{got:?}");
    }
}
