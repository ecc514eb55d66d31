"""The native half of minos."""

def printable(text: str) -> str:
    r"""Return text that is safe to print: control and bidirectional characters as `\uXXXX`."""
