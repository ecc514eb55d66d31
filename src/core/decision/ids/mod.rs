//! Which line has an id first: exactly, for any number of lines, in a few bytes a line.

mod hash;
mod reread;
mod spill;
mod table;

use std::io;
use std::path::PathBuf;

pub use hash::{Hash, Hasher};
pub use reread::Reread;
use spill::{Heaps, Record};
use table::{Entry, Long, Short, Table};

/// The ids of the lines so far.
#[derive(Debug)]
pub struct Ids {
    state: State,
    /// The file, where its lines can be read again.
    reread: Option<Reread>,
    room: Room,
    last_line: u64,
}

/// Where ids may be kept.
#[derive(Clone, Debug)]
pub struct Room {
    /// How many bytes of memory they may take.
    pub memory: usize,
    /// The folder for a nameless file that takes them when they need more.
    pub folder: PathBuf,
}

#[derive(Debug)]
enum State {
    Short(Table<Short>),
    Long(Table<Long>),
    Spilled(Heaps),
}

/// The id of a line.
#[derive(Clone, Copy, Debug)]
pub struct Id<'a> {
    /// Its hash.
    pub hash: Hash,
    /// Its text.
    pub text: &'a [u8],
    /// The line.
    pub line: u64,
    /// Whether the line has other problems.
    pub has_problems: bool,
}

/// An id that an earlier line has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The line.
    pub line: u64,
    /// The line that has the id first.
    pub first_line: u64,
    /// The id.
    pub id: String,
    /// Whether the line has other problems.
    pub has_problems: bool,
}

impl Ids {
    /// Ids of lines that can be read again (8 bytes a line, and some room to grow), or that cannot
    /// (24 bytes).
    #[must_use]
    pub fn new(reread: Option<Reread>, room: Room) -> Self {
        let state = if reread.is_some() {
            State::Short(Table::default())
        } else {
            State::Long(Table::default())
        };
        Self {
            state,
            reread,
            room,
            last_line: 0,
        }
    }

    /// Makes the hashes of these ids.
    #[must_use]
    pub fn hasher(&self) -> Hasher {
        if self.reread.is_some() {
            Hasher::quick()
        } else {
            Hasher::keyed()
        }
    }

    /// Tells where a line starts in the file, in the order of the file; some lines are enough.
    pub fn place(&mut self, line: u64, offset: u64) {
        if let Some(reread) = &mut self.reread {
            reread.place(line, offset);
        }
    }

    /// Brings near what the next ids will ask for.
    pub fn prepare(&self, hashes: impl Iterator<Item = Hash>) {
        match &self.state {
            State::Short(table) => hashes.for_each(|hash| table.fetch(hash)),
            State::Long(table) => hashes.for_each(|hash| table.fetch(hash)),
            State::Spilled(_) => {}
        }
    }

    /// The line that has the id first; None where this one has it first, or where that comes out
    /// at the end. Lines come in order.
    pub fn first_line(&mut self, id: Id<'_>) -> io::Result<Option<u64>> {
        self.last_line = id.line;
        let (first, bytes) = match (&mut self.state, &mut self.reread) {
            (State::Short(table), Some(reread)) if id.line < Short::LINES => {
                let has_id = |line| is_id(reread, line, id.text);
                let first = table.first_line(id.hash, Short::new(id.hash, id.line), has_id)?;
                (first, table.bytes())
            }
            (State::Long(table), _) => {
                let decided = |_| Ok::<_, io::Error>(true);
                let first = table.first_line(id.hash, Long::new(id.hash, id.line), decided)?;
                (first, table.bytes())
            }
            (State::Short(_), _) => {
                self.spill()?;
                return self.first_line(id);
            }
            (State::Spilled(heaps), reread) => {
                let (hash, text) = match reread {
                    Some(_) => (Short::kept(id.hash), &[][..]),
                    None => (id.hash, id.text),
                };
                heaps.throw(hash.part(), &record(hash, id, text))?;
                (None, 0)
            }
        };
        if bytes > self.room.memory {
            self.spill()?;
        }
        Ok(first)
    }

