//! YAML, from the parser events of libyaml, to JSON text.

mod scalar;
mod writer;

use libyaml_safer::{Encoding, Event, EventData, Parser, ScalarStyle};

use super::file::Told;
use crate::problem::Code;
use scalar::Scalar;
pub(super) use scalar::is_finite;
pub(super) use writer::Rendered;
use writer::Writer;

/// The largest file, and the most that its aliases may stand for, in bytes.
const LARGEST: usize = 10 << 20;

/// Reads a file that is a list, whose entries it gives; or any document, as the one entry.
///
/// What keeps it from being read at all leaves it without entries.
pub(super) fn read(file: &[u8], is_list: bool, told: &mut Vec<Told>) -> Rendered {
    let mut reader = Reader {
        writer: Writer::new(told, usize::from(is_list)),
        is_list,
        skipped_nodes: 0,
        skipped_levels: 0,
    };
    match reader.file(file) {
        Some(()) => reader.writer.made,
        None => Rendered::default(),
    }
}

/// Goes through the events of a file. Its methods return None once nothing more can be read.
struct Reader<'t> {
    writer: Writer<'t>,
    is_list: bool,
    /// How many nodes that come next are not written, and how deep the reader stands in the first.
    skipped_nodes: usize,
    skipped_levels: usize,
}

impl Reader<'_> {
    fn file(&mut self, file: &[u8]) -> Option<()> {
        if file.len() > LARGEST {
            let message = "The file is larger than 10 MiB.";
            return self.writer.stop(1, Code::TooLarge, message);
        }
        let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        if let Err(error) = simdutf8::compat::from_utf8(text) {
            let before = text.get(..error.valid_up_to()).unwrap_or_default();
            let line = line_number(memchr::memchr_iter(b'\n', before).count() as u64);
            let message = "The line is not valid UTF-8.";
            return self.writer.stop(line, Code::InvalidUtf8, message);
        }
        let mut parser = Parser::<&[u8]>::new();
        parser.set_encoding(Encoding::Utf8);
        parser.set_input(text);
        let mut documents = 0;
        loop {
            let event = match parser.parse() {
                Ok(event) => event,
                Err(error) => return self.unreadable(text, &error),
            };
            match event.data {
                EventData::StreamEnd => return Some(()),
                EventData::StreamStart { .. } | EventData::DocumentEnd { .. } => {}
                EventData::DocumentStart { .. } => {
                    documents += 1;
                    self.document(&event, documents)?;
                }
                _ if self.skipped_nodes > 0 => self.skip(&event.data),
                _ => self.node(event)?,
            }
        }
    }

    fn document(&mut self, event: &Event, count: usize) -> Option<()> {
        let line = line_number(event.start_mark.line);
        if count > 1 {
            let message = "The file holds more than one document.";
            return self.writer.stop(line, Code::InvalidYaml, message);
        }
        if let EventData::DocumentStart {
            version_directive,
            tag_directives,
            ..
        } = &event.data
        {
            if version_directive.is_some_and(|version| (version.major, version.minor) != (1, 2)) {
                let message = "The file is read as YAML 1.2: drop the line that begins with %YAML.";
                self.writer.tell(line, Code::InvalidYaml, message);
            }
            if !tag_directives.is_empty() {
                let message = "Tags are not read: drop the line that begins with %TAG.";
                self.writer.tell(line, Code::InvalidYaml, message);
            }
        }
        Some(())
    }

    fn unreadable(&mut self, text: &[u8], error: &libyaml_safer::Error) -> Option<()> {
        let line = match error.problem_mark() {
            Some(mark) => line_number(mark.line),
            None => line_number(memchr::memchr_iter(b'\n', text).count() as u64),
        };
        let context = match error.context() {
            Some(context) => format!("{context}, "),
            None => String::new(),
        };
        let message = format!("The file is not valid YAML: {context}{}.", error.problem());
        self.writer.stop(line, Code::InvalidYaml, &message)
    }

    fn skip(&mut self, event: &EventData) {
        match event {
            EventData::SequenceStart { .. } | EventData::MappingStart { .. } => {
                self.skipped_levels += 1;
            }
            EventData::SequenceEnd | EventData::MappingEnd => self.skipped_levels -= 1,
            _ => {}
        }
        if self.skipped_levels == 0 {
            self.skipped_nodes -= 1;
        }
    }

    /// Takes one event of the document's content.
    fn node(&mut self, event: Event) -> Option<()> {
        let line = line_number(event.start_mark.line);
        match event.data {
            EventData::SequenceEnd | EventData::MappingEnd => {
                self.writer.close();
                Some(())
            }
            key if self.writer.awaits_key() => {
                self.key(&key, line);
                Some(())
            }
            EventData::SequenceStart { anchor, tag, .. } => {
                let start = self.writer.begin(line);
                self.refuse_tag(tag.as_deref(), line);
                self.writer.open(start, anchor, false, line)
            }
            root if self.is_list && self.writer.is_outside() => self.no_list(&root, line),
            EventData::MappingStart { anchor, tag, .. } => {
                let start = self.writer.begin(line);
                self.refuse_tag(tag.as_deref(), line);
                self.writer.open(start, anchor, true, line)
            }
            EventData::Alias { anchor } => {
                let start = self.writer.begin(line);
                self.writer.alias(&anchor, start, line)
            }
            EventData::Scalar {
                anchor,
                tag,
                value,
                style,
                ..
            } => {
                let start = self.writer.begin(line);
                self.refuse_tag(tag.as_deref(), line);
                self.writer.scalar(&value, resolve(&value, style), line);
                self.writer.finish_scalar(start, anchor);
                Some(())
            }
            _ => Some(()),
        }
    }

    /// A file with nothing in it has no cases; any other root must be a list.
    fn no_list(&mut self, root: &EventData, line: u32) -> Option<()> {
        match root {
            EventData::Scalar {
                value,
                style: ScalarStyle::Plain,
                tag: None,
                ..
            } if value.is_empty() => Some(()),
            _ => {
                let message = "The file must hold a list of cases.";
                self.writer.stop(line, Code::NotAList, message)
            }
        }
    }

    fn key(&mut self, key: &EventData, line: u32) {
        let EventData::Scalar {
            value, style, tag, ..
        } = key
        else {
            let message = "A key must be text.";
            self.writer.tell(line, Code::InvalidYaml, message);
            self.skipped_nodes = 2;
            self.skip(key);
            return;
        };
        self.refuse_tag(tag.as_deref(), line);
        if *style == ScalarStyle::Plain && value == "<<" {
            let message = "Merge keys (<<) are not read: write the members out.";
            self.writer.tell(line, Code::InvalidYaml, message);
            self.skipped_nodes = 1;
            return;
        }
        if resolve(value, *style) != Scalar::Text {
            let message = format!("A key must be text: write \"{value}\" in quotes.");
            self.writer.tell(line, Code::InvalidYaml, &message);
        }
        self.writer.key(value, line);
    }

    fn refuse_tag(&mut self, tag: Option<&str>, line: u32) {
        if let Some(tag) = tag {
            let message = format!("Tags are not read: drop '{tag}'.");
            self.writer.tell(line, Code::InvalidYaml, &message);
        }
    }
}

fn resolve(value: &str, style: ScalarStyle) -> Scalar<'_> {
    match style {
        ScalarStyle::Plain => scalar::resolve(value),
        _ => Scalar::Text,
    }
}

/// A line counted from 0 as one counted from 1.
fn line_number(line: u64) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX).saturating_add(1)
}
