//! The hash FNV-1a of 32 bits.

/// The hash of nothing.
pub const START: u32 = 0x811c_9dc5;

/// Adds a number, or a byte, to a hash.
pub const fn add(hash: u32, number: u32) -> u32 {
    (hash ^ number).wrapping_mul(0x0100_0193)
}
