//! The table of answers: a row an answer, together with what is known of its item.

use super::column::{Column, Lists, Numbers, Truths};
use super::schema::{Field, Schema, Type};
use super::text::Texts;
use super::{BYTES, Batch, ROWS};
use crate::decision::question::{Expected, Kind, Question};
use crate::run::batch::{Levels, Options};
use crate::run::{AnswerRecord, ErrorKind, ItemResult, Results};
use crate::stats::key::{ONE, noul_key};
use crate::stats::ratio::ratio;

/// The columns of the table; with the right answers, those of `expected` and `correct` too.
#[must_use]
pub fn schema(with_expected: bool) -> Schema {
    let mut fields = vec![
        Field::full("id", Type::Text),
        Field::full("line", Type::UInt64),
        Field::full("place", Type::UInt32),
        Field::nullable("question", Type::Dictionary),
        Field::nullable("kind", Type::Dictionary),
        Field::nullable("answer", Type::Dictionary),
    ];
    if with_expected {
        fields.push(Field::nullable("expected", Type::Dictionary));
        fields.push(Field::nullable("correct", Type::Bool));
    }
    fields.extend([
        Field::nullable("confidence", Type::Float64),
        Field::nullable("probability", Type::Float64),
        Field::nullable("level", Type::UInt64),
        Field::nullable("expected_level", Type::Float64),
        Field::list("options", Type::Dictionary),
        Field::list("probabilities", Type::Float64),
        Field::nullable("latency_ms", Type::Float64),
        Field::nullable("cost_usd", Type::Float64),
        Field::nullable("input_tokens", Type::UInt64),
        Field::nullable("output_tokens", Type::UInt64),
        Field::nullable("model", Type::Dictionary),
        Field::full("cached", Type::Bool),
        Field::full("tries", Type::UInt64),
        Field::nullable("request_id", Type::Text),
        Field::nullable("error", Type::Dictionary),
        Field::nullable("status_code", Type::UInt16),
        Field::nullable("error_message", Type::Text),
    ]);
    Schema(fields)
}

