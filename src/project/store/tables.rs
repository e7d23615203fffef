//! The tables of a project, and their migration.

use std::rc::Rc;

use crate::shape::Shape;
use crate::util::time::Millis;

use super::database::{Database, Result, StoreError};
use super::fields::{FieldRows, Fields};
use super::meta;

/// The version of the index. If it differs from the version in `meta`, the index is emptied and renewed. It rises if
/// the contents change although the fields do not: the splitting of words, the folding. The table `field` has the
/// fields.
const INDEX: i64 = 4;

/// The time of an alarm that rings at once.
const AT_ONCE: Millis = 1;

/// Each step migrates the tables from one version to the next. A released step is never changed, only others are added.
const STEPS: &[&[&str]] = &[FIRST, FIELDS, GENERATIONS];

const FIRST: &[&str] = &[
    // The records. `seq` is the instant of creation. It is unique and rises with each creation, so it is also the
    // default order. `items` is the number of items that tests of them read. `entries` (JSONB) has the values of the
    // index by field. `body` is the exact response body of a read. The large columns are last, so that SQLite reads the
    // others without them.
    "CREATE TABLE resource(
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        key TEXT,
        version INTEGER NOT NULL,
        revision INTEGER NOT NULL UNIQUE,
        items INTEGER NOT NULL,
        entries BLOB,
        body TEXT NOT NULL
    ) STRICT",
    // Every index of a table costs a row for each row of the table. A resource without a key has no row in this one.
    "CREATE UNIQUE INDEX resource_key ON resource(key) WHERE key IS NOT NULL",
    // The last version of deleted IDs (D5), and the time of the delete.
    "CREATE TABLE tombstone(
        id TEXT NOT NULL PRIMARY KEY,
        version INTEGER NOT NULL,
        revision INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX tombstone_revision ON tombstone(revision)",
    // The distinct values of each field. `edge` marks the smallest (1) and the largest (2) of a resource.
    "CREATE TABLE term(
        path INTEGER NOT NULL,
        value ANY NOT NULL,
        resource INTEGER NOT NULL,
        edge INTEGER NOT NULL,
        PRIMARY KEY(path, value, resource)
    ) STRICT, WITHOUT ROWID",
    // The words of the texts. The table keeps no text. `more` has the words that exceed the platform's longest text.
    // The tokenizer treats the text between spaces as a word (`search::text`).
    r#"CREATE VIRTUAL TABLE text USING fts5(words, more, content='',
        tokenize="ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_`{|}~""'")"#,
    // A deleted word occupies space until FTS5 merges its segment: two segments of a level are merged, instead of four.
    "INSERT INTO text(text, rank) VALUES('automerge', 2)",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab(text, row)",
    // KV entries that still have to be updated, if revisions cannot show it: there are few, so they need no index.
    // `confirm` is set if a put may still land late, over a newer one.
    "CREATE TABLE outbox(
        kind INTEGER NOT NULL,
        name TEXT NOT NULL,
        revision INTEGER NOT NULL,
        due INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        confirm INTEGER,
        PRIMARY KEY(kind, name)
    ) STRICT, WITHOUT ROWID",
    // First responses, for replays (D18). `seq` rises with `at`, so the oldest rows are first. Instead of a large body
    // in `reply`, `record` has the revision of the record that is the body, or whose arrays are: then `arrays` is set.
    "CREATE TABLE idempotency(
        seq INTEGER PRIMARY KEY,
        caller TEXT NOT NULL,
        key TEXT NOT NULL,
        fingerprint BLOB NOT NULL,
        at INTEGER NOT NULL,
        reply BLOB NOT NULL,
        record INTEGER,
        arrays INTEGER,
        UNIQUE(caller, key)
    ) STRICT",
    "CREATE INDEX idempotency_record ON idempotency(record) WHERE record IS NOT NULL",
    // Earlier states of records, if a response refers to them. The index is for their sum.
    "CREATE TABLE replaced(revision INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, body TEXT NOT NULL) STRICT",
    "CREATE INDEX replaced_bytes ON replaced(bytes)",
];

