//! Where bytes come from: a file, a pipe or any reader, plain or compressed.
//!
//! Compression is known by the first bytes, never by the name. A regular, uncompressed file can be
//! read at any place and again ([`Input::file`]); everything else is read once, from its start.

mod ahead;

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use ahead::Opened;

/// How many bytes of compressed input are read at once.
const COMPRESSED_BUFFER: usize = 256 << 10;

/// How many bytes are looked at first.
const PEEK: usize = 4 << 10;

/// How often a pipe that gives nothing looks whether it was cancelled.
#[cfg(unix)]
const POLL_MS: i64 = 50;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Members of gzip, one after the other.
    Gzip,
    /// Frames of Zstandard, one after the other.
    Zstd,
}

impl Compression {
    /// Knows the compression by the first bytes of a file; four are enough.
    #[must_use]
    pub fn of(first: &[u8]) -> Option<Self> {
        match first {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            // A frame, or a skippable frame in front of the first one.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    /// The name for people.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// Why input could not be read to its end.
#[derive(Debug)]
pub enum InputError {
    /// The system says why.
    Io(io::Error),
    /// The compressed data is damaged or cut short.
    Unreadable {
        /// What it is compressed with.
        compression: Compression,
        /// What the decompressor says.
        cause: io::Error,
    },
    /// The flag given to [`Input::open`] or [`Input::stdin`] was set.
    Cancelled,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Unreadable { compression, cause } => {
                let name = compression.as_str();
                if cause.kind() == io::ErrorKind::UnexpectedEof {
                    write!(f, "unreadable: the {name} data ends too early")
                } else {
                    write!(f, "unreadable: the {name} data is damaged ({cause})")
                }
            }
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for InputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) | Self::Unreadable { cause: error, .. } => Some(error),
            Self::Cancelled => None,
        }
    }
}

/// Travels through a decompressor as the inside of an [`io::Error`].
#[derive(Debug)]
struct WasCancelled;

impl fmt::Display for WasCancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cancelled")
    }
}

impl std::error::Error for WasCancelled {}

type Source = Box<dyn Read + Send>;

enum Kind {
    Regular(File),
    Stream(Source),
    Compressed(Compression, Source),
}

/// Bytes to read, decompressed where they are compressed.
pub struct Input {
    kind: Kind,
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match &self.kind {
            Kind::Regular(_) => "file",
            Kind::Stream(_) => "stream",
            Kind::Compressed(compression, _) => compression.as_str(),
        };
        f.debug_tuple("Input").field(&name).finish()
    }
}

impl Input {
    /// Opens a file, a named pipe or a device.
    ///
    /// Setting `cancel` ends a read that waits for a pipe within 50 ms (on Unix).
    pub fn open(path: &Path, cancel: &Arc<AtomicBool>) -> Result<Self, InputError> {
        let file = open_without_waiting(path).map_err(InputError::Io)?;
        if !file.metadata().map_err(InputError::Io)?.is_file() {
            return Self::stream(Box::new(Waiting::new(file, cancel)));
        }
        let mut first = [0; 4];
        let length = read_full(&mut &file, &mut first).map_err(InputError::Io)?;
        io::Seek::rewind(&mut &file).map_err(InputError::Io)?;
        let kind = match Compression::of(first.get(..length).unwrap_or_default()) {
            Some(compression) => Kind::Compressed(compression, decoder(compression, file)?),
            None => Kind::Regular(file),
        };
        Ok(Self { kind })
    }

    /// Reads the standard input of the process, from where it stands; `cancel` as for `open`.
    pub fn stdin(cancel: &Arc<AtomicBool>) -> Result<Self, InputError> {
        let file = duplicate_stdin().map_err(InputError::Io)?;
        Self::stream(Box::new(Waiting::new(file, cancel)))
    }

    /// Reads from a reader, which may be compressed; waits for its first four bytes.
    pub fn from_reader(reader: impl Read + Send + 'static) -> Result<Self, InputError> {
        Self::stream(Box::new(reader))
    }

    fn stream(mut reader: Source) -> Result<Self, InputError> {
        let mut first = [0; 4];
        let length = read_full(&mut reader, &mut first).map_err(source_error)?;
        let first = first.get(..length).unwrap_or_default().to_vec();
        let compression = Compression::of(&first);
        let whole: Chain<Cursor<Vec<u8>>, Source> = Cursor::new(first).chain(reader);
        let kind = match compression {
            Some(compression) => Kind::Compressed(compression, decoder(compression, whole)?),
            None => Kind::Stream(Box::new(whole)),
        };
        Ok(Self { kind })
    }

    /// The file behind the input, where it is regular and not compressed.
    #[must_use]
    pub fn file(&self) -> Option<&File> {
        match &self.kind {
            Kind::Regular(file) => Some(file),
            Kind::Stream(_) | Kind::Compressed(..) => None,
        }
    }

