"""What a provider is asked, written for this purpose."""

from __future__ import annotations

from typing import Any

MESSAGE = (
    "The kettle I ordered came with a dent and its lid does not close. I have written twice and"
    " heard nothing. Send me another one this week or give me my money back."
)

NOUL: dict[str, Any] = {
    "type": "noul",
    "instructions": "Would a refund satisfy the writer?",
    "criteria": {"true": "A refund is named as a way out", "false": "Money is not wanted"},
}

CHOICE: dict[str, Any] = {
    "type": "choice",
    "instructions": "Which desk should answer?",
    "criteria": {
        "Damage": "Goods that arrive broken",
        "Billing": "Charges and invoices",
        "Advice": "Questions before an order",
    },
}

SCORE: dict[str, Any] = {
    "type": "score",
    "instructions": "How displeased is the writer?",
    "criteria": ["not at all", "somewhat", "very"],
}

PLAIN: dict[str, dict[str, Any]] = {"refund": NOUL, "desk": CHOICE, "mood": SCORE}
"""One question of each kind."""

OBJECT_STATE = {
    "subject": "Dented kettle",
    "body": MESSAGE,
    "order": {"number": 5188, "items": ["kettle", "cups"], "paid": True, "discount": None},
}

ARRAY_STATE = ["The kettle came with a dent.", "Nobody answered me.", "I want my money back."]

ONE_SIDED = {**NOUL, "criteria": {"true": "A refund is named as a way out"}}
OTHER_SIDE = {**NOUL, "criteria": {"false": "Money is not wanted"}}
WITHOUT_CRITERIA = {"type": "noul", "instructions": "Would a refund satisfy the writer?"}
WITHOUT_INSTRUCTIONS = {"type": "noul", "criteria": NOUL["criteria"]}

STRUCTURED_SIDES = {
    **NOUL,
    "criteria": {"true": {"signs": ["money back", "refund"]}, "false": ["only a new kettle"]},
}

UNDESCRIBED = {**CHOICE, "criteria": dict.fromkeys(CHOICE["criteria"])}

CRITERION_OBJECT = {
    **CHOICE,
    "criteria": {
        "Damage": {
            "description": "Goods that arrive broken",
            "examples": ["the box was crushed"],
            "not_for": ["goods that wear out later"],
        },
        "Billing": "Charges and invoices",
        "Advice": "Questions before an order",
    },
}

BOTH_DESCRIPTIONS = {
    **CHOICE,
    "criteria": {**CRITERION_OBJECT["criteria"], "Advice": None},
}

STRUCTURED_INSTRUCTIONS = {
    "noul": {**NOUL, "instructions": {"ask": "Would a refund do?", "of": "`body`"}},
    "choice": {**CHOICE, "instructions": ["Which desk should answer?", "Name one."]},
    "score": {**SCORE, "instructions": {"scale": "displeasure"}},
}

UNICODE_STATE = "Чайник погнут! 早く返金してください 😠 — merci d'avance"
UNICODE = {
    "type": "choice",
    "instructions": "Чего хочет покупатель? 何が望みですか",
    "criteria": {"возврат денег": "Деньги назад", "交換 ⇄": "新しい品物", "🫖 é": "Чай и café"},
}

ODD_KEYS = ("order-2", "a.b", "two words", "質問", "🫖", "constructor")


def many_options(count: int) -> dict[str, Any]:
    """Return a choice of so many options."""
    names = [f"shelf {number:03}" for number in range(count)]
    options = {name: f"Goods kept on {name}" for name in names}
    return {"type": "choice", "instructions": "On which shelf is it?", "criteria": options}


def many_levels(count: int) -> dict[str, Any]:
    """Return a score of so many levels."""
    levels = [f"degree {number} of displeasure" for number in range(count)]
    return {"type": "score", "instructions": "How displeased is the writer?", "criteria": levels}
