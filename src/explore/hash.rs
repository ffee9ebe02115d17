//! The hash of a state: quick, and alike on every platform.

use std::hash::{Hash, Hasher};

/// The hash of a state, in as many bits as are kept of it.
pub(super) fn hash(state: &impl Hash) -> u32 {
    let mut lanes = Lanes(SEEDS);
    state.hash(&mut lanes);
    (lanes.finish() >> 32) as u32
}

/// Four hashes that take turns. Each multiplication waits for the one before it in its own lane only,
/// so that the processor works on four at a time. All are as wide as WebAssembly has them.
struct Lanes([u64; 4]);

/// Odd, and with bits in no order: digits of the square roots of primes.
const SEEDS: [u64; 4] = [
    0x6a09_e667_f3bc_c909,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
];
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// A product carries upwards only; turning it lets the next one carry on from there.
#[inline]
fn mix(lane: u64, word: u64) -> u64 {
    (lane ^ word).wrapping_mul(FACTOR).rotate_left(29)
}

impl Lanes {
    #[inline]
    fn take(&mut self, word: u64) {
        let [first, second, third, fourth] = self.0;
        self.0 = [second, third, fourth, mix(first, word)];
    }

    /// Each lane takes one word: the same as four in turn, and no loop for a compiler that saves room.
    #[inline]
    fn take_four(&mut self, bytes: &[u8; 32]) {
        let [first, second, third, fourth] = self.0;
        let (words, _) = bytes.as_chunks::<8>();
        let word = |place: usize| u64::from_le_bytes(words[place]);
        self.0 = [
            mix(first, word(0)),
            mix(second, word(1)),
            mix(third, word(2)),
            mix(fourth, word(3)),
        ];
    }
}

impl Hasher for Lanes {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (fours, rest) = bytes.as_chunks();
        fours.iter().for_each(|four| self.take_four(four));
        let (words, rest) = rest.as_chunks();
        words
            .iter()
            .for_each(|word| self.take(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        if !rest.is_empty() {
            self.take(u64::from_le_bytes(last));
        }
    }
    fn write_u8(&mut self, number: u8) {
        self.take(number.into());
    }
    fn write_u16(&mut self, number: u16) {
        self.take(number.into());
    }
    fn write_u32(&mut self, number: u32) {
        self.take(number.into());
    }
    fn write_u64(&mut self, number: u64) {
        self.take(number);
    }
    /// Lengths and the tags of enums, which are narrower on some platforms.
    fn write_usize(&mut self, number: usize) {
        self.take(number as u64);
    }
    fn write_isize(&mut self, number: isize) {
        self.take(number as i64 as u64);
    }
    #[inline]
    fn finish(&self) -> u64 {
        let lanes = self.0.iter().zip(SEEDS);
        let sum = lanes.fold(0u64, |sum, (lane, seed)| {
            (sum ^ lane).wrapping_mul(seed).rotate_left(31)
        });
        (sum ^ (sum >> 32)).wrapping_mul(FACTOR)
    }
}
