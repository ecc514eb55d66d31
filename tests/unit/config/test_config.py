import json

import pytest
from tests.planted import PLANTED

from minos import config
from minos.config.variables import proxy_url
from minos.errors import ConfigError
from minos.providers import Embedded, ProviderName, WireFormat

EXAMPLE = {
    "Minos": {
        "Active": "TypeSafe",
        "Providers": {
            "TypeSafe": {"Provider": "TypeSafe"},
            "OpenRouter": {"Provider": "OpenRouter", "Model": "cloudflare/clef-flash"},
            "local": {
                "Provider": "Custom",
                "BaseAddress": "http://localhost:8000/",
                "Model": "local-model",
            },
        },
    }
}
NAMES = [
    "Provider",
    "ApiKey",
    "BaseAddress",
    "Model",
    "Path",
    "Timeout",
    "MaxRetries",
    "InitialBackoff",
    "MaxRetryDelay",
    "Jitter",
    "Format",
    "AllowInsecureKey",
    "AccountId",
    "RequestsPerMinute",
    "TokensPerMinute",
    "Headers",
]
KEYS = {"TYPESAFE_API_KEY": "sk-typesafe-1", "OPENROUTER_API_KEY": "sk-openrouter-1"}


@pytest.fixture
def load(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def load(document=None, environ=None, file=None):
        if document is not None:
            text = document if isinstance(document, str) else json.dumps(document)
            (tmp_path / "minos.json").write_text(text, encoding="utf-8")
        return config.load(file, environ=environ or {})

    return load


def section(**options):
    return {"Minos": {"Providers": {"it": options}}}


def refusal(call, *args, **named):
    with pytest.raises(ConfigError) as caught:
        call(*args, **named)
    return str(caught.value), caught.value.hint


def test_the_example_of_the_docs(load):
    loaded = load(EXAMPLE, KEYS)
    assert loaded.section_names == ("TypeSafe", "OpenRouter", "local")
    active = loaded.provider()
    assert (active.name, active.model) == ("TypeSafe", "jev-latest")
    assert active.address == "https://api.typesafe.ai/v1/systemone"
    assert active.endpoint.key.reveal() == "sk-typesafe-1"
    router = loaded.provider("OpenRouter")
    assert (router.model, router.endpoint.key.reveal()) == (
        "cloudflare/clef-flash",
        "sk-openrouter-1",
    )
    local = loaded.provider("local")
    assert local.address == "http://localhost:8000/v1/systemone"
    assert (local.name, local.model, local.endpoint.key) == ("local", "local-model", None)


def test_every_option_can_be_set(load):
    options = load(
        section(
            provider="custom",
            apikey="k",
            BASEADDRESS="https://h/",
            Model="m",
            Path="v2/systemone",
            Timeout="00:01:30.5",
            MaxRetries=3,
            InitialBackoff=0.25,
            MaxRetryDelay="9",
            Jitter=False,
            Format="openai",
            AllowInsecureKey="True",
            AccountId="a",
            RequestsPerMinute=600,
            TokensPerMinute="1e6",
            Headers={"X-One": "1", "X-Two": "2", "X-None": None},
        )
    ).options("IT")
    assert options.provider is ProviderName.CUSTOM
    assert options.api_key.reveal() == "k"
    assert (options.base_address, options.model, options.path) == (
        "https://h/",
        "m",
        "v2/systemone",
    )
    assert (options.timeout_s, options.max_retries) == (90.5, 3)
    assert (options.initial_backoff_s, options.max_retry_delay_s) == (0.25, 9.0)
    assert (options.jitter, options.format) == (False, WireFormat.OPENAI)
    assert (options.allow_insecure_key, options.account_id) == (True, "a")
    assert (options.requests_per_minute, options.tokens_per_minute) == (600, 1_000_000)
    assert {name: value.reveal() for name, value in options.headers.items()} == {
        "X-One": "1",
        "X-Two": "2",
    }


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("00:00:01", 1.0),
        ("1:02:03.25", 3723.25),
        ("100:00:00", 360000.0),
        (60, 60.0),
        (0.5, 0.5),
        ("1e1", 10.0),
        ("Infinite", None),
        ("-00:00:00.001", None),
    ],
)
def test_time_spans(load, written, seconds):
    assert load(section(Timeout=written)).options("it").timeout_s == seconds


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        (
            "Provider",
            "TypeSave",
            "must be one of TypeSafe, OpenRouter, OpenAI, Cloudflare, Custom, Embedded",
        ),
        (
            "Provider",
            1,
            "must be one of TypeSafe, OpenRouter, OpenAI, Cloudflare, Custom, Embedded",
        ),
        ("Format", "Cloudflare", "must be one of SystemOne, OpenAI"),
        ("Model", 5, "must be text"),
        ("ApiKey", False, "must be text"),
        ("MaxRetries", 2.5, "must be a whole number"),
        ("MaxRetries", "two", "must be a whole number"),
        ("MaxRetries", True, "must be a whole number"),
        ("Jitter", "yes", "must be true or false"),
        ("Jitter", 1, "must be true or false"),
        ("Timeout", "1:60:00", "must be a time span such as 00:01:00, or a number of seconds"),
        ("Timeout", "nan", "must be a time span such as 00:01:00, or a number of seconds"),
        ("Timeout", True, "must be a time span such as 00:01:00, or a number of seconds"),
        (
            "InitialBackoff",
            "infinite",
            "must be a time span such as 00:01:00, or a number of seconds",
        ),
    ],
)
def test_a_value_that_is_none_of_its_option_is_told_with_its_place(load, option, value, told):
    loaded = load(section(**{option: value}))
    message, _ = refusal(loaded.options, "it")
    assert message == f"minos.json: 'Minos:Providers:it:{option}' {told}"


