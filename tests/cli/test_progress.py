"""The progress display, on a fake clock."""

import io
import subprocess
import sys

from minos.cli.progress import show_progress


class Clock:
    def __init__(self):
        self.now_s = 100.0

    def __call__(self):
        return self.now_s


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_elsewhere_a_line_every_ten_seconds():
    clock, stream = Clock(), io.StringIO()
    with show_progress(100, stream=stream, clock=clock) as progress:
        for done in range(1, 101):
            clock.now_s += 0.5
            progress.update(done, errors=done // 40, cost_usd=done * 0.001)
    assert stream.getvalue().splitlines() == [
        "20 of 100, 2.0/s, 40 s left, $0.0200",
        "40 of 100, 2.0/s, 30 s left, 1 error, $0.0400",
        "60 of 100, 2.0/s, 20 s left, 1 error, $0.0600",
        "80 of 100, 2.0/s, 10 s left, 2 errors, $0.0800",
        "100 of 100, 2.0/s, 2 errors, $0.1000",
    ]


def test_items_of_an_earlier_start_say_nothing_about_the_rate():
    clock, stream = Clock(), io.StringIO()
    with show_progress(1000, already=900, stream=stream, clock=clock) as progress:
        clock.now_s += 10
        progress.update(901)
    assert stream.getvalue() == "901 of 1000, 0.1/s, 16 min 30 s left\n"


def test_long_runs_are_told_in_hours():
    clock, stream = Clock(), io.StringIO()
    with show_progress(100_000, stream=stream, clock=clock) as progress:
        clock.now_s += 10
        progress.update(100)
    assert stream.getvalue() == "100 of 100000, 10.0/s, 2 h 46 min left\n"


def test_nothing_done_has_no_rate():
    clock, stream = Clock(), io.StringIO()
    with show_progress(5, stream=stream, clock=clock) as progress:
        clock.now_s += 10
        progress.update(0)
    assert stream.getvalue() == "0 of 5\n"


def test_quiet_shows_nothing():
    clock, stream = Clock(), Terminal()
    with show_progress(5, quiet=True, stream=stream, clock=clock) as progress:
        clock.now_s += 60
        progress.update(5)
    assert stream.getvalue() == ""


def test_a_terminal_shows_a_bar(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    clock, stream = Clock(), Terminal()
    with show_progress(4, stream=stream, clock=clock) as progress:
        clock.now_s += 2
        progress.update(2, errors=1)
    drawn = stream.getvalue()
    assert "2 of 4, 1.0/s, 2 s left, 1 error" in drawn
    assert "━" in drawn


def test_no_color_is_honoured(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")

    def drawn():
        stream = Terminal()
        with show_progress(4, stream=stream, clock=Clock()) as progress:
            progress.update(2)
        return stream.getvalue()

    assert "\x1b[9" in drawn()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[9" not in drawn()


def test_rich_is_not_loaded_elsewhere():
    program = (
        "import sys; from minos.cli.progress import show_progress\n"
        "with show_progress(3) as progress: progress.update(1)\n"
        "assert 'rich' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
