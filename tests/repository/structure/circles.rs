//! Circles in a graph of imports.

use std::collections::{BTreeMap, BTreeSet};

/// Returns a circle through each group of files that import each other; the first file of a circle is also its last.
pub(crate) fn find(graph: &BTreeMap<String, Vec<String>>) -> Vec<Vec<String>> {
    let mut circles: Vec<Vec<String>> = Vec::new();
    for start in graph.keys() {
        if circles.iter().any(|circle| circle.contains(start)) {
            continue;
        }
        circles.extend(circle(graph, start));
    }
    circles
}

/// Returns the shortest way from a file to itself.
fn circle(graph: &BTreeMap<String, Vec<String>>, start: &String) -> Option<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut ways = vec![vec![start.clone()]];
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in graph.get(way.last()?).into_iter().flatten() {
                let way: Vec<String> = way.iter().chain([next]).cloned().collect();
                if next == start {
                    return Some(way);
                }
                if seen.insert(next) {
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    None
}
