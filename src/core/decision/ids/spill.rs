//! Ids on the disk, for files with more lines than memory is given.
//!
//! Records are thrown into a fixed number of heaps, so that each heap fits in memory. A first throw
//! goes by the hash, so that equal ids meet; what is found is thrown again by the line, so that it
//! comes out in the order of the file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::hash::Hash;

/// How many heaps there are.
const HEAPS: usize = 256;
/// How many bytes of a heap are written at once.
const SEGMENT: usize = 32 << 10;

/// What is known of an id and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// The hash of the id, as far as it is kept.
    pub(super) hash: Hash,
    /// The line.
    pub(super) line: u64,
    /// The line that has the id first, where that is known; else 0.
    pub(super) first_line: u64,
    /// Whether the line has other problems.
    pub(super) has_problems: bool,
    /// The id, where it cannot be read again.
    pub(super) id: Vec<u8>,
}

impl Record {
    const HEAD: usize = 16 + 8 + 8 + 1 + 4;

    fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.hash.0.to_le_bytes());
        to.extend_from_slice(&self.line.to_le_bytes());
        to.extend_from_slice(&self.first_line.to_le_bytes());
        to.push(u8::from(self.has_problems));
        // An id stands in a line, whose length fits.
        let length = u32::try_from(self.id.len()).unwrap_or(u32::MAX);
        to.extend_from_slice(&length.to_le_bytes());
        to.extend_from_slice(&self.id);
    }

    fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut head = [0; Self::HEAD];
        from.read_exact(&mut head)?;
        let mut head = head.as_slice();
        let mut record = Self {
            hash: Hash(u128::from_le_bytes(taken(&mut head)?)),
            line: u64::from_le_bytes(taken(&mut head)?),
            first_line: u64::from_le_bytes(taken(&mut head)?),
            has_problems: taken(&mut head)? != [0],
            id: Vec::new(),
        };
        let length = u32::from_le_bytes(taken(&mut head)?);
        record.id.resize(length as usize, 0);
        from.read_exact(&mut record.id)?;
        Ok(record)
    }
}

fn taken<const N: usize>(from: &mut &[u8]) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Heaps of records in one nameless file.
#[derive(Debug)]
pub(super) struct Heaps {
    file: File,
    end: u64,
    list: Vec<Heap>,
}

#[derive(Debug, Default)]
struct Heap {
    /// Where its bytes stand in the file, and how many there are.
    segments: Vec<(u64, usize)>,
    pending: Vec<u8>,
}

impl Heaps {
    /// Begins, with a file in `folder` that nobody else sees and that goes with the process.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            file: tempfile::tempfile_in(folder)?,
            end: 0,
            list: (0..HEAPS).map(|_| Heap::default()).collect(),
        })
    }

    /// Throws a record on the heap that `part`, a part of 2^64, asks for.
    pub(super) fn throw(&mut self, part: u64, record: &Record) -> io::Result<()> {
        let index = usize::try_from(part / (u64::MAX / HEAPS as u64 + 1)).unwrap_or(0);
        let Some(heap) = self.list.get_mut(index) else {
            return Ok(());
        };
        record.write(&mut heap.pending);
        if heap.pending.len() >= SEGMENT {
            self.file.seek(SeekFrom::Start(self.end))?;
            self.file.write_all(&heap.pending)?;
            heap.segments.push((self.end, heap.pending.len()));
            self.end += heap.pending.len() as u64;
            heap.pending.clear();
        }
        Ok(())
    }

    /// Takes the heaps one after the other.
    pub(super) fn take(
        self,
        mut each: impl FnMut(Vec<Record>) -> io::Result<()>,
    ) -> io::Result<()> {
        let Self { mut file, list, .. } = self;
        for heap in list {
            let mut bytes = Vec::new();
            for (start, length) in heap.segments {
                file.seek(SeekFrom::Start(start))?;
                (&mut file).take(length as u64).read_to_end(&mut bytes)?;
            }
            bytes.extend_from_slice(&heap.pending);
            let mut rest = bytes.as_slice();
            let mut records = Vec::new();
            while !rest.is_empty() {
                records.push(Record::read(&mut rest)?);
            }
            each(records)?;
        }
        Ok(())
    }
}
