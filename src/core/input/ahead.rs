//! Pipes that are read ahead, so that whoever writes into two of them never waits for one while its
//! reader waits for the other.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::{Input, InputError, Waiting, WasCancelled, open_without_waiting};

/// How many bytes are read at once; as many as a pipe holds.
const PIECE: usize = 64 << 10;

/// How many bytes are read before they are asked for: enough that of two pipes whose writer turns
/// from one to the other neither holds up the other one.
const MOST_BYTES: usize = 16 << 20;

/// How often who waits for a piece looks whether it was cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// A file or pipe that was opened, of which nothing has been waited for yet.
#[derive(Debug)]
pub struct Opened {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Regular(Input),
    Pipe(Ahead),
}

impl Opened {
    /// Opens a file, a named pipe or a device; a pipe is read from now on.
    pub fn open(path: &Path, cancel: &Arc<AtomicBool>) -> Result<Self, InputError> {
        let file = open_without_waiting(path).map_err(InputError::Io)?;
        let kind = if file.metadata().map_err(InputError::Io)?.is_file() {
            Kind::Regular(Input::open(path, cancel)?)
        } else {
            Kind::Pipe(Ahead::new(file, cancel))
        };
        Ok(Self { kind })
    }

    /// Waits for the first bytes, which tell whether they are compressed.
    pub fn input(self) -> Result<Input, InputError> {
        match self.kind {
            Kind::Regular(input) => Ok(input),
            Kind::Pipe(ahead) => Input::from_reader(ahead),
        }
    }
}

/// A pipe and the thread that reads it.
#[derive(Debug)]
struct Ahead {
    /// None once nobody asks for more.
    pieces: Option<Receiver<io::Result<Vec<u8>>>>,
    room: Arc<Room>,
    piece: io::Cursor<Vec<u8>>,
    cancel: Arc<AtomicBool>,
    /// Tells the thread to end.
    stop: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
}

impl Ahead {
    fn new(file: File, cancel: &Arc<AtomicBool>) -> Self {
        let (sender, pieces) = channel();
        let stop = Arc::default();
        let mut pipe = Waiting::new(file, &stop);
        let room = Arc::new(Room::default());
        let reader = (Arc::clone(&room), Arc::clone(&stop));
        Self {
            pieces: Some(pieces),
            room,
            piece: io::Cursor::default(),
            cancel: Arc::clone(cancel),
            stop,
            reader: Some(thread::spawn(move || {
                read(&mut pipe, &sender, &reader.0, &reader.1);
            })),
        }
    }
}

/// How many bytes lie ready.
#[derive(Debug, Default)]
struct Room {
    bytes: Mutex<usize>,
    taken: Condvar,
}

impl Room {
    /// Waits until there is room for another piece; false where it is time to end.
    fn wait(&self, stop: &AtomicBool) -> bool {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        while *bytes >= MOST_BYTES {
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            let waited = self.taken.wait_timeout(bytes, LOOK);
            (bytes, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        true
    }

    fn add(&self, length: usize) {
        *self.bytes.lock().unwrap_or_else(PoisonError::into_inner) += length;
    }

    fn take(&self, length: usize) {
        *self.bytes.lock().unwrap_or_else(PoisonError::into_inner) -= length;
        self.taken.notify_one();
    }
}

/// Reads a pipe to its end, or until nobody asks for more.
fn read(pipe: &mut Waiting, sender: &Sender<io::Result<Vec<u8>>>, room: &Room, stop: &AtomicBool) {
    while room.wait(stop) {
        let mut piece = vec![0; PIECE];
        let read = pipe.read(&mut piece);
        let is_last = !matches!(read, Ok(length) if length > 0);
        room.add(*read.as_ref().unwrap_or(&0));
        let sent = sender.send(read.map(|length| {
            piece.truncate(length);
            piece
        }));
        if is_last || sent.is_err() {
            return;
        }
    }
}

impl Read for Ahead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.piece.read(buffer)?;
            let Some(pieces) = self.pieces.as_ref().filter(|_| read == 0) else {
                return Ok(read);
            };
            if self.cancel.load(Ordering::Relaxed) {
                return Err(io::Error::other(WasCancelled));
            }
            match pieces.recv_timeout(LOOK) {
                Ok(piece) => {
                    let piece = piece?;
                    self.room.take(piece.len());
                    self.piece = io::Cursor::new(piece);
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
            if self.piece.get_ref().is_empty() {
                self.pieces = None;
            }
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.pieces = None;
        if let Some(reader) = self.reader.take() {
            // What it panicked of, nobody can be told here.
            let _ = reader.join();
        }
    }
}