    /// The line that has an id first, of those so far, as long as they are in memory.
    pub fn line_of(&mut self, hash: Hash, text: &[u8]) -> io::Result<Option<u64>> {
        match (&self.state, &mut self.reread) {
            (State::Short(table), Some(reread)) => {
                table.find(hash, Short::new(hash, 1), |line| is_id(reread, line, text))
            }
            (State::Long(table), _) => table.find(hash, Long::new(hash, 1), |_| Ok(true)),
            _ => Ok(None),
        }
    }

    /// Gives the repeats that were not known before the end, in the order of their lines.
    pub fn finish(self, mut each: impl FnMut(Repeat)) -> io::Result<()> {
        let State::Spilled(heaps) = self.state else {
            return Ok(());
        };
        let mut repeats = Heaps::new(&self.room.folder)?;
        let mut reread = self.reread;
        let lines = u128::from(self.last_line) + 1;
        let mut found = |record: &Record| {
            let part = (u128::from(record.line) << 64) / lines;
            repeats.throw(u64::try_from(part).unwrap_or(u64::MAX), record)
        };
        heaps.take(|mut records| {
            records.sort_unstable_by_key(|record| (record.hash, record.line));
            records
                .chunk_by_mut(|a, b| a.hash == b.hash)
                .filter(|alike| alike.len() > 1)
                .try_for_each(|alike| match &mut reread {
                    Some(reread) => compare(alike, reread, &mut found),
                    None => decide(alike, &mut found),
                })
        })?;
        repeats.take(|mut records| {
            records.sort_unstable_by_key(|record| record.line);
            for record in records {
                each(Repeat {
                    line: record.line,
                    first_line: record.first_line,
                    id: String::from_utf8_lossy(&record.id).into_owned(),
                    has_problems: record.has_problems,
                });
            }
            Ok(())
        })
    }

    /// Moves all ids to the disk.
    #[cold]
    fn spill(&mut self) -> io::Result<()> {
        let mut heaps = Heaps::new(&self.room.folder)?;
        let mut throw = |hash: Hash, line| {
            let id = Id {
                hash,
                text: &[],
                line,
                has_problems: false,
            };
            heaps.throw(hash.part(), &record(hash, id, &[]))
        };
        match &mut self.state {
            State::Short(table) => table.drain(&mut throw)?,
            State::Long(table) => table.drain(&mut throw)?,
            State::Spilled(_) => return Ok(()),
        }
        self.state = State::Spilled(heaps);
        Ok(())
    }
}

fn record(hash: Hash, id: Id<'_>, text: &[u8]) -> Record {
    Record {
        hash,
        line: id.line,
        first_line: 0,
        has_problems: id.has_problems,
        id: text.to_vec(),
    }
}

fn is_id(reread: &mut Reread, line: u64, id: &[u8]) -> io::Result<bool> {
    let known = reread.id(line)?;
    Ok(known.is_some_and(|known| known.as_bytes() == id))
}

/// Tells records whose hashes are equal apart by their ids.
fn compare(
    alike: &mut [Record],
    reread: &mut Reread,
    found: &mut impl FnMut(&Record) -> io::Result<()>,
) -> io::Result<()> {
    let mut firsts: Vec<(String, u64)> = Vec::new();
    for record in alike {
        let Some(id) = reread.id(record.line)? else {
            continue;
        };
        match firsts.iter().find(|(known, _)| *known == id) {
            Some(&(_, first_line)) => {
                record.first_line = first_line;
                record.id = id.into_bytes();
                found(record)?;
            }
            None => firsts.push((id, record.line)),
        }
    }
    Ok(())
}

/// Takes records whose hashes are equal for those of one id.
fn decide(
    alike: &mut [Record],
    found: &mut impl FnMut(&Record) -> io::Result<()>,
) -> io::Result<()> {
    if let [first, others @ ..] = alike {
        for record in others {
            record.first_line = first.line;
            found(record)?;
        }
    }
    Ok(())
}
