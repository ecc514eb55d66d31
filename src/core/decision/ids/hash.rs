//! Hashes of ids, with keys that are new in every run.

use std::hash::{BuildHasher, RandomState};

/// The hash of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hash(pub u128);

impl Hash {
    /// The hash as a part of 2^64.
    #[must_use]
    pub fn part(self) -> u64 {
        high(self.0)
    }
}

/// Makes hashes. Two hashers never agree.
#[derive(Clone, Debug)]
pub struct Hasher {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Fast, for where equal hashes are confirmed. Only the upper half of the hash is used.
    Quick(u64, u64),
    /// For where the hash alone decides.
    Keyed(RandomState, RandomState),
}

impl Hasher {
    /// A hasher for ids that are compared where their hashes are equal.
    #[must_use]
    pub fn quick() -> Self {
        let key = || RandomState::new().hash_one(0);
        Self {
            kind: Kind::Quick(key(), key()),
        }
    }

    /// A hasher whose 128 bits decide. Two independent keyed hashes, so that nobody who cannot see
    /// them can write two ids that meet.
    #[must_use]
    pub fn keyed() -> Self {
        Self {
            kind: Kind::Keyed(RandomState::new(), RandomState::new()),
        }
    }

    /// The hash of an id.
    #[must_use]
    pub fn hash(&self, id: &[u8]) -> Hash {
        match &self.kind {
            Kind::Quick(first, second) => Hash(u128::from(quick(id, *first, *second)) << 64),
            Kind::Keyed(first, second) => {
                let half = |state: &RandomState| u128::from(state.hash_one(id));
                Hash(half(first) << 64 | half(second))
            }
        }
    }
}

/// Multiplies 16 bytes at a time into 64 bits.
fn quick(bytes: &[u8], key: u64, mixed: u64) -> u64 {
    let (pairs, rest) = bytes.as_chunks::<16>();
    let mut hash = mixed ^ bytes.len() as u64;
    let mut last = [0; 16];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    for pair in pairs.iter().chain([&last]) {
        let pair = u128::from_le_bytes(*pair);
        hash = folded(low(pair) ^ hash, high(pair) ^ key);
    }
    folded(hash, key)
}

/// Both halves of a product, folded into one.
fn folded(first: u64, second: u64) -> u64 {
    let product = u128::from(first) * u128::from(second);
    low(product) ^ high(product)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the lower half is what is asked for"
)]
pub(super) fn low(word: u128) -> u64 {
    word as u64
}

pub(super) fn high(word: u128) -> u64 {
    low(word >> 64)
}
