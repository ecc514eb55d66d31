//! What an item says, taken out of its line.

use super::super::batch::raw::{NO_NAMES, RawAnswer, RawError, RawItem};
use super::super::batch::store::Text;
use super::parser::Parser;

impl Parser<'_> {
    /// Keeps the text of an item, that of its answers apart.
    pub(super) fn settle(&mut self, item: &mut RawItem) {
        item.id = self.kept(item.id);
        item.request_id = item.request_id.map(|id| self.kept(id));
        item.model = item.model.map(|model| self.known(model));
        item.error = item.error.map(|error| RawError {
            message: self.known(error.message),
            ..error
        });
    }

    /// Keeps the text of an item's answers.
    #[cold]
    pub(super) fn settle_answers(&mut self, item: &RawItem) {
        for place in item.answers.0 as usize..item.answers.1 as usize {
            let Some(&answer) = self.store.answers.get(place) else {
                return;
            };
            let names = answer.distribution.filter(|all| all.names != NO_NAMES);
            if let Some(all) = names {
                for place in all.names as usize..(all.names + all.length) as usize {
                    let name = self.store.names.get(place).copied();
                    let name = name.map(|name| self.known(name));
                    if let (Some(kept), Some(name)) = (self.store.names.get_mut(place), name) {
                        *kept = name;
                    }
                }
            }
            let settled = RawAnswer {
                key: self.known(answer.key),
                option: self.known(answer.option),
                ..answer
            };
            if let Some(answer) = self.store.answers.get_mut(place) {
                *answer = settled;
            }
        }
    }

    /// Text that is in no other item.
    fn kept(&mut self, text: Text) -> Text {
        if text.is_kept() {
            return text;
        }
        self.store.keep(text.of_lines(self.source))
    }

    /// Text that may be in other items.
    fn known(&mut self, text: Text) -> Text {
        if text.is_kept() {
            return text;
        }
        self.known.text(text.of_lines(self.source), self.store)
    }

    /// Text that may be in other items; equal texts are one and the same.
    pub(super) fn one(&mut self, text: Text) -> Text {
        if text.is_kept() {
            let unescaped = self.store.text("", text).to_owned();
            return self.known.text(&unescaped, self.store);
        }
        self.known(text)
    }
}
