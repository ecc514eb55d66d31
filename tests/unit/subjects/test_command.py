"""Commands as subjects."""

import json
import os
import shlex
import sys
from functools import partial

import anyio
import pytest

from minos.attempts.sync import run_in_own_loop
from minos.cases import Answer, Case
from minos.errors import ConfigError
from minos.subjects.base import Question, SubjectError
from minos.subjects.command import CommandSubject

QUESTION = Question("hello", {"n": 1}, None, Case(input="hello", expected_output="secret"))


def python(code):
    return CommandSubject(f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}")


def ask(code):
    return run_in_own_loop(partial(python(code).ask, QUESTION)).answer


def told(code):
    with pytest.raises(SubjectError) as caught:
        ask(code)
    return str(caught.value)


def test_a_command_gets_the_question_and_answers_on_stdout():
    assert ask("import sys; print(sys.stdin.read().upper())").text == (
        '{"VERSION": 1, "INPUT": "HELLO", "METADATA": {"N": 1}, "CONTEXT": NULL}'
    )
    assert ask("print('nobody reads the question')") == Answer("nobody reads the question")
    answer = {"version": 1, "output": "x", "usage": {"cost_usd": 0.5}}
    assert ask(f"print({json.dumps(json.dumps(answer))})").usage.cost_usd == 0.5


def test_what_goes_wrong_is_told():
    assert told("raise SystemExit(3)") == "the command ended with status 3"
    assert told("raise ValueError('no')") == "the command ended with status 1: ValueError: no"
    assert told("import os; os.kill(os.getpid(), 9)") == "the command was ended by signal 9"
    assert told(r"import sys; sys.stdout.buffer.write(b'\xff')") == (
        "the command's output is not UTF-8 at byte 0"
    )
    assert told("import sys\nwhile True: sys.stdout.write('x' * 65536)") == (
        "the command printed more than 16 MiB"
    )
    assert told("import sys; sys.stderr.write('x' * 100000 + '\\nlast\\n\\n'); sys.exit(1)") == (
        "the command ended with status 1: last"
    )
    with pytest.raises(SubjectError, match="cannot be started: No such file"):
        run_in_own_loop(partial(CommandSubject("no-such-command-here").ask, QUESTION))


def test_a_command_is_split_without_a_shell():
    assert CommandSubject("echo a").name == "echo"
    text = run_in_own_loop(partial(CommandSubject("echo '$HOME; ls' \"a b\"").ask, QUESTION))
    assert text.answer.text == "$HOME; ls a b"
    for wrong in ("", "   ", "echo 'a"):
        with pytest.raises(ConfigError):
            CommandSubject(wrong)


def test_a_command_that_is_cancelled_takes_its_children_with_it(tmp_path):
    fifo = tmp_path / "alive"
    os.mkfifo(fifo)
    code = (
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n"
        f"alive = open({str(fifo)!r}, 'w')\n"
        "child = 'import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)'\n"
        "subprocess.Popen([sys.executable, '-c', child], pass_fds=[alive.fileno()])\n"
        "print('up', file=alive, flush=True)\n"
        "time.sleep(600)\n"
    )

    async def run():
        async with anyio.create_task_group() as tasks:

            async def call():
                await python(code).ask(QUESTION)

            tasks.start_soon(call)
            async with await anyio.open_file(fifo) as alive:
                assert await alive.readline() == "up\n"
                tasks.cancel_scope.cancel()
                with anyio.CancelScope(shield=True):
                    # The file ends once nobody has it open: both processes are gone.
                    assert await alive.read() == ""

    run_in_own_loop(run)
