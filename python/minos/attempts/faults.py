"""What an exception means to a run: a cancellation, an interrupt, or a fault that stops it."""

from __future__ import annotations

INTERRUPTS = (KeyboardInterrupt, SystemExit)
"""What asks the whole process to end, wherever it is raised."""


def is_cancellation(error: BaseException, types: tuple[type[BaseException], ...]) -> bool:
    """Whether an exception says that an await was cancelled; a group of such says so too."""
    if isinstance(error, BaseExceptionGroup):
        return error.split(types)[1] is None
    return isinstance(error, types)


def interrupt_of(error: BaseException) -> BaseException | None:
    """Return the interrupt that an exception is, or that a group holds; None without one."""
    if isinstance(error, INTERRUPTS):
        return error
    if isinstance(error, BaseExceptionGroup):
        found = (interrupt_of(each) for each in error.exceptions)
        return next((each for each in found if each is not None), None)
    return None


def in_words(error: BaseException, where: str) -> str:
    """Say in a line what was raised and where, and note the latter on the exception.

    Args:
        error: Any exception; one that cannot say anything is named alone.
        where: Such as "while asking embedded about item 'msg-1'".
    """
    error.add_note(f"raised {where}")
    try:
        said = str(error)
    except Exception:  # noqa: BLE001 (whatever a class of somebody else does)
        said = ""
    name = type(error).__name__
    return f"{name}: {said} ({where})" if said else f"{name} ({where})"
