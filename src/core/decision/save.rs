//! A data set as a file.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::write::GzEncoder;

use super::dataset::Dataset;
use crate::output::NewFile;

impl Dataset {
    /// Writes the lines of the items, as they were read, to a file that appears whole or not at
    /// all. A name that ends in `.gz` or `.zst` is compressed so.
    ///
    /// Setting `cancel` ends the writing with an error, and nothing is written.
    pub fn save(&self, path: &Path, cancel: &AtomicBool) -> io::Result<()> {
        let file = NewFile::create(path)?;
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => {
                let mut encoder = GzEncoder::new(file, flate2::Compression::default());
                self.write(&mut encoder, cancel)?;
                encoder.finish()?.finish()
            }
            Some("zst") => {
                let mut encoder = zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                self.write(&mut encoder, cancel)?;
                encoder.finish()?.finish()
            }
            _ => {
                let mut file = file;
                self.write(&mut file, cancel)?;
                file.finish()
            }
        }
    }

    fn write(&self, file: &mut impl Write, cancel: &AtomicBool) -> io::Result<()> {
        for item in self.iter() {
            if cancel.load(Ordering::Relaxed) {
                return Err(io::Error::other("cancelled"));
            }
            file.write_all(item.bytes())?;
            file.write_all(b"\n")?;
        }
        Ok(())
    }
}
