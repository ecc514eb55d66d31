//! What the columns of a table are.

use std::borrow::Cow;

/// What a column holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Truth values, a bit each.
    Bool,
    /// Unsigned whole numbers of 16 bits.
    UInt16,
    /// Unsigned whole numbers of 32 bits.
    UInt32,
    /// Unsigned whole numbers of 64 bits.
    UInt64,
    /// Doubles.
    Float64,
    /// Text, with offsets of 32 bits.
    Text,
    /// Text that comes again and again: a list of texts, and for each row its place there.
    Dictionary,
    /// Lists of what the field holds.
    List(Box<Field>),
}

/// A column's name and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name.
    pub name: Cow<'static, str>,
    /// What it holds.
    pub kind: Type,
    /// Whether a row may hold nothing.
    pub is_nullable: bool,
}

impl Field {
    /// A column in which every row holds something.
    #[must_use]
    pub fn full(name: &'static str, kind: Type) -> Self {
        Self {
            name: Cow::Borrowed(name),
            kind,
            is_nullable: false,
        }
    }

    /// A column in which a row may hold nothing.
    #[must_use]
    pub fn nullable(name: &'static str, kind: Type) -> Self {
        Self {
            is_nullable: true,
            ..Self::full(name, kind)
        }
    }

    /// A column of lists whose entries may be nothing.
    #[must_use]
    pub fn list(name: &'static str, entries: Type) -> Self {
        let entries = Box::new(Self::nullable("item", entries));
        Self::nullable(name, Type::List(entries))
    }
}

/// The columns of a table, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema(pub Vec<Field>);

/// How text is laid out, where either layout will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Each text at length.
    Plain,
    /// Each text once, in a dictionary.
    Dictionary,
}

impl Schema {
    /// What the column of that name holds.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<&Type> {
        let field = self.0.iter().find(|field| field.name == name);
        field.map(|field| &field.kind)
    }

    /// The schema with every text laid out as asked; those of which nothing is asked stay.
    #[must_use]
    pub fn laid_out(mut self, asked: impl Fn(&Field, usize) -> Option<Layout>) -> Self {
        for (index, field) in self.0.iter_mut().enumerate() {
            let Some(layout) = asked(field, index) else {
                continue;
            };
            let kind = match &mut field.kind {
                Type::List(entries) => &mut entries.kind,
                kind => kind,
            };
            if matches!(kind, Type::Text | Type::Dictionary) {
                *kind = match layout {
                    Layout::Plain => Type::Text,
                    Layout::Dictionary => Type::Dictionary,
                };
            }
        }
        self
    }
}
