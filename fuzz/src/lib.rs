//! The fuzz targets, for libFuzzer. `tests/native/fuzz.rs` of the crate runs the same targets for a short time.

#[path = "../../tests/native"]
pub mod native {
    /// The reference without the tests in it.
    pub mod reference {
        pub mod collection;
        pub mod evaluate;
        pub mod fields;
        pub mod page;
        pub mod random;
        pub mod twin;
        pub mod unique;
        pub mod words;
    }
}
#[path = "../../tests/support/mod.rs"]
pub mod support;
pub mod targets;
