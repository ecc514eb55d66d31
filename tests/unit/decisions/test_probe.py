import json
import math
from dataclasses import replace

import pytest
from tests.unit.providers.asked import QUESTIONS

from minos.answers import AnswerRecord
from minos.decisions import DecisionDataset, ProbeOptions, run_probe
from minos.decisions.probe import Probe
from minos.decisions.probe_plan import Treatment, plan
from minos.errors import DecisionError, DecisionErrorKind, RunError
from minos.questions import ChoiceQuestion, NoulQuestion, QuestionKind
from minos.request import DecisionResponse

pytestmark = pytest.mark.anyio

NOUL = QUESTIONS["refund"]
CHOICE = QUESTIONS["queue"]


def dataset(count=4, **questions):
    questions = questions or QUESTIONS
    lines = [
        json.dumps({"id": f"i{n}", "state": f"message {n}", "questions": questions, "expected": {}})
        for n in range(count)
    ]
    return DecisionDataset.parse("\n".join(lines)).unwrap()


class Asked:
    """Answers by a function of the question, its place, all questions and the state."""

    name = "asked"
    model = "m"

    def __init__(self, answer):
        self.answer = answer
        self.requests = []

    async def decide(self, request):
        self.requests.append(request)
        answers = {
            key: self.answer(question, place, request)
            for place, (key, question) in enumerate(request.questions.items())
        }
        return DecisionResponse(answers, cost_usd=0.5)


def steady(question, _place=0, _request=None):
    match question:
        case NoulQuestion():
            return AnswerRecord.noul(0.8)
        case ChoiceQuestion(options=options):
            first = min(options)
            even = dict.fromkeys(options, 0.1)
            return AnswerRecord.choice(first, 0.5, {**even, first: 1 - 0.1 * (len(options) - 1)})
        case _:
            return AnswerRecord.score(1, 0.5)


def rates(report):
    return {name: report.flips(name).rate for name in ("again", "options", "questions", "alone")}


def test_each_item_is_asked_about_in_every_way():
    asks = plan(dataset(2), ProbeOptions())
    assert [(ask.item, ask.treatment) for ask in asks[:7]] == [
        (0, Treatment.BASE),
        (0, Treatment.AGAIN),
        (0, Treatment.OPTIONS),
        (0, Treatment.QUESTIONS),
        (0, Treatment.ALONE),
        (0, Treatment.ALONE),
        (0, Treatment.ALONE),
    ]
    assert len(asks) == 14
    options, questions, alone = asks[2].questions, asks[3].questions, asks[4].questions
    assert list(options["queue"].options) == ["other", "billing", "shipping"]
    assert options["queue"].options["shipping"].examples == ("box crushed",)
    assert list(options) == ["refund", "queue", "urgency"]
    assert list(questions) == ["urgency", "queue", "refund"]
    assert list(alone) == ["refund"]


@pytest.mark.parametrize(
    ("questions", "treatments"),
    [
        ({"a": NOUL}, ["base", "again"]),
        ({"a": CHOICE}, ["base", "again", "options"]),
        ({"a": {**CHOICE, "criteria": {"x": None}}}, ["base", "again"]),
        ({"a": NOUL, "b": NOUL}, ["base", "again", "questions", "alone", "alone"]),
    ],
)
def test_what_cannot_be_turned_is_not_asked(questions, treatments):
    asks = plan(dataset(1, **questions), ProbeOptions())
    assert [str(ask.treatment) for ask in asks] == treatments


def test_as_many_items_as_fit_in_whole():
    assert len(plan(dataset(10), ProbeOptions(max_requests=20))) == 14
    assert len(plan(dataset(10), ProbeOptions(max_requests=21))) == 21
    assert len(plan(dataset(10), ProbeOptions(limit=1))) == 7
    assert {ask.item for ask in plan(dataset(10), ProbeOptions(ids=("i7",)))} == {7}
    with pytest.raises(ValueError, match="takes 7 requests, and 6 may be sent"):
        plan(dataset(10), ProbeOptions(max_requests=6))


async def test_a_steady_model_changes_nothing():
    provider = Asked(steady)
    report = await run_probe(provider, dataset(4))
    assert (report.requests, report.failed, report.cost_usd) == (28, 0, 14.0)
    assert len(provider.requests) == 28
    assert rates(report) == {"again": 0, "options": 0, "questions": 0, "alone": 0}
    again = report.flips("again")
    assert (again.compared, again.flips) == (12, 0)
    # Four items without a change, not twelve questions: the rule of Wilson at 0 of 4.
    assert again.interval.lower == 0
    assert again.interval.upper == pytest.approx(0.4899, abs=1e-4)
    assert report.flips("options").compared == 4
    assert report.flips("alone", QuestionKind.SCORE).compared == 4
    assert report.position_bias.mean == 0


async def test_a_model_that_takes_the_first_option_is_found():
    def first(question, place, request):
        if isinstance(question, ChoiceQuestion):
            chosen = next(iter(question.options))
            return AnswerRecord.choice(
                chosen, None, dict.fromkeys(question.options, 0.0) | {chosen: 1.0}
            )
        return steady(question, place, request)

    report = await run_probe(Asked(first), dataset(5))
    assert rates(report) == {"again": 0, "options": 1, "questions": 0, "alone": 0}
    bias = report.position_bias
    assert (bias.choices, bias.mean) == (5, 1.0)
    assert (bias.interval.lower, bias.interval.upper) == (1.0, 1.0)


