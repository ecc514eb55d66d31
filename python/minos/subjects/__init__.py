"""What is under test: a Python callable, a command, a URL; and what it answers."""

from minos.subjects.answer import Answer, Failure, ToolCall, Usage

__all__ = ["Answer", "Failure", "ToolCall", "Usage"]
