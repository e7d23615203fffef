//! What follows a failed attempt, and what the next attempt gets from it.

use super::*;
use crate::client::call::Progress;
use crate::test;

fn call(name: &str) -> CallState {
    by(name, "a").begin()
}

fn after_retries(name: &str, retries: u32) -> CallState {
    let mut call = call(name);
    call.progress.retries = retries;
    call
}

fn response(status: u32) -> Response<'static> {
    Response { status, jitter: JITTER, ..Response::default() }
}

/// Returns the step after a response to the call, and the pause.
fn step(mut call: CallState, response: &Response<'_>) -> (Step, Millis) {
    let Decision { step, pause } = client().next(&mut call, response);
    (step, pause)
}

/// Returns whether the service did not respond, whatever the response is.
const fn is_unanswered(status: u32) -> bool {
    matches!(status, 0 | 408 | 425 | 429 | 502..=504 | 512..=599)
}

#[test]
fn transient_failures_are_retried() {
    for status in (0..600).filter(|status| is_unanswered(*status)) {
        for name in ["getById", "updateById", "exists"] {
            for foreign in [false, true] {
                let step = step(call(name), &Response { foreign, ..response(status) });
                assert_eq!(step, (Step::Retry, 199), "{name}: {status}");
            }
        }
    }
    // The service has a fault, which would repeat; or its process or a server before it failed.
    let fault = |foreign| step(call("getById"), &Response { foreign, ..response(500) }).0;
    assert_eq!([fault(false), fault(true)], [Step::Fail, Step::Retry]);
}

#[test]
fn no_other_failure_is_retried() {
    let is_other = |status: &u32| !is_unanswered(*status) && !matches!(status, 200..300 | 304 | 401 | 500);
    for status in (100..1000).filter(is_other) {
        for name in ["getById", "deleteById", "createOrUpdate"] {
            for foreign in [false, true] {
                let step = step(call(name), &Response { foreign, ..response(status) });
                assert_eq!(step, (Step::Fail, 0), "{name}: {status}");
            }
        }
    }
}

#[test]
fn only_the_service_knows_that_nothing_matches() {
    let missing = |foreign| step(call("exists"), &Response { foreign, ..response(404) }).0;
    assert_eq!([missing(false), missing(true)], [Step::Done, Step::Fail]);
}

#[test]
fn retries_end() {
    let (mut client, mut call) = (client(), call("getById"));
    let mut retry = || client.next(&mut call, &response(503));
    for pause in [199, 399, 799, 1599] {
        let decision = retry();
        assert_eq!((decision.step, decision.pause), (Step::Retry, pause));
    }
    assert_eq!([retry().step, retry().step], [Step::FailRetryable; 2]);
}

#[test]
fn a_retry_waits_for_retry_after_if_there_is_time() {
    let busy = |now| step(call("getById"), &Response { retry_after: Some(7000), now, ..response(503) });
    assert_eq!(busy(0), (Step::Retry, 7000));
    assert_eq!(busy(2999), (Step::Retry, 7000));
    assert_eq!(busy(3000).0, Step::FailRetryable);
}

#[test]
fn a_late_attempt_is_ended_only_if_another_can_follow() {
    let late = Response { late: true, ..response(0) };
    assert_eq!(step(call("getById"), &late), (Step::Retry, 199));
    assert_eq!(step(after_retries("getById", 4), &late), (Step::Wait, 0));
    assert_eq!(step(call("getById"), &Response { now: 9_900, ..late }), (Step::Wait, 0));
}

#[test]
fn a_call_that_waits_for_a_late_response_gets_the_step_that_follows_it() {
    let (mut client, mut call) = (client(), after_retries("updateById", 4));
    assert_eq!(client.next(&mut call, &Response { late: true, ..response(0) }).step, Step::Wait);
    assert!(!call.is_unknown(), "only its attempt may have performed the write");
    assert_eq!(client.next(&mut call, &response(403)).step, Step::Fail);
    assert!(!call.is_unknown());
}

#[test]
fn a_request_for_a_token_is_retried_as_often_as_calls_need_it() {
    for status in (0..600).filter(|status| is_unanswered(*status)) {
        assert_eq!(step(call(""), &response(status)), (Step::Retry, 199), "{status}");
    }
    assert_eq!(step(call(""), &Response { foreign: true, ..response(500) }), (Step::Retry, 199));
    for (failures, pause) in [(1, 399), (4, 3199), (99, 7999)] {
        let failed = || Input { failures, ..by("", "") }.begin();
        assert_eq!(step(failed(), &response(503)), (Step::Retry, pause));
        let busy = Response { retry_after: Some(5), ..response(503) };
        assert_eq!(step(failed(), &busy), (Step::Retry, 5));
    }
    for status in [400, 401, 404, 500, 507] {
        assert_eq!(step(call(""), &response(status)).0, Step::Fail, "{status}");
    }
    assert_eq!(step(call(""), &response(200)).0, Step::Done);
}

