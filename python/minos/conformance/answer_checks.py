"""The rules that every answered probe puts to the test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minos.conformance.findings import Findings
from minos.conformance.printed import parse_printed, rounding
from minos.conformance.question_checks import Confidences, Place, QuestionChecks
from minos.conformance.rules import checks_of
from minos.conformance.values import is_count, is_declined, names_told, told
from minos.conformance.view import Questions, as_system_one
from minos.providers.exchange import RawExchange
from minos.providers.presets import WireFormat


class AnswerChecks:
    """Checks of a response with status 200 to 299.

    Attributes:
        confidences: The distributions so far, each with the confidence reported for it.
    """

    def __init__(self, findings: Findings, wire: WireFormat) -> None:
        """Prepare.

        Args:
            findings: Where findings go.
            wire: The language of the responses.
        """
        self._findings = findings
        self._wire = wire
        self.confidences = Confidences()
        self._questions = QuestionChecks(findings, self.confidences)

    def check(self, number: int, raw: RawExchange, questions: Questions) -> dict[str, Any] | None:
        """Check one response.

        Args:
            number: The exchange.
            raw: The response.
            questions: What was asked, as System One has it.

        Returns:
            The answers as System One has them; None where there are none to be read.
        """
        findings = self._findings
        media_type = raw.headers.get("content-type", "").partition(";")[0].strip().lower()
        is_json = media_type == "application/json" or media_type.endswith("+json")
        found = f"Content-Type is {media_type!r}" if media_type else "there is no Content-Type"
        findings.judge("content-type", number, "" if is_json else found)
        if raw.body.fault:
            findings.fail("answered", number, f"the body {raw.body.fault}")
            return None
        try:
            document = as_system_one(parse_printed(raw.body.data), self._wire, questions)
        except ValueError as error:
            findings.fail("json", number, str(error))
            return None
        findings.keep("json", number)
        answers = document.get("answers") if isinstance(document, dict) else None
        if not isinstance(answers, dict):
            findings.fail("answered", number, "the body is no object that holds answers")
            return None
        findings.keep("answered", number)
        self._check_envelope(number, document)
        self._check_keys(number, answers, questions)
        off = rounding(answers)
        self.confidences.rounding = max(self.confidences.rounding, off)
        for key, question in questions.items():
            if key in answers and not self._is_declined(answers[key], question):
                self._questions.check(Place(number, key, off), question, answers[key])
        return answers

    def _check_envelope(self, number: int, document: dict[str, Any]) -> None:
        model = document.get("model")
        is_named = isinstance(model, str) and bool(model.strip())
        self._findings.judge("model-reported", number, "" if is_named else "there is no model")
        usage = document.get("usage")
        if not isinstance(usage, dict):
            self._findings.fail("usage", number, "there is no usage")
            return
        read, written = usage.get("input_tokens"), usage.get("output_tokens")
        if not is_count(read) or not is_count(written):
            found = f"input_tokens is {told(read)}, output_tokens is {told(written)}"
            self._findings.fail("usage", number, found)
        else:
            self._findings.judge("usage", number, "" if read else "input_tokens is 0")

    def _check_keys(self, number: int, answers: dict[str, Any], questions: Questions) -> None:
        missing = [key for key in questions if key not in answers]
        added = [key for key in answers if key not in questions]
        fault = f"there is no answer to {names_told(missing)}" if missing else ""
        self._findings.judge("all-answered", number, fault)
        fault = f"there are answers to {names_told(added)}" if added else ""
        self._findings.judge("nothing-else", number, fault)

    def _is_declined(self, answer: object, question: Mapping[str, Any]) -> bool:
        if not isinstance(answer, dict) or not is_declined(answer):
            return False
        kind = question["type"]
        self._findings.skip(checks_of(kind), f"a {kind} is declined (type '{answer['type']}')")
        return True
