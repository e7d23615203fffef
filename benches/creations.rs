//! Shows what a creation with 10,000 items costs when the project already has some dozens of them, on native SQLite:
//! `make bench-creations`. Each figure is the mean of the last creations, with the index that follows them.

#![allow(
    unreachable_pub,
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a program for measuring, which may end where the service may not"
)]

#[path = "lib/collection.rs"]
mod collection;
#[path = "lib/cpu.rs"]
mod cpu;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, process};

use collection::{Sqlite, draft, moment, perform_at, shape};
use cpu::cpu;
use resource_edge::project::Project;
use resource_edge::util::time::Millis;
use rusqlite::Connection;

/// The number of creations.
const CREATIONS: u64 = 64;
/// The number of last creations that are measured: several batches of the index.
const MEASURED: u64 = 16;
/// The number of different bodies, as in `benches/lib/workloads.mjs`.
const BODIES: u64 = 8;
/// The instant of the first creation, in milliseconds since 1970.
const NOW: Millis = 1_700_000_000_000;
/// The size of SQLite's pages, in bytes. Its log adds a header to each, and to the whole.
const PAGE: u64 = 4_096;
const FRAME: u64 = PAGE + 24;

fn main() {
    let folder = env::temp_dir().join(format!("resource-edge-creations-{}", process::id()));
    fs::create_dir(&folder).unwrap();
    println!("| a creation with 10,000 items | changed pages | CPU | the longest |\n|---|---:|---:|---:|");
    let on_disk = |name: &str| {
        let path = folder.join(name);
        (Project::new(Sqlite::with(open(&path)), shape()), Some(path))
    };
    measure("on disk, in SQLite's log", on_disk("instants"), NOW);
    measure("on disk, resources numbered from 1", on_disk("numbers"), 1);
    measure("in memory", (Project::new(Sqlite::new(), shape()), None), NOW);
    fs::remove_dir_all(&folder).unwrap();
}

/// Opens a database whose log is emptied only by [`measure`].
fn open(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    for (name, value) in [("journal_mode", "WAL"), ("wal_autocheckpoint", "0"), ("synchronous", "NORMAL")] {
        connection.pragma_update(None, name, value).unwrap();
    }
    connection
}

/// Fills the project, and prints what each of its last creations costs, with the index. A resource's number in the
/// index is the instant of its creation: `first`, and those that follow.
fn measure(name: &str, (project, path): (Project<Sqlite>, Option<PathBuf>), first: Millis) {
    let create = |serials: Range<u64>| {
        let (mut time, mut longest) = (Duration::ZERO, Duration::ZERO);
        for serial in serials {
            let call = draft(&body(serial % BODIES));
            let before = cpu();
            perform_at(&project, call, moment(first + serial, serial));
            let spent = cpu().checked_sub(before).unwrap();
            (time, longest) = (time + spent, longest.max(spent));
        }
        let before = cpu();
        project.follow().unwrap();
        (time + cpu().checked_sub(before).unwrap(), longest)
    };
    create(0..CREATIONS - MEASURED);
    if path.is_some() {
        let connection = &project.database().connection;
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    }
    let (time, longest) = create(CREATIONS - MEASURED..CREATIONS);
    let pages = path.map(|path| fs::metadata(format!("{}-wal", path.display())).unwrap().len() / FRAME);
    let pages = pages.map(|pages| (pages / MEASURED).to_string()).unwrap_or_default();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    println!("| {name} | {pages} | {:.1} ms | {:.0} ms |", ms(time) / MEASURED as f64, ms(longest));
}

/// Returns a body as the workload "create, 10,000 items" sends it.
fn body(serial: u64) -> String {
    let items = |count: u64, item: &dyn Fn(u64) -> String| {
        let items: Vec<String> = (serial..serial + count).map(item).collect();
        format!("[{}]", items.join(","))
    };
    format!(
        "{{\"objectTypeProperty\":{{\"arrayOfIntExample\":{},\"arrayOfUniqueIntExample\":{},\
         \"arrayOfTwonumbersExample\":[13,52],\"arrayOfFloatExample\":{},\"arrayOfNumberNoDefaultsExample\":{},\
         \"arrayOfStringExample\":{},\"arrayOfObjectType\":{}}},\"someProperty\":\"resource {serial}\"}}",
        items(2_000, &|at| at.to_string()),
        items(2_000, &|at| (at * 3).to_string()),
        items(1_500, &|at| format!("{at}.5")),
        items(1_500, &|at| (at as f64 / 8.0).to_string()),
        items(1_500, &|at| format!("\"item {at}\"")),
        items(1_500, &|at| format!("{{\"integerExample\":{at},\"integerExampleInt32\":-{at}}}")),
    )
}
