//! One bit for each byte that ends a run of plain text, and where there are bytes beyond ASCII.
//!
//! Marking is the only pass that needs wide registers: everything behind it works on the bits, so
//! that where a string ends is one shift and one count away. It goes on only as far as it is asked
//! for, and can leave out what is known without it.

use std::cell::Cell;

use super::means::{BYTES, Means, STRIP};

/// The bits of a block of bytes.
#[derive(Debug)]
pub(super) struct Masks {
    means: Means,
    /// Bit `i % 64` of word `i / 64` is set where byte `i` is a quote, a backslash or a control, and
    /// behind the end of the block, where there is at least one word.
    specials: Vec<Cell<u64>>,
    /// Whether one of the bytes of a strip is not ASCII.
    beyond_ascii: Vec<Cell<bool>>,
    /// How many bytes the block has.
    length: usize,
    /// The words in front of this one are marked or were left out; a multiple of a strip.
    marked: Cell<usize>,
}

impl Default for Masks {
    fn default() -> Self {
        Self::with(Means::widest())
    }
}

impl Masks {
    fn with(means: Means) -> Self {
        Self {
            means,
            specials: Vec::new(),
            beyond_ascii: Vec::new(),
            length: 0,
            marked: Cell::new(0),
        }
    }

    /// Begins a block of `length` bytes, of which nothing is marked yet.
    pub(super) fn begin(&mut self, length: usize) {
        self.length = length;
        // One word behind that of the end, so that two can be read at any place.
        let strips = (length / BYTES + 2).div_ceil(STRIP);
        self.specials.resize(strips * STRIP, Cell::new(0));
        self.beyond_ascii.resize(strips, Cell::new(false));
        self.marked.set(0);
    }

    /// How many bytes the block has.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// The bits of a word of the block and of the one behind it.
    #[inline(always)]
    pub(super) fn two(&self, bytes: &[u8], word: usize) -> (u64, u64) {
        if word + 1 >= self.marked.get() {
            self.mark_up_to(bytes, word + 2);
        }
        debug_assert!(word + 1 < self.specials.len(), "{word} is behind the end");
        // SAFETY: a place of the block is not behind its end, see `Padded`; and behind the word of
        // the end stands another one, see `begin`.
        unsafe {
            let first = self.specials.get_unchecked(word);
            let second = self.specials.get_unchecked(word + 1);
            (first.get(), second.get())
        }
    }

    /// The first place whose bit is set in a word or behind it; not behind the end of the block.
    pub(super) fn next(&self, bytes: &[u8], mut word: usize) -> usize {
        loop {
            if word >= self.marked.get() {
                self.mark_up_to(bytes, word + 1);
            }
            match self.specials.get(word).map(Cell::get) {
                Some(0) => word += 1,
                Some(bits) => return word * BYTES + bits.trailing_zeros() as usize,
                None => return self.length,
            }
        }
    }

    /// Whether one of the bytes of a strip is beyond ASCII.
    #[inline(always)]
    pub(super) fn is_beyond_ascii(&self, bytes: &[u8], strip: usize) -> bool {
        if strip * STRIP >= self.marked.get() {
            self.mark_up_to(bytes, (strip + 1) * STRIP);
        }
        self.beyond_ascii.get(strip).is_some_and(Cell::get)
    }

    /// Leaves out what stands in front of a place and is not marked yet. Nobody may ask for it.
    #[inline(always)]
    pub(super) fn leave_out(&self, to: usize) {
        let word = to / BYTES / STRIP * STRIP;
        if word > self.marked.get() {
            self.marked.set(word);
        }
    }

    /// Marks the words in front of `word` that are not marked yet, as far as there are any.
    #[inline(never)]
    fn mark_up_to(&self, bytes: &[u8], word: usize) {
        let from = self.marked.get();
        let to = word.next_multiple_of(STRIP).min(self.specials.len());
        if from >= to {
            return;
        }
        self.marked.set(to);
        let rest = bytes.get(from * BYTES..).unwrap_or_default();
        let words = self.specials.get(from..to).unwrap_or_default();
        let strips = self.beyond_ascii.get(from / STRIP..).unwrap_or_default();
        self.means.mark(rest, words, strips);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(bytes: &[u8], means: Means) -> (Vec<u64>, Vec<bool>) {
        let mut masks = Masks::with(means);
        masks.begin(bytes.len());
        masks.mark_up_to(bytes, usize::MAX - STRIP);
        let specials = masks.specials.iter().map(Cell::get).collect();
        (specials, masks.beyond_ascii.iter().map(Cell::get).collect())
    }

    fn rule(bytes: &[u8]) -> (Vec<u64>, Vec<bool>) {
        let strips = (bytes.len() / 64 + 2).div_ceil(8);
        let mut specials = vec![0; strips * 8];
        let mut beyond_ascii = vec![false; strips];
        for at in 0..strips * 512 {
            let byte = bytes.get(at).copied().unwrap_or(0);
            let is_special = matches!(byte, b'"' | b'\\' | 0..=0x1f);
            specials[at / 64] |= u64::from(is_special) << (at % 64);
            beyond_ascii[at / 512] |= byte >= 0x80;
        }
        (specials, beyond_ascii)
    }

    fn all_means() -> Vec<Means> {
        #[cfg(target_arch = "x86_64")]
        {
            let mut all = vec![Means::Sse2, Means::Plain];
            if std::arch::is_x86_feature_detected!("avx2") {
                all.push(Means::Avx2);
            }
            if std::arch::is_x86_feature_detected!("avx512bw") {
                all.push(Means::Avx512);
            }
            all
        }
        #[cfg(not(target_arch = "x86_64"))]
        vec![Means::Plain]
    }

    #[test]
    fn marking_bit_by_bit_and_leaving_out_gives_the_same_bits() {
        let text = "a\"\u{e9}\\\n x".repeat(2000).into_bytes();
        let (specials, beyond_ascii) = rule(&text);
        let mut masks = Masks::default();
        masks.begin(text.len());
        for word in [0, 1, 6, 7, 8, 40] {
            let expected = (specials[word], specials[word + 1]);
            assert_eq!(masks.two(&text, word), expected, "{word}");
        }
        masks.leave_out(9000);
        assert_eq!(
            masks.is_beyond_ascii(&text, 9000 / 512),
            beyond_ascii[9000 / 512]
        );
        assert_eq!(masks.next(&text, 9000 / 64), 9000 / 64 * 64 + 1);
        assert_eq!(masks.two(&text, 1), (specials[1], specials[2]));
        assert_eq!(masks.next(&text, text.len() / 64), text.len());
    }

    #[test]
    fn every_byte_is_marked_alike_by_all_means_wherever_it_stands() {
        for byte in 0..=255_u8 {
            for neighbour in [b'a', 0, 1, b'"', 0x1f, 0x20, 0x80, 0xff] {
                let mut bytes = [neighbour; 131];
                for at in 0..bytes.len() {
                    bytes[at] = byte;
                    for means in all_means() {
                        assert_eq!(
                            told(&bytes, means),
                            rule(&bytes),
                            "{byte} at {at}, {means:?}"
                        );
                    }
                    bytes[at] = neighbour;
                }
            }
        }
    }

    #[test]
    fn blocks_of_any_length_are_marked_alike() {
        let text = "a\"\u{e9}\\\n x".repeat(2000).into_bytes();
        for length in (0..200).chain([4095, 4096, 4097, 9000, text.len()]) {
            for means in all_means() {
                assert_eq!(
                    told(&text[..length], means),
                    rule(&text[..length]),
                    "{length}"
                );
            }
        }
    }
}
