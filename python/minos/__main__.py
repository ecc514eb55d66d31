"""`python -m minos` is the command `minos`."""

from __future__ import annotations

from minos.cli.main import main

if __name__ == "__main__":
    main()
