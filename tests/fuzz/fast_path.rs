//! The law of the fast path, on damaged lines: it accepts exactly where the diagnosis finds nothing,
//! and then both say the same, wherever a line stands in a block and wherever the block is cut.
//!
//! Debug assertions are on here, so that every place the fast path reads without looking for the end
//! is compared with it. The lines are those of the saved corpus, of the known files, and what seeded damage makes of
//! them. `MINOS_FUZZ_ROUNDS` and `MINOS_FUZZ_SEED` ask for more or other damage; a line that breaks
//! the law is printed and belongs into `tests/fuzz/corpus`.

use std::fs;
use std::path::Path;

use minos_core::decision::diagnose;
use minos_core::decision::fast::{Padded, Scratch, accept};
use minos_core::json::unescape;
use minos_core::lines::{Content, end_of_line, is_blank, split};

#[path = "../rust/known_files/mod.rs"]
mod known_files;

const ROUNDS: u64 = 60_000;

/// How many blocks there are for each so many lines.
const LINES_A_BLOCK: u64 = 30;

/// What damage puts into a line.
const PIECES: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b" ",
    b"\t",
    b"\\u0061",
    b"\\ud83d\\ude00",
    b"\\ud800",
    b"\\udc00",
    b"\\n",
    b"\\u0085",
    b"\xc2\xa0",
    b"\xe2\x80\x89",
    b"\xe3\x80\x80",
    b"\xf0\x9f\x98\x80",
    b"\xff",
    b"\xc3",
    b"\x00",
    b"\x1f",
    b"\x7f",
    b"0",
    b"1",
    b"-0",
    b"01",
    b"1.5e+3",
    b"null",
    b"true",
    b"false",
    b"\"id\":\"b\",",
    b",\"id\":\"c\"",
    b"\"version\":1,",
    b"\"version\":2,",
    b"\"source\":\"s\",",
    b"\"expected\":{},",
    b"{\"a\":1,\"a\":2}",
    b"{\"a\":1,\"\\u0061\":2}",
    b"\"type\":\"noul\",",
    b"\"type\":\"score\",",
    b"\"criteria\":{},",
    b"\"criteria\":[\"a\",\"b\"],",
    b"\"instructions\":\" \",",
    b"\"\":",
    b"\"examples\":[],",
    b"\"not_for\":[\"x\"],",
    b"[[[[[[[[",
    b"]]]]]]]]",
];

/// Steps of a small generator, so that a seed names its damage on every machine.
struct Dice(u64);

impl Dice {
    fn asked() -> Self {
        Self(asked("MINOS_FUZZ_SEED").unwrap_or(0x6d69_6e6f_7321))
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound.max(1) as u64).unwrap()
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let most = if self.below(4) == 0 { length } else { 12 };
        start..(start + self.below(most + 1)).min(length)
    }
}

/// Lines that are right, and all lines.
struct Seeds {
    right: Vec<Vec<u8>>,
    all: Vec<Vec<u8>>,
}

impl Seeds {
    fn of(all: Vec<Vec<u8>>) -> Self {
        let right = all.iter().filter(|line| is_right(line)).cloned().collect();
        Self { right, all }
    }
}

fn damage(Seeds { right, all: seeds }: &Seeds, dice: &mut Dice) -> Vec<u8> {
    let from = if dice.below(8) == 0 { seeds } else { right };
    let mut line = from[dice.below(from.len())].clone();
    for _ in 0..[0, 1, 1, 1, 2, 3][dice.below(6)] {
        let range = dice.range(line.len());
        match dice.below(8) {
            0 => {
                line.drain(range);
            }
            1 => {
                let copy = line[range.clone()].to_vec();
                line.splice(range.end..range.end, copy);
            }
            2 => {
                let copy = line[range].to_vec();
                let at = dice.below(line.len() + 1);
                line.splice(at..at, copy);
            }
            3 => {
                let other = &seeds[dice.below(seeds.len())];
                let piece = other[dice.range(other.len())].to_vec();
                line.splice(range, piece);
            }
            4 if !line.is_empty() => {
                let at = dice.below(line.len());
                line[at] ^= 1 << dice.below(8);
            }
            // An escape in place of a plain character, anywhere.
            5 if !line.is_empty() => {
                let at = dice.below(line.len());
                let escape = format!("\\u{:04x}", line[at]);
                line.splice(at..=at, escape.into_bytes());
            }
            _ => {
                let piece = PIECES[dice.below(PIECES.len())];
                line.splice(range.start..range.start, piece.iter().copied());
            }
        }
    }
    line
}

fn seeds() -> Vec<Vec<u8>> {
    let mut files: Vec<Vec<u8>> = known_files::known_files()
        .into_iter()
        .map(|file| file.bytes)
        .collect();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fuzz/corpus");
    let mut paths: Vec<_> = fs::read_dir(corpus)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    files.extend(paths.into_iter().map(|path| fs::read(path).unwrap()));
    files.iter().flat_map(|file| lines(file)).collect()
}

