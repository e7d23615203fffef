//! The work of sets of the index that have many rows for each resource: those of long arrays.

use resource_edge::call::{Read, Search};
use serde_json::json;

use super::{ask, content, many, of_large, query, searching, with_budget};

#[test]
fn the_scan_budget_counts_the_values_of_long_arrays() {
    let content = content(&[("arrayOfIntExample", json!((0..2_000).collect::<Vec<_>>()))]);
    let project = of_large(&content, "x", 4_000_000);
    let ranges = |count| many("&filter=arrayOfIntExample:range(# to 9999)", "", count).replace(' ', "+");
    // A single filter is a set, which is also the total.
    for (beside, count, expected) in
        [("", 1, "200 20"), ("filter=version:1", 1, "200 20"), ("filter=version:1", 10, "400 filter")]
    {
        let parameters = format!("{beside}{}", ranges(count));
        let parameters = parameters.trim_start_matches('&');
        assert_eq!(ask(&project, searching(parameters)), expected, "{count} ranges");
        let sorted = match searching(parameters) {
            Read::Search(search) => {
                Read::Search(Search { sort: query("", &["version"], true).sort, ..search })
            }
            other => other,
        };
        assert_eq!(ask(&project, sorted), expected, "{count} ranges, sorted");
    }
    let with_budget = |budget| with_budget(project.database().clone(), budget);
    assert_eq!(ask(&with_budget(500_000), searching(ranges(1).trim_start_matches('&'))), "400 filter");
    // The test of a resource reads its smallest value, or looks up a list, so a scan is allowed even if the set is not.
    let list: Vec<String> = (0..500).map(|value| value.to_string()).collect();
    for text in ["arrayOfIntExample >= 0", &format!("arrayOfIntExample in ({})", list.join(","))] {
        for (budget, page, sorted) in [(100_000, "200 20", "200 20"), (700, "400 withTotal", "400 where")] {
            let query = |sort: &[&str]| Read::QuerySorted(query(text, sort, true));
            assert_eq!(ask(&with_budget(budget), query(&[])), page, "{text:.30} {budget}");
            assert_eq!(ask(&with_budget(budget), query(&["custom"])), sorted, "{text:.30} {budget}");
        }
    }
}
