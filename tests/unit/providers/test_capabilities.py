import pytest
from tests.unit.providers.asked import rendered, request

from minos.errors import DecisionError, DecisionErrorKind
from minos.providers import Capabilities, DecisionClientOptions, Secret
from minos.providers.client import DecisionClient
from minos.questions import QuestionKind

NOUL = {"type": "noul", "instructions": "?"}


def choice(count, value="a"):
    return {
        "type": "choice",
        "instructions": "?",
        "criteria": dict.fromkeys(map(str, range(count)), value),
    }


def score(count):
    return {"type": "score", "instructions": "?", "criteria": [str(n) for n in range(count)]}


@pytest.mark.parametrize(
    ("capabilities", "questions", "refusal"),
    [
        (Capabilities(), {"": NOUL, "a": choice(1), "b": score(1), "c": choice(1000)}, None),
        (Capabilities(max_questions=2), {"a": NOUL, "b": NOUL}, None),
        (
            Capabilities(max_questions=1),
            {"a": NOUL, "b": NOUL},
            "it takes at most 1 questions, not 2",
        ),
        (
            Capabilities(kinds=frozenset({QuestionKind.NOUL})),
            {"a": NOUL, "b": score(2)},
            "question 'b': it does not answer a score",
        ),
        (
            Capabilities(min_options=2),
            {"a": choice(1)},
            "question 'a': it takes at least 2 options, not 1",
        ),
        (Capabilities(max_options=26), {"a": choice(26)}, None),
        (
            Capabilities(max_options=26),
            {"a": choice(27)},
            "question 'a': it takes at most 26 options, not 27",
        ),
        (
            Capabilities(min_levels=2),
            {"a": score(1)},
            "question 'a': it takes at least 2 levels, not 1",
        ),
        (
            Capabilities(max_levels=10),
            {"a": score(11)},
            "question 'a': it takes at most 10 levels, not 11",
        ),
        (Capabilities(question_key="[a-z]{1,3}"), {"abc": NOUL}, None),
        (
            Capabilities(question_key="[a-z]{1,3}"),
            {"abc\n": NOUL},
            "question 'abc\n': its keys look like [a-z]{1,3}",
        ),
        (Capabilities(structured_text=False), {"a": NOUL, "b": choice(2), "c": score(2)}, None),
        *(
            (
                Capabilities(structured_text=False),
                {"a": NOUL, "b": structured},
                "question 'b': it takes instructions and criteria as text only",
            )
            for structured in (
                {**NOUL, "instructions": {"ask": "?"}},
                {**NOUL, "criteria": {"false": ["x"]}},
                {**choice(2), "instructions": ["?"]},
                choice(2, {"description": "d", "examples": ["e"]}),
                {**score(1), "criteria": ["a", {"description": "d", "not_for": ["e"]}]},
                {**score(1), "instructions": {"a": 1}},
            )
        ),
    ],
)
def test_what_cannot_be_asked_is_told(capabilities, questions, refusal):
    assert capabilities.refusal(rendered(questions)) == refusal


@pytest.mark.anyio
async def test_nothing_is_sent_for_what_cannot_be_asked(server):
    client = DecisionClient(
        DecisionClientOptions(api_key=Secret("sk-0123456789"), base_address=server.url),
        name="mine",
    )
    with pytest.raises(DecisionError) as caught:
        await client.decide(request(a=choice(256)))
    error = caught.value
    assert (error.kind, error.tries, error.status_code) == (DecisionErrorKind.UNSUPPORTED, 0, None)
    assert error.message == (
        "mine cannot be asked this: question 'a': it takes at most 255 options, not 256."
    )
    assert not server.requests