    /// Reads some bytes; 0 at the end (or when `buffer` is empty).
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, InputError> {
        loop {
            let read = match &mut self.kind {
                Kind::Regular(file) => file.read(buffer),
                Kind::Stream(source) | Kind::Compressed(_, source) => source.read(buffer),
            };
            match read {
                Ok(length) => return Ok(length),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.error(error)),
            }
        }
    }

    /// Looks at the bytes in front without taking them: until `is_enough` says so of what it is
    /// shown, or the input ends. For an input from which nothing was read yet.
    pub fn peek(&mut self, is_enough: impl Fn(&[u8]) -> bool) -> Result<Vec<u8>, InputError> {
        let mut seen = Vec::new();
        while !is_enough(&seen) {
            let length = seen.len();
            seen.resize(length + PEEK, 0);
            let free = seen.get_mut(length..).unwrap_or_default();
            let read = match &self.kind {
                Kind::Regular(file) => {
                    read_at(file, free, length as u64).map_err(InputError::Io)?
                }
                Kind::Stream(_) | Kind::Compressed(..) => self.read(free)?,
            };
            seen.truncate(length + read);
            if read == 0 {
                break;
            }
        }
        if let Kind::Stream(source) | Kind::Compressed(_, source) = &mut self.kind {
            let rest = std::mem::replace(source, Box::new(io::empty()));
            *source = Box::new(Cursor::new(seen.clone()).chain(rest));
        }
        Ok(seen)
    }

    /// Reads what is left, decompressed.
    pub fn read_to_end(&mut self) -> Result<Vec<u8>, InputError> {
        let mut all = Vec::new();
        if let Some(length) = self.file().and_then(|file| file.metadata().ok()) {
            all.reserve_exact(usize::try_from(length.len()).unwrap_or(0));
        }
        let read = match &mut self.kind {
            Kind::Regular(file) => file.read_to_end(&mut all),
            Kind::Stream(source) | Kind::Compressed(_, source) => source.read_to_end(&mut all),
        };
        read.map_err(|error| self.error(error))?;
        Ok(all)
    }

    fn error(&self, error: io::Error) -> InputError {
        match (source_error(error), &self.kind) {
            // What the system says has its number; everything else is the decompressor's.
            (InputError::Io(cause), &Kind::Compressed(compression, _))
                if cause.raw_os_error().is_none() =>
            {
                InputError::Unreadable { compression, cause }
            }
            (error, _) => error,
        }
    }
}

fn source_error(error: io::Error) -> InputError {
    match error.get_ref() {
        Some(inner) if inner.is::<WasCancelled>() => InputError::Cancelled,
        _ => InputError::Io(error),
    }
}

fn decoder(
    compression: Compression,
    source: impl Read + Send + 'static,
) -> Result<Source, InputError> {
    let source = BufReader::with_capacity(COMPRESSED_BUFFER, source);
    Ok(match compression {
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(source)),
        Compression::Zstd => Box::new(
            zstd::stream::read::Decoder::with_buffer(source)
                .map_err(|cause| InputError::Unreadable { compression, cause })?,
        ),
    })
}

/// Reads some bytes of a file at a place, without moving the place where it stands for others.
#[cfg(unix)]
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::os::unix::fs::FileExt;
    loop {
        match file.read_at(buffer, offset) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Reads some bytes of a file at a place.
#[cfg(windows)]
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::os::windows::fs::FileExt;
    file.seek_read(buffer, offset)
}

/// Reads until the buffer is full or the end is met.
fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while let Some(free) = buffer.get_mut(length..).filter(|free| !free.is_empty()) {
        match reader.read(free) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// A file whose reads may wait for another process.
#[derive(Debug)]
struct Waiting {
    file: File,
    cancel: Arc<AtomicBool>,
}

impl Waiting {
    fn new(file: File, cancel: &Arc<AtomicBool>) -> Self {
        let cancel = Arc::clone(cancel);
        Self { file, cancel }
    }
}

impl Read for Waiting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.cancel.load(Ordering::Relaxed) {
                return Err(io::Error::other(WasCancelled));
            }
            if wait_for_bytes(&self.file)? {
                match self.file.read(buffer) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    read => return read,
                }
            }
        }
    }
}

#[cfg(unix)]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // Opening a named pipe would wait, and could not be cancelled, until a writer is there.
    let flags = rustix::fs::OFlags::NONBLOCK.bits();
    File::options()
        .read(true)
        .custom_flags(flags.cast_signed())
        .open(path)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(unix)]
fn wait_for_bytes(file: &File) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let timeout = Timespec {
        tv_sec: 0,
        tv_nsec: POLL_MS * 1_000_000,
    };
    match poll(&mut [PollFd::new(file, PollFlags::IN)], Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn wait_for_bytes(_file: &File) -> io::Result<bool> {
    Ok(true)
}

#[cfg(unix)]
fn duplicate_stdin() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn duplicate_stdin() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
}