@pytest.mark.parametrize(
    ("document", "told", "hint"),
    [
        (
            section(Modell="x"),
            "'Minos:Providers:it:Modell' is not a setting",
            "did you mean Model?",
        ),
        ({"Minos": {"Actve": "x"}}, "'Minos:Actve' is not a setting", "did you mean Active?"),
        ({"Monos": {"Active": "x"}}, "'Monos:Active' is not a setting", "did you mean Minos?"),
        (
            {"Minos": {"Providers": {"it": {"zzzzz": 1}}}},
            "'Minos:Providers:it:zzzzz' is not a setting",
            f"known here: {', '.join(NAMES)}",
        ),
        ({"Minos": 5}, "'Minos' must be an object", ""),
        ({"Minos": {"Providers": "x"}}, "'Minos:Providers' must be an object", ""),
        ({"Minos": {"Providers": {"it": 1}}}, "'Minos:Providers:it' must be an object", ""),
        (section(Headers="x"), "'Minos:Providers:it:Headers' must be an object", ""),
        (
            section(Headers={"a": {"b": 1}}),
            "'Minos:Providers:it:Headers:a:b' must be an object",
            "",
        ),
        (section(Model={"a": 1}), "'Minos:Providers:it:Model' must not be an object", ""),
        (section(Model=["a"]), "'Minos:Providers:it:Model' must not be a list", ""),
        (
            '{"Minos": {"Active": "a", "active": "b"}}',
            "'Minos:active' appears more than once",
            "",
        ),
        (
            '{"Minos": {"Active": "a"}, "minos:active": "b"}',
            "'minos:active' appears more than once",
            "",
        ),
    ],
)
def test_a_name_that_is_none_of_a_setting_is_told(load, document, told, hint):
    message, advice = refusal(load, document)
    assert message == f"minos.json: {told}"
    assert advice == hint


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '{"Minos": {\n  "Active": x}}',
            " is not valid JSON at line 2, column 13: Expecting value",
        ),
        ('{"Minos": {},}', " is not valid JSON at line 1, column 14: "),
        ('{"Minos": {} // note\n}', " is not valid JSON at line 1, column 14: "),
        ('{"Minos": NaN}', " is not valid JSON: NaN is not a JSON number"),
        ("[]", " must hold a JSON object"),
        ("", " is not valid JSON at line 1, column 1: Expecting value"),
        ("[" * 100_000, " is not valid JSON: "),
    ],
)
def test_a_file_that_is_no_json_is_told_with_the_place(load, text, told):
    message, _ = refusal(load, text)
    assert message.startswith(f"minos.json{told}")


def test_a_file_that_is_not_text(load, tmp_path):
    (tmp_path / "minos.json").write_bytes(b'{"\xff": 1}')
    assert refusal(load)[0] == "minos.json is not valid UTF-8 at byte 2"


def test_a_byte_order_mark_is_dropped(load):
    assert load("\ufeff" + json.dumps(EXAMPLE)).section_names


def test_a_file_that_was_asked_for_must_be_there(load, tmp_path):
    missing = tmp_path / "other.json"
    assert refusal(load, file=missing)[0] == f"there is no config file {missing}"
    environ = {"MINOS_CONFIG": str(missing)}
    assert refusal(load, environ=environ)[0] == f"there is no config file {missing}"
    assert refusal(load, file=tmp_path)[0].startswith(f"cannot read the config file {tmp_path}: ")
    missing.write_text(json.dumps(section(Model="m")))
    assert load(environ=environ).section_names == ("it",)


