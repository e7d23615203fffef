//! What follows a failed attempt, and what the next attempt gets from it.

use super::*;
use crate::test;

/// Returns the first attempt of a call that has ten seconds and can renew its token.
fn attempt(name: &'static str) -> Attempt<'static> {
    let bytes = by(name, "a").encode();
    let operation = Call::decode(&bytes).operation;
    let started = Attempt { operation, first_variable: "a", jitter: JITTER, ..Attempt::default() };
    Attempt { deadline: 10_000, renewable: true, ..started }
}

fn decide(attempt: Attempt<'_>) -> Decision {
    client().next(&attempt)
}

/// Returns the step after an attempt, and the pause.
fn step(attempt: Attempt<'_>) -> (Step, Millis) {
    let Decision { step, pause, .. } = decide(attempt);
    (step, pause)
}

fn after_retries(retries: u32) -> Progress {
    Progress { retries, ..Progress::default() }
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
                let step = step(Attempt { status, foreign, ..attempt(name) });
                assert_eq!(step, (Step::Retry, 199), "{name}: {status}");
            }
        }
    }
    // The service has a fault, which would repeat; or its process or a server before it failed.
    let fault = Attempt { status: 500, ..attempt("getById") };
    assert_eq!([step(fault).0, step(Attempt { foreign: true, ..fault }).0], [Step::Fail, Step::Retry]);
}

#[test]
fn no_other_failure_is_retried() {
    let is_other = |status: &u32| !is_unanswered(*status) && !matches!(status, 200..300 | 304 | 401 | 500);
    for status in (100..1000).filter(is_other) {
        for name in ["getById", "deleteById", "createOrUpdate"] {
            for foreign in [false, true] {
                let step = step(Attempt { status, foreign, ..attempt(name) });
                assert_eq!(step, (Step::Fail, 0), "{name}: {status}");
            }
        }
    }
}

#[test]
fn only_the_service_knows_that_nothing_matches() {
    let missing = Attempt { status: 404, ..attempt("exists") };
    assert_eq!([step(missing).0, step(Attempt { foreign: true, ..missing }).0], [Step::Done, Step::Fail]);
}

#[test]
fn retries_end() {
    let retry =
        |retries| step(Attempt { status: 503, progress: after_retries(retries), ..attempt("getById") });
    let pauses = [199, 399, 799, 1599].map(|pause| (Step::Retry, pause));
    assert_eq!([retry(0), retry(1), retry(2), retry(3)], pauses);
    assert_eq!(retry(4), (Step::FailRetryable, 0));
}

#[test]
fn a_retry_waits_for_retry_after_if_there_is_time() {
    let busy = |now| step(Attempt { status: 503, retry_after: Some(7000), now, ..attempt("getById") });
    assert_eq!(busy(0), (Step::Retry, 7000));
    assert_eq!(busy(2999), (Step::Retry, 7000));
    assert_eq!(busy(3000).0, Step::FailRetryable);
}

#[test]
fn a_late_attempt_is_ended_only_if_another_can_follow() {
    let late = Attempt { late: true, ..attempt("getById") };
    assert_eq!(step(late), (Step::Retry, 199));
    assert_eq!(step(Attempt { progress: after_retries(4), ..late }), (Step::Wait, 0));
    assert_eq!(step(Attempt { now: 9_900, ..late }), (Step::Wait, 0));
}

#[test]
fn a_request_for_a_token_is_retried_as_often_as_calls_need_it() {
    let failed = Attempt { jitter: JITTER, ..Attempt::default() };
    for status in (0..600).filter(|status| is_unanswered(*status)) {
        assert_eq!(step(Attempt { status, ..failed }), (Step::Retry, 199), "{status}");
    }
    assert_eq!(step(Attempt { status: 500, foreign: true, ..failed }), (Step::Retry, 199));
    for (retries, pause) in [(1, 399), (4, 3199), (99, 7999)] {
        let failed = Attempt { progress: after_retries(retries), ..failed };
        assert_eq!(step(failed), (Step::Retry, pause));
        assert_eq!(step(Attempt { retry_after: Some(5), ..failed }), (Step::Retry, 5));
    }
    for status in [400, 401, 404, 500, 507] {
        assert_eq!(step(Attempt { status, ..failed }).0, Step::Fail, "{status}");
    }
    assert_eq!(step(Attempt { status: 200, ..failed }).0, Step::Done);
}