fn lines(file: &[u8]) -> Vec<Vec<u8>> {
    split(file)
        .filter_map(|line| match line.content {
            Content::Bytes(bytes) if !is_blank(bytes) => Some(bytes.to_vec()),
            _ => None,
        })
        .collect()
}

/// Holds one line to the law; true where it is accepted.
fn check(line: &[u8], scratch: &mut Scratch) -> bool {
    let shown = || String::from_utf8_lossy(line).into_owned();
    let mut problems = Vec::new();
    let item = diagnose(line, 1, &mut problems).item;
    assert_eq!(item.is_some(), problems.is_empty(), "{}", shown());
    // The second time the questions are known.
    for _ in 0..2 {
        let accepted = accept(line, scratch);
        assert_eq!(
            accepted.is_some(),
            item.is_some(),
            "{}: {problems:?}",
            shown()
        );
        let (Some(accepted), Some(item)) = (accepted, &item) else {
            return false;
        };
        assert_eq!(accepted.id(), item.id, "{}", shown());
        assert_eq!(accepted.state, item.state, "{}", shown());
        assert_eq!(accepted.questions, item.questions, "{}", shown());
        assert_eq!(accepted.expected, item.expected, "{}", shown());
        assert_eq!(*accepted.set.shared(), item.set.set, "{}", shown());
        let source = accepted
            .source
            .map(|range| std::str::from_utf8(&line[range]).unwrap());
        assert_eq!(
            source.map(unescape).as_deref(),
            item.source.as_deref(),
            "{}",
            shown()
        );
    }
    // The same wherever the line stands in a block.
    let before = line.iter().map(|byte| usize::from(*byte)).sum::<usize>() % 131;
    let mut block = [&vec![b'"'; before], line, b"\n\xff\"{"].concat();
    let length = block.len();
    let block = Padded::new(&mut block, length);
    scratch.begin(block, before / 2);
    let accepted = scratch.accept_at(block, before).unwrap();
    assert_eq!(accepted.end, before + line.len(), "{}", shown());
    true
}

/// Whether the diagnosis finds nothing wrong with a line.
fn is_right(line: &[u8]) -> bool {
    let mut problems = Vec::new();
    diagnose(line, 1, &mut problems).item.is_some() && problems.is_empty()
}

/// Holds the lines of a block to the law, from `start` on, where a line starts.
fn check_block(bytes: &[u8], start: usize, scratch: &mut Scratch) {
    let mut buffer = bytes.to_vec();
    // What stands behind the block in its buffer is of no meaning.
    buffer.extend_from_slice(b"\"}\\\xff\n");
    let block = Padded::new(&mut buffer, bytes.len());
    scratch.begin(block, start);
    let mut at = start;
    while at < bytes.len() {
        let (end, next) = end_of_line(bytes, at, true).unwrap();
        let accepted = scratch.accept_at(block, at);
        let shown = String::from_utf8_lossy(bytes);
        assert_eq!(
            accepted.is_some(),
            is_right(&bytes[at..end]),
            "{at} {shown}"
        );
        assert!(
            accepted.is_none_or(|accepted| accepted.end == end),
            "{at} {shown}"
        );
        at = next;
    }
}

fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn the_corpus_keeps_the_law() {
    let mut scratch = Scratch::default();
    let accepted = seeds()
        .iter()
        .filter(|line| check(line, &mut scratch))
        .count();
    assert!(accepted > 30, "{accepted}");
}

#[test]
fn damaged_lines_keep_the_law() {
    let seeds = Seeds::of(seeds());
    let mut dice = Dice::asked();
    let mut scratch = Scratch::default();
    let (mut accepted, mut refused) = (0_u64, 0_u64);
    for _ in 0..asked("MINOS_FUZZ_ROUNDS").unwrap_or(ROUNDS) {
        for line in lines(&damage(&seeds, &mut dice)) {
            if check(&line, &mut scratch) {
                accepted += 1;
            } else {
                refused += 1;
            }
        }
    }
    assert!(
        accepted > refused / 20 && refused > accepted / 20,
        "{accepted} {refused}"
    );
}

#[test]
fn blocks_keep_the_law_wherever_they_are_cut() {
    let seeds = Seeds::of(seeds());
    let mut dice = Dice::asked();
    let mut scratch = Scratch::default();
    for _ in 0..asked("MINOS_FUZZ_ROUNDS").unwrap_or(ROUNDS) / LINES_A_BLOCK {
        let (mut block, mut starts) = (Vec::new(), Vec::new());
        // A right line stands in the block twice, so that its questions are known.
        let again = seeds.right[dice.below(seeds.right.len())].clone();
        for _ in 0..=dice.below(4) {
            for line in [again.clone(), damage(&seeds, &mut dice)] {
                starts.push(block.len());
                block.extend_from_slice(&line);
                block.extend_from_slice([&b"\n"[..], b"\r", b"\r\n"][dice.below(3)]);
            }
        }
        for _ in 0..4 {
            let cut = dice.below(block.len() + 1);
            check_block(&block[..cut], 0, &mut scratch);
        }
        check_block(&block, 0, &mut scratch);
        check_block(&block, starts[dice.below(starts.len())], &mut scratch);
    }
}