def test_null_is_as_good_as_absent(load):
    loaded = load(section(Provider=None, Model=None, ApiKey=None, Headers=None))
    assert loaded.options("it").model is None
    empty = {"Minos": {"Active": None, "Providers": {"it": {}}}}
    assert load(empty).section_names == ("it",)
    assert refusal(load(empty).provider)[0].startswith("no provider is named")


class TestEnvironment:
    def test_wins_over_the_file_and_may_be_written_in_any_case(self, load):
        environ = {
            "Minos__Providers__OpenRouter__Model": "from-env",
            "MINOS__PROVIDERS__LOCAL__TIMEOUT": "5",
            "Minos__Active": "local",
        }
        loaded = load(EXAMPLE, {**environ, **KEYS})
        assert loaded.provider("openrouter").model == "from-env"
        assert loaded.provider().endpoint.timeout_s == 5
        assert loaded.section_names == ("TypeSafe", "OpenRouter", "local")

    def test_may_make_a_section_of_its_own(self, load):
        made = load(
            environ={
                "Minos__Providers__mine__Provider": "Custom",
                "Minos__Providers__mine__BaseAddress": "http://localhost:1",
                "Minos__Providers__mine__Model": "m",
                "Minos__Providers__mine__Headers__X-A": "1",
            }
        ).provider("mine")
        assert (made.name, made.address) == ("mine", "http://localhost:1/v1/systemone")
        assert made.endpoint.headers["X-A"].reveal() == "1"

    def test_a_wrong_name_or_value_names_the_variable(self, load):
        variable = "Minos__Providers__it__Modell"
        told = refusal(load, environ={variable: "x"})
        assert told == (
            f"environment variable {variable}: 'Minos:Providers:it:Modell' is not a setting",
            "did you mean Model?",
        )
        loaded = load(environ={"Minos__Providers__it__MaxRetries": "x"})
        assert refusal(loaded.options, "it")[0] == (
            "environment variable Minos__Providers__it__MaxRetries: "
            "'Minos:Providers:it:MaxRetries' must be a whole number"
        )

    def test_the_order_of_keys(self, load):
        document = section(Provider="TypeSafe", ApiKey="from-file")
        variable = {"TYPESAFE_API_KEY": "from-variable"}
        own = {"Minos__Providers__it__ApiKey": "from-own"}
        key = "sk"
        for environ, key in (
            ({}, "from-file"),
            (variable, "from-variable"),
            ({**variable, **own}, "from-own"),
            ({"TYPESAFE_API_KEY": " "}, "from-file"),
        ):
            assert load(document, environ).provider("it").endpoint.key.reveal() == key

    def test_the_order_of_base_addresses(self, load):
        document = section(BaseAddress="https://file/")
        variable = {"TYPESAFE_BASE_URL": "https://variable/", **KEYS}
        own = {"Minos__Providers__it__BaseAddress": "https://own/"}
        for environ, address in (
            (KEYS, "https://file/"),
            (variable, "https://variable/"),
            ({**variable, **own}, "https://own/"),
        ):
            assert load(document, environ).provider("it").address == f"{address}v1/systemone"

    def test_no_base_address_moves_the_key_of_another_provider(self, load):
        environ = {
            **KEYS,
            "TYPESAFE_BASE_URL": "https://elsewhere/",
            "OPENAI_BASE_URL": "https://x/",
        }
        loaded = load(EXAMPLE, environ)
        assert loaded.provider("OpenRouter").address == "https://openrouter.ai/api/v1/systemone"
        assert loaded.provider("local").address == "http://localhost:8000/v1/systemone"
        assert loaded.provider("local").endpoint.key is None
        assert loaded.provider("TypeSafe").address == "https://elsewhere/v1/systemone"


