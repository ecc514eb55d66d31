"""The report of a run over cases: figures, gates, and every case."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from minos.cases.batch import CaseBatch
from minos.cases.case import as_text
from minos.cases.heading import CaseRunHeader
from minos.cases.planning import Scalar, group_value
from minos.cases.reduction import CaseOutcome
from minos.cases.report_json import case_json, share_json
from minos.cases.results import CaseResults
from minos.cases.tally import Tally
from minos.errors import ConfigError
from minos.policy.gates import Gates, GateStatus, Share, gate_status
from minos.policy.rules import RuleResult, apply_rules

SCHEMA_VERSION = 3


class CaseReport:
    """What a run over cases came to.

    Attributes:
        header: What names the run.
        gates: What has to hold.
        tally: What was counted.
        groups: The groups of the group gate with their shares, by printed value.
        rules: How the rules of the gates came out.
        status: What the gates come to.
    """

    def __init__(self, results: CaseResults, batch: CaseBatch, gates: Gates) -> None:
        """Make a report. Use `create`."""
        self.header = results.header
        self.gates = gates
        self._results = results
        self._batch = batch
        self.tally = Tally()
        for outcome, group in self._outcomes():
            self.tally.add(outcome, group)
        self.groups: list[tuple[Scalar, Share]] = sorted(
            ((value, counter.share()) for (_, value), counter in self.tally.groups.items()),
            key=lambda group: (as_text(group[0]), type(group[0]).__name__),
        )
        self.rules: Sequence[RuleResult] = ()
        self.status = GateStatus.NOT_CONFIGURED
        self.rules = apply_rules(gates.rules, self._head()) if gates.rules else ()
        self.status = gate_status(
            gates,
            self.tally.cases.share(),
            [share for _, share in self.groups],
            self.rules,
            is_complete=not self.header.partial,
        )

    @classmethod
    def create(
        cls, results: CaseResults, datasets: CaseBatch, gates: Gates | None = None
    ) -> CaseReport:
        """Make the report of some results.

        Args:
            results: The results.
            datasets: The cases they are of.
            gates: What has to hold; nothing when left out.

        Raises:
            ConfigError: The results are of other cases, or a case is in no group.
        """
        return cls(results, datasets, gates or Gates())

    @property
    def threshold_passed(self) -> bool | None:
        """Whether the gates hold; None where there is none."""
        return self.status is GateStatus.PASSED if self.gates.is_configured else None

    def cases(self) -> Iterator[CaseOutcome]:
        """Yield every case with its attempts, in the order of the data sets."""
        return (outcome for outcome, _ in self._outcomes())

    def to_json(self) -> str:
        """Return the report as JSON on one line; see the docs page "Cases" for its members."""
        return "".join(self.json_chunks())

    def json_chunks(self) -> Iterator[str]:
        """Yield the text of `to_json` in pieces, a case at a time."""
        head = _compact(self._head())
        yield head[:-1] + ',"cases":['
        for number, (outcome, group) in enumerate(self._outcomes()):
            members = case_json(outcome)
            if self.gates.group_by is not None:
                members["group"] = {"by": self.gates.group_by, "value": group}
            yield ("," if number else "") + _compact(members)
        yield "]}\n"

    def _head(self) -> dict[str, Any]:
        cases = self.tally.cases.share()
        return {
            "schema_version": SCHEMA_VERSION,
            "kind": "minos-case-report",
            "run": _run_json(self.header),
            "summary": {
                **share_json(cases),
                "duration_ms": round(self.tally.duration_ms, 3),
                "attempts": share_json(self.tally.attempts.share()),
                "gate_status": self.status,
                "threshold_passed": self.threshold_passed,
                "threshold": self.gates.threshold,
                "strict": self.gates.is_strict,
            },
            "metrics": {
                name: share_json(counter.share())
                for name, counter in sorted(self.tally.metrics.items())
            },
            "gates": self._gates_json(cases),
        }

    def _gates_json(self, cases: Share) -> dict[str, Any]:
        overall, groups = self.gates.overall, None
        if self.gates.group_by is not None:
            threshold = self.gates.group_threshold or 0.0
            groups = {
                "by": self.gates.group_by,
                "threshold": threshold,
                "results": [
                    {"value": value, **_gate_json(share, threshold)} for value, share in self.groups
                ],
            }
        return {
            "status": self.status,
            "overall": None if overall is None else _gate_json(cases, overall),
            "groups": groups,
            "rules": [
                {
                    "rule": str(result.rule),
                    "observed": result.observed,
                    "passed": result.passed,
                    "reason": result.reason,
                }
                for result in self.rules
            ],
        }

    def _outcomes(self) -> Iterator[tuple[CaseOutcome, Scalar | None]]:
        """Yield each case with its attempts and its group; both files are in the same order."""
        rule, by = self.header.pass_rule, self.gates.group_by
        places = iter(range(len(self._batch)))
        for number, (key, attempts) in enumerate(self._results.by_case(), start=1):
            place = next((at for at in places if self._batch.key(at) == key), None)
            if place is None:
                raise ConfigError(
                    f"the results are of other cases: {attempts[0].id!r} is not in the data sets",
                    hint="name the data sets that were run, as they were",
                )
            case = self._batch.case(place)
            group = None if by is None else group_value(case.metadata, by, number)
            yield CaseOutcome(case, attempts, rule), group


def _gate_json(share: Share, threshold: float) -> dict[str, Any]:
    """Return a share and the gate over it as a report holds them."""
    return {
        "threshold": threshold,
        **share_json(share),
        "passed_gate": share.meets(threshold),
    }


def _run_json(header: CaseRunHeader) -> dict[str, Any]:
    return {
        "datasets": [each.name for each in header.datasets],
        "subject": header.subject,
        "started_at": header.started_at,
        "cases": header.case_count,
        "repeat": header.attempts,
        "pass_rule": header.pass_rule.to_json(),
        "partial": header.partial,
        "selected_of": None if header.selection is None else header.selection.of,
    }


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
