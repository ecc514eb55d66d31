"""The probes in order: few by default, every one when thorough."""

from __future__ import annotations

import json
from collections.abc import Callable, Container
from http import HTTPStatus
from typing import Any

from minos.conformance import probes
from minos.conformance.answer_checks import AnswerChecks
from minos.conformance.confidence import agreeing
from minos.conformance.findings import Findings
from minos.conformance.printed import parse_printed
from minos.conformance.rules import checks_of
from minos.conformance.session import Reply, Session
from minos.conformance.values import is_declined
from minos.conformance.view import Questions
from minos.providers.client import DecisionClient
from minos.providers.presets import WireFormat
from minos.providers.prober import KeyUse

Edit = Callable[[dict[str, Any]], None]
"""Changes a request, as JSON values, before it is sent."""

MOST_PROBES = 8
"""The most requests of a first look."""

_REFUSED_KEY = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
_REFUSED_REQUEST = {HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY}


class Suite:
    """A provider being held against the rules.

    Attributes:
        findings: What was found so far.
        session: What was sent so far.
        kinds: The kinds of question that are answered.
        fault: The network fault that ended it before there was an answer; empty without one.
    """

    def __init__(self, client: DecisionClient) -> None:
        """Prepare.

        Args:
            client: The provider.
        """
        self.client = client
        self.findings = Findings()
        self.session = Session(client)
        self.kinds: set[str] = set()
        self.fault = ""
        self._checks = AnswerChecks(self.findings, client.endpoint.format)
        self._most: int | None = MOST_PROBES

    @property
    def has_key(self) -> bool:
        """Whether requests go out with a key."""
        return self.client.endpoint.key is not None

    @property
    def speaks_system_one(self) -> bool:
        """Whether a request can be changed as System One has it."""
        return self.client.endpoint.format is not WireFormat.OPENAI

    async def run(self) -> None:
        """Send the few probes of a first look."""
        if not await self.first_contact():
            return
        await self.refusals()
        noul, choice, score = probes.ONE_SIDED, probes.BOTH_DESCRIPTIONS, probes.SCORE
        structured = {**score, "instructions": {"scale": "displeasure"}}
        await self.accepts(
            ("array-state", "one-sided-noul"), {"refund": noul}, state=probes.ARRAY_STATE
        )
        await self.accepts(
            ("object-state", "structured-instructions"),
            {"mood": structured},
            state=probes.OBJECT_STATE,
        )
        await self.accepts(("undescribed-option", "criterion-object"), {"desk": choice})
        await self.unicode(probes.ODD_KEYS[3], also=("odd-keys",))
        await self.unknown_member()

    async def first_contact(self) -> bool:
        """Ask one question of each kind, together and where that is refused each by itself.

        Returns:
            Whether anything was answered.
        """
        reply = await self.ask("one question of each kind", probes.PLAIN)
        if reply.raw is None:
            self.fault = reply.fault
            return False
        is_locked_out = reply.raw.status_code in _REFUSED_KEY
        if self.has_key:
            self.findings.judge("bearer-key", reply.number, reply.told if is_locked_out else "")
        if reply.is_answer:
            answers = self.check(reply, probes.PLAIN) or {}
            self.kinds = {
                question["type"]
                for key, question in probes.PLAIN.items()
                if isinstance(answers.get(key), dict) and not is_declined(answers[key])
            }
        else:
            await self._each_kind()
        if not self.kinds:
            wanted = "a key is wanted, and none is configured: "
            hint = wanted if is_locked_out and not self.has_key else ""
            self.findings.fail("answered", reply.number, f"{hint}{reply.told}")
            self.findings.skip(["kinds"], "nothing is answered")
            return False
        order = ("noul", "choice", "score")
        told = ", ".join(kind for kind in order if kind in self.kinds)
        missing = [kind for kind in order if kind not in self.kinds]
        self.findings.judge("kinds", reply.number, "")
        self.findings.keep("kinds", reply.number, f"answers {told}" if missing else "")
        for kind in missing:
            self.findings.skip(checks_of(kind), f"it answers no {kind}")
        return True

    async def refusals(self) -> None:
        """Send a wrong key, and a request without a question."""
        if self.has_key:
            reply = await self.ask("a wrong key", probes.PLAIN, key=KeyUse.DUMMY)
            self.refuses("bad-key", reply, _REFUSED_KEY)
        else:
            self.findings.skip(["bad-key", "missing-key", "bearer-key"], "no key is needed")

        def empty(document: dict[str, Any]) -> None:
            document["questions"] = type(document["questions"])()

        reply = await self.ask("no question", probes.PLAIN, edit=empty)
        self.refuses("invalid-request", reply, _REFUSED_REQUEST)

    async def accepts(
        self,
        checks: tuple[str, ...],
        questions: Questions,
        *,
        state: object = probes.MESSAGE,
        edit: Edit | None = None,
        probe: str = "",
    ) -> dict[str, Any] | None:
        """Ask what should be answered.

        Args:
            checks: What the request puts to the test.
            questions: What is asked, as System One has it.
            state: What it is asked about.
            edit: Changes the request.
            probe: What it is for; the checks by default.

        Returns:
            The answers; None where there are none, or nothing was asked.
        """
        reason = self._reason_to_leave(questions)
        if reason:
            self.findings.skip(checks, reason)
            return None
        reply = await self.ask(probe or " and ".join(checks), questions, state=state, edit=edit)
        answers = self.check(reply, questions) if reply.is_answer else None
        for check in checks:
            told = "" if answers is not None else reply.told
            if told and len(checks) > 1:
                told += f" (to {' and '.join(checks)} together; --thorough asks for each)"
            self.findings.judge(check, reply.number, told)
        return answers

    async def unicode(self, key: str, *, also: tuple[str, ...] = ()) -> None:
        """Ask in several scripts, and look whether the names come back."""
        questions = {key: probes.UNICODE}
        answers = await self.accepts(("unicode", *also), questions, state=probes.UNICODE_STATE)
        if answers is None:
            return
        number = len(self.session.exchanges)
        answer = answers.get(key)
        given = answer.get("probabilities") if isinstance(answer, dict) else None
        if not isinstance(answer, dict):
            self.findings.fail("unicode", number, "the question's key does not come back")
        elif not isinstance(given, dict) or set(given) != set(probes.UNICODE["criteria"]):
            self.findings.fail("unicode", number, "the options' names do not come back")

    async def unknown_member(self) -> None:
        """Add a member that nobody knows."""

        def add(document: dict[str, Any]) -> None:
            document["x_minos_probe"] = {"ignored": True}

        questions = {k: q for k, q in probes.PLAIN.items() if q["type"] in self.kinds}
        await self.accepts(("unknown-member",), questions, edit=add)

    async def ask(
        self,
        probe: str,
        questions: Questions,
        *,
        state: object = probes.MESSAGE,
        edit: Edit | None = None,
        key: KeyUse = KeyUse.OWN,
    ) -> Reply:
        """Send questions, changed or not, and return what comes back."""
        body = self.session.body(questions, state)
        if edit is not None:
            document = json.loads(body)
            edit(document)
            body = json.dumps(document).encode()
        return await self.session.send(probe, body, key)

    def check(self, reply: Reply, questions: Questions) -> dict[str, Any] | None:
        """Hold an answer against the rules, and return it as System One has it."""
        if reply.raw is None:
            return None
        return self._checks.check(reply.number, reply.raw, questions)

    def refuses(self, check: str, reply: Reply, statuses: Container[int | None]) -> None:
        """Look whether a request was refused with one of some statuses, and in JSON."""
        status = reply.raw.status_code if reply.raw is not None else None
        self.findings.judge(check, reply.number, "" if status in statuses else reply.told)
        self.refusal_is_json(reply)

    def refusal_is_json(self, reply: Reply) -> None:
        """Look whether the body of a refusal is JSON, and says so."""
        if reply.raw is None or not 400 <= reply.raw.status_code < 500:  # noqa: PLR2004
            return
        media_type = reply.raw.headers.get("content-type", "").partition(";")[0].strip().lower()
        told = ""
        if not (media_type == "application/json" or media_type.endswith("+json")):
            told = f"Content-Type is {media_type!r}"
        else:
            try:
                parse_printed(reply.raw.body.data)
            except ValueError as error:
                told = str(error)
        self.findings.judge("error-json", reply.number, told)

    def name_formulas(self) -> None:
        """Say which formulas the confidences agree with."""
        confidences = self._checks.confidences
        for kind in ("choice", "score"):
            answers = confidences.by_kind.get(kind)
            if answers:
                names = agreeing(kind, answers, confidences.rounding)
                told = " or ".join(names) if names else "none of the known formulas"
                self.findings.keep("confidence-formula", 1, f"{kind}: {told}")

    async def _each_kind(self) -> None:
        for key, question in probes.PLAIN.items():
            reply = await self.ask(f"a {question['type']} alone", {key: question})
            if reply.is_answer:
                answers = self.check(reply, {key: question})
                if answers is not None and key in answers:
                    self.kinds.add(question["type"])

    def _reason_to_leave(self, questions: Questions) -> str:
        refusal = self.session.refusal(questions)
        if refusal:
            return f"{self.client.name} does not take it: {refusal}"
        for question in questions.values():
            if question["type"] not in self.kinds:
                return f"it answers no {question['type']}"
        if self._most is not None and len(self.session.exchanges) >= self._most:
            return f"left out of {self._most} probes; --thorough makes it"
        return ""
