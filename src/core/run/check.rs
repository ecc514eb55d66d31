//! What the values of a results file may be.

use std::fmt;

use super::item::ErrorKind;
use super::record::LARGEST_AMOUNT;
use crate::findings::{Findings, Place};
use crate::json::{Kind, Value};
use crate::problem::Code;
use crate::stats::key::is_probability;

/// What a member's value has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Any,
    Text,
    /// Text that is not empty.
    Name,
    /// Text that is more than white space.
    Filled,
    TextOrNull,
    Texts,
    ErrorKind,
    Instant,
    Date,
    Boolean,
    Object,
    List,
    /// A number from 0 to 1.
    Share,
    /// A number from 0 to the largest amount.
    Amount,
    Finite,
    /// A whole number between two others, ends included.
    Whole(u64, u64),
}

/// Any whole number that is not negative and fits 64 bits.
pub(crate) const COUNT: Rule = Rule::Whole(0, u64::MAX);

impl Rule {
    /// What is wrong with a value.
    fn broken_by(self, value: Value<'_>) -> Option<Code> {
        let is_number = value.kind() == Kind::Number;
        let holds = match self {
            Self::Any => true,
            Self::Text => value.kind() == Kind::String,
            Self::Name => value.string().is_some_and(|text| !text.is_empty()),
            Self::Filled => value.string().is_some_and(|text| !text.trim().is_empty()),
            Self::TextOrNull => matches!(value.kind(), Kind::String | Kind::Null),
            Self::Texts => {
                let mut entries = value.children();
                value.kind() == Kind::Array && entries.all(|entry| entry.kind() == Kind::String)
            }
            Self::ErrorKind => value
                .string()
                .is_some_and(|name| ErrorKind::named(&name).is_some()),
            Self::Instant => value.string().is_some_and(|text| is_instant(&text)),
            Self::Date => value.string().is_some_and(|text| is_date(&text)),
            Self::Boolean => matches!(value.kind(), Kind::True | Kind::False),
            Self::Object => value.kind() == Kind::Object,
            Self::List => value.kind() == Kind::Array,
            Self::Share => number(value).is_some_and(is_probability),
            Self::Amount => {
                number(value).is_some_and(|number| (0.0..=LARGEST_AMOUNT).contains(&number))
            }
            Self::Finite => number(value).is_some_and(f64::is_finite),
            Self::Whole(least, most) => {
                whole(value).is_some_and(|number| (least..=most).contains(&number))
            }
        };
        match self {
            _ if holds => None,
            Self::Share | Self::Amount | Self::Finite | Self::Whole(..) if is_number => {
                Some(Code::InvalidNumber)
            }
            _ => Some(Code::InvalidMember),
        }
    }

    /// Tells what is wrong with a value.
    pub(crate) fn check(self, value: Value<'_>, place: &Place<'_>, findings: &mut Findings<'_>) {
        if let Some(code) = self.broken_by(value) {
            findings.at(code, place, format_args!("must be {self}."));
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => "a value",
            Self::Text => "a string",
            Self::Name => "a non-empty string",
            Self::Filled => "a string that is not blank",
            Self::TextOrNull => "a string or null",
            Self::Texts => "a list of strings",
            Self::ErrorKind => {
                let names: Vec<&str> = ErrorKind::ALL.iter().map(|kind| kind.as_str()).collect();
                return write!(f, "one of {}", names.join(", "));
            }
            Self::Instant => "a time in UTC as yyyy-MM-ddTHH:mm:ss.fffZ",
            Self::Date => "a day as yyyy-MM-dd",
            Self::Boolean => "true or false",
            Self::Object => "an object",
            Self::List => "a list",
            Self::Share => "a number from 0 to 1",
            Self::Amount => "a number from 0 to 1e12",
            Self::Finite => "a finite number",
            Self::Whole(least, u64::MAX) => return write!(f, "a whole number from {least}"),
            Self::Whole(least, most) => return write!(f, "a whole number from {least} to {most}"),
        })
    }
}

