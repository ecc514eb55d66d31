import json
import signal
import socket
import subprocess
import sys
import threading

import pytest
from jevcompat import mock
from tests.cli.calibrate.calls import serving
from tests.loopback import Drop, Hang, Reply
from tests.planted import PLANTED
from tests.unit.conformance.test_check import answer

from minos.cli.main import run


@pytest.fixture
def hold(tmp_path, monkeypatch, capfd):
    """Run `minos conformance` against a URL; gives exit code, the report's JSON, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("Minos__Providers__local__Provider", "Custom")
    monkeypatch.setenv("Minos__Providers__local__Model", "jev-latest")
    monkeypatch.setenv("Minos__Providers__local__InitialBackoff", "0.001")

    def hold(url, *options):
        monkeypatch.setenv("Minos__Providers__local__BaseAddress", url)
        code = run(["conformance", "--provider", "local", "--out", "out", *options])
        told = capfd.readouterr()
        report = json.loads((tmp_path / "out" / "conformance.json").read_text(encoding="utf-8"))
        return code, report, told.out, told.err

    return hold


def test_a_provider_that_keeps_the_rules(hold, tmp_path):
    with mock.Running() as server:
        code, report, out, err = hold(server.url)
    assert code == 0
    assert out.splitlines() == ["out/conformance.json", "out/conformance.md"]
    passed, skipped = report["passed"], report["skipped"]
    assert err == f"{passed} passed, 0 failed, {skipped} skipped (7 requests)\n"
    page = (tmp_path / "out" / "conformance.md").read_text(encoding="utf-8")
    assert page.startswith("# Conformance of `local`\n")
    assert "## Deviations" not in page


def test_one_that_deviates(hold, tmp_path):
    with mock.Running(mock.MockConfig(faults=frozenset({"choice-sum"}))) as server:
        code, report, _, err = hold(server.url)
    assert code == 1
    assert report["failed"] == 1
    assert (
        "choice-distribution: question 'desk': the probabilities sum to 1.2 (and 2 more)\n" in err
    )
    assert "error: it deviates: " in err
    page = (tmp_path / "out" / "conformance.md").read_text(encoding="utf-8")
    assert "## Deviations" in page
    assert "### Exchange 1: `one question of each kind`" in page


def test_as_json(hold):
    with mock.Running() as server:
        code, report, out, _ = hold(server.url, "--json", "--thorough")
    assert code == 0
    document = json.loads(out)
    assert document["command"] == "conformance"
    assert document["summary"]["passed"] == report["passed"]
    assert report["thorough"] is True


def test_a_network_fault_exits_1_and_still_writes_the_files(hold):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    code, report, out, err = hold(f"http://127.0.0.1:{port}")
    assert code == 1
    assert out.splitlines() == ["out/conformance.json", "out/conformance.md"]
    assert (report["passed"], report["failed"]) == (0, 0)
    assert report["fault"].startswith("Network: ")
    assert "error: nothing was answered: Network: " in err


def test_a_key_is_in_no_file(hold, planted, monkeypatch):
    monkeypatch.setenv("Minos__Providers__local__ApiKey", PLANTED)
    with mock.Running(mock.MockConfig(key=PLANTED)) as server:
        code, report, out, err = hold(server.url, "--thorough")
    assert code == 0
    planted += [report, out, err]


def test_a_wrong_configuration_exits_2(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert run(["conformance", "--provider", "Custom"]) == 2
    assert "error: The model must not be blank." in capfd.readouterr().err
    assert not list(tmp_path.iterdir())


def counted(steps, otherwise):
    """Answer the first requests as told, and then otherwise."""
    left = iter(steps)

    def step(sent):
        made = next(left, otherwise)
        return made(sent) if callable(made) else made

    return step


def conformance(*options):
    return ["conformance", "--out", "out", *options]


def written(folder):
    report = json.loads((folder / "out" / "conformance.json").read_text(encoding="utf-8"))
    return report, (folder / "out" / "conformance.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("Minos__Providers__local__InitialBackoff", "0.001")
    return tmp_path


@pytest.mark.parametrize(
    ("silence", "sent", "told"),
    [
        (Drop(), 5, "3 probes in a row got no response: Network: "),
        (Reply(429), 3, "the provider has too much to do: HTTP 429"),
        (Reply(529), 3, "the provider has too much to do: HTTP 529"),
    ],
)
def test_a_server_that_says_no_more_is_asked_no_more(folder, capfd, silence, sent, told):
    with serving(counted([answer, answer], silence)) as server:
        assert run(conformance("--thorough")) == 1
    assert len(server.requests) == sent
    report, page = written(folder)
    assert report["stopped"].startswith(told)
    assert "**It ended early: **" in page
    assert f"error: it ended early: {told}" in capfd.readouterr().err
    by_verdict = {check["id"]: check["verdict"] for check in report["checks"]}
    assert (by_verdict["noul-range"], by_verdict["repeated"]) == ("pass", "skip")


def test_a_probe_without_a_response_is_no_reason_to_stop(folder):
    with serving(counted([answer, answer, Drop(), Drop()], answer)):
        assert run(conformance()) == 1
    report, _ = written(folder)
    assert report["stopped"] is None
    assert len(report["exchanges"]) == 7


@pytest.mark.parametrize("answered", [0, 3])
def test_ctrl_c_writes_what_there_is(folder, answered):
    reached = threading.Event()
    with serving(counted([answer] * answered, Hang(reached.set))):
        process = subprocess.Popen(
            [sys.executable, "-m", "minos", *conformance()],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert reached.wait(60)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err.splitlines()[-1]) == (130, "error: cancelled")
    if not answered:
        assert (out, list((folder / "out").iterdir())) == ("", [])
        return
    assert out.splitlines() == ["out/conformance.json", "out/conformance.md"]
    report, _ = written(folder)
    assert (report["stopped"], len(report["exchanges"])) == ("cancelled", 3)
