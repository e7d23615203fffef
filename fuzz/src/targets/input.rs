//! Reads parts of an input's bytes.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sha2::{Digest as _, Sha256};

/// The rest of an input's bytes.
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// Returns the next byte; 0 at the end.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Returns a choice below `count` from the next byte.
    pub fn choice(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    /// Returns an item of a list, chosen by the next byte.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.choice(of.len())]
    }

    /// Returns the next eight bytes as a number; missing ones are zeros.
    pub fn number(&mut self) -> u64 {
        let mut bytes = [0; 8];
        bytes.fill_with(|| self.byte());
        u64::from_le_bytes(bytes)
    }

    /// Returns the bytes up to the next line feed, and skips it; the rest if there is none.
    pub fn line(&mut self) -> &'a [u8] {
        let end = self.0.iter().position(|byte| *byte == b'\n').unwrap_or(self.0.len());
        let (line, rest) = self.0.split_at(end);
        self.0 = rest.get(1..).unwrap_or_default();
        line
    }

    /// Returns the next line as text, without the bytes that are not UTF-8.
    pub fn text_line(&mut self) -> String {
        lossy(self.line())
    }

    /// Returns the rest as text, if it is UTF-8.
    pub fn text(&self) -> Option<&'a str> {
        core::str::from_utf8(self.0).ok()
    }

    /// Draws a value of the strategy, at random from a seed of the remaining bytes; `None` if a filter rejects it.
    pub fn draw<S: Strategy>(&self, strategy: &S) -> Option<S::Value> {
        let config = Config { max_local_rejects: 64, failure_persistence: None, ..Config::default() };
        // Not the bytes themselves (`RngAlgorithm::PassThrough`): after their end it returns zeros, and `rand` would
        // wait forever for other numbers.
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &Sha256::digest(self.0));
        let tree = strategy.new_tree(&mut TestRunner::new_with_rng(config, rng)).ok()?;
        Some(tree.current())
    }
}

/// Returns the bytes as text, with a replacement character for those that are not UTF-8.
pub fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
