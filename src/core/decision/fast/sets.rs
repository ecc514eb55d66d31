//! Question sets that were read before: equal bytes are compared, not read again.

use std::sync::{Arc, OnceLock};

use super::questions::Questions;
use crate::decision::question::QuestionSet;

/// The fewest bytes of a question set: `{"a":{"type":"noul","instructions":"b"}}`.
const SHORTEST: usize = 40;
/// How many sets that start alike are remembered.
const ALIKE: usize = 16;
/// How many groups of sets that may start alike there are.
const GROUPS: usize = 256;
/// How many bytes of sets are remembered.
const MOST_BYTES: usize = 2 << 20;
/// After so many sets of which none came back, only each second one is remembered, then each fourth,
/// and so on.
const PATIENCE: u32 = 64;
/// How many times that goes on. Then the sets that were remembered are forgotten, too: to compare
/// with them costs time.
const MOST_HALVINGS: u32 = 6;

/// A set that was read before.
#[derive(Debug)]
pub(super) struct KnownSet {
    pub(super) bytes: Box<[u8]>,
    pub(super) questions: Questions,
    shared: OnceLock<Arc<QuestionSet>>,
}

/// The sets that were read before, those met last in front.
#[derive(Debug)]
pub(super) struct Sets {
    groups: Vec<Vec<Arc<KnownSet>>>,
    bytes: usize,
    /// How many sets were remembered since one came back.
    unused: u32,
    /// How many sets to pass over before the next one is remembered.
    pause: u32,
}

impl Default for Sets {
    fn default() -> Self {
        Self {
            groups: vec![Vec::new(); GROUPS],
            bytes: 0,
            unused: 0,
            pause: 0,
        }
    }
}

impl Sets {
    /// The set whose bytes `rest` starts with.
    pub(super) fn find(&mut self, rest: &[u8]) -> Option<&Arc<KnownSet>> {
        let group = self.groups.get_mut(group(rest)?)?;
        let place = group.iter().position(|set| set.starts(rest))?;
        group.get_mut(..=place)?.rotate_right(1);
        group.first()
    }

    /// Tells that the set that was found last came back.
    #[inline(always)]
    pub(super) fn came_back(&mut self) {
        self.unused = 0;
    }

    /// Remembers a set that was read, when it is likely to come back.
    pub(super) fn remember(
        &mut self,
        bytes: &[u8],
        start: usize,
        questions: &Questions,
    ) -> Option<Arc<KnownSet>> {
        if self.pause > 0 {
            self.pause -= 1;
            return None;
        }
        let halvings = (self.unused / PATIENCE).min(MOST_HALVINGS);
        self.unused = self.unused.saturating_add(1);
        self.pause = (1 << halvings) - 1;
        if halvings == MOST_HALVINGS || self.bytes + bytes.len() > MOST_BYTES {
            self.groups.iter_mut().for_each(Vec::clear);
            self.bytes = 0;
        }
        let group = self.groups.get_mut(group(bytes)?)?;
        self.bytes += bytes.len();
        if group.len() == ALIKE {
            self.bytes -= group.pop().map_or(0, |set| set.bytes.len());
        }
        let set = Arc::new(KnownSet {
            bytes: bytes.into(),
            questions: questions.kept(start),
            shared: OnceLock::new(),
        });
        group.insert(0, Arc::clone(&set));
        Some(set)
    }
}

impl KnownSet {
    /// The set as others take it, made when it is first asked for.
    pub(super) fn shared(&self) -> Arc<QuestionSet> {
        let make = || Arc::new(self.questions.set(&self.bytes));
        Arc::clone(self.shared.get_or_init(make))
    }

    /// Whether bytes start with those of the set.
    pub(super) fn starts(&self, rest: &[u8]) -> bool {
        // What differs is met sooner at the end than at a start that is alike.
        let length = self.bytes.len();
        rest.get(length.saturating_sub(16)..length) == self.bytes.get(length.saturating_sub(16)..)
            && rest.starts_with(&self.bytes)
    }
}

/// The group of the sets that start like these bytes.
fn group(rest: &[u8]) -> Option<usize> {
    let (words, _) = rest.get(..SHORTEST)?.as_chunks::<8>();
    let mut hash = 0_u64;
    for word in words {
        hash = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 32;
    }
    usize::try_from(hash % GROUPS as u64).ok()
}
