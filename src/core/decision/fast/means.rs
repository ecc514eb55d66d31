//! How the machine marks 64 bytes at a time, as wide as it can.

use std::cell::Cell;

/// The bytes that one word of bits stands for.
pub(super) const BYTES: usize = 64;

/// The words that are marked at once.
pub(super) const STRIP: usize = 8;

/// The bytes that are marked at once.
pub(super) const STRIP_BYTES: usize = STRIP * BYTES;

/// What is known of 64 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Marks {
    specials: u64,
    is_beyond_ascii: bool,
}

/// How the machine marks 64 bytes at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Means {
    /// 64 bytes at once.
    #[cfg(target_arch = "x86_64")]
    Avx512,
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
            if std::arch::is_x86_feature_detected!("avx512bw") {
                Self::Avx512
            } else if std::arch::is_x86_feature_detected!("avx2") {
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

    /// Marks whole strips; what stands behind the bytes is marked as if it were zeros.
    pub(super) fn mark(self, bytes: &[u8], words: &[Cell<u64>], strips: &[Cell<bool>]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Means::Avx512 => {
                // SAFETY: `Means::Avx512` is made only where the machine was seen to have AVX-512BW.
                unsafe { mark_avx512(bytes, words, strips) }
            }
            #[cfg(target_arch = "x86_64")]
            Means::Avx2 => {
                // SAFETY: `Means::Avx2` is made only where the machine was seen to have AVX2.
                unsafe { mark_avx2(bytes, words, strips) }
            }
            #[cfg(target_arch = "x86_64")]
            Means::Sse2 => mark_with(bytes, words, strips, sse2),
            Means::Plain => mark_with(bytes, words, strips, plain),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512bw")]
fn mark_avx512(bytes: &[u8], words: &[Cell<u64>], strips: &[Cell<bool>]) {
    // A closure has the features of the function it stands in; the function alone would not.
    mark_with(bytes, words, strips, |chunk| avx512(chunk));
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn mark_avx2(bytes: &[u8], words: &[Cell<u64>], strips: &[Cell<bool>]) {
    mark_with(bytes, words, strips, |chunk| avx2(chunk));
}

#[inline(always)]
fn mark_with(
    bytes: &[u8],
    words: &[Cell<u64>],
    strips: &[Cell<bool>],
    marks_of: impl Fn(&[u8; BYTES]) -> Marks,
) {
    let (mut chunks, mut end) = bytes.as_chunks();
    let (words, _) = words.as_chunks::<STRIP>();
    for (words, beyond) in words.iter().zip(strips) {
        let last;
        let strip = if let Some((strip, rest)) = chunks.split_first_chunk() {
            chunks = rest;
            strip
        } else {
            last = last_strip(chunks, end);
            (chunks, end) = (&[], &[]);
            &last
        };
        let mut is_beyond_ascii = false;
        // Plain places, which become straight code; pairs of iterators did not.
        for index in 0..STRIP {
            let marks = marks_of(&strip[index]);
            words[index].set(marks.specials);
            is_beyond_ascii |= marks.is_beyond_ascii;
        }
        beyond.set(is_beyond_ascii);
    }
}

/// What is left, and zeros behind it.
#[cold]
fn last_strip(chunks: &[[u8; BYTES]], end: &[u8]) -> [[u8; BYTES]; STRIP] {
    let mut strip = [[0; BYTES]; STRIP];
    let left = chunks.as_flattened().iter().chain(end);
    let places = strip.as_flattened_mut().iter_mut();
    places.zip(left).for_each(|(to, from)| *to = *from);
    strip
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512bw")]
#[inline]
fn avx512(bytes: &[u8; BYTES]) -> Marks {
    use std::arch::x86_64::{
        _mm512_cmpeq_epi8_mask, _mm512_cmplt_epu8_mask, _mm512_loadu_si512, _mm512_movepi8_mask,
        _mm512_set1_epi8,
    };
    // SAFETY: the pointer is that of an array of 64 bytes, and the load asks for no alignment.
    let bytes = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
    let quotes = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'"'.cast_signed()));
    let backslashes = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'\\'.cast_signed()));
    let controls = _mm512_cmplt_epu8_mask(bytes, _mm512_set1_epi8(0x20));
    Marks {
        specials: quotes | backslashes | controls,
        is_beyond_ascii: _mm512_movepi8_mask(bytes) != 0,
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
