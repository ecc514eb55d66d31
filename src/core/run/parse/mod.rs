//! The items of right lines, without allocation: everything else is refused without a word.
//!
//! What is refused here is looked at again by [`diagnose`](super::diagnose), which says what is
//! wrong. The two agree: a line is refused here exactly when something is wrong with it.

mod any;
mod parser;
mod usual;

use super::batch::store::Store;
use parser::Parser;

/// Reads the line that starts at a byte of `source`, and gives the place of its break or the end;
/// None where it is no item.
pub(super) fn item(source: &str, start: usize, number: u64, store: &mut Store) -> Option<usize> {
    let mark = store.mark();
    let mut parser = Parser::new(source, start, store);
    let mut item = parser.usual_item(number);
    if item.is_none() {
        parser.go_back(start, mark);
        item = parser.item(number);
    }
    if let Some(item) = item {
        let end = parser.place();
        store.items.push(item);
        Some(end)
    } else {
        store.back_to(mark);
        None
    }
}