async def test_without_distributions_the_option_chosen_counts():
    def last(question, place, request):
        if isinstance(question, ChoiceQuestion):
            return AnswerRecord.choice(list(question.options)[-1])
        return steady(question, place, request)

    assert (await run_probe(Asked(last), dataset(3))).position_bias.mean == -1.0


async def test_a_model_that_minds_its_neighbours_is_found():
    def by_place(question, place, request):
        if isinstance(question, NoulQuestion):
            return AnswerRecord.noul(0.9 if place == 0 else 0.1)
        return steady(question, place, request)

    report = await run_probe(Asked(by_place), dataset(6))
    assert report.flips("questions", QuestionKind.NOUL).rate == 1
    assert report.flips("questions").rate == pytest.approx(1 / 3)
    assert report.flips("alone").rate == 0


async def test_a_request_that_fails_is_left_out():
    def fail(question, place, request):
        if "message 1" in request.state_json.decode() and len(request.questions) == 1:
            raise DecisionError(DecisionErrorKind.SERVER, "no")
        return steady(question, place, request)

    report = await run_probe(Asked(fail), dataset(3))
    assert (report.requests, report.failed) == (21, 3)
    assert report.errors == [("Server", 3)]
    assert report.flips("alone").compared == 6
    assert report.flips("again").compared == 9


async def test_another_exception_stops_it():
    def fault(*_):
        raise ValueError("mine")

    with pytest.raises(RunError, match="ValueError: mine"):
        await run_probe(Asked(fault), dataset(2))


async def test_what_was_found_before_a_fault_is_not_lost():
    def fault(question, place, request):
        if "message 1" in request.state_json.decode():
            raise ValueError("mine")
        return steady(question, place, request)

    probe = Probe(Asked(fault), dataset(3), ProbeOptions())
    assert (probe.report().requests, list(probe.report().items)) == (0, [])
    with pytest.raises(RunError):
        await probe.run()
    report = probe.report("stopped")
    assert (report.requests, report.stopped, report.cost_usd) == (7, "stopped", 3.5)
    assert [item.id for item in report.items] == ["i0"]
    assert report.flips("alone").compared == 3


async def test_a_cost_that_is_not_told_of_every_request_is_not_known():
    class Unpriced(Asked):
        async def decide(self, request):
            response = await super().decide(request)
            return replace(response, cost_usd=None) if len(self.requests) == 3 else response

    assert (await run_probe(Unpriced(steady), dataset(2))).cost_usd is None


async def test_answers_to_other_questions_count_for_nothing():
    class Talkative(Asked):
        async def decide(self, request):
            response = await super().decide(request)
            others = {"refund": AnswerRecord.noul(0.1), "none": AnswerRecord.noul(0.1)}
            return replace(response, answers=others | dict(response.answers))

    report = await run_probe(Talkative(steady), dataset(2))
    assert (report.failed, report.flips("alone").rate) == (0, 0)


@pytest.mark.parametrize("cost_usd", [math.nan, math.inf, -1.0, 1e308])
async def test_a_cost_that_can_be_none_is_not_known(cost_usd):
    class Lying(Asked):
        async def decide(self, request):
            return replace(await super().decide(request), cost_usd=cost_usd, tries=-5)

    report = await run_probe(Lying(steady), dataset(2))
    assert (report.requests, report.cost_usd) == (14, None)
    assert json.loads(report.to_json())["cost"] is None


@pytest.mark.parametrize(
    "answer",
    [
        AnswerRecord.noul(math.nan),
        AnswerRecord.noul(2.0),
        AnswerRecord.choice("nowhere"),
        AnswerRecord.choice("billing", 0.5, {"billing": math.inf}),
        AnswerRecord.score(9),
    ],
)
async def test_an_answer_that_does_not_fit_is_a_failure(answer):
    report = await run_probe(Asked(lambda *_: answer), dataset(2))
    assert report.errors == [("InvalidResponse", 14)]
    assert report.cost_usd == 7.0
    assert report.flips("again").rate is None
    assert json.loads(report.to_json())["positionBias"]["mean"] is None


async def test_a_budget_ends_it_early():
    report = await run_probe(Asked(steady), dataset(4), ProbeOptions(max_cost_usd=5))
    assert report.requests < 28
    assert report.stopped
    assert report.cost_usd <= 5


async def test_the_files():
    report = await run_probe(Asked(steady), dataset(2), ProbeOptions(dataset_name="mine"))
    document = json.loads(report.to_json())
    assert (document["kind"], document["version"]) == ("minos-probe", 1)
    assert (document["dataset"], document["provider"], document["model"]) == ("mine", "asked", "m")
    assert document["flips"]["options"]["overall"]["flipRate"] == 0
    assert set(document["flips"]["options"]) == {"overall", "choice"}
    assert document["positionBias"]["choices"] == 2
    page = report.to_markdown()
    assert page.startswith("# Probe of `asked`\n")
    assert "options in reverse order" in page


async def test_nothing_to_measure_position_on():
    report = await run_probe(Asked(steady), dataset(2, a=NOUL))
    assert report.position_bias.mean is None
    assert report.flips("options").rate is None
    assert "There was no choice to measure it on." in report.to_markdown()
    assert json.loads(report.to_json())["flips"]["options"]["overall"]["interval"] is None
