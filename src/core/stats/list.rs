//! Confidences that hardly come again.

use super::key::Key;
use super::table::{Group, Groups};

/// Answers one by one, as their key and, in the lowest bit, whether they were right. Now and then
/// the list is sorted, and confidences that came up three times and more are taken out and counted.
#[derive(Clone, Debug)]
pub(super) struct List {
    words: Vec<u64>,
    counted: Vec<Group>,
    /// How long the list was when it was sorted last.
    packed: usize,
    /// How long it may become before it is sorted again.
    patience: usize,
}

/// How long a list is at least before it is sorted.
const SHORTEST: usize = 1 << 14;

impl Default for List {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            counted: Vec::new(),
            packed: 0,
            patience: SHORTEST,
        }
    }
}

impl List {
    pub(super) fn add(&mut self, group: Group) {
        if group.count > 2 {
            self.counted.push(group);
        } else {
            for place in 0..group.count {
                self.words.push(word(group.key, place < group.correct));
            }
        }
        if self.length() >= self.patience {
            self.pack();
        }
    }

    /// How many words the list takes.
    fn length(&self) -> usize {
        self.words.len() + 3 * self.counted.len()
    }

    fn pack(&mut self) {
        let added = self.length() - self.packed;
        self.words.sort_unstable();
        self.counted.sort_unstable();
        let mut counted: Vec<Group> = Vec::new();
        let mut words = Vec::new();
        let mut keep = |group: Group| {
            if group.count > 2 {
                counted.push(group);
            } else {
                for place in 0..group.count {
                    words.push(word(group.key, place < group.correct));
                }
            }
        };
        let mut current = Group::default();
        let mut loose = self.words.iter().map(|&word| answer(word)).peekable();
        let mut whole = self.counted.iter().copied().peekable();
        loop {
            let next = match (loose.peek(), whole.peek()) {
                (Some(one), Some(other)) if other.key < one.key => whole.next(),
                (None, _) => whole.next(),
                _ => loose.next(),
            };
            let Some(group) = next else { break };
            if group.key == current.key {
                current.count += group.count;
                current.correct += group.correct;
            } else {
                keep(current);
                current = group;
            }
        }
        keep(current);
        self.words = words;
        self.counted = counted;
        let kept = self.length().saturating_sub(self.packed);
        self.packed = self.length();
        // Where confidences hardly come again, sorting is not worth its time.
        let factor = if kept * 2 <= added { 2 } else { 8 };
        self.patience = (self.packed * factor).max(SHORTEST);
    }
}

impl Groups for List {
    fn visit(&self, mut visitor: impl FnMut(Group)) {
        for &word in &self.words {
            visitor(answer(word));
        }
        for &group in &self.counted {
            visitor(group);
        }
    }

    fn size(&self) -> usize {
        self.words.len() + self.counted.len()
    }
}

fn word(key: Key, is_correct: bool) -> u64 {
    key << 1 | u64::from(is_correct)
}

fn answer(word: u64) -> Group {
    Group {
        key: word >> 1,
        count: 1,
        correct: word & 1,
    }
}
