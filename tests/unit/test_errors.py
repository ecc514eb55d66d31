"""Errors keep what they say when they cross from one process to another."""

import copy
import pickle

import pytest
from tests.unit.decisions.small_runs import results

from minos.attempts.scheduler import Stop
from minos.decisions import DatasetRunError
from minos.errors import (
    ConfigError,
    DecisionError,
    DecisionErrorKind,
    MinosError,
    ProblemsError,
    RunError,
)
from minos.problems import DatasetProblem, DatasetProblems

PROBLEMS = DatasetProblems([DatasetProblem(1, "invalid-member", "id", None, "It is wrong.")])
ERRORS = [
    MinosError("told"),
    ConfigError("told", hint="do it"),
    ProblemsError(PROBLEMS, "a file"),
    RunError("told", hint="do it"),
    DatasetRunError("told", results(), Stop.BUDGET),
    DecisionError(DecisionErrorKind.NETWORK, "told"),
    DecisionError(
        DecisionErrorKind.HTTP,
        "told",
        status_code=404,
        retry_after_s=1.5,
        detail={"a": [1]},
        model="m",
        input_tokens=1,
        output_tokens=2,
        cost_usd=0.5,
        request_id="r",
        tries=3,
        held_s=0.25,
    ),
]


def pickled(error):
    return pickle.loads(pickle.dumps(error))  # noqa: S301


@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("twin_of", [copy.copy, pickled])
def test_an_error_is_the_same_when_it_is_pickled(error, twin_of):
    twin = twin_of(error)
    assert type(twin) is type(error)
    assert (str(twin), vars(twin)) == (str(error), vars(error))


def test_a_note_stands_in_nobodys_way():
    error = DecisionError(DecisionErrorKind.NETWORK, "told")
    error.add_note("seen")
    assert str(pickled(error)) == "Network: told"
