"""Python callables as subjects: what they get, and what of theirs is an answer."""

import threading
from contextvars import ContextVar
from functools import partial

import anyio
import pytest

from minos import Ok
from minos.attempts.sync import run_in_own_loop
from minos.cases import Answer, Case, Failure, ToolCall, Usage
from minos.errors import ConfigError, DecisionError, DecisionErrorKind
from minos.subjects.base import Question, StuckError, SubjectError
from minos.subjects.call import CallableSubject

CASE = Case(input={"q": 1}, expected_output="secret")
QUESTION = Question(CASE.input, None, None, CASE)


def subject(function, **options):
    return CallableSubject(function, case_type=Case, **options)


def ask(function, **options):
    return run_in_own_loop(partial(subject(function, **options).ask, QUESTION))


def told(function, **options):
    with pytest.raises(SubjectError) as caught:
        ask(function, **options)
    return str(caught.value)


class Keeper:
    """Remembers what it got."""

    got = None

    def by_case_name(self, case):
        self.got = case
        return "ok"

    def by_input_name(self, input):  # noqa: A002
        self.got = input
        return "ok"

    def by_annotation(self, it: Case):
        self.got = it
        return "ok"

    def by_text_annotation(self, it: "Case"):
        self.got = it
        return "ok"

    def by_default(self, question):
        self.got = question
        return "ok"

    def with_more(self, question, limit=5, **_options):
        self.got = question, limit
        return "ok"

    def by_both(self, input, *, case):  # noqa: A002
        self.got = input, case
        return "ok"

    def variadic(self, *questions):
        self.got = questions
        return "ok"

    def keyword(self, *, question):
        self.got = question
        return "ok"


@pytest.mark.parametrize(
    ("name", "default", "got"),
    [
        ("by_case_name", "input", CASE),
        ("by_input_name", "case", CASE.input),
        ("by_annotation", "input", CASE),
        ("by_text_annotation", "input", CASE),
        ("by_default", "case", CASE),
        ("by_default", "input", CASE.input),
        ("with_more", "case", (CASE, 5)),
        ("by_both", "case", (CASE.input, CASE)),
        ("variadic", "input", (CASE.input,)),
        ("keyword", "case", CASE),
    ],
)
def test_a_parameter_says_what_it_gets(name, default, got):
    keeper = Keeper()
    assert ask(getattr(keeper, name), default=default).answer.text == "ok"
    assert keeper.got == got


@pytest.mark.parametrize("function", [lambda: "x", lambda a, b: "x", lambda case, b: "x", 5, str])
def test_what_cannot_be_called_with_a_case_is_refused(function):
    with pytest.raises(ConfigError):
        subject(function)


def test_functions_of_c_are_called():
    assert ask(repr).answer.text == repr(CASE)


class Made:
    count = 0

    def __init__(self):
        type(self).count += 1

    def __call__(self, input):  # noqa: A002
        return f"{input['q']} of {self.count}"


def test_a_class_is_made_once_for_each_attempt():
    made = subject(Made)
    texts = [run_in_own_loop(partial(made.ask, QUESTION)).answer.text for _ in range(2)]
    assert texts == ["1 of 1", "1 of 2"]


def test_what_is_asynchronous_is_awaited_whatever_it_claims():
    async def honest(case):
        await anyio.lowlevel.checkpoint()
        return "a"

    def hidden(case):
        return honest(case)

    class Callable:
        async def __call__(self, case):
            return await honest(case)

    assert [ask(each).answer.text for each in (honest, hidden, Callable(), Callable)] == ["a"] * 4


def test_functions_run_on_other_threads_in_the_callers_context():
    kept = ContextVar("kept", default="nothing")

    async def run():
        kept.set("something")
        return await subject(lambda case: f"{kept.get()} {threading.current_thread().name}").ask(
            QUESTION
        )

    assert run_in_own_loop(run).answer.text == "something minos subject"


def test_every_form_of_an_answer_is_taken():
    full = Answer("t", [ToolCall("x", {"a": 1})], ["doc"], Usage(1, 2, 0.5))
    assert ask(lambda case: "t").answer == Answer("t")
    assert ask(lambda case: full).answer == full
    assert ask(lambda case: Ok("t")).answer == Answer("t")
    assert ask(lambda case: Ok(full)).answer == full
    reply = ask(lambda case: case.with_output("t"))
    assert reply.answer == Answer("t")
    assert reply.case == CASE.with_output("t")
    assert ask(lambda case: Ok(case.with_output("t"))).case == CASE.with_output("t")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "returned NoneType, which is no answer"),
        ({"text": "x"}, "returned dict, which is no answer"),
        (b"x", "returned bytes, which is no answer"),
        ((each for each in "x"), "returned generator, which is no answer"),
        (5, "returned int, which is no answer"),
        (Ok(None), "returned NoneType, which is no answer"),
        (Ok(Ok("x")), "returned Ok, which is no answer"),
        (CASE, "the subject returned a Case without actual_output"),
        (Answer(None), "returned Answer, which is no answer"),
        (Failure("too busy"), "too busy"),
        ("\ud800", "the subject's text is not valid Unicode"),
        (Answer("x", ["search"]), "members are not what they must be"),
        (Answer("x", [ToolCall("x", {"a": object()})]), "members are not what they must be"),
        (Answer("x", usage=Usage(cost_usd=float("nan"))), "members are not what they must be"),
        (Answer("x", usage=Usage(cost_usd=True)), "members are not what they must be"),
        (Answer("x", retrieved=[1]), "members are not what they must be"),
    ],
)
def test_anything_else_is_no_answer(value, message):
    assert message in told(lambda case: value)


def raising(error):
    def function(case):
        raise error

    return function


def test_what_it_raises_is_told():
    assert told(raising(ValueError("no"))) == "ValueError: no"
    assert told(raising(ValueError())) == "ValueError"
    assert told(raising(SystemExit(3))) == "SystemExit: 3"
    assert told(raising(ValueError("\ud800"))) == "ValueError: ?"
    refused = DecisionError(DecisionErrorKind.RATE_LIMITED, "slow down")
    assert told(raising(refused)) == "RateLimited: slow down"


def test_calls_that_hang_are_left_behind_and_then_refused():
    gate, started = threading.Event(), threading.Event()

    def hang(case):
        started.set()
        gate.wait()
        return "late"

    hung = subject(hang)

    async def leave():
        async with anyio.create_task_group() as tasks:

            async def call():
                await hung.ask(QUESTION)

            tasks.start_soon(call)
            await anyio.to_thread.run_sync(started.wait)
            tasks.cancel_scope.cancel()

    run_in_own_loop(leave)
    assert hung.threads.stuck == 1
    with pytest.raises(StuckError, match="1 call hangs") as caught:
        run_in_own_loop(partial(hung.ask, QUESTION))
    assert "--command" in caught.value.hint
    (thread,) = [each for each in threading.enumerate() if each.name == "minos subject"]
    gate.set()
    thread.join()
    assert (hung.threads.stuck, hung.threads.late) == (0, 1)
