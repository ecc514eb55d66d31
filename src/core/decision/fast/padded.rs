//! Bytes with zeros behind their end, so that they can be read without looking for the end first.

/// Bytes, and zeros behind them that may be read.
///
/// The fast path reads without comparing each place with the end, which is a sixth of its
/// instructions. What it relies on is this: **it reads at most 63 bytes behind the end.** A place is
/// either given (and compared with the end where it is given), or found in front of the end by the
/// marks, or stands behind a byte that was read and is not zero, which only bytes in front of the end
/// are. So no place is behind the end; and what is read from a place is a fixed number of bytes,
/// never more than 16. Every reading is asserted where debug assertions are on, which is how
/// `tests/fuzz` reads damaged lines.
#[derive(Clone, Copy, Debug)]
pub struct Padded<'a> {
    /// The bytes and the zeros.
    whole: &'a [u8],
}

impl<'a> Padded<'a> {
    /// How many zeros there are.
    pub const ZEROS: usize = 64;

    /// The first `length` bytes of a buffer; what stands behind them there becomes zeros.
    pub fn new(buffer: &'a mut Vec<u8>, length: usize) -> Self {
        let length = length.min(buffer.len());
        if buffer.len() - length < Self::ZEROS {
            buffer.resize(length + Self::ZEROS, 0);
        }
        let (whole, _) = buffer.split_at_mut(length + Self::ZEROS);
        let (_, zeros) = whole.split_at_mut(length);
        zeros.fill(0);
        Self { whole }
    }

    /// How many bytes there are, without the zeros.
    #[inline(always)]
    #[must_use]
    pub fn len(self) -> usize {
        self.whole.len() - Self::ZEROS
    }

    /// Whether there are no bytes.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The bytes without the zeros.
    #[inline(always)]
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        self.whole.get(..self.len()).unwrap_or_default()
    }

    /// The byte at a place; 0 behind the end.
    #[inline(always)]
    pub(super) fn byte(self, at: usize) -> u8 {
        let [byte] = self.chunk(at);
        byte
    }

    /// The bytes from a place on; zeros behind the end.
    #[inline(always)]
    pub(super) fn chunk<const N: usize>(self, at: usize) -> [u8; N] {
        // A place may be 12 bytes behind the one that was found last.
        const { assert!(N <= 16) };
        debug_assert!(at <= self.whole.len() - N, "{at} is behind {}", self.len());
        // SAFETY: `at` is not behind the end, or a few bytes behind a place that is not, so that
        // these bytes are among the bytes and the zeros; see above. No slice is longer than
        // `isize::MAX`, which spares the checks of the additions that led here.
        unsafe {
            std::hint::assert_unchecked(at < isize::MAX.cast_unsigned());
            *self.whole.as_ptr().add(at).cast()
        }
    }

    /// Eight bytes, the first one lowest.
    #[inline(always)]
    pub(super) fn word(self, at: usize) -> u64 {
        u64::from_le_bytes(self.chunk(at))
    }
}

impl Default for Padded<'_> {
    fn default() -> Self {
        Self {
            whole: &[0; Self::ZEROS],
        }
    }
}
