//! The collection on native SQLite: versions and time, faults, the outbox, and replays.

mod costs;
mod faults;
mod full;
mod growth;
mod large;
mod machine;
mod outbox;
mod replay;
mod statements;
mod status;
mod time;
mod words;
