"""Every probe: each feature by itself, what is refused, and what an answer depends on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from minos.conformance import probes
from minos.conformance.likeness import Figures, difference, figures, spread
from minos.conformance.suite import Edit, Suite
from minos.conformance.view import Questions
from minos.providers.client import DecisionClient
from minos.providers.prober import KeyUse

Asked: TypeAlias = tuple[Questions, Mapping[str, str]]
"""Questions, and what the key of each stands for."""

_ROUNDS = 3
_MOST_SPREAD = 0.15


class ThoroughSuite(Suite):
    """A provider being held against the rules without regard to the number of requests."""

    def __init__(self, client: DecisionClient) -> None:
        """Prepare.

        Args:
            client: The provider.
        """
        super().__init__(client)
        self._most = None

    async def run(self) -> None:
        """Send every probe."""
        if not await self.first_contact():
            return
        await self.refusals()
        await self._keys()
        await self._states_and_texts()
        await self._sizes()
        for key in probes.ODD_KEYS:
            await self.accepts(
                ("odd-keys",), {key: probes.WITHOUT_CRITERIA}, probe=f"the key '{key}'"
            )
        await self.unicode("kind")
        await self.unknown_member()
        await self._invalid()
        await self._beyond_guidance()
        await self._likeness()

    async def _keys(self) -> None:
        if self.has_key:
            reply = await self.ask("no key", probes.PLAIN, key=KeyUse.NONE)
            self.refuses("missing-key", reply, {401, 403})
            self.findings.skip(["needless-key"], "a key is needed")
            return
        questions = self._plain()
        reply = await self.ask("a key that is not needed", questions, key=KeyUse.DUMMY)
        self.findings.judge("needless-key", reply.number, "" if reply.is_answer else reply.told)

    async def _states_and_texts(self) -> None:
        plain = {"refund": probes.WITHOUT_CRITERIA}
        await self.accepts(("object-state",), plain, state=probes.OBJECT_STATE)
        await self.accepts(("array-state",), plain, state=probes.ARRAY_STATE)
        for kind, question in probes.STRUCTURED_INSTRUCTIONS.items():
            await self.accepts(
                ("structured-instructions",), {"q": question}, probe=f"instructions of a {kind}"
            )
        for side in (probes.ONE_SIDED, probes.OTHER_SIDE):
            await self.accepts(("one-sided-noul",), {"refund": side})
        await self.accepts(("structured-sides",), {"refund": probes.STRUCTURED_SIDES})
        await self.accepts(("undescribed-option",), {"desk": probes.UNDESCRIBED})
        await self.accepts(("criterion-object",), {"desk": probes.CRITERION_OBJECT})
        if self.speaks_system_one:
            await self.accepts(
                ("noul-without-instructions",),
                {"refund": probes.NOUL},
                edit=lambda document: document["questions"]["refund"].pop("instructions"),
            )

    async def _sizes(self) -> None:
        for check, key, make, counts in (
            ("options", "shelf", probes.many_options, (2, 26, 64, 128, 255)),
            ("levels", "mood", probes.many_levels, (2, 3, 5, 10)),
        ):
            for count in counts:
                answers = await self.accepts((check,), {key: make(count)}, probe=f"{count} {check}")
                if answers is None:
                    break

    async def _invalid(self) -> None:
        if not self.speaks_system_one:
            checks = ["invalid-bodies", "unknown-kind", "score-map", "unknown-model"]
            self.findings.skip(checks, "it does not speak System One")
            return
        reply = await self.session.send("no JSON", self.session.body(self._plain(), "x")[:-2])
        self.refuses("invalid-bodies", reply, _FOUR_HUNDREDS)
        for probe, edit in _INVALID.items():
            reply = await self.ask(probe, self._plain(), edit=edit)
            self.refuses("invalid-bodies", reply, _FOUR_HUNDREDS)
        noul = {"q": probes.WITHOUT_CRITERIA}
        reply = await self.ask("an unknown kind", noul, edit=_set_question("type", "boolean"))
        self.refuses("unknown-kind", reply, _FOUR_HUNDREDS)
        levels = {str(n): text for n, text in enumerate(probes.SCORE["criteria"])}
        score = {"q": probes.SCORE}
        reply = await self.ask("levels as an object", score, edit=_set_question("criteria", levels))
        self.refuses("score-map", reply, _FOUR_HUNDREDS)

        def rename(document: dict[str, Any]) -> None:
            document["model"] = "minos-probe-no-such-model"

        reply = await self.ask("an unknown model", self._plain(), edit=rename)
        if reply.is_answer:
            self.findings.keep("unknown-model", reply.number, "the model's name is ignored")
        else:
            self.refuses("unknown-model", reply, _FOUR_HUNDREDS)

    async def _beyond_guidance(self) -> None:
        for probe, question in (
            ("one option", probes.many_options(1)),
            ("256 options", probes.many_options(256)),
            ("one level", probes.many_levels(1)),
            ("11 levels", probes.many_levels(11)),
        ):
            reply = await self.ask(probe, {"q": question})
            status = None if reply.raw is None else reply.raw.status_code
            is_orderly = status is not None and status < 500  # noqa: PLR2004
            told = "" if is_orderly else f"{probe}: {reply.told}"
            self.findings.judge("out-of-range", reply.number, told)

    async def _likeness(self) -> None:
        plain = self._plain()
        names = {key: key for key in plain}
        base = await self._rounds("the same again", [(plain, names)], _ROUNDS)
        if base is None:
            self.findings.skip(_DEPENDS, "not everything was answered")
            return
        number = len(self.session.exchanges)
        moved = spread(base)
        told = f"figures move by up to {moved:.3g}"
        if moved > _MOST_SPREAD:
            self.findings.fail("repeated", number, told)
        else:
            self.findings.keep("repeated", number, told)
        renamed = {f"q{place}": question for place, question in enumerate(plain.values())}
        back = {f"q{place}": key for place, key in enumerate(plain)}
        reordered = dict(reversed(plain.items()))
        alone = [({key: question}, {key: key}) for key, question in plain.items()]
        await self._alike("renamed-keys", base, [(renamed, back)])
        if len(plain) > 1:
            await self._alike("reordered-questions", base, [(reordered, names)])
            await self._alike("alone-or-together", base, alone)

    async def _alike(
        self,
        check: str,
        base: Sequence[Figures],
        requests: Sequence[Asked],
    ) -> None:
        """Look whether changed requests are answered like the plain one; twice where they are not.

        Args:
            check: What is put to the test.
            base: Rounds of the plain request.
            requests: The changed request, or several that make one round together.
        """
        count = 1 if spread(base) == 0 else _ROUNDS
        for _ in range(2):
            rounds = await self._rounds(check, requests, count)
            if rounds is None:
                self.findings.skip([check], "not everything was answered")
                return
            told = difference(base, rounds)
            if not told:
                break
        self.findings.judge(check, len(self.session.exchanges), told)

    async def _rounds(
        self, probe: str, requests: Sequence[Asked], count: int
    ) -> list[Figures] | None:
        rounds: list[Figures] = []
        for _ in range(count):
            found: dict[str, float] = {}
            for questions, names in requests:
                reply = await self.ask(probe, questions)
                answers = self.check(reply, questions) if reply.is_answer else None
                if answers is None:
                    return None
                found |= figures(answers, names)
            rounds.append(found)
        return rounds

    def _plain(self) -> dict[str, dict[str, Any]]:
        return {k: q for k, q in probes.PLAIN.items() if q["type"] in self.kinds}


_FOUR_HUNDREDS = range(400, 500)
_DEPENDS = ("repeated", "renamed-keys", "reordered-questions", "alone-or-together")


def _set_question(name: str, value: object) -> Edit:
    def edit(document: dict[str, Any]) -> None:
        document["questions"]["q"][name] = value

    return edit


def _without(name: str) -> Edit:
    return lambda document: document.pop(name)


def _with(changes: Mapping[str, Any]) -> Edit:
    return lambda document: document.update(changes)


_NO_KIND = {"refund": {"instructions": "Would a refund satisfy the writer?"}}
_NO_OPTIONS = {"desk": {"type": "choice", "instructions": "Which desk?", "criteria": {}}}

_INVALID: Mapping[str, Edit] = {
    "no state": _without("state"),
    "a state that is a number": _with({"state": 5}),
    "no questions": _without("questions"),
    "questions as a list": _with({"questions": [probes.NOUL]}),
    "a question without a type": _with({"questions": _NO_KIND}),
    "a choice without options": _with({"questions": _NO_OPTIONS}),
}
