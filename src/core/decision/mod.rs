//! Decision data sets: typed questions with right answers, one item a line.

pub mod question;
