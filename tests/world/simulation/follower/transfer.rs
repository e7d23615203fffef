//! Two resources that only batches change (D43): whoever has whole batches finds a constant sum in them.

use resource_edge::contract::position::{FeedPosition, ProjectPosition};

use super::feed::window;
use super::*;
use crate::world::simulation::oracle::need;

const PAIR: [&str; 2] = ["s0", "s1"];
const SUM: u64 = 100;

/// Returns whether whole batches have led to these records of the pair.
pub(super) fn is_whole<R: AsRef<str>>(record: impl Fn(&str) -> Option<R>) -> bool {
    let amounts = PAIR.map(|id| {
        let record: Value = serde_json::from_str(record(id)?.as_ref()).expect("a record is JSON");
        record[deploy::FILLER].as_str()?.parse::<u64>().ok()
    });
    match amounts {
        [Some(one), Some(other)] => one + other == SUM,
        [one, other] => one.is_none() && other.is_none(),
    }
}

/// Returns a page as if it ended before the last write of a batch.
pub(super) fn without_last(page: &str) -> String {
    let (_, to) = window(page);
    let lines = page.trim_end().rsplit_once('\n');
    let Some((rest, _)) = lines.filter(|(_, last)| last.contains(&format!("\"id\":\"{}\"", PAIR[1]))) else {
        return page.to_owned();
    };
    let at = ProjectPosition { revision: to.at.revision - 1, ..to.at.clone() };
    let end = FeedPosition::new(at, to.began);
    format!("{}\n", rest.replacen(&format!("\"to\":\"{to}\""), &format!("\"to\":\"{end}\""), 1))
}

impl World {
    /// A caller moves an amount from one resource of the pair to the other. At times another write is between.
    pub(super) fn transfer(&mut self) -> Verdict {
        let amount = self.random.below(SUM + 1);
        let mut writes: Vec<Value> = PAIR
            .into_iter()
            .zip([amount, SUM - amount])
            .map(|(id, amount)| {
                let mut body = self.deployments.body(id, &self.random);
                body[deploy::FILLER] = json!(amount.to_string());
                json!({ "operation": "createOrUpdate", "body": body })
            })
            .collect();
        if self.random.chance(300) {
            let body = self.deployments.body(&format!("r{}", self.random.below(IDS)), &self.random);
            writes.insert(1, json!({ "operation": "createOrUpdate", "body": body }));
        }
        let was_whole = self.source.is_whole();
        let status = self.status(true, "POST /p/batch", &json!({ "writes": writes }).to_string());
        self.report.count(if status == 200 { "a batch" } else { "a batch without a result" });
        // A new resource may need a unique value that another one has.
        need([200, 400, 500, 503].contains(&status), || format!("a batch gets {status}"))?;
        need(!was_whole || self.source.is_whole(), || "a part of a batch is committed".to_owned())
    }
}
