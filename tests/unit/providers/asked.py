"""Questions and answers that the tests of the wires share."""

import json

from minos.questions import QuestionSet
from minos.request import DecisionRequest

QUESTIONS = {
    "refund": {
        "type": "noul",
        "instructions": "Would a refund do?",
        "criteria": {"true": "A refund is named", "false": "Only a new one is wanted"},
    },
    "queue": {
        "type": "choice",
        "instructions": "Which queue owns it?",
        "criteria": {
            "shipping": {
                "description": "Damage in transit",
                "examples": ["box crushed"],
                "not_for": ["defects"],
            },
            "billing": "Charges",
            "other": None,
        },
    },
    "urgency": {
        "type": "score",
        "instructions": {"ask": "How soon?"},
        "criteria": ["Any time", "This week", "Today"],
    },
}

ANSWERS = {
    "refund": {"type": "noul", "noul": 0.91},
    "queue": {
        "type": "choice",
        "choice": "shipping",
        "probabilities": {"shipping": 0.78, "billing": 0.15, "other": 0.07},
        "confidence": 0.67,
    },
    "urgency": {
        "type": "score",
        "score": 1.54,
        "legend": {"0": "Any time", "1": "This week", "2": "Today"},
        "probabilities": {"0": 0.08, "1": 0.30, "2": 0.62},
        "confidence": 0.31,
    },
}

USAGE = {"input_tokens": 371, "output_tokens": 54}


def rendered(questions):
    return QuestionSet(json.dumps(questions, separators=(",", ":")).encode())


def request(state=b'{"ticket": "The lamp is broken.",  "plan":"basic"}', **questions):
    return DecisionRequest(state, rendered(questions or QUESTIONS))


def response(answers=None, **members):
    return {
        "model": "jev-1.13.0",
        "answers": ANSWERS if answers is None else answers,
        "usage": USAGE,
        **members,
    }
