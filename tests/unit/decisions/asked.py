"""A small data set, and a provider that answers it by script."""

import json
from dataclasses import dataclass, field

from minos.answers import AnswerRecord
from minos.decisions.dataset import DecisionDataset
from minos.request import DecisionResponse

QUESTIONS = {
    "topic": {
        "type": "choice",
        "instructions": "Which topic?",
        "criteria": {"card": "About a card.", "loan": None, "other": None},
    },
    "urgent": {"type": "noul", "instructions": "Is it urgent?"},
    "mood": {"type": "score", "instructions": "How upset?", "criteria": ["calm", "cross", "mad"]},
}
ANSWERS = {
    "topic": AnswerRecord.choice("card", 0.8, {"card": 0.8, "loan": 0.1, "other": 0.1}),
    "urgent": AnswerRecord.noul(0.07),
    "mood": AnswerRecord.score(1, 0.7, 1.1, [0.1, 0.7, 0.2]),
}
RESPONSE = DecisionResponse(ANSWERS, model="fake-1", cost_usd=0.0)


def lines(count, questions=None, **members):
    for number in range(count):
        item = {
            "id": f"item-{number}",
            "state": f"state {number}",
            "questions": questions or QUESTIONS,
            "expected": {},
            **members,
        }
        yield json.dumps(item)


def dataset(count, questions=None, **members):
    return DecisionDataset.parse("\n".join(lines(count, questions, **members))).unwrap()


def number_of(request):
    """The number of the item behind a request."""
    return int(json.loads(request.state_json).removeprefix("state "))


@dataclass
class Scripted:
    """Answers every item alike, but for those whose number is in the script."""

    steps: dict = field(default_factory=dict)
    response: DecisionResponse = RESPONSE
    asked: list = field(default_factory=list)
    name: str = "scripted"
    model: str | None = "fake"

    async def decide(self, request):
        number = number_of(request)
        self.asked.append(number)
        step = self.steps.get(number)
        if isinstance(step, BaseException):
            raise step
        outcome = None if step is None else await step()
        return self.response if outcome is None else outcome
