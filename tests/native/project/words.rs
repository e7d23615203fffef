//! The index of words after any history is that of a rebuild: the words, and the totals by which FTS5 ranks.

use super::*;
use crate::support::random::Random;

/// Returns the rows of `term`, the words with their counts, the number of words of each resource, and the totals. The
/// index of records that wait follows first.
pub(super) fn index(project: &Collection) -> Vec<String> {
    project.follow().unwrap();
    let disk = project.database();
    let statements = [
        "SELECT * FROM term",
        "SELECT term, doc, cnt FROM vocabulary",
        "SELECT id, hex(sz) FROM text_docsize ORDER BY id",
        "SELECT hex(block) FROM text_data WHERE id = 1",
    ];
    statements.iter().flat_map(|sql| disk.sqlite.rows(sql)).collect()
}

pub(super) fn rebuild(disk: &Shared) -> Collection {
    disk.run("UPDATE meta SET value = 0 WHERE name = 'index'");
    let project = start(disk.clone());
    project.make_ready().unwrap();
    assert!(project.renew(u32::MAX).unwrap());
    project
}

#[test]
fn the_index_of_words_after_many_changes_is_that_of_a_rebuild() {
    let disk = Shared::new();
    let project = start(disk.clone());
    let random = Random::new(1);
    let roll = |sides| random.below(sides);
    let texts =
        ["STRASSE Straße", "İstanbul ﬁn", "don't \"x\" a.b", "👩‍💻 東京 ไทย", " \u{93f} \u{301}a", "", "!?"];
    for now in 0..600 {
        let id = format!("r{}", roll(8));
        let text = || {
            let count = if roll(10) == 0 { 300 } else { roll(6) };
            (0..count).map(|_| texts[roll(7) as usize]).collect::<Vec<_>>().join(" ")
        };
        let (one, other) = (text(), text());
        let arrays = json!({"arrayOfStringExample": [one, other, one]});
        let message = match roll(6) {
            0 => delete(&id),
            1 => put(&json!({"id": id, "version": 1 + roll(5), "objectTypeProperty": {}})),
            2 => merge(&json!({"id": id, "custom": one})),
            3 => update(&id, 1 + roll(5), Some(&one)),
            _ => post(
                &json!({"id": id, "key": format!("k{id}"), "fifteenthProperty": other, "objectTypeProperty": arrays}),
            ),
        };
        let reply = perform(&project, &message, 1_000 + now);
        assert!([0, 404, 409].contains(&status(&reply)), "{:?}", reply.head);
        if roll(4) == 0 {
            project.follow().unwrap();
        }
    }
    let before = index(&project);
    assert!(before.len() > 15, "{before:?}");
    assert_eq!(index(&rebuild(&disk)), before);
}

#[test]
fn words_that_exceed_a_bound_text_leave_nothing_when_they_are_replaced_or_deleted() {
    let disk = Shared::new();
    let project = start(disk.clone());
    // Folding doubles the length of this letter, and the parts of a word double it again: so the words need two
    // columns. Those of the largest body exceed them.
    let letters = "ΐ".repeat(122);
    let long =
        |count| (0..count).map(|at: usize| format!("{at:04}{letters}'{letters}{at:04}")).collect::<Vec<_>>();
    let body =
        |strings: Vec<String>| json!({"id": "a", "objectTypeProperty": {"arrayOfStringExample": strings}});
    perform(&project, &post(&body(vec!["short".to_owned()])), 1);
    let short = index(&project);
    for (at, count) in [(2, 1_700), (4, 2_090)] {
        let reply = perform(&project, &post(&body(long(count))), at);
        assert_eq!(record(&reply)["version"], at);
        let sizes = disk.number("SELECT count(*) FROM text_docsize WHERE hex(sz) LIKE '%00'");
        assert_eq!(sizes, 0, "both columns have words");
        perform(&project, &post(&body(vec!["short".to_owned()])), at + 1);
        assert_eq!(index(&project), short);
    }
    perform(&project, &post(&body(long(1_700))), 6);
    index(&project);
    perform(&project, &delete("a"), 7);
    let left = index(&project);
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(left[0].contains("\"000000\""), "no rows, and no words in either column: {left:?}");
}
