//! What the benchmarks read: lines as a run has them, made from a number.

use std::fmt::Write as _;

/// How many lines are made.
pub const LINES: u64 = 2_000;

/// Numbers that look random, the same in every run.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Begins anew.
    #[must_use]
    pub fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// The next number.
    pub fn next_word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number from 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double")]
    pub fn next_share(&mut self) -> f64 {
        (self.next_word() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}

/// Confidences of `count` answers, all different, and whether each was right.
#[must_use]
pub fn answers(count: usize) -> (Vec<f64>, Vec<u8>) {
    let mut random = Random::new();
    let confidence = (0..count).map(|_| 0.5 + random.next_share() / 2.0);
    let confidence: Vec<f64> = confidence.collect();
    let is_right = |&share: &f64| u8::from(random.next_share() < share);
    let correct = confidence.iter().map(is_right).collect();
    (confidence, correct)
}

/// The lines of a data set: a state of 400 bytes and three questions. With `is_repeated`, the
/// questions of all lines are the same bytes.
#[must_use]
pub fn dataset(is_repeated: bool) -> String {
    let mut file = String::new();
    for number in 0..LINES {
        let state = "The card was charged twice, für 12 € — please check. ".repeat(8);
        let own = if is_repeated { 0 } else { number };
        let _ = writeln!(
            file,
            concat!(
                r#"{{"id":"msg-{}","state":"{}","questions":{{"#,
                r#""topic":{{"type":"choice","instructions":"What is it about ({})?","criteria":"#,
                r#"{{"billing":"Charges and refunds","technical":"The app fails","other":null}}}},"#,
                r#""urgency":{{"type":"score","instructions":"How urgent?","criteria":["#,
                r#""It can wait","Today","At once"]}},"#,
                r#""refund":{{"type":"noul","instructions":"Is a refund asked for?"}}}},"#,
                r#""expected":{{"topic":"billing","urgency":{},"refund":true}}}}"#,
            ),
            number,
            state,
            own,
            number % 3,
        );
    }
    file
}

/// A results file for [`dataset`]: three answers and eleven numbers a line.
#[must_use]
pub fn results() -> String {
    let mut random = Random::new();
    let mut file = format!(
        concat!(
            r#"{{"kind":"minos-results","version":1,"dataset":"made","provider":"none","model":"m","#,
            r#""startedAt":"2026-12-01T00:00:00.000Z","itemCount":{}}}"#,
            "\n",
        ),
        LINES,
    );
    for number in 0..LINES {
        let mut share = || random.next_share() / 3.0;
        let (a, b, c, d) = (share(), share(), share(), share());
        let _ = writeln!(
            file,
            concat!(
                r#"{{"id":"msg-{}","answers":{{"#,
                r#""topic":{{"type":"choice","choice":"billing","confidence":{},"probabilities":"#,
                r#"{{"billing":{},"technical":{},"other":{}}}}},"#,
                r#""urgency":{{"type":"score","level":0,"confidence":{},"expectedLevel":{},"#,
                r#""probabilities":[{},{},{}]}},"#,
                r#""refund":{{"type":"noul","probability":{}}}}},"#,
                r#""latencyMs":{:.2},"model":"m-1","inputTokens":412,"outputTokens":9}}"#,
            ),
            number,
            1.0 - a - b,
            1.0 - a - b,
            a,
            b,
            1.0 - c - d,
            c + d * 2.0,
            1.0 - c - d,
            c,
            d,
            a + b,
            c * 1000.0,
        );
    }
    file
}
