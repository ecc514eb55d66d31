"""The command `minos`, which `python -m minos` is too."""

from __future__ import annotations

import gc
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line of the process and exit."""
    # What is imported stays: to look for garbage in it takes a tenth of the start.
    gc.disable()
    from minos.cli.main import main as run_command  # noqa: PLC0415

    gc.freeze()
    gc.enable()
    run_command()


if __name__ == "__main__":
    main()
