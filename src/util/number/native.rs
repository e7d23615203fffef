//! The nearest double by the standard library. A build for JavaScript takes `host.rs` instead.

/// The double nearest to the number that the text is; NaN where it is none.
#[cold]
pub(super) fn nearest(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}
