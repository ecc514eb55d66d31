//! One bit for each byte that ends a run of plain text, and one for each 64 bytes that hold a byte
//! beyond ASCII.
//!
//! Marking is the only pass that needs wide registers: everything behind it works on the bits, so
//! that where a string ends is one shift and one count away.

/// The bytes that one word of bits stands for.
pub(super) const BYTES: usize = 64;

/// The bytes that one word of `beyond_ascii` stands for.
const GROUP: usize = 64 * BYTES;

/// Words behind the last one, all of whose bits are set, so that two words can be read at any place.
const SENTINELS: usize = 2;

/// The bits of a block of bytes.
#[derive(Debug, Default)]
pub(super) struct Masks {
    /// Bit `i % 64` of word `i / 64` is set where byte `i` is a quote, a backslash or a control.
    pub(super) specials: Vec<u64>,
    /// Bit `i / 64 % 64` of word `i / 4096` is set where one of the 64 bytes is not ASCII.
    pub(super) beyond_ascii: Vec<u64>,
}

/// What is known of 64 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Marks {
    specials: u64,
    is_beyond_ascii: bool,
}

/// How the machine marks 64 bytes at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Means {
    /// 32 bytes at once.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 16 bytes at once, as every x86-64 can.
    #[cfg(target_arch = "x86_64")]
    Sse2,
    /// 8 bytes at once, in plain integers.
    #[cfg_attr(
        target_arch = "x86_64",
        allow(dead_code, reason = "tested as the twin")
    )]
    Plain,
}

impl Means {
    /// The widest means of this machine.
    pub(super) fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                Self::Avx2
            } else {
                Self::Sse2
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            Self::Plain
        }
    }
}

impl Masks {
    /// Marks a block, replacing what was marked before.
    pub(super) fn mark(&mut self, bytes: &[u8], means: Means) {
        let words = bytes.len().div_ceil(BYTES);
        self.specials.resize(words + SENTINELS, 0);
        for word in self.specials.iter_mut().skip(words) {
            *word = u64::MAX;
        }
        self.beyond_ascii.resize(bytes.len().div_ceil(GROUP), 0);
        match means {
            #[cfg(target_arch = "x86_64")]
            Means::Avx2 => {
                // SAFETY: `Means::Avx2` is made only where the machine was seen to have AVX2.
                unsafe { self.mark_avx2(bytes) }
            }
            #[cfg(target_arch = "x86_64")]
            Means::Sse2 => self.mark_with(bytes, sse2),
            Means::Plain => self.mark_with(bytes, plain),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn mark_avx2(&mut self, bytes: &[u8]) {
        // A closure has the features of the function it stands in; the function alone would not.
        self.mark_with(bytes, |chunk| avx2(chunk));
    }

    #[inline(always)]
    fn mark_with(&mut self, bytes: &[u8], marks_of: impl Fn(&[u8; BYTES]) -> Marks) {
        let words = bytes.len().div_ceil(BYTES);
        let words = self.specials.get_mut(..words).unwrap_or_default();
        let groups = words.chunks_mut(GROUP / BYTES);
        for ((group, words), beyond) in bytes
            .chunks(GROUP)
            .zip(groups)
            .zip(self.beyond_ascii.iter_mut())
        {
            let (chunks, rest) = group.as_chunks::<BYTES>();
            // Each bit enters at the top and moves down, which counts nothing.
            let mut bits = 0;
            for (chunk, word) in chunks.iter().zip(words.iter_mut()) {
                let marks = marks_of(chunk);
                *word = marks.specials;
                bits = bits >> 1 | u64::from(marks.is_beyond_ascii) << 63;
            }
            if let (false, Some(word)) = (rest.is_empty(), words.last_mut()) {
                let mut last = [b' '; BYTES];
                last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
                let marks = marks_of(&last);
                *word = marks.specials;
                bits = bits >> 1 | u64::from(marks.is_beyond_ascii) << 63;
            }
            *beyond = bits >> (words.len().wrapping_neg() % 64);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn avx2(bytes: &[u8; BYTES]) -> Marks {
    use std::arch::x86_64::{
        __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_set1_epi8,
    };

    #[target_feature(enable = "avx2")]
    #[inline]
    fn specials(bytes: __m256i) -> u64 {
        let quotes = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'"'.cast_signed()));
        let backslashes = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'\\'.cast_signed()));
        let controls = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
        let found = _mm256_or_si256(_mm256_or_si256(quotes, backslashes), controls);
        u64::from(_mm256_movemask_epi8(found).cast_unsigned())
    }

    let (halves, _) = bytes.as_chunks::<32>();
    let [low, high] = halves else {
        return Marks::default();
    };
    // SAFETY: each pointer is that of an array of 32 bytes, and the loads ask for no alignment.
    let (low, high) = unsafe {
        (
            _mm256_loadu_si256(low.as_ptr().cast()),
            _mm256_loadu_si256(high.as_ptr().cast()),
        )
    };
    Marks {
        specials: specials(low) | specials(high) << 32,
        is_beyond_ascii: _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0,
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn sse2(bytes: &[u8; BYTES]) -> Marks {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8,
    };
    let (quarters, _) = bytes.as_chunks::<16>();
    let mut specials = 0;
    let mut beyond_ascii = 0;
    for (index, quarter) in quarters.iter().enumerate() {
        // SAFETY: every x86-64 has SSE2; the pointer is that of an array of 16 bytes, and the load
        // asks for no alignment.
        let (found, high) = unsafe {
            let bytes = _mm_loadu_si128(quarter.as_ptr().cast());
            let quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'"'.cast_signed()));
            let backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\\'.cast_signed()));
            let controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
            let found = _mm_or_si128(_mm_or_si128(quotes, backslashes), controls);
            (_mm_movemask_epi8(found), _mm_movemask_epi8(bytes))
        };
        specials |= u64::from(found.cast_unsigned()) << (16 * index);
        beyond_ascii |= high;
    }
    Marks {
        specials,
        is_beyond_ascii: beyond_ascii != 0,
    }
}