class TestWithoutASection:
    def test_a_preset_is_known_by_its_name(self, load):
        assert load(environ=KEYS).provider("openrouter").name == "OpenRouter"
        assert load({"Minos": {}}, KEYS).provider("TypeSafe").name == "TypeSafe"

    def test_a_section_that_bears_a_presets_name_is_that_preset(self, load):
        document = {"Minos": {"Providers": {"OpenRouter": {"Model": "m"}}}}
        assert load(document, KEYS).provider("OpenRouter").endpoint.provider == "OpenRouter"
        document = {"Minos": {"Providers": {"OpenRouter": {"Provider": "TypeSafe"}}}}
        assert load(document, KEYS).provider("OpenRouter").endpoint.provider == "TypeSafe"

    def test_another_section_is_typesafe_unless_it_says_otherwise(self, load):
        assert load(section(Model="m"), KEYS).provider("it").endpoint.provider == "TypeSafe"

    def test_none_named_at_all(self, load):
        told, hint = refusal(load().provider)
        assert told == "no provider is named: pass --provider, or set Minos:Active"
        presets = "TypeSafe, OpenRouter, OpenAI, Cloudflare, Custom, Embedded"
        assert hint == f"known here: {presets}"
        told, hint = refusal(load(section(Model="m")).provider)
        assert hint == f"known here: it, {presets}"

    def test_one_that_is_not_known(self, load):
        told, hint = refusal(load().provider, "OpenRuter")
        assert told == "there is no provider 'OpenRuter' in minos.json (there is none)"
        assert hint == "did you mean OpenRouter?"
        told, hint = refusal(load(EXAMPLE).provider, "loca")
        assert (told, hint) == ("there is no provider 'loca' in minos.json", "did you mean local?")

    def test_active_may_name_a_section_that_is_not_there(self, load):
        told, _ = refusal(load({"Minos": {"Active": "gone"}}).provider)
        assert told == "there is no provider 'gone' in minos.json"
        told, _ = refusal(load({"Minos": {"Active": 1}}).provider)
        assert told == "minos.json: 'Minos:Active' must be text"


def test_what_is_missing_is_told_with_its_variable(load):
    told, _ = refusal(load().provider, "OpenRouter")
    assert told == (
        "No API key is configured. Set the OPENROUTER_API_KEY environment variable, or ApiKey in "
        "the config file."
    )
    told, hint = refusal(load().provider, "Custom")
    assert (told, hint) == ("The model must not be blank.", "a Custom provider needs a Model")


def test_the_command_line_goes_before_everything(load):
    environ = {"Minos__Providers__local__Model": "env", "Minos__Providers__local__Timeout": "5"}
    overrides = config.Overrides(model="option", timeout_s=7)
    made = load(EXAMPLE, environ).provider("local", overrides=overrides)
    assert (made.model, made.endpoint.timeout_s) == ("option", 7)


def test_a_key_is_in_no_message(load, planted):
    environ = {"Minos__Providers__it__ApiKey": PLANTED}
    loaded = load(section(Provider="Custom", BaseAddress="http://h", Model="m"), environ)
    with pytest.raises(ConfigError) as caught:
        loaded.provider("it")
    planted += [caught.value, loaded, loaded.options("it"), loaded._settings]


@pytest.mark.parametrize(
    ("address", "environ", "proxy"),
    [
        ("https://h/x", {}, None),
        ("https://h/x", {"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        ("https://h/x", {"https_proxy": "http://q:1", "HTTPS_PROXY": "http://p:1"}, "http://q:1"),
        ("https://h/x", {"ALL_PROXY": "http://p:1"}, "http://p:1"),
        ("https://h/x", {"HTTP_PROXY": "http://p:1"}, None),
        ("http://h/x", {"HTTP_PROXY": "http://p:1"}, "http://p:1"),
        ("http://localhost:8/x", {"HTTP_PROXY": "http://p:1"}, None),
        ("http://127.0.0.1/x", {"ALL_PROXY": "http://p:1"}, None),
        ("https://a.h.com/", {"ALL_PROXY": "http://p:1", "NO_PROXY": "x, .h.com"}, None),
        ("https://h.com/", {"ALL_PROXY": "http://p:1", "NO_PROXY": "H.com"}, None),
        ("https://oh.com/", {"ALL_PROXY": "http://p:1", "NO_PROXY": "h.com"}, "http://p:1"),
        ("https://h.com:8/", {"ALL_PROXY": "http://p:1", "NO_PROXY": "h.com:8"}, None),
        ("https://h.com/", {"ALL_PROXY": "http://p:1", "NO_PROXY": "*"}, None),
        ("https://h.com/", {"ALL_PROXY": "http://p:1", "no_proxy": ""}, "http://p:1"),
    ],
)
def test_the_proxy_of_the_environment(address, environ, proxy):
    assert proxy_url(address, environ) == proxy


def test_the_embedded_model_needs_no_section(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    provider = config.load(environ={}).provider("embedded")
    assert isinstance(provider, Embedded)
    assert (provider.name, provider.model) == ("embedded", "sparrow-nano-general-v1.1")


def test_a_section_names_an_embedded_model(tmp_path):
    file = tmp_path / "minos.json"
    section = {"Provider": "Embedded", "Model": "nano-robot"}
    file.write_text(json.dumps({"Minos": {"Providers": {"Robot": section}}}))
    provider = config.load(file, environ={}).provider("robot")
    assert (provider.name, provider.model) == ("Robot", "sparrow-nano-robot-v1.2")
    other = config.load(file, environ={}).provider(
        "robot", overrides=config.Overrides(model="nano-general")
    )
    assert other.model == "sparrow-nano-general-v1.1"