/// A question or an answer of an item.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row<'r> {
    /// Its place in the item, counted from 0.
    pub place: u32,
    /// The key and the kind of the question; None where an item has neither questions nor answers.
    pub question: Option<(&'r str, Kind)>,
    /// The answer, where there is one.
    pub answer: Option<AnswerRecord<'r>>,
    /// The right answer, where there is one, with its question.
    pub expected: Option<(&'r Question, Expected)>,
    /// Whether the answer is the right one, where there are both.
    pub is_correct: Option<bool>,
}

/// The table while it is being filled, a batch at a time.
#[derive(Debug)]
pub struct Answers {
    id: Texts,
    line: Numbers<u64>,
    place: Numbers<u32>,
    question: Texts,
    kind: Texts,
    answer: Texts,
    right: Option<(Texts, Truths)>,
    confidence: Numbers<f64>,
    probability: Numbers<f64>,
    level: Numbers<u64>,
    expected_level: Numbers<f64>,
    options: (Lists, Texts),
    probabilities: (Lists, Numbers<f64>),
    latency_ms: Numbers<f64>,
    cost_usd: Numbers<f64>,
    input_tokens: Numbers<u64>,
    output_tokens: Numbers<u64>,
    model: Texts,
    cached: Truths,
    tries: Numbers<u64>,
    request_id: Texts,
    error: Texts,
    status_code: Numbers<u16>,
    error_message: Texts,
}

impl Answers {
    /// An empty table with the columns of a schema that [`schema`] has given.
    #[must_use]
    pub fn new(schema: &Schema) -> Self {
        let texts = |name| Texts::of(schema.kind(name));
        let kinds = [Kind::Noul, Kind::Choice, Kind::Score].map(Kind::as_str);
        let errors = ErrorKind::ALL.map(ErrorKind::as_str);
        let has_right = schema.kind("correct").is_some();
        Self {
            id: texts("id"),
            line: Numbers::default(),
            place: Numbers::default(),
            question: texts("question"),
            kind: Texts::starting_with(schema.kind("kind"), &kinds),
            answer: texts("answer"),
            right: has_right.then(|| (texts("expected"), Truths::default())),
            confidence: Numbers::default(),
            probability: Numbers::default(),
            level: Numbers::default(),
            expected_level: Numbers::default(),
            options: (Lists::default(), texts("options")),
            probabilities: Default::default(),
            latency_ms: Numbers::default(),
            cost_usd: Numbers::default(),
            input_tokens: Numbers::default(),
            output_tokens: Numbers::default(),
            model: texts("model"),
            cached: Truths::default(),
            tries: Numbers::default(),
            request_id: texts("request_id"),
            error: Texts::starting_with(schema.kind("error"), &errors),
            status_code: Numbers::default(),
            error_message: texts("error_message"),
        }
    }

    /// How many rows the batch has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.line.len()
    }

    /// Whether the batch has no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the batch is to be finished before the next row.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let texts = [
            &self.id,
            &self.question,
            &self.answer,
            &self.options.1,
            &self.model,
            &self.request_id,
            &self.error_message,
        ];
        let text: usize = texts.into_iter().map(Texts::bytes).sum();
        self.len() >= ROWS || text + self.probabilities.1.len() * size_of::<f64>() >= BYTES
    }

    /// Adds a row of an item.
    pub fn push(&mut self, item: &ItemResult<'_>, row: &Row<'_>) {
        self.id.push(Some(item.id()));
        self.line.push(Some(item.line()));
        self.place.push(Some(row.place));
        self.question.push(row.question.map(|(key, _)| key));
        self.kind.push(row.question.map(|(_, kind)| kind.as_str()));
        self.push_answer(row.answer.as_ref());
        if let Some((expected, correct)) = &mut self.right {
            let digits = &mut itoa::Buffer::new();
            expected.push(row.expected.map(|(question, right)| match right {
                Expected::Noul(yes) => truth(yes),
                Expected::Choice(option) => {
                    question.options.get(option as usize).map_or("", |it| it)
                }
                Expected::Score(level) => digits.format(level),
            }));
            correct.push(row.is_correct);
        }
        self.latency_ms.push(item.latency_ms());
        self.cost_usd.push(item.cost());
        self.input_tokens.push(item.input_tokens());
        self.output_tokens.push(item.output_tokens());
        self.model.push(item.model());
        self.cached.push(Some(item.is_cached()));
        self.tries.push(Some(item.tries()));
        self.request_id.push(item.request_id());
        let error = item.error();
        self.error.push(error.map(|error| error.kind.as_str()));
        self.status_code
            .push(error.and_then(|error| error.status_code));
        self.error_message.push(error.map(|error| error.message));
    }

    fn push_answer(&mut self, answer: Option<&AnswerRecord<'_>>) {
        let digits = &mut itoa::Buffer::new();
        let (mut text, mut sure, mut yes, mut at, mut mean) = (None, None, None, None, None);
        let mut is_distributed = false;
        match answer {
            None => {}
            Some(&AnswerRecord::Noul { probability }) => {
                text = Some(truth(probability >= 0.5));
                sure = Some(noul_confidence(probability));
                yes = Some(probability);
            }
            Some(&AnswerRecord::Choice {
                option,
                confidence,
                probabilities,
            }) => {
                (text, sure) = (Some(option), confidence);
                is_distributed = probabilities.is_some();
                for (name, value) in probabilities.iter().flat_map(Options::iter) {
                    self.options.1.push(Some(name));
                    self.probabilities.1.push(Some(value));
                }
            }
            Some(&AnswerRecord::Score {
                level,
                confidence,
                expected_level,
                probabilities,
            }) => {
                text = Some(digits.format(level));
                (sure, at, mean) = (confidence, Some(level), expected_level);
                is_distributed = probabilities.is_some();
                let levels = probabilities.iter().flat_map(Levels::iter);
                for (level, value) in levels.enumerate() {
                    let digits = &mut itoa::Buffer::new();
                    self.options.1.push(Some(digits.format(level)));
                    self.probabilities.1.push(value);
                }
            }
        }
        self.answer.push(text);
        self.confidence.push(sure);
        self.probability.push(yes);
        self.level.push(at);
        self.expected_level.push(mean);
        let entries = self.probabilities.1.len();
        self.options.0.push(entries, is_distributed);
        self.probabilities.0.push(entries, is_distributed);
    }

    /// The rows that were added since the last batch.
    pub fn finish(&mut self) -> Batch {
        let mut columns: Vec<Column> = vec![
            self.id.finish(),
            self.line.finish(),
            self.place.finish(),
            self.question.finish(),
            self.kind.finish(),
            self.answer.finish(),
        ];
        if let Some((expected, correct)) = &mut self.right {
            columns.extend([expected.finish(), correct.finish()]);
        }
        let options = self.options.1.finish();
        let probabilities = self.probabilities.1.finish();
        columns.extend([
            self.confidence.finish(),
            self.probability.finish(),
            self.level.finish(),
            self.expected_level.finish(),
            self.options.0.finish(options),
            self.probabilities.0.finish(probabilities),
            self.latency_ms.finish(),
            self.cost_usd.finish(),
            self.input_tokens.finish(),
            self.output_tokens.finish(),
            self.model.finish(),
            self.cached.finish(),
            self.tries.finish(),
            self.request_id.finish(),
            self.error.finish(),
            self.status_code.finish(),
            self.error_message.finish(),
        ]);
        Batch::of_even(columns)
    }
}

