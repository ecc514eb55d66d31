//! The items of right lines, without allocation: everything else is refused without a word.
//!
//! What is refused here is looked at again by [`diagnose`](super::diagnose), which says what is
//! wrong. The two agree: a line is refused here exactly when something is wrong with it.

mod any;
mod any_answer;
mod members;
mod parser;
mod settle;
mod text;
mod usual;

use super::part::Keep;
pub(super) use parser::Parser;

impl Parser<'_> {
    /// Adds the item of the line that starts here to the store, and gives the place of the line's
    /// break or the end; None where it is no item.
    pub(super) fn line(&mut self, number: u64, keep: Keep) -> Option<usize> {
        let (start, mark) = (self.at, self.store.mark());
        let mut item = if let Some(item) = self.usual_item(number) {
            item
        } else {
            self.at = start;
            self.store.back_to(mark);
            let Some(item) = self.item(number) else {
                self.store.back_to(mark);
                return None;
            };
            if keep == Keep::Items {
                self.settle_answers(&item);
            }
            item
        };
        if keep == Keep::Items {
            self.settle(&mut item);
        }
        self.store.items.push(item);
        Some(self.at)
    }
}
