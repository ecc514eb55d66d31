"""Documents for CI: annotations and JUnit."""

import re
from xml.etree import ElementTree as ET

from tests.unit.reports.hostile import TEXTS, document

from minos.reports.document import Check, Checks, Document, Name, Paragraph, Status
from minos.reports.github import render_github
from minos.reports.junit import render_junit

SMALL = Document(
    "minos: 1/4 passed (25%)",
    [
        Paragraph("not a check"),
        Checks(
            [
                Check("good", Status.PASSED, duration_s=0.5),
                Check(Name("bad"), Status.FAILED, "contains: no", ["samples: 0/1", "output: x"]),
                Check("odd", Status.ERROR, "provider: 100% down"),
                Check("left", Status.SKIPPED),
            ]
        ),
    ],
)

GITHUB = """\
::error::bad: contains: no | samples: 0/1 | output: x
::error::odd: provider: 100%25 down
::notice::minos: 1/4 passed (25%25)
"""

JUNIT = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="minos" tests="4" failures="1" errors="1" skipped="1" time="0.500">
  <testsuite name="eval" tests="4" failures="1" errors="1" skipped="1" time="0.500">
    <testcase classname="eval" name="good" time="0.500"/>
    <testcase classname="eval" name="bad" time="0.000">
      <failure message="Assertion failed">contains: no
samples: 0/1
output: x</failure>
    </testcase>
    <testcase classname="eval" name="odd" time="0.000">
      <error message="Operational error">provider: 100% down</error>
    </testcase>
    <testcase classname="eval" name="left" time="0.000">
      <skipped message="Skipped"></skipped>
    </testcase>
  </testsuite>
</testsuites>
"""


def test_failed_checks_become_annotations():
    assert render_github(SMALL) == GITHUB


def test_text_gives_no_commands():
    lines = render_github(document()).splitlines()
    failed = sum(place % 4 in {1, 2} for place in range(len(TEXTS)))
    assert len(lines) == failed + 1
    assert all(re.match(r"::(error|notice)::", line) for line in lines)
    assert all(line.count("\r") == 0 and "\x1b" not in line for line in lines)
    assert max(map(len, lines)) < 5000


def test_checks_become_test_cases():
    assert render_junit(SMALL, "eval") == JUNIT


def test_every_text_is_xml():
    text = render_junit(document(), "eval")
    root = ET.fromstring(text)  # noqa: S314 (made here)
    (suite,) = root
    assert len(suite) == len(TEXTS)
    assert [case.tag for case in suite] == ["testcase"] * len(TEXTS)
    assert suite.attrib["errors"] == str(len(suite.findall("testcase/error")))
    assert suite.attrib["failures"] == str(len(suite.findall("testcase/failure")))
    assert not re.findall(r"[\u202a-\u202e\u2066-\u2069\x1b]", text)
    assert suite[0].attrib["name"] == TEXTS[0]
    assert max(len(case.attrib["name"]) for case in suite) == 500
