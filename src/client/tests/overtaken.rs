//! Responses that other calls of the session have overtaken.

use super::*;
use crate::test;

/// Creates a page of resources without keys.
fn page_of(resources: &[(&str, Millis)]) -> Got {
    let resources = resources.iter().map(|(id, revision)| ((*id).to_owned(), "", *revision)).collect();
    Got { resources, ..status(200) }
}

/// Returns the call as if it read from the source of truth.
fn refreshed(call: &CallState) -> CallState {
    let mut refreshed = call.clone();
    refreshed.progress.is_refreshed = true;
    refreshed
}

#[test]
fn a_copy_older_than_the_session_is_refreshed() {
    let mut client = client();
    after(&mut client, &by("getById", "a"), &record(90, "a", ""));
    // By a key that was never observed.
    let call = by("getByKey", "k");
    assert_eq!(after(&mut client, &call, &record(70, "a", "k")), Step::Refresh);
    let fresh = Input { fresh: true, ..call };
    assert_eq!(after(&mut client, &fresh, &record(70, "a", "k")), Step::Done, "from the source of truth");
    assert_eq!(after(&mut client, &call, &record(90, "a", "k")), Step::Done);
    assert_eq!(minimum(&client, &by("getById", "a")), Some(90));
    // A write returns the source of truth.
    assert_eq!(after(&mut client, &by("updateById", "a"), &record(80, "a", "")), Step::Done);
}

#[test]
fn a_read_that_was_overtaken_is_repeated_even_if_it_was_fresh() {
    for call in [by("getById", "a"), by("getByKey", "k")] {
        let mut client = client();
        let slow = call.start(&client);
        let fresh = Input { fresh: true, ..call };
        let slow_fresh = fresh.start(&client);
        after(&mut client, &by("updateById", "a"), &record(90, "a", "k"));
        assert_eq!(record(70, "a", "k").after(&mut client, &slow), Step::Refresh, "{call:?}");
        assert_eq!(record(70, "a", "k").after(&mut client, &slow_fresh), Step::Retry, "{call:?}");
        let mut last = slow_fresh;
        last.progress.retries = 4;
        assert_eq!(record(70, "a", "k").after(&mut client, &last), Step::FailRetryable, "{call:?}");
        assert_eq!(record(90, "a", "k").after(&mut client, &slow), Step::Done, "{call:?}");
        // A source of truth that was set back is accepted, but the observed revisions remain.
        assert_eq!(after(&mut client, &fresh, &record(70, "a", "k")), Step::Done, "{call:?}");
        assert_eq!(minimum(&client, &call), Some(90), "{call:?}");
    }
}

#[test]
fn a_read_by_key_that_was_overtaken_on_another_resource_is_repeated() {
    let call = by("getByKey", "k");
    let missing = Got { revision: Some(90), ..status(404) };
    // After its start, the session observed the key on another resource, or on none.
    for newer in [record(90, "b", "k"), missing] {
        let mut client = client();
        let slow = call.start(&client);
        after(&mut client, &call, &newer);
        assert_eq!(record(70, "a", "k").after(&mut client, &slow), Step::Refresh, "{newer:?}");
        assert_eq!(minimum(&client, &call), Some(90), "{newer:?}");
    }
}

#[test]
fn a_404_from_before_an_observation_is_read_again() {
    for (call, other) in
        [(by("getById", "a"), by("getByKey", "k")), (by("getByKey", "k"), by("getById", "a"))]
    {
        let mut client = client();
        let missing = |revision| Got { revision: Some(revision), ..status(404) };
        let slow = call.start(&client);
        after(&mut client, &by("createOrUpdate", ""), &record(90, "a", "k"));
        assert_eq!(missing(80).after(&mut client, &slow), Step::Refresh, "{call:?}");
        assert_eq!(missing(80).after(&mut client, &refreshed(&slow)), Step::Retry, "{call:?}");
        assert_eq!(missing(95).after(&mut client, &slow), Step::Fail, "it was deleted since: {call:?}");
        assert_eq!(minimum(&client, &call), Some(95), "{call:?}");
        // A 404 that started after all this, from a source of truth that was set back.
        let fresh = Input { fresh: true, ..other };
        assert_eq!(after(&mut client, &fresh, &missing(80)), Step::Fail, "{other:?}");
        // Not a response of the service: it does not describe the state.
        assert_eq!(status(404).after(&mut client, &slow), Step::Fail, "{call:?}");
    }
}

