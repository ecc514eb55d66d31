"""Files that minos itself writes or is set up with, which hold no labelled data."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FIRST_MEMBER = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?P<name>\w+)"\s*:\s*(?:"(?P<kind>[\w-]+)")?', re.ASCII
)


@dataclass(frozen=True, slots=True)
class OwnFile:
    """What a file is, and which command it is for.

    Attributes:
        what: What it is, with its article.
        hint: What reads or made it.
    """

    what: str
    hint: str


_BY_MEMBER = {
    "prices": OwnFile(
        "a prices file",
        "`minos calibrate` and `minos report` read it with --prices and tell what is wrong in it",
    ),
    "minos": OwnFile(
        "a config file",
        "`minos config show --config FILE` reads it and tells what is wrong in it",
    ),
}
_BY_KIND = {
    "minos-report": OwnFile("a report", "`minos report` makes it again from results and data set"),
    "minos-case-report": OwnFile("a report on cases", "`minos eval` makes it"),
    "minos-conformance": OwnFile("a report on conformance", "`minos conformance` makes it"),
    "minos-probe": OwnFile("the report of a probe", "`minos probe` makes it"),
    "minos-repeats": OwnFile("a report on repeats", "`minos calibrate --repeat` makes it"),
    "minos-output": OwnFile("what a command printed", "it stands in no file that is read again"),
    "minos-cached-response": OwnFile("a cached response", "`minos calibrate --cache DIR` reads it"),
    "minos-journal": OwnFile(
        "the journal of a run",
        "`minos report --results DIR` reads it, and `minos calibrate --resume DIR` goes on with it",
    ),
}


def own_file(beginning: bytes) -> OwnFile | None:
    """Return what a file of minos is by how it begins; None where it is none, or holds data.

    Args:
        beginning: Its first bytes.
    """
    found = _FIRST_MEMBER.match(beginning)
    if found is None:
        return None
    name = found["name"].decode().lower()
    if name != "kind":
        return _BY_MEMBER.get(name)
    return _BY_KIND.get((found["kind"] or b"").decode())
