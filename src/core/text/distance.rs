//! The edit distance between two texts.

use std::fmt;

use super::graphemes;

/// The longest text whose distance is measured, in grapheme clusters.
pub const LONGEST: usize = 100_000;

/// A text is too long to be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an edit distance is measured between texts of up to 100,000 characters")
    }
}

impl std::error::Error for TooLong {}

/// The least number of clusters to insert, remove or replace to make one text of the other
/// (Levenshtein's distance over extended grapheme clusters).
///
/// Takes time in proportion to the product of the lengths over 64, and memory in proportion to
/// their sum.
///
/// ```
/// assert_eq!(minos_core::text::distance::edit_distance("hello", "helo"), Ok(1));
/// ```
pub fn edit_distance(first: &str, second: &str) -> Result<usize, TooLong> {
    let numbered = graphemes::number(first, second, LONGEST).ok_or(TooLong)?;
    let (first, second) = without_common_ends(&numbered.first, &numbered.second);
    let (shorter, longer) = if first.len() <= second.len() {
        (first, second)
    } else {
        (second, first)
    };
    Ok(by_blocks(shorter, longer, numbered.distinct))
}

fn without_common_ends<'a>(mut first: &'a [u32], mut second: &'a [u32]) -> (&'a [u32], &'a [u32]) {
    while let ([a, first_rest @ ..], [b, second_rest @ ..]) = (first, second)
        && a == b
    {
        (first, second) = (first_rest, second_rest);
    }
    while let ([first_rest @ .., a], [second_rest @ .., b]) = (first, second)
        && a == b
    {
        (first, second) = (first_rest, second_rest);
    }
    (first, second)
}

/// A step along a column's lower edge: the difference to the column before.
#[derive(Clone, Copy)]
struct Step {
    up: bool,
    down: bool,
}

/// Hyyrö's bit-parallel recurrence, 64 rows at a time: a block of rows runs along all columns and
/// hands its lower edge to the next block, so that only one edge is ever held.
fn by_blocks(rows: &[u32], columns: &[u32], distinct: usize) -> usize {
    let mut edge = vec![
        Step {
            up: true,
            down: false
        };
        columns.len()
    ];
    let mut equal_rows = vec![0_u64; distinct];
    for block in rows.chunks(64) {
        for (bit, &cluster) in block.iter().enumerate() {
            if let Some(mask) = equal_rows.get_mut(cluster as usize) {
                *mask |= 1 << bit;
            }
        }
        run_block(block.len(), columns, &equal_rows, &mut edge);
        for &cluster in block {
            if let Some(mask) = equal_rows.get_mut(cluster as usize) {
                *mask = 0;
            }
        }
    }
    // The corner below the first column is the number of rows; the edge leads from there.
    let ups = edge.iter().filter(|step| step.up).count();
    let downs = edge.iter().filter(|step| step.down).count();
    rows.len() + ups - downs
}

fn run_block(height: usize, columns: &[u32], equal_rows: &[u64], edge: &mut [Step]) {
    let last = 1_u64 << (height - 1);
    let (mut up, mut down) = (u64::MAX, 0_u64);
    for (&cluster, step) in columns.iter().zip(edge) {
        let mut equal = equal_rows.get(cluster as usize).copied().unwrap_or(0);
        let vertical = equal | down;
        equal |= u64::from(step.down);
        let horizontal = (((equal & up).wrapping_add(up)) ^ up) | equal;
        let mut rising = down | !(horizontal | up);
        let mut falling = up & horizontal;
        let next = Step {
            up: rising & last != 0,
            down: falling & last != 0,
        };
        rising = (rising << 1) | u64::from(step.up);
        falling = (falling << 1) | u64::from(step.down);
        up = falling | !(vertical | rising);
        down = rising & vertical;
        *step = next;
    }
}
