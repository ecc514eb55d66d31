import math

import pytest

from minos.errors import ConfigError
from minos.providers import DecisionClientOptions, ProviderName, Secret, WireFormat
from minos.providers.retry import RetryPolicy

KEY = Secret("sk-0123456789")
LONGEST = 2147483.647


def endpoint(**options):
    return DecisionClientOptions(**{"api_key": KEY, **options}).endpoint()


def custom(**options):
    defaults = {"base_address": "http://localhost:8000", "model": "m", "api_key": None}
    return endpoint(provider=ProviderName.CUSTOM, **{**defaults, **options})


def test_the_defaults_are_those_of_the_preset():
    made = endpoint()
    assert (made.provider, made.format) == (ProviderName.TYPESAFE, WireFormat.SYSTEM_ONE)
    assert (made.url, made.model) == ("https://api.typesafe.ai/v1/systemone", "jev-latest")
    assert (made.timeout_s, made.retries) == (60.0, RetryPolicy(2, 0.5, 30.0, jitter=True))
    assert made.key == KEY
    assert (
        endpoint(provider=ProviderName.OPENROUTER).url == "https://openrouter.ai/api/v1/systemone"
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"timeout_s": 0}, "The time-out must be positive."),
        ({"timeout_s": -1}, "The time-out must be positive."),
        ({"timeout_s": math.nan}, "The time-out must be positive."),
        ({"timeout_s": LONGEST + 0.001}, "The time-out must be at most int.MaxValue milliseconds."),
        ({"max_retries": -1}, "MaxRetries must be between 0 and 10."),
        ({"max_retries": 11}, "MaxRetries must be between 0 and 10."),
        (
            {"initial_backoff_s": 0},
            "InitialBackoff must be positive and at most int.MaxValue milliseconds.",
        ),
        (
            {"initial_backoff_s": math.inf},
            "InitialBackoff must be positive and at most int.MaxValue milliseconds.",
        ),
        (
            {"initial_backoff_s": 31},
            "MaxRetryDelay must be at least InitialBackoff and at most int.MaxValue milliseconds.",
        ),
        (
            {"max_retry_delay_s": LONGEST + 1},
            "MaxRetryDelay must be at least InitialBackoff and at most int.MaxValue milliseconds.",
        ),
        ({"model": " "}, "The model must not be blank."),
        ({"api_key": Secret("sk\x00")}, "The API key contains a control character."),
        ({"api_key": Secret("s\nk")}, "The API key contains a control character."),
        ({"api_key": Secret("s\x85k")}, "The API key contains a control character."),
        ({"api_key": Secret("schlüssel")}, "The API key contains a character outside ASCII."),
        (
            {"api_key": None},
            "No API key is configured. Set DecisionClientOptions.api_key.",
        ),
        ({"api_key": Secret(" ")}, "No API key is configured. Set DecisionClientOptions.api_key."),
        ({"format": WireFormat.OPENAI}, "Format is an option of Custom, not of TypeSafe."),
        ({"base_address": ""}, "The base address must be an absolute URI."),
        ({"base_address": "api.typesafe.ai"}, "The base address must be an absolute URI."),
        ({"base_address": "/v1"}, "The base address must be an absolute URI."),
        ({"base_address": "http://"}, "The base address must be an absolute URI."),
        ({"base_address": "http://[::1"}, "The base address must be an absolute URI."),
        ({"base_address": "http://h:99999"}, "The base address must be an absolute URI."),
        ({"base_address": "https://a b/"}, "The base address must be an absolute URI."),
        (
            {"base_address": "https://h?a=1"},
            "The base address must not contain a query or fragment.",
        ),
        ({"base_address": "https://h/#"}, "The base address must not contain a query or fragment."),
        ({"base_address": "ftp://h"}, "The base address must use the http or https scheme."),
        (
            {"base_address": "https://me:pw@h"},
            "The base address must not contain a user name or password.",
        ),
        ({"path": ""}, "The path must be a relative path without a query or fragment."),
        ({"path": "a?b"}, "The path must be a relative path without a query or fragment."),
        ({"path": "../v2"}, "The path must be a relative path without a query or fragment."),
        ({"headers": {"a b": Secret("x")}}, "The header name 'a b' is not a token."),
        ({"headers": {"Host": Secret("x")}}, "The header Host is set by the client."),
        (
            {"headers": {"authorization": Secret("x")}},
            "The header authorization is set by the client.",
        ),
        (
            {"headers": {"X-A": Secret("a\r\nb")}},
            "The value of the header X-A is not printable ASCII.",
        ),
    ],
)
def test_what_is_wrong_is_told_in_these_words(options, told):
    with pytest.raises(ConfigError) as caught:
        endpoint(**options)
    assert str(caught.value) == told


