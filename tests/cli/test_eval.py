"""`minos eval` as people and CI call it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.planted import PLANTED

from minos.cli.main import run

QUESTIONS = """\
- input: What is the return policy?
  actual_output: You can return an item within 30 days with a receipt.
  metadata: {category: returns}
  expected:
    contains_all: [30 days, receipt]
- input: When do you open?
  actual_output: We open at nine.
  metadata: {category: hours}
  expected:
    contains: "9"
"""
APP = """\
import os, sys, time
print("imported")
os.write(1, b"raw\\n")

def answer(case):
    print("called")
    return case.actual_output

def better(input):
    return "30 days, receipt, 9"

def boom(input):
    raise ValueError("no " + input)

def hang(input):
    time.sleep(600)

def flaky(case, seen=[]):
    seen.append(case)
    return "30 days receipt 9" if len(seen) % 5 else "?"

async def slow(case):
    import anyio
    await anyio.sleep(600)
"""


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture(autouse=True)
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "questions.yaml").write_text(QUESTIONS)
    (tmp_path / "app.py").write_text(APP)
    path, modules = list(sys.path), set(sys.modules)
    yield tmp_path
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if not name.startswith("minos"):
            del sys.modules[name]


@pytest.fixture
def minos(capfd):
    def call(*arguments):
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        return Done(int(code), *capfd.readouterr())

    return call


@pytest.fixture
def evaluate(minos):
    return partial(minos, "eval")


def in_process(*arguments):
    """Call the tool as a process of its own."""
    command = [sys.executable, "-m", "minos", "eval", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def report_of(done):
    return json.loads(done.stdout)


def only_directory():
    (directory,) = Path("minos-out").iterdir()
    return directory


def test_without_a_gate_failures_are_told_and_nothing_more(evaluate):
    done = evaluate("questions.yaml", "--format", "text")
    assert done.returncode == 0
    assert "COMPLETED (no gate)" in done.stdout
    assert 'contains: Output missing: ["9"]' in done.stdout
    assert done.stderr.splitlines()[0] == "Loading questions.yaml..."
    assert done.stderr.splitlines()[-1] == (
        "note: no gate set: failures do not change the exit code (--threshold, --strict)"
    )
    assert re.fullmatch(r"recorded-\d{8}-\d{6}", only_directory().name)
    assert sorted(path.name for path in only_directory().iterdir()) == [
        ".minos-run",
        "report.json",
        "results.jsonl",
    ]


@pytest.mark.parametrize(
    ("options", "code", "status"),
    [
        (["--threshold", "0.5"], 0, "passed"),
        (["--threshold", "0.6"], 1, "failed"),
        (["--strict"], 1, "failed"),
        (["--no-strict"], 0, "not_configured"),
        (["--strict", "--provider", "app.py:better"], 0, "passed"),
        (["--group-by", "category", "--group-threshold", "0.5"], 1, "failed"),
        (["--provider", "app.py:boom"], 1, "error"),
        (["--provider", "app:answer", "--threshold", "0.1", "--repeat", "2"], 0, "passed"),
        (["--provider", "app.flaky", "--repeat", "5", "--pass-rule", "rate:0.8", "--strict"],
         0, "passed"),
        (["--provider", "app.flaky", "--repeat", "5", "--strict"], 1, "failed"),
    ],
)  # fmt: skip
def test_gates_decide_the_exit_code(options, code, status, evaluate):
    done = evaluate("questions.yaml", "--json", *options)
    assert (done.returncode, report_of(done)["summary"]["gate_status"]) == (code, status)
    assert ("note: Evaluation failed" in done.stderr) == (code == 1)


def test_stdout_carries_the_report_alone():
    done = in_process("questions.yaml", "--provider", "app.py:answer", "--json")
    assert report_of(done)["summary"]["total"] == 2
    assert done.stderr.count("called") == 2
    assert done.stderr.count("imported") == done.stderr.count("raw") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.yaml"], "cannot read none.yaml: No such file or directory"),
        (["--threshold", "1.5"], "Invalid value for '--threshold'"),
        (["--threshold", "0.5", "--strict"], "--strict and --threshold cannot be used together"),
        (["--group-by", "x"], "--group-by and --group-threshold must be provided together"),
        (["--pass-rule", "most"], "'most' is none of all, any, majority, or rate:0.8"),
        (["--provider", "app.py:answer", "--url", "http://x"],
         "--provider and --url cannot be used together"),
        (["--provider", "app.py:anser"], "app has no 'anser'"),
        (["--url", "ftp://x"], "the URL must begin with http:// or https://"),
        (["--command", ""], "the command is empty"),
        (["--timeout", "120000"], "more than an hour"),
        (["--filter", "x"], "'x' is not FIELD=VALUE"),
        (["--filter", "category=none"], "no case was chosen"),
        (["--retry-failed"], "--retry-failed goes with --resume"),
        (["--from", "nowhere"], "cannot read nowhere"),
        (["--plugin", "app.py"], "app brings no assertions"),
        (["--group-by", "x", "--group-threshold", "1"],
         'case 1 is missing metadata group "x"'),
        (["--config", "none.yaml"], "cannot read none.yaml"),
        (["--format", "pdf"], "Invalid value for '--format'"),
        (["--repeat", "0"], "Invalid value for '--repeat'"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_told_before_anything_is_asked(arguments, message, evaluate):
    files = [] if arguments[0].endswith(".yaml") else ["questions.yaml"]
    done = evaluate(*files, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""
    assert "called" not in done.stderr
    assert not Path("minos-out").exists()


def test_problems_of_data_sets_are_all_told(evaluate):
    Path("bad.yaml").write_text(
        "- {inptu: x, expected: [is_json]}\n- {input: y, expected: {contains: 5}}\n"
    )
    done = evaluate("bad.yaml")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "Loading bad.yaml...",
        "line 1: 'inptu' is not a member of a case; did you mean 'input'?",
        "line 1: 'input' is required.",
        "line 2: 'expected.contains' must be text: write \"5\" in quotes.",
        "error: Failed to load dataset bad.yaml: 3 problems",
    ]
    Path("worse.json").write_text("[")
    done = evaluate("bad.yaml", "worse.json", "--json")
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert error["message"] == "Failed to load datasets: 4 problems"
    assert error["problems"][3]["message"].startswith("worse.json: The line is not valid JSON")


def test_warnings_change_nothing(evaluate):
    Path("warn.yaml").write_text("- {input: x, actual_output: y}\n")
    done = evaluate("warn.yaml")
    assert "line 1: warning: The case has no assertions" in done.stderr
    assert done.returncode == 1


def test_a_judge_is_named_and_refused(evaluate):
    Path("judged.yaml").write_text("- {input: x, actual_output: y, expected: {faithful: {}}}\n")
    done = evaluate("judged.yaml")
    assert done.returncode == 2
    assert "error: the assertion 'faithful' of case judged#1 needs a judge" in done.stderr


def test_no_cases_are_no_success(evaluate):
    Path("empty.json").write_text("[]")
    done = evaluate("empty.json", "--json")
    assert done.returncode == 1
    assert report_of(done)["summary"]["gate_status"] == "failed"


def test_data_sets_come_from_arguments_policy_or_folder(evaluate):
    done = evaluate()
    assert (done.returncode, "No eval files found" in done.stderr) == (2, True)
    folder = Path("tests/evals/deep")
    folder.mkdir(parents=True)
    for name in ("b.yaml", "a.json", "c.yml", "d.jsonl"):
        (folder / name).write_text("[]" if name != "d.jsonl" else "")
    done = evaluate("--json")
    assert report_of(done)["run"]["datasets"] == ["a", "b", "c", "d"]
    Path("policy.yaml").write_text("version: 1\ndatasets: [questions.yaml]\n")
    assert report_of(evaluate("--json", "--config", "policy.yaml"))["run"]["datasets"] == [
        "questions"
    ]
    done = evaluate("tests/evals/deep/a.json", "--json", "--policy", "policy.yaml")
    assert report_of(done)["run"]["datasets"] == ["a"]
    Path("policy.yaml").write_text("version: 1\n")
    done = evaluate("--config", "policy.yaml")
    assert (done.returncode, "the policy names no datasets" in done.stderr) == (2, True)


def test_options_go_before_the_policy(evaluate):
    Path("policy.yaml").write_text(
        "version: 1\nsampling: {repeat: 3, pass_rule: any}\n"
        "gates: {overall: {threshold: 0.9}, groups: {by: category, threshold: 1}}\n"
    )
    policy = ["questions.yaml", "--json", "--config", "policy.yaml"]
    document = report_of(evaluate(*policy))
    assert document["run"]["repeat"] == 3
    assert document["run"]["pass_rule"] == "any"
    assert document["summary"]["threshold"] == 0.9
    done = evaluate(*policy, "--threshold", "0.5", "--group-threshold", "0", "--repeat", "1")
    assert (done.returncode, report_of(done)["run"]["repeat"]) == (0, 1)
    done = evaluate(*policy, "--strict")
    assert done.returncode == 2
    assert "strict cannot be combined with threshold" in done.stderr


def test_a_policy_with_problems_is_told(evaluate):
    Path("policy.yaml").write_text("version: 2\ngates: {rules: [{metric: x}]}\n")
    done = evaluate("questions.yaml", "--config", "policy.yaml")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "line 1: unsupported policy version 2; expected 1",
        "line 2: a rule needs min or max",
        "error: Invalid evaluation policy policy.yaml: 2 problems",
    ]


def test_options_have_environment_variables(monkeypatch, evaluate):
    monkeypatch.setenv("MINOS_EVAL_THRESHOLD", "0.9")
    assert evaluate("questions.yaml").returncode == 1
    assert evaluate("questions.yaml", "--threshold", "0.5").returncode == 0


def test_earlier_answers_are_judged_again(evaluate):
    assert evaluate("questions.yaml", "--provider", "app.py:better", "--repeat", "2",
                    "--out", "first").returncode == 0  # fmt: skip
    Path("app.py").unlink()
    stricter = QUESTIONS.replace('contains: "9"', "equals: no")
    Path("questions.yaml").write_text(stricter)
    for earlier in ("first", "first/results.jsonl"):
        done = evaluate("questions.yaml", "--from", earlier, "--json")
        document = report_of(done)
        assert document["run"]["subject"] == "app.py:better"
        assert document["run"]["repeat"] == 2
        assert [case["status"] for case in document["cases"]] == ["passed", "failed"]
    done = evaluate("questions.yaml", "--from", "first", "--repeat", "3")
    assert (done.returncode, "2 attempts of each case" in done.stderr) == (2, True)


def test_failed_cases_are_run_again(evaluate):
    evaluate("questions.yaml", "--out", "first")
    done = evaluate("questions.yaml", "--failed-in", "first", "--provider", "app.py:better",
                    "--json", "--strict")  # fmt: skip
    document = report_of(done)
    assert done.returncode == 0
    assert [case["input"] for case in document["cases"]] == ["When do you open?"]
    assert document["run"]["selected_of"] == 2


def test_a_dry_run_says_what_it_would_do(evaluate):
    done = evaluate("questions.yaml", "--provider", "app.py:boom", "--repeat", "3", "--limit", "1",
                    "--dry-run")  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "questions.yaml: 2 cases",
        f"subject: function boom of {Path.cwd() / 'app.py'}",
        "cases: 1 of 2, 3 attempts each",
        "subject calls: 3",
        "judge calls: 0",
    ]
    assert not Path("minos-out").exists()
    done = evaluate("questions.yaml", "--dry-run", "--json")
    assert json.loads(done.stdout)["summary"]["subject_calls"] == 0


def test_assertions_come_from_plugins(evaluate):
    Path("polite.py").write_text(
        "from minos.cases import assertion\n"
        "@assertion('polite', options=['word'])\n"
        "def polite(observed, options):\n"
        "    return options.get('word', 'please') in observed.output\n"
    )
    Path("polite.yaml").write_text(
        "- {input: a, actual_output: yes please, expected: {polite: {}}}\n"
        "- {input: b, actual_output: no, expected: {polite: {word: thanks}}}\n"
    )
    assert evaluate("polite.yaml").returncode == 2
    done = evaluate("polite.yaml", "--plugin", "polite.py", "--json")
    assert [case["status"] for case in report_of(done)["cases"]] == ["passed", "failed"]
    Path("clash.py").write_text(Path("polite.py").read_text().replace("'polite'", "'contains'"))
    done = evaluate("polite.yaml", "--plugin", "clash.py")
    assert (done.returncode, "two assertions named 'contains'" in done.stderr) == (2, True)


FORMATS = {
    "console": lambda text: text.startswith("Evaluation of recorded\n══"),
    "text": lambda text: text.isascii() and text.startswith("Evaluation of recorded\n=="),
    "json": lambda text: json.loads(text)["schema_version"] == 3 and text.count("\n") == 1,
    "html": lambda text: text.startswith("<!doctype html>"),
    "github": lambda text: text.endswith("::notice::minos: 1/2 passed (50%25)\n"),
    "junit": lambda text: ET.fromstring(text)[0].attrib["failures"] == "1",  # noqa: S314
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_goes_to_stdout_or_a_file(name, evaluate):
    done = evaluate("questions.yaml", "--format", name)
    assert FORMATS[name](done.stdout)
    path = Path("report.out")
    done = evaluate("questions.yaml", "--format", name, "-o", path)
    assert FORMATS[name](path.read_text(encoding="utf-8"))
    assert done.stdout == ""
    assert f"Results written to {path}" in done.stderr


def test_a_report_in_a_folder_that_is_not_there(evaluate):
    done = evaluate("questions.yaml", "--format", "json", "-o", "nowhere/e.json")
    assert done.returncode == 1
    name = Path("nowhere", "e.json")
    assert f"error: {name}: No such file or directory" in done.stderr.splitlines()


HOSTILE = "<script>alert(1)</script>\n::error::forged \x1b[31m\u202e]]>"


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_text_is_inert_in_every_format(name, evaluate):
    case = {
        "input": HOSTILE,
        "actual_output": HOSTILE,
        "metadata": {"category": HOSTILE},
        "expected": {"equals": HOSTILE + "!"},
    }
    Path("hostile.json").write_text(json.dumps([case]))
    done = evaluate("hostile.json", "--format", name, "--group-by", "category",
                    "--group-threshold", "1")  # fmt: skip
    assert done.returncode == 1
    assert "\x1b" not in done.stdout + done.stderr
    if name != "json":
        assert "\u202e" not in done.stdout
        assert "\n::error::forged" not in done.stdout
    if name == "html":
        assert "<script" not in done.stdout
    if name == "junit":
        assert len(ET.fromstring(done.stdout)[0]) == 1  # noqa: S314


def test_a_command_is_asked(evaluate):
    code = "import json,sys; q=json.load(sys.stdin); print('30 days receipt 9', sorted(q))"
    Path("bot.py").write_text(code)
    done = evaluate("questions.yaml", "--command", f"{sys.executable} bot.py", "--json", "--strict")
    assert done.returncode == 0
    assert (
        "['context', 'input', 'metadata', 'version']"
        in report_of(done)["cases"][0]["actual_output"]
    )
    done = evaluate("questions.yaml", "--command", "false", "--json")
    assert done.returncode == 1
    assert report_of(done)["cases"][0]["failures"] == [
        {"provider": "the command ended with status 1"}
    ]


def test_a_hanging_function_ends_the_run_and_the_process():
    started = time.monotonic()
    done = in_process("questions.yaml", "--provider", "app.py:hang", "--timeout", "0.2")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-2:] == [
        (
            "error: the run stopped after 1 of 2 attempts: StuckError: 1 call hangs"
            " (while asking app.py:hang about case 'questions#2')"
        ),
        "hint: run the subject as a process that can be killed: --command",
    ]
    assert time.monotonic() - started < 60
    lines = (only_directory() / "results.partial.jsonl").read_text().splitlines()
    assert json.loads(lines[1])["error"]["kind"] == "timeout"


def test_a_stopped_run_is_gone_on_with(evaluate):
    done = evaluate("questions.yaml", "--provider", "app.py:answer", "--run-timeout", "1e-9",
                    "--out", "run")  # fmt: skip
    assert done.returncode == 1
    assert "error: the run stopped after 0 of 2 attempts: the time for the run is over" in (
        done.stderr
    )
    done = evaluate("questions.yaml", "--provider", "app.py:answer", "--resume", "run", "--json")
    assert report_of(done)["summary"]["total"] == 2
    done = evaluate("questions.yaml", "--provider", "app.py:answer", "--resume", "run", "--json")
    assert "nothing to do: run holds the whole run" in done.stderr
    assert report_of(done)["summary"]["total"] == 2
    done = evaluate("questions.yaml", "--provider", "app.py:boom", "--resume", "run")
    assert done.returncode == 2
    assert "the run was started with subject 'app.py:answer', not 'app.py:boom'" in done.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_ctrl_c_writes_what_there_is(evaluate):
    os.mkfifo("reached")
    Path("wait.py").write_text(
        "import anyio\n"
        "async def answer(case):\n"
        "    if case.input.startswith('When'):\n"
        "        open('reached', 'w').close()\n"
        "        await anyio.sleep(600)\n"
        "    return 'x'\n"
    )
    command = [sys.executable, "-m", "minos", "eval", "questions.yaml", "--out", "run"]
    command += ["--provider", "wait.py:answer"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    Path("reached").read_text()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode == 130
    assert told.splitlines()[-1] == "error: cancelled"
    assert sorted(path.name for path in Path("run").iterdir()) == [
        ".minos-journal.jsonl",
        "results.partial.jsonl",
    ]
    done = evaluate("questions.yaml", "--provider", "app.py:better", "--out", "run")
    assert (done.returncode, "holds a run that did not end" in done.stderr) == (2, True)


def test_a_budget_covers_what_answers_tell(evaluate):
    Path("dear.py").write_text(
        "from minos.cases import Answer, Usage\n"
        "def answer(case):\n    return Answer('x', usage=Usage(cost_usd=1.0))\n"
    )
    done = evaluate("questions.yaml", "--provider", "dear.py:answer", "--max-cost", "1.5")
    assert done.returncode == 1
    assert "note: --max-cost counts what answers tell of their cost" in done.stderr
    assert "the run stopped after 1 of 2 attempts" in done.stderr


def test_help_is_quick_and_says_what_there_is(evaluate):
    done = evaluate("--help")
    assert done.returncode == 0
    assert "--pass-rule" in done.stdout
    assert "--concurrency" not in done.stdout
    assert evaluate("questions.yaml", "--concurrency", "2").returncode == 0


def test_what_init_makes_passes_without_a_model(evaluate, minos):
    done = minos("init")
    assert done.returncode == 0
    assert Path("tests/evals/datasets/example.yaml").exists()
    for arguments in (["--config", "minos-policy.yaml"], ["--strict"]):
        assert evaluate(*arguments).returncode == 0
    Path("minos-policy.yaml").write_text("mine")
    again = minos("init")
    assert again.stderr.count("kept ") == 3
    assert Path("minos-policy.yaml").read_text() == "mine"


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.usefixtures("planted")
def test_a_key_in_an_address_or_a_command_is_kept_nowhere(name, evaluate):
    url = f"http://127.0.0.1:1/?key={PLANTED}"
    asked = ["--url", url], ["--command", f"{sys.executable} -c 1/0 {PLANTED}"]
    for number, arguments in enumerate(asked):
        done = evaluate("questions.yaml", *arguments, "--format", name, "--out", f"run-{number}")
        assert done.returncode == 1
        assert PLANTED not in done.stdout + done.stderr
        for path in Path(f"run-{number}").iterdir():
            assert PLANTED not in path.read_text(encoding="utf-8")
