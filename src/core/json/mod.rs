//! A strict, byte-exact reader of one line of JSON.
//!
//! RFC 8259 and nothing else: no `NaN`, comment, trailing comma, leading zero or bare control
//! character. A line either becomes a [`Tree`] of spans over its bytes, or the [`Fault`] that was
//! met first, with its byte. Nothing here recurses, and a member that is repeated is found in time
//! linear in the line.

pub(crate) mod decimal;
mod fault;
mod read;
mod scalar;
mod text;
mod tree;
mod write;

pub use fault::{Expectation, Fault};
pub use read::DEEPEST;
pub(crate) use text::plain_end;
pub use text::{push_string, unescape};
pub use tree::{Kind, Members, Tree, Value};
pub use write::{push_double, push_text, push_whole};
