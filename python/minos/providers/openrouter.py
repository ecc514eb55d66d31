"""OpenRouter's System One: a noul's criteria have both sides, or there are none."""

from __future__ import annotations

import json
from functools import lru_cache

from minos.providers.systemone import SystemOneWire
from minos.questions import NoulQuestion, QuestionSet

OTHER_SIDE = "Anything else."
"""What stands for the side of a noul that the data set leaves out."""


class OpenRouterWire(SystemOneWire):
    """System One as OpenRouter speaks it."""

    def questions_json(self, questions: QuestionSet) -> bytes:
        """Return the questions, every noul with both sides or neither."""
        return _with_both_sides(questions)


@lru_cache(maxsize=64)  # the items of a data set share a few question sets
def _with_both_sides(questions: QuestionSet) -> bytes:
    one_sided = [
        question.key
        for question in questions.values()
        if isinstance(question, NoulQuestion)
        and (question.true is None) != (question.false is None)
    ]
    if not one_sided:
        return questions.json
    members = json.loads(questions.json)
    for key in one_sided:
        sides = {"true": OTHER_SIDE, "false": OTHER_SIDE}
        members[key]["criteria"] = sides | members[key]["criteria"]
    return json.dumps(members, separators=(",", ":")).encode()