def test_the_first_of_several_faults_is_told():
    wrong = {
        "provider": ProviderName.EMBEDDED,
        "timeout_s": 0,
        "max_retries": 11,
        "initial_backoff_s": 0,
        "max_retry_delay_s": 0,
        "model": "",
        "api_key": None,
        "base_address": "?",
    }
    repairs = {
        "provider": ProviderName.TYPESAFE,
        "timeout_s": 1,
        "max_retries": 0,
        "initial_backoff_s": 1,
        "max_retry_delay_s": 1,
        "model": "m",
        "api_key": KEY,
        "base_address": "https://h",
    }
    told = []
    for name, repair in repairs.items():
        with pytest.raises(ConfigError) as caught:
            endpoint(**wrong)
        told.append(str(caught.value).split(" ")[:3])
        wrong[name] = repair
    assert told == [
        ["The", "provider", "Embedded"],
        ["The", "time-out", "must"],
        ["MaxRetries", "must", "be"],
        ["InitialBackoff", "must", "be"],
        ["MaxRetryDelay", "must", "be"],
        ["The", "model", "must"],
        ["No", "API", "key"],
        ["The", "base", "address"],
    ]
    assert endpoint(**wrong).url == "https://h/v1/systemone"


def test_the_widest_values_are_taken():
    made = endpoint(
        timeout_s=None, max_retries=10, initial_backoff_s=LONGEST, max_retry_delay_s=LONGEST
    )
    assert (made.timeout_s, made.retries.max_retries) == (None, 10)
    assert endpoint(timeout_s=LONGEST).timeout_s == LONGEST


def test_model_and_key_are_trimmed():
    made = endpoint(model="  m ", api_key=Secret(" sk-0123456789\n"))
    assert (made.model, made.key) == ("m", KEY)


def test_the_message_for_a_missing_key_names_the_variable():
    with pytest.raises(ConfigError) as caught:
        DecisionClientOptions().endpoint(key_variable="TYPESAFE_API_KEY")
    assert str(caught.value) == (
        "No API key is configured. Set the TYPESAFE_API_KEY environment variable, or ApiKey in the "
        "config file."
    )


@pytest.mark.parametrize(
    ("base", "path", "url"),
    [
        ("http://localhost:8000", None, "http://localhost:8000/v1/systemone"),
        ("http://localhost:8000/", None, "http://localhost:8000/v1/systemone"),
        ("http://localhost/a/b", "c", "http://localhost/a/b/c"),
        (" http://localhost/a/b/ ", "/c", "http://localhost/a/b/c"),
    ],
)
def test_the_path_goes_under_the_base_address(base, path, url):
    assert custom(base_address=base, path=path).url == url


def test_custom_needs_an_address_and_a_model_and_takes_a_format():
    with pytest.raises(ConfigError, match="must be an absolute URI") as caught:
        custom(base_address=None)
    assert caught.value.hint == "a Custom provider needs a BaseAddress"
    with pytest.raises(ConfigError, match="must not be blank") as caught:
        custom(model=None)
    assert caught.value.hint == "a Custom provider needs a Model"
    assert custom(format=WireFormat.SYSTEM_ONE).format is WireFormat.SYSTEM_ONE


@pytest.mark.parametrize(
    "base",
    [
        "https://h",
        "http://localhost",
        "http://127.8.0.1",
        "http://[::1]:9",
        "http://[::ffff:127.0.0.1]",
    ],
)
def test_a_key_goes_where_nobody_else_can_read_it(base):
    assert custom(base_address=base, api_key=KEY).key == KEY


@pytest.mark.parametrize(
    "base",
    [
        "http://h",
        "http://localhost.example.com",
        "http://10.0.0.1",
        "http://0.0.0.0",
        "http://[::2]",
    ],
)
@pytest.mark.parametrize(
    "keys",
    [{"api_key": KEY}, {"headers": {"Api-Key": KEY}}, {"headers": {"Cookie": KEY}}],
)
def test_a_key_goes_nowhere_else_unless_it_may(base, keys):
    with pytest.raises(ConfigError, match="would be sent over plain http to") as caught:
        custom(base_address=base, **keys)
    assert caught.value.hint == "use https, or set AllowInsecureKey"
    assert custom(base_address=base, **keys, allow_insecure_key=True).url.startswith(base)
    assert custom(base_address=base, headers={"X-Trace": Secret("1")}).url.startswith(base)
