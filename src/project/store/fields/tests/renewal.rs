//! Calls while the index is renewed.

use super::*;
use crate::test;

fn refusal(reply: &Reply<String>) -> (u16, String) {
    let CallResult::Error(error) = &reply.head.result else { panic!("{reply:?}") };
    (error.status(), error.to_json())
}

/// More records than a query renews.
const MANY: usize = 128 * PARTS as usize + 88;

fn many() -> (Stage, Vec<String>) {
    let ids: Vec<String> = (0..MANY).map(|at| format!("{at:03}")).collect();
    let mut stage = Stage::new("title text\nsize number");
    for id in &ids {
        stage.post(id, &json!({"title": "green", "size": 1}));
    }
    (stage, ids)
}

#[test]
fn while_the_index_is_renewed_writes_and_queries_of_other_fields_are_performed() {
    let (stage, mut ids) = many();
    let mut stage = stage.restart("title text\nsize integer\nnew text");
    assert_eq!(stage.find("title = \"green\" and new is not defined").len(), MANY);
    assert!(stage.project.is_renewing(), "these fields need none of it");
    assert_eq!(stage.sorted("title asc"), ids);
    assert_eq!(stage.search("green").len(), MANY);
    let page = stage.done(searching(&stage.shape(), "facet=title&filter=title:exists"));
    assert_eq!(page["facets"]["title"]["total"], MANY);
    // Of the resources that are written, those of earlier generations are changed at once.
    let last = ids[MANY - 1].clone();
    stage.post(&last, &json!({"title": "red", "size": 7, "new": "n"}));
    stage.post("more", &json!({"title": "red", "size": 8}));
    stage.delete(&ids[MANY - 2]);
    stage.check();
    assert_eq!(stage.find("title = \"red\""), [last.as_str(), "more"]);
    assert_eq!(stage.search("n"), [last.clone()].into());
    assert!(stage.project.is_renewing());
    // A query of the field renews a part, until the rest is small.
    let refused = stage.perform(query(&stage.shape(), "size = 7 and title is defined", &["size asc"]));
    let (status, error) = refusal(&refused);
    assert_eq!(status, 503);
    assert!(error.contains("The index of 'size' is being rebuilt"), "{error}");
    assert!(error.contains("\"field\":\"size\""), "{error}");
    assert_eq!(stage.find("size > 1"), [last.as_str(), "more"]);
    assert!(!stage.project.is_renewing());
    stage.check();
    ids.remove(MANY - 2);
    assert_eq!(stage.sorted("size desc")[..3], ["more", &last, "000"]);
}

#[test]
fn a_form_that_no_value_has_is_queried_at_once() {
    let (stage, _) = many();
    let mut stage = stage.restart("title integer\nsize text");
    assert_eq!(stage.find("title is not defined and not (size = \"1\")").len(), MANY);
    stage.post("a", &json!({"title": 2, "size": "large"}));
    assert_eq!(stage.find("title = 2 and size = \"large\""), ["a"]);
    assert_eq!(stage.sorted("title desc")[0], "a");
    assert_eq!(stage.search("large"), ["a".to_owned()].into());
    assert!(stage.project.is_renewing());
    stage.check();
    // Back, where they may have values.
    let mut stage = stage.restart("title text\nsize number");
    let refused = stage.perform(query(&stage.shape(), "title = \"green\" or size = 1", &[]));
    assert!(refusal(&refused).1.contains("'title', 'size'"), "{refused:?}");
    assert_eq!(stage.find("title = \"green\" or size = 1").len(), MANY);
    stage.check();
}

#[test]
fn a_shape_that_changes_again_and_back_leaves_no_gap() {
    let (stage, _) = many();
    // Begins, and leaves the rest.
    let stage = stage.restart("title text\nsize integer");
    stage.project.make_ready().unwrap();
    assert!(!stage.project.renew(2).unwrap());
    // Continues without a field and with a new one.
    let mut stage = stage.restart("size integer\nnew text");
    stage.project.make_ready().unwrap();
    assert!(!stage.project.renew(1).unwrap());
    stage.post("a", &json!({"size": 7, "new": "n"}));
    stage.check();
    // Back, with a field that the second one has lost, then on, and back.
    for table in ["title text\nsize number", "title integer\nsize text", "title datetime\nsize integer"] {
        stage = stage.restart(table);
        stage.project.make_ready().unwrap();
        assert!(!stage.project.renew(3).unwrap());
        stage.post("000", &json!({"custom": table}));
        stage.check();
    }
    let (mut stage, _) = stage.deploy("title text\nsize number");
    assert_eq!(stage.find("size = 1").len(), MANY);
    assert_eq!(stage.search("green").len(), MANY);
    assert_eq!(stage.find("size = 7 and title is not defined"), ["a"]);
    let earlier = "SELECT count(*) FROM generation";
    let count: i64 = stage.project.database().connection.query_row(earlier, [], |row| row.get(0)).unwrap();
    assert_eq!(count, 0);
}

#[test]
fn records_whose_index_stays_the_same_are_not_written() {
    let (stage, ids) = many();
    let mut stage = stage.restart("title text\nsize number\nother text");
    stage.post(&ids[3], &json!({"other": "x"}));
    let (stage, is_renewed) = stage.deploy("title text\nsize number\nother integer");
    assert!(is_renewed);
    let sql = "SELECT count(*) FROM resource WHERE generation > 1";
    let count: i64 = stage.project.database().connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(count, 1);
    // They have the generation that was the newest when they were compared.
    let (mut stage, _) = stage.deploy("title integer\nsize number\nother integer");
    assert_eq!(stage.search("green"), BTreeSet::new());
    assert_eq!(stage.find("title is not defined").len(), MANY);
}

#[test]
fn words_that_are_not_searched_yet_are_waited_for() {
    let (stage, _) = many();
    let stage = stage.deploy("title datetime\nsize number").0;
    let mut stage = stage.restart("title text\nsize number");
    let (status, error) = refusal(&stage.perform(searching(&stage.shape(), "text.en=green")));
    assert!(status == 503 && error.contains("'title'"), "{error}");
    assert_eq!(stage.search("green").len(), MANY);
    // Texts that are texts no more are found until then, as those of a removed field.
    let mut stage = stage.restart("title integer\nsize number");
    assert_eq!(stage.search("green").len(), MANY);
    assert!(stage.project.is_renewing());
}
