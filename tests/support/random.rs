//! A source of randomness: everything that happens in a test follows from its seed.

use std::cell::Cell;
use std::env;

/// Returns the number in a variable of the environment, which changes a run of random tests.
pub fn variable(name: &str) -> Option<u64> {
    env::var(name).ok().map(|value| value.parse().expect("a whole number"))
}

/// `SplitMix64`: small, fast, and equal on every platform.
#[derive(Debug, Default)]
pub struct Random(Cell<u64>);

impl Random {
    pub fn new(seed: u64) -> Self {
        // Seeds are small numbers that follow each other: spread them first.
        let random = Self(Cell::new(seed));
        let start = random.next() ^ random.next().rotate_left(32);
        Self(Cell::new(start))
    }

    /// Starts again with another seed.
    pub fn restart(&self, seed: u64) {
        self.0.set(Self::new(seed).0.get());
    }

    pub fn next(&self) -> u64 {
        let state = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a random number below `bound`.
    pub fn below(&self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// Returns a random number of the range; its end belongs to it.
    pub fn within(&self, from: u64, to: u64) -> u64 {
        from + self.below(to.saturating_sub(from) + 1)
    }

    /// Returns true in `permille` of a thousand cases.
    pub fn chance(&self, permille: u64) -> bool {
        self.below(1_000) < permille
    }

    pub fn pick<'a, T>(&self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len() as u64) as usize]
    }
}