const FIELDS: &[&str] = &[
    // The fields of the index. `form` is the form of their values, `array` is 1 if a record may have several, and
    // `indexed` is 1 if the index has them.
    "CREATE TABLE field(
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        form INTEGER NOT NULL,
        array INTEGER NOT NULL,
        indexed INTEGER NOT NULL,
        UNIQUE(name, form)
    ) STRICT",
    "DELETE FROM meta WHERE name = 'fields'",
];

const GENERATIONS: &[&str] = &[
    // The generation of the index that the record has. It is behind the body, which is read with it.
    "ALTER TABLE resource ADD COLUMN generation INTEGER NOT NULL DEFAULT 1",
    // The earlier generations that records may have. `manners` has the manner of each field that it has, by its number,
    // as the column `indexed` of `field` has it of the newest.
    "CREATE TABLE generation(number INTEGER PRIMARY KEY, manners TEXT NOT NULL) STRICT",
];

#[derive(Debug, Default)]
pub(crate) struct Meta {
    pub(crate) tables: i64,
    pub(crate) index: i64,
    /// The newest generation of the index.
    generation: i64,
    /// The last record that has it, while the index is renewed.
    pub(crate) renewed: Option<i64>,
    /// Whether records may have values that no shape of the project allowed.
    has_foreign: bool,
    /// The last indexed record.
    pub(crate) indexed: i64,
    /// The project's key; `None` before its first write.
    pub(crate) project: Option<String>,
    pub(crate) replicated: Millis,
    pub(crate) repair: i64,
    pub(crate) sweep: Option<Millis>,
    pub(crate) swept: Option<Millis>,
}

impl Meta {
    pub(crate) fn read<D: Database>(database: &D) -> Result<Self> {
        let mut meta = Self { generation: 1, ..Self::default() };
        database.query("SELECT name, value FROM meta", &[], &mut |row| {
            let integer = |none| row.integer(1).unwrap_or(none);
            match row.text(0).as_deref() {
                Some(meta::TABLES) => meta.tables = integer(-1),
                Some(meta::INDEX) => meta.index = integer(0),
                Some(meta::INDEXED) => meta.indexed = integer(0),
                Some(meta::GENERATION) => meta.generation = integer(1),
                Some(meta::RENEWED) => meta.renewed = row.integer(1),
                Some(meta::FOREIGN) => meta.has_foreign = true,
                Some(meta::PROJECT) => meta.project = row.text(1),
                Some(meta::REPLICATED) => meta.replicated = row.unsigned(1).unwrap_or(0),
                Some(meta::REPAIR) => meta.repair = integer(0),
                Some(meta::SWEEP_DUE) => meta.sweep = row.unsigned(1),
                Some(meta::SWEEP_ENDED) => meta.swept = row.unsigned(1),
                _ => {}
            }
            Ok(())
        })?;
        Ok(meta)
    }
}

/// Migrates the tables to the newest version and to the fields of the shape. If the index is outdated, or lacks values
/// of the fields, begins to renew it: the alarm continues. A new database starts empty.
pub(crate) fn migrate<D: Database>(database: &D, shape: &Rc<Shape>) -> Result<(Meta, Fields)> {
    migrate_by(STEPS, database, shape)
}

fn migrate_by<D: Database>(steps: &[&[&str]], database: &D, shape: &Rc<Shape>) -> Result<(Meta, Fields)> {
    // Workers reject `PRAGMA user_version`, so a table contains the versions.
    if !database.has_row("SELECT 1 AS one FROM sqlite_master WHERE name = 'meta'", &[])? {
        let sql = "CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID";
        database.execute(sql, &[])?;
    }
    let meta = Meta::read(database)?;
    let missing = pending(steps, meta.tables)?;
    if missing.is_empty() && meta.index == INDEX {
        let rows = FieldRows::read(database, meta.generation)?;
        if rows.with(shape, meta.has_foreign)? == rows && rows.are_indexed(shape) {
            return Ok((meta, Fields::new(shape, &rows)));
        }
    }
    let fields = database.transaction(|| {
        for statement in missing.iter().copied().flatten() {
            database.execute(statement, &[])?;
        }
        meta::set(database, meta::TABLES, steps.len())?;
        let before = FieldRows::read(database, meta.generation)?;
        let mut rows = before.with(shape, meta.has_foreign)?;
        if meta.tables == 0 {
            rows.set(shape);
        } else if meta.index != INDEX {
            database.execute("DELETE FROM term", &[])?;
            database.execute("INSERT INTO text(text) VALUES('delete-all')", &[])?;
            rows.begin_empty(shape);
        } else if !rows.are_indexed(shape) {
            rows.begin(shape);
        }
        meta::set(database, meta::INDEX, INDEX)?;
        rows.write(database, &before)?;
        if rows.generation != before.generation {
            meta::set(database, meta::RENEWED, 0_i64)?;
            database.arm(AT_ONCE)?;
        }
        Ok::<_, StoreError>(Fields::new(shape, &rows))
    })?;
    Ok((Meta::read(database)?, fields))
}

