from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minos.errors import DecisionErrorKind
from minos.providers.retry import LONGEST_WAIT_S, RetryPolicy, is_transient, server_delay_s

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)

TRANSIENT = {
    DecisionErrorKind.RATE_LIMITED,
    DecisionErrorKind.OVERLOADED,
    DecisionErrorKind.SERVER,
    DecisionErrorKind.NETWORK,
    DecisionErrorKind.TIMEOUT,
}


@pytest.mark.parametrize("kind", DecisionErrorKind)
def test_only_what_may_pass_is_transient(kind):
    assert is_transient(kind) is (kind in TRANSIENT)
    assert is_transient(kind, 408)


@pytest.mark.parametrize(
    ("retry", "chance", "delay"),
    [(0, 0.0, 0.5), (1, 0.0, 1.0), (2, 0.5, 2.5), (3, 0.999, 5.998), (6, 0.999, 30.0), (99, 0, 30)],
)
def test_backoff_doubles_gets_jitter_on_top_and_is_capped(retry, chance, delay):
    assert RetryPolicy().delay_s(retry, None, chance) == pytest.approx(delay, abs=1e-12)
    plain = RetryPolicy(jitter=False).delay_s(retry, None, chance)
    assert plain == min(0.5 * 2**retry, 30)


@given(
    st.integers(0, 10),
    st.floats(0, 1, exclude_max=True),
    st.floats(0.001, 60),
    st.none() | st.floats(0, 1e6),
)
def test_no_wait_is_longer_than_the_longest(retry, chance, initial, hint):
    policy = RetryPolicy(10, initial, initial * 7)
    delay = policy.delay_s(retry, hint, chance)
    assert 0 <= delay <= initial * 7
    if hint is not None:
        assert delay == min(hint, initial * 7)
    else:
        assert delay >= min(initial * 2**retry, initial * 7)


@pytest.mark.parametrize(
    ("told", "delay"),
    [
        ("0", 0),
        ("1500", 1.5),
        ("2.5", 0.0025),
        (".5", 0.0005),
        ("5.", 0.005),
        (" 10\t", 0.01),
        ("9" * 400, LONGEST_WAIT_S),
        ("-1", None),
        ("+1", None),
        ("1e3", None),
        ("", None),
        (".", None),
        ("\u0661", None),
    ],
)
def test_milliseconds(told, delay):
    assert server_delay_s({"retry-after-ms": told}, NOW) == delay
    fallback = 7 if delay is None else delay
    assert server_delay_s({"retry-after-ms": told, "retry-after": "7"}, NOW) == fallback


@pytest.mark.parametrize(
    ("told", "delay"),
    [
        ("120", 120),
        ("0.25", 0.25),
        ("99999999999", LONGEST_WAIT_S),
        ("-3", None),
        ("soon", None),
        ("", None),
        # The three forms of a date.
        ("Mon, 30 Nov 2026 12:01:05 GMT", 65),
        ("Monday, 30-Nov-26 12:00:30 GMT", 30),
        ("Mon Nov 30 12:00:02 2026", 2),
        ("Tue Dec  1 12:00:00 2026", 86400),
        # Letter case and inner space do not matter; a past date is now.
        ("  mon,30   nOv 2026\t12:00:01 gmt ", 1),
        ("MONDAY, 30-NOV-26 12:00:30 GMT", 30),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
        # A two-digit year is at most fifty years ahead.
        ("Sunday, 06-Nov-94 08:49:37 GMT", 0),
        ("Monday, 30-Nov-76 12:00:00 GMT", LONGEST_WAIT_S),
        ("Monday, 30-Nov-77 12:00:00 GMT", 0),
        ("Mon, 30 Nov 2026 12:00:60 GMT", 60),
        ("Mon, 30 Nov 2026 12:00:61 GMT", None),
        ("Mon, 31 Nov 2026 12:00:00 GMT", None),
        ("Mon, 30 Nov 2026 24:00:00 GMT", None),
        ("Mon, 30 Nov 0000 12:00:00 GMT", None),
        ("Fri, 31 Dec 9999 23:59:60 GMT", LONGEST_WAIT_S),
        ("Mon, 30 Nov 2026 12:00:00 CET", None),
        ("Mon, 30 Nov 2026 12:00:00", None),
        ("2026-11-30T12:00:00Z", None),
    ],
)
def test_seconds_and_dates(told, delay):
    assert server_delay_s({"retry-after": told}, NOW) == delay


def test_no_header_is_no_wish():
    assert server_delay_s({}, NOW) is None


@given(st.text())
def test_any_header_can_be_read(told):
    delay = server_delay_s({"retry-after": told, "retry-after-ms": told}, NOW)
    assert delay is None or 0 <= delay <= LONGEST_WAIT_S
