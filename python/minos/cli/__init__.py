"""The command `minos`."""
