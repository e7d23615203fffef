//! The nearest double by the standard library. A build for JavaScript uses `host.rs` instead.

/// Returns the double nearest to the number in the text; NaN if it is no number.
#[cold]
pub(super) fn nearest(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}
