"""Whether results fit a data set, plainly: the oracle of the native checks."""

from __future__ import annotations

from typing import Any

from tests.differential.plain_dataset import PlainItem
from tests.differential.plain_results import Plain, Told


def fit(results: Plain, dataset: list[PlainItem]) -> list[Told]:
    """Every problem of results (without problems of their own) against a data set."""
    told = []
    selection: Any = results.header.get("selection")
    if selection is not None and selection["of"] != len(dataset):
        told.append(Told(0, "count-mismatch", "selection.of"))
    is_full = selection is None and not results.header.get("partial", False)
    places = {item.id: place for place, item in enumerate(dataset)}
    ids = [result["id"] for result in results.items]
    beyond = dataset[-1].line + 1 if dataset else 1
    next_place = 0
    for result in results.items:
        place = places.get(str(result["id"]))
        if place is None:
            line = dataset[next_place].line if next_place < len(dataset) else beyond
            return [*told, Told(line, "unknown-item", "id")]
        if place < next_place:
            return [*told, Told(dataset[place].line, "wrong-order", "id")]
        if is_full and place > next_place:
            skipped = dataset[next_place]
            if skipped.id in ids:
                return [*told, Told(dataset[place].line, "wrong-order", "id")]
            return [*told, Told(skipped.line, "missing-item", "id")]
        told += _answers(result.get("answers", {}), dataset[place])
        next_place = place + 1
    if is_full and next_place < len(dataset):
        told.append(Told(dataset[next_place].line, "missing-item", "id"))
    return told


def _answers(answers: Any, item: PlainItem) -> list[Told]:
    told = []
    for key, answer in answers.items():
        path = f"answers.{key}"
        question: Any = item.questions.get(key)
        if question is None:
            told.append(Told(item.line, "unknown-answer", path))
        elif answer["type"] != question["type"]:
            told.append(Told(item.line, "wrong-kind", f"{path}.type"))
        else:
            wrong = _places(answer, question)
            told += [Told(item.line, "unknown-option", f"{path}.{place}") for place in wrong]
    return told


def _places(answer: Any, question: Any) -> list[str]:
    """Where an answer names an option or a level that its question does not have."""
    if answer["type"] == "noul":
        return []
    known = question["criteria"]
    chances = answer.get("probabilities")
    if answer["type"] == "choice":
        wrong = ["choice"] if answer["choice"] not in known else []
        return wrong + [f"probabilities.{name}" for name in chances or {} if name not in known]
    wrong = ["level"] if answer["level"] >= len(known) else []
    return wrong + [f"probabilities[{n}]" for n in range(len(known), len(chances or []))]
