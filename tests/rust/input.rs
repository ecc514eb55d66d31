//! Input: compression by the first bytes, damage, and reads that wait and are cancelled.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::write::GzEncoder;
use minos_core::input::{Compression, Input, InputError};

const TEXT: &[u8] = b"{\"id\":\"a\"}\n{\"id\":\"b\"}\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

fn never() -> Arc<AtomicBool> {
    Arc::new(AtomicBool::new(false))
}

fn open(bytes: &[u8]) -> Result<Vec<u8>, InputError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plain.name");
    fs::write(&path, bytes).unwrap();
    Input::open(&path, &never())?.read_to_end()
}

fn stream(bytes: Vec<u8>) -> Result<Vec<u8>, InputError> {
    Input::from_reader(Cursor::new(bytes))?.read_to_end()
}

#[test]
fn plain_bytes_come_as_they_are() {
    for bytes in [&b""[..], b"a", b"abc", TEXT] {
        assert_eq!(open(bytes).unwrap(), bytes);
        assert_eq!(stream(bytes.to_vec()).unwrap(), bytes);
    }
}

#[test]
fn compression_is_known_by_the_first_bytes() {
    for packed in [gzip(TEXT), zstandard(TEXT)] {
        assert_eq!(open(&packed).unwrap(), TEXT);
        assert_eq!(stream(packed).unwrap(), TEXT);
    }
    assert_eq!(Compression::of(b"\x1f"), None);
    assert_eq!(Compression::of(b"PK\x03\x04"), None);
}

#[test]
fn members_and_frames_follow_one_another() {
    let skippable = [b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec(), zstandard(TEXT)].concat();
    assert_eq!(stream(skippable).unwrap(), TEXT);
    for (first, second) in [
        (gzip(b"one\n"), gzip(b"two\n")),
        (zstandard(b"one\n"), zstandard(b"two\n")),
    ] {
        assert_eq!(stream([first, second].concat()).unwrap(), b"one\ntwo\n");
    }
}

#[test]
fn what_is_cut_short_is_unreadable_wherever_it_is_cut() {
    for (packed, name) in [(gzip(TEXT), "gzip"), (zstandard(TEXT), "zstd")] {
        for length in 4..packed.len() {
            let error = open(&packed[..length]).unwrap_err();
            assert!(
                matches!(error, InputError::Unreadable { .. }),
                "{length}: {error}"
            );
            assert_eq!(
                error.to_string(),
                format!("unreadable: the {name} data ends too early")
            );
        }
    }
}

#[test]
fn damage_is_unreadable() {
    for mut packed in [gzip(TEXT), zstandard(TEXT)] {
        packed.extend_from_slice(b"rubbish");
        let error = stream(packed).unwrap_err();
        assert!(error.to_string().starts_with("unreadable: the "), "{error}");
    }
    let mut wrong_sum = gzip(TEXT);
    let at = wrong_sum.len() - 5;
    wrong_sum[at] ^= 1;
    assert!(matches!(
        stream(wrong_sum),
        Err(InputError::Unreadable { .. })
    ));
}

#[test]
fn what_the_system_refuses_keeps_its_kind() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Input::open(&folder.path().join("missing"), &never()).unwrap_err();
    assert!(
        matches!(missing, InputError::Io(error) if error.kind() == std::io::ErrorKind::NotFound)
    );
    let directory = Input::open(folder.path(), &never()).unwrap_err();
    assert!(
        matches!(directory, InputError::Io(error) if error.kind() == std::io::ErrorKind::IsADirectory)
    );
}

#[test]
fn only_a_plain_regular_file_can_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, packed) = (folder.path().join("plain"), folder.path().join("packed"));
    fs::write(&plain, TEXT).unwrap();
    fs::write(&packed, gzip(TEXT)).unwrap();
    assert!(Input::open(&plain, &never()).unwrap().file().is_some());
    assert!(Input::open(&packed, &never()).unwrap().file().is_none());
}

#[test]
fn what_was_looked_at_is_still_read() {
    let text = TEXT.repeat(1000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for bytes in [text.clone(), gzip(&text), zstandard(&text)] {
        fs::write(&path, &bytes).unwrap();
        let inputs = [
            Input::open(&path, &never()).unwrap(),
            Input::from_reader(Cursor::new(bytes)).unwrap(),
        ];
        for mut input in inputs {
            let seen = input.peek(|seen| seen.len() > 5000).unwrap();
            assert!(seen.len() > 5000 && text.starts_with(&seen));
            assert_eq!(input.peek(|_| false).unwrap(), text);
            assert_eq!(input.read_to_end().unwrap(), text);
        }
    }
}

#[cfg(unix)]
fn named_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo")
        .arg(path)
        .status()
        .unwrap();
    assert!(made.success());
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_and_may_be_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    named_pipe(&path);
    let writer = std::thread::spawn({
        let path = path.clone();
        move || {
            fs::File::create(path)
                .unwrap()
                .write_all(&gzip(TEXT))
                .unwrap();
        }
    });
    assert_eq!(
        Input::open(&path, &never()).unwrap().read_to_end().unwrap(),
        TEXT
    );
    writer.join().unwrap();
}

#[cfg(unix)]
#[test]
fn waiting_for_a_pipe_that_nobody_writes_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    named_pipe(&path);
    let cancel = never();
    let reader = std::thread::spawn({
        let cancel = Arc::clone(&cancel);
        move || Input::open(&path, &cancel).and_then(|mut input| input.read_to_end())
    });
    cancel.store(true, Ordering::Relaxed);
    assert!(matches!(reader.join().unwrap(), Err(InputError::Cancelled)));
}
