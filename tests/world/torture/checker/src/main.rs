//! Checks a history that `tests/world/torture/run.mjs` recorded: `torture-checker FILE`. Prints what was checked and
//! all violations; exits with 1 if there are any.

mod history;
mod linear;
mod rules;
mod spec;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::process::ExitCode;

use history::{History, Operation, Outcome};
use linear::Verdict;

/// The maximum number of printed violations.
const PRINTED: usize = 40;

/// Figures of the checked history, and the violations.
#[derive(Debug, Default)]
struct Report {
    operations: usize,
    acknowledged: usize,
    unknown: usize,
    groups: usize,
    longest: usize,
    kills: u64,
    comparisons: usize,
    compared: u64,
    violations: Vec<String>,
}

fn check(history: &History) -> Report {
    let mut report =
        Report { kills: history.kills, comparisons: history.comparisons.len(), ..Report::default() };
    for operations in history.projects.values() {
        report.operations += operations.len();
        let performed = |operation: &&Operation| {
            operation.kind.is_write() && matches!(operation.outcome, Outcome::Record { .. })
        };
        report.acknowledged += operations.iter().filter(performed).count();
        report.unknown += operations.iter().filter(|operation| operation.outcome.is_unknown()).count();
        report.violations.extend(rules::violations(operations));
        let mut groups: BTreeMap<&str, Vec<&Operation>> = BTreeMap::new();
        for operation in operations {
            groups.entry(&operation.group).or_default().push(operation);
        }
        report.groups += groups.len();
        for (group, operations) in groups {
            report.longest = report.longest.max(operations.len());
            match linear::verdict_of(&operations) {
                Verdict::Linearizable => {}
                verdict => report.violations.push(format!(
                    "the history of {group} is {verdict:?}: {} operations are in no order that explains them",
                    operations.len()
                )),
            }
        }
    }
    for comparison in &history.comparisons {
        report.compared += comparison.compared;
        for difference in &comparison.differing {
            let late = if difference.late { ", by a put that was in flight at a kill" } else { "" };
            report.violations.push(format!(
                "KV differs from the source of truth of {}{late}: {} is {:?} in place of {:?}",
                comparison.project, difference.entry, difference.kv, difference.truth
            ));
        }
    }
    report
}

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("error: expected the file of a history");
        return ExitCode::from(2);
    };
    let history = match std::fs::read_to_string(&file).map_err(|error| error.to_string()) {
        Ok(text) => History::parse(&text),
        Err(error) => Err(error),
    };
    let report = match history {
        Ok(history) => check(&history),
        Err(error) => {
            eprintln!("error: {file}: {error}");
            return ExitCode::from(2);
        }
    };
    println!(
        "{} kills, {} operations, {} acknowledged writes, {} without a response",
        report.kills, report.operations, report.acknowledged, report.unknown
    );
    println!(
        "{} histories are checked for linearizability, the longest of {} operations",
        report.groups, report.longest
    );
    println!("{} KV entries compared in {} comparisons", report.compared, report.comparisons);
    println!("{} violations", report.violations.len());
    for violation in report.violations.iter().take(PRINTED) {
        println!("  {violation}");
    }
    // A run that checked nothing shows nothing.
    if report.violations.is_empty() && report.acknowledged > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