/// Returns the steps that tables of the version lack. Tables that are newer than the code must not be touched.
fn pending<T>(steps: &[T], version: i64) -> Result<&[T]> {
    let done = usize::try_from(version).ok().and_then(|done| steps.get(done..));
    done.ok_or_else(|| StoreError::new(format!("this code does not support tables of version {version}")))
}

#[cfg(not(target_arch = "wasm32"))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::Sqlite;
    use crate::test;

    const NEXT: &[&str] = &[
        "ALTER TABLE tombstone ADD COLUMN reason TEXT",
        "UPDATE tombstone SET reason = 'unknown' WHERE version > 1",
    ];

    fn shape() -> Rc<Shape> {
        Rc::default()
    }

    /// Returns a database of the present version with two tombstones.
    fn present_version() -> Sqlite {
        let database = Sqlite::new();
        migrate(&database, &shape()).unwrap();
        database.connection.execute("INSERT INTO tombstone VALUES('a', 1, 10), ('b', 2, 20)", []).unwrap();
        database
    }

    fn tombstones(database: &Sqlite) -> String {
        let sql =
            "SELECT json_group_array(json_array(id, version, revision, reason) ORDER BY id) FROM tombstone";
        database.connection.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_database_gets_the_steps_after_its_version_in_order() {
        for (version, expected) in [(0, &["a", "b", "c"][..]), (1, &["b", "c"]), (2, &["c"]), (3, &[])] {
            assert_eq!(pending(&["a", "b", "c"], version).unwrap(), expected, "{version}");
        }
    }

    #[test]
    fn tables_of_an_unknown_version_are_rejected() {
        for version in [-1, 4, i64::MAX] {
            assert!(pending(&["a", "b", "c"], version).is_err(), "{version}");
        }
    }

    #[test]
    fn a_later_step_migrates_the_stored_rows_once() {
        let database = present_version();
        for _ in 0..2 {
            let (meta, _) = migrate_by(&[FIRST, FIELDS, GENERATIONS, NEXT], &database, &shape()).unwrap();
            assert_eq!((meta.tables, meta.index), (4, INDEX));
            assert_eq!(tombstones(&database), r#"[["a",1,10,null],["b",2,20,"unknown"]]"#);
        }
        let new = Sqlite::new();
        assert_eq!(migrate_by(&[FIRST, FIELDS, GENERATIONS, NEXT], &new, &shape()).unwrap().0.tables, 4);
        assert_eq!(tombstones(&new), "[]");
    }

    #[test]
    fn a_step_that_fails_changes_nothing() {
        let database = present_version();
        let broken = [NEXT[0], "UPDATE missing SET reason = ''"];
        assert!(migrate_by(&[FIRST, FIELDS, GENERATIONS, &broken], &database, &shape()).is_err());
        assert_eq!(migrate(&database, &shape()).unwrap().0.tables, 3);
        let steps = [FIRST, FIELDS, GENERATIONS, NEXT];
        assert_eq!(migrate_by(&steps, &database, &shape()).unwrap().0.tables, 4);
    }

    #[test]
    fn older_code_rejects_tables_that_a_later_step_has_changed() {
        let database = present_version();
        migrate_by(&[FIRST, FIELDS, GENERATIONS, NEXT], &database, &shape()).unwrap();
        let error = migrate(&database, &shape()).unwrap_err();
        assert_eq!(error.reason, "this code does not support tables of version 4");
    }
}