#[test]
fn a_rejected_token_is_renewed_once_if_another_is_available() {
    let refused = |renewable, is_renewed| {
        let progress = Progress { is_renewed, ..Progress::default() };
        step(Attempt { status: 401, renewable, progress, ..attempt("getById") }).0
    };
    assert_eq!([refused(true, false), refused(true, true)], [Step::RenewToken, Step::Fail]);
    assert_eq!(refused(false, false), Step::Fail);
}

#[test]
fn each_step_changes_only_its_part_of_the_progress() {
    let before = after_retries(2);
    let old = Attempt { status: 200, revision: Some(70), progress: before, ..attempt("getById") };
    for (attempt, step, progress) in [
        (Attempt { status: 503, ..old }, Step::Retry, after_retries(3)),
        (Attempt { status: 401, ..old }, Step::RenewToken, Progress { is_renewed: true, ..before }),
        (old, Step::Refresh, Progress { is_refreshed: true, ..before }),
        (Attempt { status: 403, ..old }, Step::Fail, before),
        (Attempt { revision: Some(90), ..old }, Step::Done, before),
    ] {
        let mut client = client();
        after(&mut client, &by("getById", "a"), &record(90, "a", ""));
        let decision = client.next(&attempt);
        assert_eq!((decision.step, decision.progress), (step, progress));
    }
}

#[test]
fn a_refreshed_call_reads_from_the_source_of_truth() {
    let mut bytes = by("getById", "a").encode();
    let refreshed = Progress { is_refreshed: true, ..Progress::default() };
    bytes[16..24].copy_from_slice(&refreshed.number().to_le_bytes());
    let mut headers = Vec::new();
    let set = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
    client().render(&Call::decode(&bytes), 0, validate::check, set).unwrap();
    assert_eq!(headers, [("Cache-Control".to_owned(), "no-cache".to_owned())]);
}

fn is_unknown(attempt: Attempt<'_>) -> bool {
    decide(attempt).progress.is_unknown()
}

#[test]
fn a_write_without_a_response_or_with_an_error_of_a_server_may_have_been_performed() {
    let write = attempt("updateById");
    for status in [0, 200, 302, 500, 502, 503, 504] {
        assert!(is_unknown(Attempt { status, ..write }), "{status}");
        assert!(!is_unknown(Attempt { status, ..attempt("getById") }), "{status}");
        // The token endpoint's response: the write was not sent.
        assert!(!is_unknown(Attempt { status, unsent: true, ..write }), "{status}");
    }
    assert!(is_unknown(Attempt { late: true, ..write }));
    for status in [400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 507] {
        assert!(!is_unknown(Attempt { status, ..write }), "{status}");
    }
    for (status, expected) in
        [(400, false), (403, false), (409, false), (500, true), (507, true), (521, true)]
    {
        assert_eq!(is_unknown(Attempt { status, foreign: true, ..write }), expected, "{status}");
    }
}

#[test]
fn only_a_decision_on_a_write_shows_that_no_earlier_attempt_performed_it() {
    let write = attempt("updateById");
    let sent = Progress { is_unknown: true, ..Progress::default() };
    for earlier in [Attempt { progress: sent, ..write }, Attempt { repeated: true, ..write }] {
        for status in [401, 403, 404, 408, 429, 507] {
            assert!(is_unknown(Attempt { status, ..earlier }), "{status}");
        }
        for status in [400, 409, 412, 413, 415, 422] {
            assert!(!is_unknown(Attempt { status, ..earlier }), "{status}");
            // Another server has no record of earlier attempts.
            assert!(is_unknown(Attempt { status, foreign: true, ..earlier }), "{status}");
        }
        assert!(!is_unknown(Attempt { status: 404, revision: Some(7), ..earlier }));
        assert!(is_unknown(Attempt { status: 503, unsent: true, ..earlier }));
    }
}
