//! Writes every file that is generated from the code: `make generate`. `tests/repository/structure/generated.rs`
//! compares them with the committed ones.
#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a developer runs it; it fails by panicking"
)]

mod files;

use std::fs;

fn main() {
    fs::create_dir_all(files::full_path(files::PACKAGE_FOLDER)).unwrap();
    for files::File { path, text } in files::generate() {
        let full_path = files::full_path(&path);
        if fs::read_to_string(&full_path).is_ok_and(|committed| committed == text) {
            continue;
        }
        fs::write(full_path, text).unwrap();
        println!("{path}");
    }
}