#[inline]
fn plain(bytes: &[u8; BYTES]) -> Marks {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES * 0x80;
    // The high bit of each byte that is zero. Exact where the byte below it is not a zero or one,
    // so the bytes are halved into parts that cannot borrow from one another.
    let zeros = |word: u64| !(((word & !HIGHS) + !HIGHS) | word | !HIGHS);
    let mut specials = 0;
    let mut beyond_ascii = 0;
    let (eighths, _) = bytes.as_chunks::<8>();
    for (index, eighth) in eighths.iter().enumerate() {
        let word = u64::from_le_bytes(*eighth);
        let quotes = zeros(word ^ (ONES * u64::from(b'"')));
        let backslashes = zeros(word ^ (ONES * u64::from(b'\\')));
        let controls = zeros(word & (ONES * 0xe0));
        let found = quotes | backslashes | controls;
        // Gathers the high bits of the eight bytes in the highest byte.
        let gathered = (found >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        specials |= gathered << (8 * index);
        beyond_ascii |= word & HIGHS;
    }
    Marks {
        specials,
        is_beyond_ascii: beyond_ascii != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(bytes: &[u8], means: Means) -> (Vec<u64>, Vec<u64>) {
        let mut masks = Masks::default();
        masks.mark(bytes, means);
        masks.specials.truncate(bytes.len().div_ceil(64));
        (masks.specials, masks.beyond_ascii)
    }

    fn rule(bytes: &[u8]) -> (Vec<u64>, Vec<u64>) {
        let mut specials = vec![0; bytes.len().div_ceil(64)];
        let mut beyond_ascii = vec![0; bytes.len().div_ceil(4096)];
        for (at, byte) in bytes.iter().enumerate() {
            let is_special = matches!(byte, b'"' | b'\\' | 0..=0x1f);
            specials[at / 64] |= u64::from(is_special) << (at % 64);
            beyond_ascii[at / 4096] |= u64::from(*byte >= 0x80) << (at / 64 % 64);
        }
        (specials, beyond_ascii)
    }

    fn all_means() -> Vec<Means> {
        #[cfg(target_arch = "x86_64")]
        return vec![Means::widest(), Means::Sse2, Means::Plain];
        #[cfg(not(target_arch = "x86_64"))]
        return vec![Means::Plain];
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
