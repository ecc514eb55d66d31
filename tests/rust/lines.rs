//! Lines: breaks, numbers, offsets, marks and limits, from memory and from readers of any shape.

use std::io::{Cursor, Read};

use minos_core::input::Input;
use minos_core::lines::{Content, LineReader, is_blank, split};
use proptest::prelude::*;

/// (number, offset, bytes or too long) of every line.
type Told = Vec<(u64, u64, Option<Vec<u8>>)>;

fn told_of_slice(bytes: &[u8]) -> Told {
    split(bytes)
        .map(|line| (line.number, line.offset, kept(line.content)))
        .collect()
}

fn told_of_reader(
    reader: impl Read + Send + 'static,
    buffer: usize,
    longest: usize,
) -> (Told, u64) {
    let mut lines = LineReader::with_limits(Input::from_reader(reader).unwrap(), buffer, longest);
    let mut told = Vec::new();
    while let Some(line) = lines.next_line().unwrap() {
        told.push((line.number, line.offset, kept(line.content)));
    }
    let read = lines.bytes_read();
    (told, read)
}

fn kept(content: Content<'_>) -> Option<Vec<u8>> {
    match content {
        Content::Bytes(bytes) => Some(bytes.to_vec()),
        Content::TooLong => None,
    }
}

/// Gives a few bytes at a time, so that every break can meet the border of a read.
struct Dribble(Cursor<Vec<u8>>, usize);

impl Read for Dribble {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(self.1);
        self.0.read(&mut buffer[..length])
    }
}

/// The rule of the format, written down plainly.
fn expected(bytes: &[u8]) -> Told {
    let mark = if bytes.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    let (mut told, mut start, mut at) = (Vec::new(), mark, mark);
    while at < bytes.len() {
        let length = match (bytes[at], bytes.get(at + 1)) {
            (b'\r', Some(b'\n')) => 2,
            (b'\r' | b'\n', _) => 1,
            _ => 0,
        };
        if length > 0 {
            told.push((
                told.len() as u64 + 1,
                start as u64,
                Some(bytes[start..at].to_vec()),
            ));
            start = at + length;
        }
        at += length.max(1);
    }
    if start < bytes.len() {
        told.push((
            told.len() as u64 + 1,
            start as u64,
            Some(bytes[start..].to_vec()),
        ));
    }
    told
}

#[test]
fn every_break_ends_a_line_and_crlf_is_one() {
    let told = told_of_slice(b"a\nb\r\nc\rd\n\re\r\r\n");
    let texts: Vec<_> = told.iter().map(|line| line.2.clone().unwrap()).collect();
    assert_eq!(texts, [&b"a"[..], b"b", b"c", b"d", b"", b"e", b""]);
    assert_eq!(told.last().unwrap(), &(7, 12, Some(vec![])));
}

#[test]
fn no_line_stands_behind_the_last_break() {
    assert_eq!(told_of_slice(b""), []);
    assert_eq!(told_of_slice(b"\xef\xbb\xbf"), []);
    assert_eq!(told_of_slice(b"\n"), [(1, 0, Some(vec![]))]);
    assert_eq!(told_of_slice(b"a\r\n").len(), 1);
}

#[test]
fn a_mark_is_skipped_only_at_the_start() {
    let told = told_of_slice(b"\xef\xbb\xbfa\n\xef\xbb\xbfb");
    assert_eq!(told[0], (1, 3, Some(b"a".to_vec())));
    assert_eq!(told[1], (2, 5, Some(b"\xef\xbb\xbfb".to_vec())));
}

#[test]
fn a_line_above_the_limit_is_told_and_the_next_one_is_whole() {
    for length in 8..40 {
        for ending in ["\n", "\r\n", "\r", ""] {
            let file = format!("12345678\n{}{ending}\nend", "x".repeat(length));
            let mut wanted = expected(file.as_bytes());
            if length > 8 {
                wanted[1].2 = None;
            }
            let (told, read) = told_of_reader(Cursor::new(file.clone()), 4, 8);
            assert_eq!(told, wanted, "{file:?}");
            assert_eq!(read, file.len() as u64);
        }
    }
}

#[test]
fn spaces_and_tabs_are_blank_and_nothing_else_is() {
    assert!(is_blank(b"") && is_blank(b" \t "));
    assert!(!is_blank("\u{a0}".as_bytes()) && !is_blank(b"\x0b"));
}

proptest! {
    #[test]
    fn readers_of_any_shape_give_the_lines_of_the_rule(
        pieces in prop::collection::vec(
            prop_oneof![Just("\r"), Just("\n"), Just("\r\n"), Just("a"), Just("bcdefg"), Just("\u{feff}"), Just(" ")],
            0..40,
        ),
        at_once in 1_usize..9,
        buffer in 4_usize..20,
    ) {
        let file = pieces.concat().into_bytes();
        let wanted = expected(&file);
        prop_assert_eq!(told_of_slice(&file), wanted.clone());
        let (told, read) = told_of_reader(Dribble(Cursor::new(file.clone()), at_once), buffer, 1 << 20);
        prop_assert_eq!(told, wanted);
        prop_assert_eq!(read, file.len() as u64);
    }
}
