"""The parts of `minos eval`."""
