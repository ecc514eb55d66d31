"""Whether the answer is JSON: is_json."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from minos.cases.assertions.base import AssertionType, Check, Observed, Options, Verdict

_LONGEST_WHOLE_NUMBER = 4000


def read_json(text: str) -> Any:  # noqa: ANN401 (a JSON value)
    """Read a whole text as JSON, strictly: no NaN, no comment, nothing behind the value.

    A number that Python cannot hold is returned as its text.

    Raises:
        ValueError: It is no JSON.
        RecursionError: It nests too deeply.
    """
    return json.loads(
        text, parse_constant=_refuse, parse_float=_float_or_text, parse_int=_int_or_text
    )


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _float_or_text(literal: str) -> float | str:
    number = float(literal)
    return number if math.isfinite(number) else literal


def _int_or_text(literal: str) -> int | str:
    return int(literal) if len(literal) <= _LONGEST_WHOLE_NUMBER else literal


def _is_json(_options: Options) -> Check:
    def check(observed: Observed) -> Verdict:
        try:
            return Verdict.passed(parsed=read_json(observed.output))
        except ValueError:
            return Verdict.failed("Invalid JSON")
        except RecursionError:
            return Verdict.error("The JSON nests too deeply to be read")

    return check


IS_JSON = AssertionType(name="is_json", read=_is_json)
