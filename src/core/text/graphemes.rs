//! Text as its reader sees it: extended grapheme clusters.

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation;

/// The length in extended grapheme clusters; CR LF is one.
///
/// ```
/// assert_eq!(minos_core::text::graphemes::length("e\u{301}👩‍👩‍👧\r\n"), 3);
/// ```
#[must_use]
pub fn length(text: &str) -> usize {
    if text.is_ascii() {
        // The only cluster of ASCII with two characters is CR LF.
        text.len() - memchr::memmem::find_iter(text.as_bytes(), b"\r\n").count()
    } else {
        text.graphemes(true).count()
    }
}

/// Two texts as numbers, one a cluster: equal clusters have equal numbers in both.
pub(super) struct Numbered {
    pub(super) first: Vec<u32>,
    pub(super) second: Vec<u32>,
    /// How many numbers are in use, counted from 0.
    pub(super) distinct: usize,
}

/// Numbers the clusters of two texts; None where one has more than `limit`.
pub(super) fn number<'a>(first: &'a str, second: &'a str, limit: usize) -> Option<Numbered> {
    let mut known: HashMap<&'a str, u32> = HashMap::new();
    let mut list = |text: &'a str| {
        let mut numbers = Vec::new();
        for cluster in text.graphemes(true) {
            if numbers.len() == limit {
                return None;
            }
            let next = u32::try_from(known.len()).ok()?;
            numbers.push(*known.entry(cluster).or_insert(next));
        }
        Some(numbers)
    };
    let first = list(first)?;
    let second = list(second)?;
    Some(Numbered {
        first,
        second,
        distinct: known.len(),
    })
}