/// A member that an object may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) rule: Rule,
    pub(crate) is_required: bool,
}

impl Member {
    pub(crate) const fn required(name: &'static str, rule: Rule) -> Self {
        let is_required = true;
        Self {
            name,
            rule,
            is_required,
        }
    }

    pub(crate) const fn optional(name: &'static str, rule: Rule) -> Self {
        let is_required = false;
        Self {
            name,
            rule,
            is_required,
        }
    }

    /// Tells what is wrong with the member of an object, or that it is missing.
    pub(crate) fn check(&self, object: Value<'_>, place: &Place<'_>, findings: &mut Findings<'_>) {
        let own = place.member(self.name);
        match object.member(self.name) {
            Some(value) => self.rule.check(value, &own, findings),
            None if self.is_required => findings.missing(&own),
            None => {}
        }
    }
}

/// Tells the members of an object that it should not have, then what is wrong with the others.
pub(crate) fn check_members(
    object: Value<'_>,
    what: &str,
    members: &[Member],
    place: &Place<'_>,
    findings: &mut Findings<'_>,
) {
    check_unknown(object, what, members, place, findings);
    for member in members {
        member.check(object, place, findings);
    }
}

/// Tells the members of an object that it should not have.
pub(crate) fn check_unknown(
    object: Value<'_>,
    what: &str,
    members: &[Member],
    place: &Place<'_>,
    findings: &mut Findings<'_>,
) {
    for (name, _) in object.members() {
        if !members.iter().any(|member| member.name == name) {
            let names: Vec<&str> = members.iter().map(|member| member.name).collect();
            let known = match names.split_last() {
                Some((last, others)) if !others.is_empty() => {
                    format!("{what} has {} and {last}", others.join(", "))
                }
                _ => format!("{what} has {}", names.join("")),
            };
            findings.unknown(&place.member(&name), &known);
        }
    }
}

/// The double that a number stands for; infinity where it is too large.
pub(crate) fn number(value: Value<'_>) -> Option<f64> {
    let literal = Some(value.literal()).filter(|_| value.kind() == Kind::Number);
    literal?.parse().ok()
}

/// A whole number that is not negative and fits 64 bits; −0 is 0.
pub(crate) fn whole(value: Value<'_>) -> Option<u64> {
    match value.whole_number()? {
        "-0" => Some(0),
        literal => literal.parse().ok(),
    }
}

/// The text of a member.
pub(crate) fn text(object: Value<'_>, name: &str) -> Option<String> {
    Some(object.member(name)?.string()?.into_owned())
}

/// Whether a text is a time as `yyyy-MM-ddTHH:mm:ss.fffZ`.
fn is_instant(text: &str) -> bool {
    let Some((date, time)) = text.split_once('T') else {
        return false;
    };
    let parts = time
        .strip_suffix('Z')
        .and_then(|time| time.split_once('.'))
        .and_then(|(time, fraction)| Some((time.split_once(':')?, fraction)))
        .and_then(|((hour, rest), fraction)| {
            let (minute, second) = rest.split_once(':')?;
            Some([
                digits(hour, 2)? < 24,
                digits(minute, 2)? < 60,
                digits(second, 2)? < 60,
                digits(fraction, 3)? < 1000,
            ])
        });
    is_date(date) && parts.is_some_and(|parts| parts.iter().all(|&holds| holds))
}

/// Whether a text is a day of the calendar as `yyyy-MM-dd`.
fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let mut part = |length| digits(parts.next()?, length);
    let (Some(year), Some(month), Some(day)) = (part(4), part(2), part(2)) else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    year > 0 && (1..=days).contains(&day)
}

/// A number of exactly that many digits.
fn digits(text: &str, length: usize) -> Option<u32> {
    let is_plain = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then(|| text.parse().ok())?
}