/// A noul's answer, or what it should be, as text.
fn truth(yes: bool) -> &'static str {
    if yes { "true" } else { "false" }
}

/// The confidence in a yes or no: p, or 1 − p as a report takes it, so that 0.07 gives 0.93.
fn noul_confidence(probability: f64) -> f64 {
    if probability >= 0.5 {
        return probability;
    }
    ratio(noul_key(probability).into(), ONE.into()).unwrap_or(1.0 - probability)
}

/// The rows of an item without its data set: one for each answer, from a place on; one for an item
/// without answers.
pub fn rows<'b>(item: &ItemResult<'b>, from: u32) -> impl Iterator<Item = Row<'b>> + use<'b> {
    let answers = item.answers().filter(|answers| answers.len() > 0);
    let is_empty = answers.is_none() && from == 0;
    let rows = (0..).zip(answers.into_iter().flatten());
    let rows = rows.map(|(place, (key, answer))| Row {
        place,
        question: Some((key, answer.kind())),
        answer: Some(answer),
        ..Row::default()
    });
    rows.skip(from as usize).chain(is_empty.then(Row::default))
}

/// How many rows [`rows`] gives.
#[must_use]
pub fn count(item: &ItemResult<'_>) -> usize {
    item.answers().map_or(1, |answers| answers.len().max(1))
}

/// The table of results that are in memory, a batch at a time as it is asked for.
#[derive(Debug)]
pub struct Walk<R> {
    results: R,
    answers: Answers,
    item: usize,
    /// The next row of the item.
    place: u32,
}

impl<R: AsRef<Results>> Walk<R> {
    /// Begins at the first item.
    #[must_use]
    pub fn new(results: R, schema: &Schema) -> Self {
        Self {
            results,
            answers: Answers::new(schema),
            item: 0,
            place: 0,
        }
    }
}

impl<R: AsRef<Results>> Iterator for Walk<R> {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        while let Some(item) = self.results.as_ref().get(self.item) {
            for row in rows(&item, self.place) {
                if self.answers.is_full() {
                    self.place = row.place;
                    return Some(self.answers.finish());
                }
                self.answers.push(&item, &row);
            }
            self.item += 1;
            self.place = 0;
        }
        (!self.answers.is_empty()).then(|| self.answers.finish())
    }
}
