//! Measures of text: lengths, distances and patterns, in time that the text's length bounds.

pub mod distance;
pub mod graphemes;
pub mod normal;
pub mod pattern;
