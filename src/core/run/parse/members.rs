//! The members of an object, in any order.

/// Members of an object, each at most once.
#[derive(Default)]
pub(super) struct Seen(u32);

impl Seen {
    pub(super) fn add(&mut self, member: u32) -> Option<()> {
        let bit = 1 << member;
        let is_new = self.0 & bit == 0;
        self.0 |= bit;
        is_new.then_some(())
    }

    pub(super) fn has(&self, member: u32) -> bool {
        self.0 & (1 << member) != 0
    }
}

/// The number of the member whose name and colon come next, where it is one of those named.
///
/// The usual spelling, without white space and escapes, is compared at once.
macro_rules! member {
    ($parser:expr, $($number:literal => $name:literal),+) => {{
        let parser = &mut *$parser;
        $(if parser.take_all(concat!('"', $name, "\":").as_bytes()) {
            Some($number)
        } else)+ {
            let name = parser.name()?;
            match parser.store.text(parser.source, name) {
                $($name => Some($number),)+
                _ => None,
            }
        }
    }};
}

pub(super) use member;
