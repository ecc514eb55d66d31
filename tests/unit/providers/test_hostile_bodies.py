"""Every dialect is lied to: what stands in a body is read right, or told; nothing is guessed."""

import copy
import json
import traceback
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.planted import PLANTED
from tests.unit.providers.asked import QUESTIONS, request
from tests.unit.providers.dialects import DIALECTS

from minos.decisions.fitting import MisfitError, fit
from minos.errors import DecisionError, DecisionErrorKind
from minos.providers import DecisionClient, DecisionClientOptions, Secret
from minos.providers.body import Body
from minos.providers.exchange import RawExchange

ASKED = request()

VERBATIM = {
    f"@{name}@": text
    for name, text in {
        "nan": "NaN",
        "infinity": "-Infinity",
        "beyond a double": "1e999",
        "many digits": "9" * 5000,
        "long": "9" * 400,
        "deep array": "[" * 300 + "]" * 300,
        "deeper array": "[" * 100_000 + "]" * 100_000,
        "deep object": '{"a":' * 400 + "1" + "}" * 400,
        "half": r'"\ud800"',
        "twice": '{"type":"noul","noul":0.1,"noul":0.9,"confidence":0.5}',
        "escaped twice": r'{"noul":0.1,"n\u006ful":0.9}',
    }.items()
}
"""What stands in for text that `json.dumps` does not write."""

EXTREMES = [
    *(None, True, "", "0", [], {}, [[]], {"": {}}, 0, 1, -1, 1.5, -0.0, 5e-324, 1e308, -1e308),
    *(2**53 + 1, 10**400, "\ud800", "\u202e\x1b[31m", "x" * 9999, PLANTED, *VERBATIM),
]

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**400), 10**400)
    | st.floats()
    | st.text(st.characters(codec=None), max_size=9)
    | st.sampled_from([*QUESTIONS, "shipping", "0", "2", "noul", "predicate", "refusal", PLANTED])
    | st.sampled_from(EXTREMES)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


def places(value, path=()):
    yield path
    members = value.items() if isinstance(value, dict) else ()
    for name, member in members or enumerate(value if isinstance(value, list) else ()):
        yield from places(member, (*path, name))


def each_replaced(right, value):
    """A body for each place, in which another value stands there."""
    for *way, last in list(places(right))[1:]:
        body = copy.deepcopy(right)
        holder = body
        for member in way:
            holder = holder[member]
        holder[last] = value
        yield body


def changed(draw, body):
    """Change a body in one place."""
    *way, last = draw(st.sampled_from(list(places(body))[1:]))
    holder = body
    for name in way:
        holder = holder[name]
    match draw(st.sampled_from(["replace", "drop", "rename", "add", "swap"])):
        case "replace":
            holder[last] = draw(VALUES)
        case "drop":
            del holder[last]
        case "rename" if isinstance(holder, dict):
            name = draw(st.sampled_from(["answers", "result", "usage", *QUESTIONS]) | st.text())
            holder[name] = holder.pop(last)
        case "add" if isinstance(holder, dict):
            holder[draw(st.text(max_size=6))] = draw(VALUES)
        case "add":
            holder.insert(draw(st.integers(0, len(holder))), draw(VALUES))
        case "swap" if isinstance(holder, list):
            holder.reverse()
    return body


def written(document):
    text = json.dumps(document)
    for mark, verbatim in VERBATIM.items():
        text = text.replace(json.dumps(mark), verbatim)
    return text.encode()


def client_of(dialect):
    return DecisionClient(
        DecisionClientOptions(
            base_address="http://127.0.0.1:1/", api_key=Secret(PLANTED), **dialect.options
        )
    )


CLIENTS = {name: client_of(dialect) for name, dialect in DIALECTS.items()}


def read(name, data, status=200, headers=None):
    """Read a body as it would be read off the wire; gives a response or the error."""
    client = CLIENTS[name]
    mask = client.endpoint.redactor()
    told = {"content-type": "application/json"}
    told |= {header: mask.text(value) for header, value in (headers or {}).items()}
    raw = RawExchange(b"", status, told, Body(mask.data(data)))
    try:
        return client.read(raw, ASKED)
    except DecisionError as error:
        return error


def assert_is_orderly(error):
    assert error.message.isprintable()
    assert 0 < len(error.message) < 400
    assert PLANTED not in "".join(traceback.format_exception(error)) + repr(vars(error))


def assert_is_told(response):
    for count in (response.input_tokens, response.output_tokens):
        assert count is None or (type(count) is int and 0 <= count <= 2**53)
    assert response.cost_usd is None or 0 <= response.cost_usd < float("inf")
    for name in (response.model, response.request_id):
        assert name is None or (name.isprintable() and 0 < len(name) <= 200 and PLANTED not in name)


def number(value):
    return None if value is None else float(value)


