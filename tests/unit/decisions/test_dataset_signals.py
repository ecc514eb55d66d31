"""Ctrl-C while a data set is read."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

SCRIPT = """
import sys
from minos.decisions.dataset import DecisionDataset
try:
    DecisionDataset.load(sys.argv[1])
except KeyboardInterrupt:
    sys.exit(7)
"""


@pytest.mark.skipif(os.name == "nt", reason="named pipes are those of Unix")
def test_a_pipe_that_gives_nothing_can_be_interrupted(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with (
        subprocess.Popen([sys.executable, "-c", SCRIPT, str(pipe)]) as child,
        # Opening returns when the child has opened the other end.
        pipe.open("wb", buffering=0) as end,
    ):
        end.write(b'{"id":')
        child.send_signal(signal.SIGINT)
        assert child.wait() == 7
