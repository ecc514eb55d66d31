//! Messages made safe to print.

use minos_core::problem::printable;
use proptest::prelude::*;

#[test]
fn what_could_forge_a_line_is_shown_as_an_escape() {
    assert_eq!(
        printable("'a\nline 9: forged\r\u{2028}\u{2029}\u{85}' is"),
        r"'a\u000aline 9: forged\u000d\u2028\u2029\u0085' is"
    );
    assert_eq!(
        printable("\u{202e}\u{2066}\u{61c}\u{1b}[31m"),
        r"\u202e\u2066\u061c\u001b[31m"
    );
    assert_eq!(printable("é 😀 'ok'"), "é 😀 'ok'");
}

#[test]
fn a_long_name_is_cut_and_what_is_said_of_it_stays() {
    let name = "n".repeat(201);
    let cut = format!("'{}…'", "n".repeat(200));
    assert_eq!(
        printable(&format!("'{name}' is required.")),
        format!("{cut} is required.")
    );
    assert_eq!(
        printable(&format!("'id' '{name}' is already used on line 3.")),
        format!("'id' {cut} is already used on line 3.")
    );
    let spaced = "a ".repeat(150);
    let shown = printable(&format!("MIN003 '{spaced}': The text."));
    assert_eq!(shown, format!("MIN003 '{}…': The text.", "a ".repeat(100)));
    let exact = format!("'{}' is", "n".repeat(200));
    assert_eq!(printable(&exact), exact);
}

#[test]
fn an_apostrophe_is_no_quote() {
    let tail = "word ".repeat(60);
    let message = format!("beyond the API's guidance, and the providers' too. {tail}");
    assert_eq!(printable(&message), message);
    let quoted = format!("'it's' is fine. {tail}");
    assert_eq!(printable(&quoted), quoted);
}

#[test]
fn a_word_without_end_and_a_message_without_end_are_cut() {
    let version = format!("format version {}; this", "9".repeat(5_000));
    assert_eq!(
        printable(&version),
        format!("format version {}…", "9".repeat(200)) + " this"
    );
    let hostile = "' ".repeat(100_000);
    assert_eq!(printable(&hostile).chars().count(), 4_001);
}

proptest! {
    #[test]
    fn what_is_printed_is_one_safe_line(message: String) {
        let shown = printable(&message);
        let is_hidden = |c: char| c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c);
        prop_assert!(!shown.contains(is_hidden));
        prop_assert!(shown.chars().count() <= 6 * 4_001);
    }
}
