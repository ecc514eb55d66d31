"""The tables of answers, items, bins and thresholds, made from objects without any shortcut."""

from decimal import Decimal

from minos.questions import QuestionKind


def answer_rows(results, dataset=None):
    """One row an answer; with a data set, one row a question."""
    items = {item.id: item for item in dataset} if dataset is not None else {}
    for line, result in enumerate(results, start=2):
        answers = result.answers or {}
        if dataset is None:
            asked = [(key, answer.kind) for key, answer in answers.items()]
        else:
            questions = items[result.id].questions
            asked = [(key, question.kind) for key, question in questions.items()]
        for place, (key, kind) in enumerate(asked or [(None, None)]):
            row = {"id": result.id, "line": line, "place": place, "question": key}
            row["kind"] = kind and str(kind)
            answer = answers.get(key)
            row["answer"] = None if answer is None else _text(answer.value)
            if dataset is not None:
                right = items[result.id].expected.get(key)
                row["expected"] = None if right is None else _text(right.value)
                both = right is not None and answer is not None
                row["correct"] = right.value == answer.value if both else None
            yield row | _numbers(answer) | _facts(result)


def _text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def _numbers(answer):
    names = ("confidence", "probability", "level", "expected_level", "options", "probabilities")
    row = dict.fromkeys(names)
    if answer is None:
        return row
    row["confidence"] = _confidence(answer)
    row["probability"] = answer.probability
    row["level"] = answer.level
    row["expected_level"] = answer.expected_level
    given = answer.probabilities
    if given is not None and answer.kind is QuestionKind.CHOICE:
        row["options"], row["probabilities"] = list(given), list(given.values())
    elif given is not None:
        row["options"] = [str(level) for level in range(len(given))]
        row["probabilities"] = list(given)
    return row


def _confidence(answer):
    if answer.kind is not QuestionKind.NOUL:
        return answer.confidence
    if answer.probability >= 0.5:
        return answer.probability
    places = Decimal(round(Decimal(answer.probability * 1e12)))
    return float(max(places, 10**12 - places) / 10**12)


def _facts(result):
    error = result.error
    return {
        "latency_ms": result.latency_ms,
        "cost_usd": result.cost_usd,
        "input_tokens": result.input_tokens,
        "output_tokens": result.output_tokens,
        "model": result.model,
        "cached": result.cached,
        "tries": result.tries,
        "request_id": result.request_id,
        "error": error and str(error.kind),
        "status_code": error and error.status_code,
        "error_message": error and error.message,
    }


def item_rows(dataset):
    """One row an item."""
    for item in dataset:
        right = {key: _text(answer.value) for key, answer in item.expected.items()}
        yield {
            "id": item.id,
            "line": item.line,
            "source": item.source,
            "state_json": item.state_json.decode(),
            "questions": list(item.questions),
            "kinds": [str(question.kind) for question in item.questions.values()],
            "expected": [right.get(key) for key in item.questions],
        }


def _slices(report):
    yield None, None, report.overall
    for kind, metrics in report.kinds.items():
        yield str(kind), None, metrics
    for question in report.questions:
        yield str(question.kind), question.key, question.metrics


def bin_rows(report):
    """One row a bin."""
    for kind, question, metrics in _slices(report):
        for measure, figures in (
            ("confidence", metrics),
            ("top_probability", metrics.top_probability),
        ):
            for binning, bins in (
                ("equal_mass", figures.bins),
                ("equal_width", figures.bins_equal_width),
            ):
                for place, found in enumerate(bins):
                    row = {"kind": kind, "question": question, "measure": measure}
                    row |= {"binning": binning, "bin": place}
                    yield row | {name: getattr(found, name) for name in found.__slots__}


def sweep_rows(report):
    """One row a threshold."""
    for kind, question, metrics in _slices(report):
        for point in metrics.sweep:
            row = {"kind": kind, "question": question}
            yield row | {name: getattr(point, name) for name in point.__slots__}
