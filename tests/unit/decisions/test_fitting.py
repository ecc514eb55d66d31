from decimal import Decimal
from fractions import Fraction
from math import inf, nan

import pytest
from tests.unit.decisions.asked import ANSWERS, dataset

from minos.answers import AnswerRecord
from minos.decisions.fitting import MisfitError, fit
from minos.questions import QuestionKind

QUESTIONS = dataset(1)[0].questions


def fitted(key, answer):
    return fit({key: answer}, QUESTIONS)[key]


def test_what_fits_is_returned_in_the_order_of_the_questions():
    given = {key: ANSWERS[key] for key in ("mood", "urgent", "topic")}
    assert list(fit(given, QUESTIONS).items()) == list(ANSWERS.items())


def test_a_missing_answer_is_left_out_and_a_surplus_one_dropped():
    answers = {"urgent": ANSWERS["urgent"], "other": AnswerRecord.noul(5.0)}
    assert fit(answers, QUESTIONS) == {"urgent": ANSWERS["urgent"]}


@pytest.mark.parametrize("answers", [{}, {"other": AnswerRecord.noul(0.5)}])
def test_no_answer_to_any_question_is_a_misfit(answers):
    with pytest.raises(MisfitError, match=r"^The response answers none of the questions\.$"):
        fit(answers, QUESTIONS)


@pytest.mark.parametrize(
    ("key", "answer", "message"),
    [
        ("topic", AnswerRecord.noul(0.5), "is of kind noul, not choice"),
        ("urgent", AnswerRecord.score(0), "is of kind score, not noul"),
        ("mood", AnswerRecord.choice("calm"), "is of kind choice, not score"),
        ("topic", AnswerRecord.choice("cart"), "names the option 'cart', which the question"),
        ("topic", AnswerRecord.choice("Card"), "names the option 'Card'"),
        ("topic", AnswerRecord(QuestionKind.CHOICE), "names no option"),
        ("topic", AnswerRecord.choice("card", None, {"cart": 0.5}), "names the option 'cart'"),
        ("topic", AnswerRecord.choice("card", None, [0.5]), "not by option"),
        ("mood", AnswerRecord.score(3), "names the level 3, which the question does not have"),
        ("mood", AnswerRecord.score(-1), "names the level -1"),
        ("mood", AnswerRecord.score(True), "names no level"),
        ("mood", AnswerRecord.score(1.0), "names no level"),
        ("mood", AnswerRecord(QuestionKind.SCORE), "names no level"),
        ("mood", AnswerRecord.score(1, None, None, [0, 0, 0, 1]), "of levels that the question"),
        ("mood", AnswerRecord.score(1, None, None, {"1": 1.0}), "not by level"),
        ("urgent", AnswerRecord(QuestionKind.NOUL), "a probability that is no number"),
        ("urgent", AnswerRecord.noul(True), "a probability that is no number"),
        ("urgent", AnswerRecord.noul("0.5"), "a probability that is no number"),
        ("topic", AnswerRecord.choice("card", 0.5, {"card": None}), "that is no number"),
    ],
)
def test_misfits_are_told_with_their_question(key, answer, message):
    with pytest.raises(MisfitError, match=f"^The answer to '{key}' .*{message}"):
        fit({**ANSWERS, key: answer}, QUESTIONS)


@pytest.mark.parametrize("value", [-0.001, 1.001, nan, inf, -inf, 10**400, 2])
def test_probabilities_and_confidences_outside_0_to_1_are_misfits(value):
    for key, answer in [
        ("urgent", AnswerRecord.noul(value)),
        ("topic", AnswerRecord.choice("card", value)),
        ("topic", AnswerRecord.choice("card", 0.5, {"card": 0.5, "loan": value})),
        ("mood", AnswerRecord.score(1, value)),
        ("mood", AnswerRecord.score(1, 0.5, 1.0, [0.5, None, value])),
    ]:
        with pytest.raises(MisfitError, match="which is not from 0 to 1"):
            fitted(key, answer)


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, Fraction(1, 2)])
def test_the_ends_and_other_numbers_fit_and_become_floats(value):
    share = fitted("urgent", AnswerRecord.noul(value)).probability
    assert (share, type(share)) == (float(value), float)


def test_a_decimal_is_no_binary_number_and_is_refused():
    with pytest.raises(MisfitError, match="no number"):
        fitted("urgent", AnswerRecord.noul(Decimal("0.5")))


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("topic", AnswerRecord.choice("loan", 0.2, {"card": 0.9, "loan": 0.9})),
        ("topic", AnswerRecord.choice("loan")),
        ("topic", AnswerRecord.choice("loan", None, {"card": 0.2})),
        ("mood", AnswerRecord.score(2, None, 99.0, [0.9, None, 0.1])),
        ("mood", AnswerRecord.score(2, 0.5, -1.0, [0.9])),
    ],
)
def test_what_is_only_odd_stands(key, answer):
    assert fitted(key, answer) == answer


def test_an_expected_level_that_no_file_can_hold_is_dropped():
    assert fitted("mood", AnswerRecord.score(1, 0.5, nan)).expected_level is None
    assert fitted("mood", AnswerRecord.score(1, 0.5, 2)).expected_level == 2.0


def test_an_empty_distribution_is_none():
    assert fitted("topic", AnswerRecord.choice("card", 0.5, {})).probabilities is None
    assert fitted("mood", AnswerRecord.score(1, 0.5, 1.0, [])).probabilities is None


@pytest.mark.parametrize("answer", [None, True, {"type": "noul"}, 0.5])
def test_what_is_no_answer_record_is_a_fault_of_the_provider(answer):
    with pytest.raises(TypeError, match="the answer to 'urgent' is no AnswerRecord"):
        fit({"urgent": answer}, QUESTIONS)
