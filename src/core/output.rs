//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes are written at once.
const BUFFER: usize = 256 << 10;

/// A file that is written beside its place, and moved there when it is complete.
///
/// Dropped before [`NewFile::finish`], it leaves nothing behind, and what stood in its place stays.
#[derive(Debug)]
pub struct NewFile {
    file: BufWriter<File>,
    temporary: PathBuf,
    target: PathBuf,
    is_finished: bool,
}

impl NewFile {
    /// Begins a file. A link is followed: the file it names is replaced.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let (file, temporary) = create_beside(&target)?;
        if let Ok(replaced) = fs::metadata(&target) {
            // Where that is refused, the file has the permissions of a new one.
            let _ = file.set_permissions(replaced.permissions());
        }
        Ok(Self {
            file: BufWriter::with_capacity(BUFFER, file),
            temporary,
            target,
            is_finished: false,
        })
    }

    /// Puts the file, with all of its bytes on the disk, in its place.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.temporary, &self.target)?;
        self.is_finished = true;
        sync_directory(&self.target)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_finished {
            // Nobody is left to tell; the name says what the file is.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Makes a file of an unused name in the directory of `target`.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut name = OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!(".{}-{count}.tmp", process::id()));
        let path = target.with_file_name(name);
        match File::options().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (file, path)),
        }
    }
}

/// Makes the name of a file as lasting as its bytes.
#[cfg(unix)]
fn sync_directory(target: &Path) -> io::Result<()> {
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    File::open(directory)?.sync_all()
}

#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "a directory cannot be synced here"
)]
fn sync_directory(_target: &Path) -> io::Result<()> {
    Ok(())
}
