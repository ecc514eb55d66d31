import json

import pytest
from tests.planted import PLANTED

from minos.cli.main import run


@pytest.fixture
def configured(tmp_path, monkeypatch, planted):
    monkeypatch.chdir(tmp_path)
    for name in ("TYPESAFE_API_KEY", "OPENROUTER_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENROUTER_API_KEY", PLANTED)
    monkeypatch.setenv("Minos__Providers__local__Timeout", "00:00:05")
    sections = {
        "local": {
            "Provider": "Custom",
            "BaseAddress": "http://localhost:8000/",
            "Model": "m",
            "Headers": {"X-Team": PLANTED},
        },
        "broken": {"Provider": "Custom", "BaseAddress": "http://localhost"},
    }
    document = {"Minos": {"Active": "local", "Providers": sections}}
    (tmp_path / "given.json").write_text(json.dumps(document), encoding="utf-8")
    planted.given.add(tmp_path / "given.json")
    return ["--config", "given.json"]


@pytest.fixture
def told(capfd):
    """Run a command, and give its exit code, its stdout and its stderr."""

    def told(*arguments):
        code = run(list(arguments))
        return code, *capfd.readouterr()

    return told


def test_providers_tells_what_can_be_asked_and_where_keys_come_from(configured, told):
    code, out, _ = told("providers", *configured)
    assert code == 0
    assert PLANTED not in out
    blocks = {}
    for block in out.replace("\n  ", "\0").splitlines():
        name, *lines = block.split("\0")
        blocks[name] = lines
    assert blocks["local (Custom)"] == [
        "address  http://localhost:8000/v1/systemone",
        "model    m",
        "key      none needed",
        "takes    noul, choice, score",
    ]
    assert blocks["broken (Custom)"][-1] == "not yet  The model must not be blank."
    assert blocks["TypeSafe"][0] == "key      not set"
    assert blocks["OpenRouter"][:3] == [
        "address  https://openrouter.ai/api/v1/systemone",
        "model    jev-latest",
        "key      environment variable OPENROUTER_API_KEY",
    ]
    (takes,) = [line for line in blocks["OpenAI"] if line.startswith("takes")]
    assert takes.endswith("choice (2 to 255 options), score (1 to 10 levels); up to 400 questions")
    assert blocks["embedded"] == ["address  in this process", "key      none needed"]


def test_providers_as_json(configured, told):
    code, out, _ = told("providers", "--json", *configured)
    assert code == 0
    found = {entry["section"]: entry for entry in json.loads(out)["summary"]["providers"]}
    assert list(found)[:3] == ["local", "broken", "TypeSafe"]
    assert found["Cloudflare"]["capabilities"]["maxQuestions"] == 64
    assert found["TypeSafe"]["problem"].startswith("No API key is configured.")
    assert found["embedded"]["capabilities"] is None
    assert PLANTED not in out


def test_config_show_tells_where_each_setting_came_from(configured, told):
    code, out, _ = told("config", "show", *configured)
    assert code == 0
    assert PLANTED not in out
    lines = [line.split(maxsplit=2) for line in out.splitlines()]
    assert lines[0] == ["Active", "local"]
    assert ["BaseAddress", "http://localhost:8000/", "given.json"] in lines
    assert [
        "Timeout",
        "00:00:05",
        "environment variable Minos__Providers__local__Timeout",
    ] in lines
    assert ["Headers:X-Team", "(set)", "given.json"] in lines
    assert ["MaxRetries", "2", "default"] in lines
    assert ["Path", "v1/systemone", "preset"] in lines


def test_config_show_of_one_provider(configured, told):
    code, out, _ = told("config", "show", "--provider", "openrouter", "--json", *configured)
    assert code == 0
    summary = json.loads(out)["summary"]
    assert list(summary["sections"]) == ["OpenRouter"]
    found = {entry["name"]: entry for entry in summary["sections"]["OpenRouter"]}
    assert found["ApiKey"] == {
        "name": "ApiKey",
        "value": "(set)",
        "source": "environment variable OPENROUTER_API_KEY",
    }
    assert found["Provider"]["value"] == "OpenRouter"
    assert PLANTED not in out


def test_config_show_of_none(tmp_path, monkeypatch, told):
    monkeypatch.chdir(tmp_path)
    assert told("config", "show") == (0, "Active  -\n", "")
    code, _, err = told("config", "show", "--provider", "lokal")
    assert code == 2
    assert err.startswith("error: there is no provider 'lokal' in minos.json")
