//! The slow way to a number: the standard library's. A build for JavaScript takes `slow_host.rs` instead.

/// The double nearest to any number that JSON can write.
#[cold]
pub(super) fn nearest(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}