def assert_is_as_it_stands(dialect, body, answers):
    for key, answer in answers.items():
        given_answer = dialect.answer_to(body, key)
        match answer.kind:
            case "noul":
                word = "noul" if "noul" in given_answer else "probability"
                assert answer.probability == float(given_answer[word])
            case "choice":
                assert answer.option == given_answer["choice"]
                assert answer.confidence == number(given_answer.get("confidence"))
                assert answer.option in QUESTIONS[key]["criteria"]
            case "score":
                assert 0 <= answer.level < 3
                assert answer.expected_level == number(given_answer.get("score"))


def assert_is_read_right_or_told(dialect, name, body):
    data = written(body)
    found = read(name, data)
    assert_is_told(found)
    if isinstance(found, DecisionError):
        assert found.kind is DecisionErrorKind.INVALID_RESPONSE
        assert_is_orderly(found)
        return
    assert set(found.answers) <= set(QUESTIONS)
    assert_is_as_it_stands(dialect, json.loads(data), found.answers)
    with suppress(MisfitError):
        fit(found.answers, ASKED.questions)


@pytest.mark.parametrize("name", DIALECTS)
@given(st.data())
def test_one_change_in_a_right_body_is_read_right_or_told(name, data):
    dialect = DIALECTS[name]
    body = changed(data.draw, copy.deepcopy(dialect.body))
    assert_is_read_right_or_told(dialect, name, body)


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("value", EXTREMES, ids=repr)
def test_each_value_in_turn_is_another(name, value):
    dialect = DIALECTS[name]
    for body in each_replaced(dialect.body, value):
        assert_is_read_right_or_told(dialect, name, body)


@pytest.mark.parametrize("name", DIALECTS)
@given(st.binary(max_size=60) | VALUES.map(written) | st.text().map(str.encode))
def test_what_is_no_answer_at_all_is_told(name, body):
    found = read(name, body)
    assert isinstance(found, DecisionError)
    assert found.kind is DecisionErrorKind.INVALID_RESPONSE
    assert_is_orderly(found)


ERRORS = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["error", "errors", "detail", "message", "code", "loc", "msg", "input"])
            | st.text(max_size=3),
            inner,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("name", DIALECTS)
@given(
    ERRORS.map(written) | st.binary(max_size=40),
    st.sampled_from([300, 304, 400, 401, 404, 408, 418, 422, 429, 500, 503, 529, 599, 999]),
    st.dictionaries(
        st.sampled_from(["retry-after", "retry-after-ms", "x-should-retry", "x-request-id"]),
        st.text(max_size=20) | st.sampled_from(["true", "nan", "inf", "1e9", "-1", PLANTED]),
    ),
)
def test_every_failure_is_of_the_kind_of_its_status(name, body, status, headers):
    found = read(name, body, status, headers)
    assert isinstance(found, DecisionError)
    assert found.kind is not DecisionErrorKind.INVALID_RESPONSE
    assert found.status_code == status
    assert found.message.startswith(f"The API returned HTTP {status}.")
    assert_is_orderly(found)


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize(
    "twice",
    [
        r'"x": 1, "\u0078": 1',
        '"x": {"y": [{"z": 1, "z": 1}]}',
        '"x": {"input_tokens": 1, "input_tokens": 2}',
    ],
)
def test_a_member_that_is_there_twice_is_told_wherever_it_is(name, twice):
    text = written(DIALECTS[name].body).decode()
    found = read(name, f"{text[:-1]}, {twice}}}".encode())
    assert isinstance(found, DecisionError)
    assert found.kind is DecisionErrorKind.INVALID_RESPONSE
    assert found.message.endswith(" appears more than once.")
    # What the response says of itself is not lost: it was answered and paid for.
    right = CLIENTS[name].read(RawExchange(b"", 200, {}, Body(written(DIALECTS[name].body))), ASKED)
    for member in ("model", "input_tokens", "output_tokens", "cost_usd"):
        assert getattr(found, member) == getattr(right, member)


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("second", ['"answers"', r'"answer\u0073"', r'"\u0061nswers"'])
def test_answers_that_are_there_twice_are_told(name, second):
    text = written(DIALECTS[name].body).decode()
    found = read(name, text.replace('"answers":', f'{second}: [], "answers":').encode())
    assert found.message == "The response has more than one answers property."


@pytest.mark.parametrize("name", ["OpenAI", "Custom in OpenAI's words"])
@pytest.mark.parametrize("where", ["answers", "probabilities"])
def test_an_entry_of_a_list_that_is_there_twice_is_told(name, where):
    body = copy.deepcopy(DIALECTS[name].body)
    entries = body["answers"] if where == "answers" else body["answers"][1]["probabilities"]
    entries.append(entries[0])
    told = {"answers": "'refund'", "probabilities": "'shipping'"}[where]
    assert f"{told} appears more than once." in read(name, written(body)).message