#[test]
fn a_page_that_was_overtaken_is_read_again() {
    for query in ["query", "querySorted", "search"] {
        let call = by(query, "");
        let mut client = client();
        after(&mut client, &by("getById", "a"), &record(50, "a", ""));
        let slow = call.start(&client);
        after(&mut client, &by("updateById", "a"), &record(90, "a", ""));
        let old = page_of(&[("b", 60), ("a", 50)]);
        assert_eq!(old.after(&mut client, &slow), Step::Refresh, "{query}");
        assert_eq!(minimum(&client, &by("getById", "b")), None, "what is not shown is not seen");
        let again = Input { fresh: true, ..call }.start(&client);
        assert_eq!(old.after(&mut client, &refreshed(&slow)), Step::Retry, "{query}");
        assert_eq!(page_of(&[("b", 60), ("a", 90)]).after(&mut client, &again), Step::Done, "{query}");
        // A response that started after all this shows the state, even if the database was set back.
        assert_eq!(after(&mut client, &call, &old), Step::Refresh, "{query}");
        assert_eq!(after(&mut client, &Input { fresh: true, ..call }, &old), Step::Done, "{query}");
        assert_eq!(minimum(&client, &by("getById", "a")), Some(90), "{query}");
    }
    // A page is not outdated by resources that it does not include, nor by a resource without a newer observation.
    let mut client = client();
    let call = by("query", "");
    let slow = call.start(&client);
    after(&mut client, &by("getById", "c"), &record(90, "c", ""));
    after(&mut client, &by("getById", "a"), &record(50, "a", ""));
    assert_eq!(page_of(&[("a", 50)]).after(&mut client, &slow), Step::Done);
}

#[test]
fn a_page_of_an_allowed_age_shows_all_that_the_session_has_seen() {
    let mut client = client();
    let aged = |name| Input { max_age: 5, ..by(name, "") };
    let minimums = |client: &Client| {
        ["query", "search", "querySorted", "exists"].map(|name| minimum(client, &aged(name)))
    };
    assert_eq!(minimums(&client), [None; 4]);
    after(&mut client, &by("getById", "a"), &record(70, "a", ""));
    assert_eq!(minimums(&client), [Some(70); 4]);
    assert_eq!(minimum(&client, &by("query", "")), None, "it has to be current");
    // The page is newer than what it shows, because others are deleted.
    let page = Got { revision: Some(90), ..page_of(&[("a", 70)]) };
    assert_eq!(after(&mut client, &aged("query"), &page), Step::Done);
    after(&mut client, &by("getById", "b"), &record(80, "b", ""));
    assert_eq!(minimums(&client), [Some(90); 4]);
    let none = Got { revision: Some(95), ..status(404) };
    assert_eq!(after(&mut client, &aged("exists"), &none), Step::Done);
    assert_eq!(minimums(&client), [Some(95); 4]);
    assert_eq!(minimum(&client, &by("getById", "a")), Some(70), "only of pages");
    observe(&mut client, &[("c", 99)]);
    assert_eq!(minimums(&client), [Some(99); 4]);
}

#[test]
fn a_page_that_shows_a_resource_deleted_meanwhile_is_read_again() {
    let mut client = client();
    let call = by("query", "");
    let slow = call.start(&client);
    after(&mut client, &by("deleteById", "a"), &record(90, "a", ""));
    assert_eq!(page_of(&[("a", 50)]).after(&mut client, &slow), Step::Refresh);
}

#[test]
fn a_replayed_write_or_a_dropped_name_lowers_no_minimum() {
    let mut client = client();
    after(&mut client, &by("getById", "a"), &record(900, "a", ""));
    // Enough names to drop it.
    for number in 0..3000_u64 {
        after(&mut client, &by("getById", "b"), &record(1000 + number, &number.to_string(), ""));
    }
    after(&mut client, &by("updateById", "a"), &record(70, "a", ""));
    assert!(minimum(&client, &by("getById", "a")) >= Some(900));
    // A read that was in flight while names were dropped.
    let call = by("querySorted", "");
    let mut slow = call.start(&client);
    slow.progress.began = 0;
    assert_eq!(page_of(&[("a", 70)]).after(&mut client, &slow), Step::Refresh);
    assert!(minimum(&client, &by("getById", "a")) >= Some(900));
    // A frame that was on its way while names were dropped.
    observe(&mut client, &[("a", 70)]);
    assert!(minimum(&client, &by("getById", "a")) >= Some(900));
    // A page that started after that shows the state.
    assert_eq!(after(&mut client, &by("querySorted", ""), &page_of(&[("a", 901)])), Step::Done);
    assert_eq!(minimum(&client, &by("getById", "a")), Some(901));
}
