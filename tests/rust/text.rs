//! Lengths, distances, patterns and forms of text.

use minos_core::text::distance::{LONGEST, TooLong, edit_distance};
use minos_core::text::graphemes::length;
use minos_core::text::normal::{composed, without_ignorable};
use minos_core::text::pattern::{Pattern, PatternError};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

#[test]
fn a_length_counts_what_a_reader_sees() {
    for (text, expected) in [
        ("", 0),
        ("abc", 3),
        ("a\r\nb", 3),
        ("\n\r", 2),
        ("\r\r\n\n", 3),
        ("e\u{301}", 1),
        ("👩‍👩‍👧‍👦", 1),
        ("🇩🇪🇫🇷", 2),
        ("각", 1),
        ("\u{1100}\u{1161}\u{11a8}", 1),
        ("\u{0}", 1),
    ] {
        assert_eq!(length(text), expected, "{text:?}");
    }
}

#[test]
fn a_distance_counts_clusters() {
    for (first, second, expected) in [
        ("", "", 0),
        ("", "abc", 3),
        ("kitten", "sitting", 3),
        ("hello", "helo", 1),
        ("e\u{301}", "e", 1),
        ("👩‍👩‍👧x", "x", 1),
        ("a\r\nb", "ab", 1),
    ] {
        assert_eq!(
            edit_distance(first, second),
            Ok(expected),
            "{first:?} {second:?}"
        );
        assert_eq!(
            edit_distance(second, first),
            Ok(expected),
            "{second:?} {first:?}"
        );
    }
}

#[test]
fn a_distance_has_a_limit_on_each_side() {
    let longest = "ab".repeat(LONGEST / 2);
    let longer = format!("{longest}c");
    assert_eq!(edit_distance(&longest, ""), Ok(LONGEST));
    assert_eq!(edit_distance(&longer, ""), Err(TooLong));
    assert_eq!(edit_distance("", &longer), Err(TooLong));
}

fn plain_distance(first: &str, second: &str) -> usize {
    let second: Vec<&str> = second.graphemes(true).collect();
    let mut row: Vec<usize> = (0..=second.len()).collect();
    for (i, a) in first.graphemes(true).enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, b) in second.iter().enumerate() {
            let replaced = corner + usize::from(a != *b);
            corner = row[j + 1];
            row[j + 1] = replaced.min(corner + 1).min(row[j] + 1);
        }
    }
    row[second.len()]
}

proptest! {
    #[test]
    fn a_distance_is_that_of_the_table(first in "[ab\u{301}é]{0,200}", second in "[ab\u{301}é]{0,200}") {
        prop_assert_eq!(edit_distance(&first, &second), Ok(plain_distance(&first, &second)));
    }

    #[test]
    fn an_ascii_length_is_the_general_one(text in "[a\r\n ]{0,40}") {
        prop_assert_eq!(length(&text), text.graphemes(true).count());
    }

    #[test]
    fn ignorable_is_what_unicode_says(c in any::<char>()) {
        let property = regex::Regex::new(r"^\p{Default_Ignorable_Code_Point}$").unwrap();
        let text = c.to_string();
        prop_assert_eq!(without_ignorable(&text).is_empty(), property.is_match(&text));
    }
}

#[test]
fn every_ignorable_character_is_known() {
    let property = regex::Regex::new(r"^\p{Default_Ignorable_Code_Point}$").unwrap();
    for c in '\0'..=char::MAX {
        let text = c.to_string();
        assert_eq!(
            without_ignorable(&text).is_empty(),
            property.is_match(&text),
            "{:x}",
            c as u32
        );
    }
}

#[test]
fn composing_changes_only_what_is_decomposed() {
    assert_eq!(composed("abc"), "abc");
    assert_eq!(composed("e\u{301}"), "é");
    assert_eq!(composed("\u{212b}"), "Å");
    assert_eq!(without_ignorable("se\u{ad}cr\u{200b}et\u{fe0f}"), "secret");
}

fn find<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    Pattern::new(pattern).unwrap().find(text)
}

#[test]
fn a_pattern_is_searched_for_without_flags() {
    assert_eq!(find("b+", "abbc"), Some("bb"));
    assert_eq!(find("B", "abc"), None);
    assert_eq!(find("(?i)B", "abc"), Some("b"));
    assert_eq!(find("a.c", "a\nc"), None);
    assert_eq!(find("^b", "a\nb"), None);
    assert_eq!(find("", "abc"), Some(""));
    assert_eq!(find(r"\w+", "größe 5"), Some("größe"));
    assert_eq!(find("[[:digit:]]+", "a12"), Some("12"));
}

#[test]
fn a_dollar_also_stands_before_one_final_line_feed() {
    assert_eq!(find("a$", "a"), Some("a"));
    assert_eq!(find("a$", "a\n"), Some("a"));
    assert_eq!(find("a$", "a\n\n"), None);
    assert_eq!(find("a$", "a\nb"), None);
    assert_eq!(find(r"a\z", "a\n"), None);
    assert_eq!(find(r"a$|b\z", "b\n"), None);
    assert_eq!(find(r"(?s)a.*$", "a\n"), Some("a\n"));
    assert_eq!(find("^$", "\n"), Some(""));
    assert_eq!(find("(?m)a$", "a\nb"), Some("a"));
    assert_eq!(find(r"a\$", "a\n"), None);
    assert_eq!(find("x?$|a", "a\n"), Some("a"));
}

#[test]
fn what_cannot_be_searched_for_is_refused_by_name() {
    for (pattern, construct) in [
        ("(?=a)", "look-around"),
        ("(?<!a)b", "look-around"),
        (r"(a)\1", "a back-reference"),
        (r"(?P<x>a)\k<x>", "a back-reference"),
        ("(?P<x>a)(?P=x)", "a back-reference"),
        (r"\h+", "horizontal white space"),
        (r"[\h]", "horizontal white space"),
        (r"a\Kb", "a reset of the match's start"),
        (r"a\Z", "an end before a final line feed (write $)"),
        ("(?>a)", "an atomic group"),
        ("a(?R)?", "recursion"),
        ("a(?1)", "recursion"),
        ("(?|a)", "a branch reset"),
        ("(?#note)", "a comment"),
        ("a++", "a possessive quantifier"),
        ("a{2}+", "a possessive quantifier"),
    ] {
        match Pattern::new(pattern) {
            Err(PatternError::Unsupported {
                construct: told, ..
            }) => {
                assert_eq!(told, construct, "{pattern}");
            }
            other => panic!("{pattern}: {other:?}"),
        }
    }
}

#[test]
fn what_is_no_pattern_is_told_with_its_place() {
    for (pattern, place) in [("a(", 1), ("é[", 1), ("*a", 0), ("a{5,2}", 1)] {
        match Pattern::new(pattern) {
            Err(PatternError::Syntax { at, reason }) => {
                assert_eq!(at, place, "{pattern}");
                assert!(!reason.is_empty());
            }
            other => panic!("{pattern}: {other:?}"),
        }
    }
    assert!(matches!(
        Pattern::new(r"\p{Nonsense}"),
        Err(PatternError::Syntax { .. })
    ));
    assert_eq!(
        Pattern::new("(a{1000}){1000}").unwrap_err(),
        PatternError::TooLarge
    );
}

#[test]
fn no_pattern_takes_long() {
    let text = "a".repeat(100_000) + "!";
    assert_eq!(find("(a+)+$", &text), None);
    assert_eq!(find("(a|aa)+$", &text), None);
    assert_eq!(find("(.*)*x", &text), None);
}
