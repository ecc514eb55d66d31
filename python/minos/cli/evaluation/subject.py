"""What `minos eval` asks: a Python callable, a command, a URL, recorded or earlier answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from minos.cases.case import Case
from minos.cases.results import CaseResults
from minos.cases.source import RecordedSource, ResultsSource, Source, SubjectSource
from minos.cli.aside import stdout_aside
from minos.cli.evaluation.inputs import load_results
from minos.subjects.base import Subject
from minos.subjects.call import CallableSubject
from minos.subjects.command import CommandSubject
from minos.subjects.resolve import resolve
from minos.subjects.url import UrlSubject


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What is asked.

    Attributes:
        source: Where answers come from.
        subject: The subject behind it, which whoever made it closes; None without one.
        results: The earlier results behind it; None without them.
        place: What it is and where it was found, for people.
    """

    source: Source
    subject: Subject | None = None
    results: CaseResults | None = None
    place: str

    @property
    def late_answers(self) -> int:
        """How many answers came after their attempt had ended."""
        is_called = isinstance(self.subject, CallableSubject)
        return self.subject.threads.late if is_called else 0  # type: ignore[union-attr]


def choose_subject(
    *, provider: str | None, command: str | None, url: str | None, earlier: Path | None, count: int
) -> Chosen:
    """Find what the options name; at most one of them may.

    Args:
        provider: The name of a Python callable.
        command: A command line.
        url: An address.
        earlier: The results of an earlier run, or its directory.
        count: How many attempts run at a time.

    Raises:
        UsageError: Several are named.
        ConfigError: What is named cannot be asked.
    """
    named = {"--provider": provider, "--command": command, "--url": url, "--from": earlier}
    given = [option for option, value in named.items() if value is not None]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} cannot be used together")
    if provider is not None:
        with stdout_aside():
            found = resolve(provider)
            called = CallableSubject(found.value, case_type=Case, name=found.name, most_stuck=count)
        return Chosen(source=SubjectSource(called), subject=called, place=found.place)
    if command is not None:
        started = CommandSubject(command)
        return Chosen(source=SubjectSource(started), subject=started, place=f"command {command}")
    if url is not None:
        posted = UrlSubject(url, count=count)
        return Chosen(source=SubjectSource(posted), subject=posted, place=f"URL {url}")
    if earlier is not None:
        results = load_results(earlier)
        return Chosen(source=ResultsSource(results), results=results, place=f"answers of {earlier}")
    return Chosen(source=RecordedSource(), place="answers recorded in the data sets")
