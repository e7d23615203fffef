//! The feed accepts the conditions that queries accept.

use resource_edge::call::{After, Changes, More};

use super::*;

/// Reads all pages of changes, and returns how many resources match; the error if one is rejected.
pub(super) fn matches(project: &Project<Shared>, condition: Typed) -> Result<usize, String> {
    project.set_epoch(Some(""));
    let mut count = 0;
    let mut changes =
        Changes { after: After::Beginning, condition: Some(condition), limit: 500, wait: 0, caller: 0 };
    loop {
        let message = messages::message(Call::Changes(changes.clone()));
        let reply = project.perform(&message, &messages::at(1_800_000_000_000)).expect("no fault");
        let CallResult::Changes { to, more } = reply.head.result else {
            return Err(format!("{:?}", reply.head.result));
        };
        count += reply.body.unwrap_or_default().lines().filter(|line| line.starts_with("{\"id\":")).count();
        if more != More::Page {
            return Ok(count);
        }
        changes.after = After::Position(to);
    }
}

#[test]
fn a_large_resource_ends_a_follower_only_if_it_may_match() {
    // A heavy resource alone exceeds the budget.
    let project = of_items(work::BUDGET / 20);
    let one = "(arrayOfObjectType(integerExample = 0 and integerExampleInt32 < -#) and version > 0)";
    let of = |kind: &str| format!("custom = \"{kind}\" and ({})", many(one, " or ", 20));
    assert_eq!(page(&project, &of("light"), &[], true), "200 0");
    assert_eq!(page(&project, &of("heavy"), &[], true), "400 where");
    assert!(matches(&project, query(&of("heavy"), &[], true).condition).is_err());
}
