//! Columns of text.

use std::collections::HashMap;
use std::mem::take;
use std::sync::Arc;

use super::column::{Bits, Column, Values, end, range};
use super::schema::Type;

/// A dictionary that is larger is not taken into the next batch.
const LARGEST: usize = 1 << 12;

/// A column of text that is still being filled.
#[derive(Debug)]
pub enum Texts {
    /// Each text at length.
    Plain(Plain),
    /// Each text once.
    Dictionary(Dictionary),
}

impl Texts {
    /// A column of that type.
    #[must_use]
    pub fn of(kind: Option<&Type>) -> Self {
        Self::starting_with(kind, &[])
    }

    /// A column of that type; a dictionary begins with these texts, whether they come or not.
    #[must_use]
    pub fn starting_with(kind: Option<&Type>, texts: &[&str]) -> Self {
        let kind = match kind {
            Some(Type::List(entries)) => Some(&entries.kind),
            kind => kind,
        };
        match kind {
            Some(Type::Dictionary) => Self::Dictionary(Dictionary::starting_with(texts)),
            _ => Self::Plain(Plain::default()),
        }
    }

    /// Adds a row.
    pub fn push(&mut self, text: Option<&str>) {
        match self {
            Self::Plain(plain) => plain.push(text),
            Self::Dictionary(dictionary) => dictionary.push(text),
        }
    }

    /// How many rows were added.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Plain(plain) => plain.len(),
            Self::Dictionary(dictionary) => dictionary.codes.len(),
        }
    }

    /// How many bytes of text there are.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Plain(plain) => plain.bytes.len(),
            Self::Dictionary(dictionary) => dictionary.texts.bytes.len(),
        }
    }

    /// The column; the next one is begun.
    pub fn finish(&mut self) -> Column {
        match self {
            Self::Plain(plain) => take(plain).finish(),
            Self::Dictionary(dictionary) => dictionary.finish(),
        }
    }
}

/// Texts one behind the other.
#[derive(Clone, Debug)]
pub struct Plain {
    ends: Vec<i32>,
    bytes: Vec<u8>,
    validity: Bits,
}

impl Default for Plain {
    fn default() -> Self {
        Self {
            ends: vec![0],
            bytes: Vec::new(),
            validity: Bits::default(),
        }
    }
}

impl Plain {
    fn push(&mut self, text: Option<&str>) {
        self.bytes
            .extend_from_slice(text.unwrap_or_default().as_bytes());
        self.ends.push(end(self.bytes.len()));
        self.validity.push(text.is_some());
    }

    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    fn get(&self, row: usize) -> Option<&[u8]> {
        let ends = self.ends.get(row..row + 2)?;
        self.bytes.get(range(ends, 0))
    }

    fn finish(self) -> Column {
        Column::new(
            self.ends.len() - 1,
            self.validity,
            Values::Text(self.ends, self.bytes),
        )
    }
}

/// Texts that come again and again. A batch begins with the texts of the one before it, so that
/// batches share one list for as long as nothing new comes.
#[derive(Debug, Default)]
pub struct Dictionary {
    codes: Vec<i32>,
    validity: Bits,
    texts: Plain,
    places: HashMap<Box<str>, i32>,
    /// The place of the text that followed the one at each place when that came last: columns
    /// often repeat a few texts in turn.
    following: Vec<i32>,
    last: i32,
    /// The texts as an earlier batch has them.
    shared: Option<Arc<Column>>,
}

impl Dictionary {
    fn starting_with(texts: &[&str]) -> Self {
        let mut dictionary = Self::default();
        for text in texts {
            dictionary.add(text);
        }
        dictionary
    }

    fn push(&mut self, text: Option<&str>) {
        self.validity.push(text.is_some());
        let code = text.map_or(0, |text| self.place(text));
        self.codes.push(code);
    }

    /// The place of a text, which is added where it is new.
    fn place(&mut self, text: &str) -> i32 {
        let last = usize::try_from(self.last).unwrap_or_default();
        let likely = self.following.get(last).copied().unwrap_or(0);
        let known = usize::try_from(likely)
            .ok()
            .and_then(|at| self.texts.get(at));
        let place = if known == Some(text.as_bytes()) {
            likely
        } else {
            let known = self.places.get(text).copied();
            let place = known.unwrap_or_else(|| self.add(text));
            if let Some(following) = self.following.get_mut(last) {
                *following = place;
            }
            place
        };
        self.last = place;
        place
    }

    fn add(&mut self, text: &str) -> i32 {
        let place = end(self.texts.len());
        self.texts.push(Some(text));
        self.places.insert(text.into(), place);
        self.following.push(place);
        self.shared = None;
        place
    }

    fn finish(&mut self) -> Column {
        let is_large = self.texts.len() > LARGEST;
        let texts = match self.shared.take() {
            Some(shared) => shared,
            None if is_large => Arc::new(take(&mut self.texts).finish()),
            None => Arc::new(self.texts.clone().finish()),
        };
        let codes = take(&mut self.codes);
        let validity = take(&mut self.validity);
        if is_large {
            *self = Self::default();
        } else {
            self.shared = Some(Arc::clone(&texts));
        }
        Column::new(codes.len(), validity, Values::Codes(codes, texts))
    }
}