#[test]
fn a_rejected_token_is_renewed_once_if_another_is_available() {
    let fixed = CallState::new(&encode(&[index("getById")], &["key", "a"]));
    for (mut call, steps) in
        [(call("getById"), [Step::RenewToken, Step::Fail]), (fixed, [Step::Fail, Step::Fail])]
    {
        let mut client = client();
        assert_eq!([(); 2].map(|()| client.next(&mut call, &response(401)).step), steps);
    }
}

#[test]
fn each_step_changes_only_its_part_of_the_progress() {
    let old = Response { revision: Some(70), ..response(200) };
    let mut client = client();
    after(&mut client, &by("getById", "a"), &record(90, "a", ""));
    let mut call = by("getById", "a").start(&client);
    call.progress.retries = 2;
    let before = call.progress;
    for (response, step, progress) in [
        (Response { status: 503, ..old }, Step::Retry, Progress { retries: 3, ..before }),
        (Response { status: 401, ..old }, Step::RenewToken, Progress { is_renewed: true, ..before }),
        (old, Step::Refresh, Progress { is_refreshed: true, ..before }),
        (Response { status: 403, ..old }, Step::Fail, before),
        (Response { revision: Some(90), ..old }, Step::Done, before),
    ] {
        let mut call = call.clone();
        assert_eq!(client.next(&mut call, &response).step, step);
        assert_eq!(call.progress, progress);
    }
}

#[test]
fn a_refreshed_call_reads_from_the_source_of_truth() {
    let mut client = client();
    after(&mut client, &by("getById", "a"), &record(90, "a", ""));
    let mut call = by("getById", "a").start(&client);
    assert_eq!(client.next(&mut call, &Response { revision: Some(70), ..response(200) }).step, Step::Refresh);
    let mut headers = Vec::new();
    let set = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
    client.render(&mut call, check_json, set).unwrap();
    assert!(headers.contains(&("Cache-Control".to_owned(), "no-cache".to_owned())), "{headers:?}");
}

/// Returns whether a write may have been performed after a response to it.
fn is_unknown(mut call: CallState, response: &Response<'_>) -> bool {
    client().next(&mut call, response);
    call.is_unknown()
}

#[test]
fn a_write_without_a_response_or_with_an_error_of_a_server_may_have_been_performed() {
    let write = || call("updateById");
    for status in [0, 200, 302, 500, 502, 503, 504] {
        let response = response(status);
        assert!(is_unknown(write(), &response), "{status}");
        assert!(!is_unknown(call("getById"), &response), "{status}");
        // The token endpoint's response: the write was not sent.
        assert!(!is_unknown(write(), &Response { unsent: true, ..response }), "{status}");
    }
    assert!(is_unknown(write(), &Response { late: true, ..response(0) }));
    for status in [400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 507] {
        assert!(!is_unknown(write(), &response(status)), "{status}");
    }
    for (status, expected) in
        [(400, false), (403, false), (409, false), (500, true), (507, true), (521, true)]
    {
        let foreign = Response { foreign: true, ..response(status) };
        assert_eq!(is_unknown(write(), &foreign), expected, "{status}");
    }
}

#[test]
fn only_a_decision_on_a_write_shows_that_no_earlier_attempt_performed_it() {
    let repeated = || Input { repeated: true, ..by("updateById", "a") }.begin();
    assert!(repeated().is_unknown());
    let retried = || {
        let mut call = call("updateById");
        client().next(&mut call, &response(503));
        call
    };
    for earlier in [&repeated as &dyn Fn() -> CallState, &retried] {
        // Another shape may have accepted the body of a 400.
        for status in [400, 401, 403, 404, 408, 429, 507] {
            assert!(is_unknown(earlier(), &response(status)), "{status}");
        }
        for status in [409, 412, 413, 415, 422] {
            assert!(!is_unknown(earlier(), &response(status)), "{status}");
            // Another server has no record of earlier attempts.
            assert!(is_unknown(earlier(), &Response { foreign: true, ..response(status) }), "{status}");
        }
        assert!(!is_unknown(earlier(), &Response { revision: Some(7), ..response(404) }));
        assert!(is_unknown(earlier(), &Response { unsent: true, ..response(503) }));
    }
}
