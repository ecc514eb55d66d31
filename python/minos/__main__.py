"""The command `minos`, which `python -m minos` is too."""

from __future__ import annotations

import gc
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line of the process and exit.

    Ctrl-C ends it with 130 and one line at any moment, also before the command is imported.
    """
    try:
        # What is imported stays: to look for garbage in it takes a tenth of the start.
        gc.disable()
        from minos.cli.main import main as run_command  # noqa: PLC0415

        gc.freeze()
        gc.enable()
        code = run_command()
    except KeyboardInterrupt:
        code = _cancelled(sys.argv[1:])
    _ignore_interrupts()
    sys.exit(code)


def _cancelled(argv: list[str]) -> int:
    """Tell of an interrupt that came before or after the command could: nothing is imported."""
    _ignore_interrupts()
    sys.stderr.write("error: cancelled\n")
    if "--json" in argv:
        sys.stdout.write(
            '{"error": {"code": "cancelled", "message": "cancelled", "problems": []}}\n'
        )
    return 130


def _ignore_interrupts() -> None:
    """Let the interpreter end in peace: an interrupt would only print a traceback now."""
    import signal  # noqa: PLC0415 (not before the first import that can be interrupted)

    signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    main()
