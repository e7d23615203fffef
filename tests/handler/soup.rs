//! Every request gets a well-formed response that is not a fault, and one line in the log.

use proptest::prelude::*;

use crate::support::caller::Caller;
use crate::support::edge::{Sent, send};
use crate::support::invariants;
use crate::support::soup::{body, header, method, target};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_random_request_gets_a_well_formed_response(
        requests in prop::collection::vec((method(), target(), prop::collection::vec(header(), 0..4), body()), 1..6),
        with_token in prop::bool::weighted(0.8),
    ) {
        let caller = Caller::new();
        for (method, target, mut headers, body) in requests {
            if with_token {
                headers.retain(|(name, _)| name != "Authorization");
                headers.push(("Authorization".to_owned(), format!("Bearer {}", caller.token)));
            }
            if !headers.iter().any(|(name, _)| name == "Content-Type") {
                headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
            }
            let sent = Sent { method, target, headers, body };
            let got = send(&caller.service, &caller.edge, &sent);
            prop_assert_eq!(invariants::broken(&sent, &got), None, "{:?}\n{:?}", sent, got);
            prop_assert!(got.status < 500, "{:?}\n{:?}", sent, got);
            prop_assert!((200..600).contains(&got.status), "{:?}", got);
        }
    }
}
