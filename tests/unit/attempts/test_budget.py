import math

import pytest

from minos.attempts.budget import Admission, Budget, Limits
from minos.attempts.work import Spent

ADMITTED, LATER, REFUSED = Admission.ADMITTED, Admission.LATER, Admission.REFUSED


def test_without_limits_everything_is_admitted():
    budget = Budget(Limits())
    assert [budget.admit(1) for _ in range(3)] == [ADMITTED] * 3
    budget.settle(1, Spent(3, 0.5))
    budget.settle(1, Spent(1, None))
    budget.settle(1, None)
    assert (budget.requests, budget.cost_usd, budget.unknown_costs) == (4, 0.5, 1)


def test_retries_count_as_requests():
    budget = Budget(Limits(max_requests=4))
    assert budget.admit(1) is ADMITTED
    budget.settle(1, Spent(3))
    assert budget.admit(1) is ADMITTED
    assert budget.admit(1) is LATER
    budget.settle(1, Spent(1))
    assert budget.admit(1) is REFUSED
    assert budget.reason == "4 of at most 4 requests are sent"


def test_a_request_that_was_never_sent_frees_its_place():
    budget = Budget(Limits(max_requests=1))
    assert budget.admit(1) is ADMITTED
    assert budget.admit(1) is LATER
    budget.settle(1, Spent(0))
    assert budget.admit(1) is ADMITTED


def test_one_at_a_time_until_a_cost_is_known():
    budget = Budget(Limits(max_cost_usd=1))
    assert budget.admit(1) is ADMITTED
    assert budget.admit(1) is LATER
    budget.settle(1, Spent(1, 0.0, is_typical=False))
    assert budget.admit(1) is ADMITTED
    assert budget.admit(1) is LATER
    budget.settle(1, Spent(1, 0.25))
    assert [budget.admit(1) for _ in range(4)] == [ADMITTED] * 3 + [LATER]


def test_the_dearest_so_far_is_reserved():
    budget = Budget(Limits(max_cost_usd=1))
    for cost in (0.1, 0.4, 0.1):
        assert budget.admit(1) is ADMITTED
        budget.settle(1, Spent(1, cost))
    assert budget.admit(1) is ADMITTED
    assert budget.admit(1) is LATER
    budget.settle(1, Spent(1, 0.1))
    assert budget.admit(1) is REFUSED
    assert budget.reason == (
        "0.700000 of at most 1 US dollars are spent, and the next request may pass that"
    )


def test_heavier_than_any_so_far_reserves_more():
    budget = Budget(Limits(max_cost_usd=1))
    assert budget.admit(10) is ADMITTED
    budget.settle(10, Spent(1, 0.2))
    assert budget.admit(40) is ADMITTED
    assert budget.admit(1) is LATER
    budget.settle(40, Spent(1, 0.5))
    assert budget.admit(25) is REFUSED


def test_sums_are_exact():
    budget = Budget(Limits(max_cost_usd=0.3))
    for _ in range(3):
        assert budget.admit(1) is ADMITTED
        budget.settle(1, Spent(1, 0.1))
    assert budget.cost_usd == 0.3
    assert budget.admit(1) is REFUSED


def test_no_cost_is_too_large_to_be_added_up():
    Budget(Limits(max_cost_usd=1e308))
    budget = Budget(Limits())
    for cost_usd in (1e308, math.inf, 1.7e308):
        budget.admit(1)
        budget.settle(1, Spent(1, cost_usd))
    assert budget.cost_usd == pytest.approx(3 * 2**128 / 1e15)


def test_free_requests_and_cached_ones_never_spend_a_budget():
    budget = Budget(Limits(max_cost_usd=0.01))
    for spent in (Spent(0), Spent(1, 0.0), Spent(0)):
        assert budget.admit(1) is ADMITTED
        budget.settle(1, spent)
    assert [budget.admit(1) for _ in range(9)] == [ADMITTED] * 9


def test_an_unknown_cost_refuses_even_with_others_in_flight():
    budget = Budget(Limits(max_cost_usd=1))
    budget.admit(1)
    budget.settle(1, Spent(1, 0.1))
    budget.admit(1)
    budget.admit(1)
    budget.settle(1, Spent(1, None))
    assert budget.admit(1) is REFUSED
    assert budget.reason == (
        "an answer came without a cost, so at most 1 US dollars cannot be kept to"
    )


@pytest.mark.parametrize(
    "limits",
    [
        {"max_cost_usd": 0},
        {"max_cost_usd": -1},
        {"max_cost_usd": float("nan")},
        {"max_requests": 0},
    ],
)
def test_limits_refuse_what_makes_no_sense(limits):
    with pytest.raises(ValueError, match="the most"):
        Limits(**limits)
