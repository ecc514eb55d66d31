"""A Python callable as a subject."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Literal, TypeAlias, cast

from minos.errors import ConfigError, DecisionError, MinosError
from minos.subjects.base import Question, Reply, StuckError, SubjectError, read_reply
from minos.subjects.threads import Threads

Wanted: TypeAlias = Literal["case", "input"]
"""What a callable takes."""


class CallableSubject:
    """A function, an asynchronous function, an object with `__call__`, or a class of such objects.

    A parameter named `case`, or annotated with the type of a case, gets the case; one named `input`
    gets the input; any other single one gets what `default` says. A class is made once for each
    attempt. Functions that are not asynchronous run on threads of their own.

    Attributes:
        name: What the results file calls it.
        threads: The threads of its calls.
    """

    def __init__(
        self,
        function: object,
        *,
        case_type: type,
        default: Wanted = "case",
        name: str | None = None,
        most_stuck: int = 1,
    ) -> None:
        """Describe a subject; nothing is called yet.

        Args:
            function: What is called.
            case_type: What a case is.
            default: What a single parameter without a telling name gets.
            name: What the results file calls it; the function's own name when left out.
            most_stuck: How many hanging calls end the run, at least 1.

        Raises:
            ConfigError: It cannot be called with a case or an input.
        """
        if not callable(function):
            raise ConfigError(f"a subject must be callable, not {type(function).__name__}")
        self.name = name or _name(function)
        self.threads = Threads()
        self._is_class = inspect.isclass(function)
        self._make = cast("Callable[..., Any]", function)
        self._case_type = case_type
        self._most_stuck = most_stuck
        called = getattr(function, "__call__", None) if self._is_class else function  # noqa: B004
        if self._is_class and not inspect.isfunction(called):
            raise ConfigError(f"objects of {self.name} cannot be called")
        self._wanted = _wanted(called, case_type, default, skips_self=self._is_class)

    async def ask(self, question: Question) -> Reply:
        """Call the function with the case or its input.

        Raises:
            SubjectError: It raised, or returned no answer.
            StuckError: As many calls as may run at a time hang.
        """
        if self.threads.stuck >= self._most_stuck:
            count = self.threads.stuck
            raise StuckError(
                "1 call hangs" if count == 1 else f"{count} calls hang",
                hint="run the subject as a process that can be killed: --command",
            )
        values = {"case": question.case, "input": question.input}
        arguments = {name: values[wanted] for name, wanted in self._wanted.items()}
        positional = arguments.pop("", _NOTHING)
        given = () if positional is _NOTHING else (positional,)
        try:
            returned = await self._call(*given, **arguments)
        except (MinosError, Exception, SystemExit) as error:
            raise _told(error) from error
        return read_reply(returned, self._case_type)

    async def aclose(self) -> None:
        """Do nothing: a function holds nothing."""

    async def _call(self, *given: Any, **arguments: Any) -> object:  # noqa: ANN401
        function = self._make
        if self._is_class:
            function = await self.threads.call(self._make)
        if _is_asynchronous(function):
            returned = function(*given, **arguments)
        else:
            returned = await self.threads.call(partial(function, *given, **arguments))
        if inspect.isawaitable(returned):
            return await cast("Awaitable[object]", returned)
        return returned


_NOTHING = object()


def _is_asynchronous(function: object) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004
    )


def _name(function: object) -> str:
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}:{named.__qualname__}"


def _told(error: BaseException) -> SubjectError:
    if isinstance(error, SubjectError):
        return error
    if isinstance(error, DecisionError):
        return SubjectError(str(error))
    text = str(error)
    kind = type(error).__name__
    told = f"{kind}: {text}" if text else kind
    return SubjectError(told.encode("utf-8", "replace").decode())


def _wanted(
    called: object, case_type: type, default: Wanted, *, skips_self: bool
) -> dict[str, Wanted]:
    """Return what each parameter gets; the name "" is for a positional one."""
    try:
        parameters = list(inspect.signature(cast("Callable[..., Any]", called)).parameters.values())
    except (TypeError, ValueError):  # a function of C without a signature
        return {"": default}
    if skips_self:
        parameters = parameters[1:]
    wanted: dict[str, Wanted] = {}
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            continue
        if parameter.name == "case" or _is_case(parameter.annotation, case_type):
            wanted[parameter.name] = "case"
        elif parameter.name == "input":
            wanted[parameter.name] = "input"
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    rest = [p for p in parameters if p.kind not in variadic and p.name not in wanted]
    required = [p for p in rest if p.default is inspect.Parameter.empty]
    if not wanted:
        required += [p for p in parameters if p.kind is inspect.Parameter.VAR_POSITIONAL]
        positional = next(iter(required or rest), None)
        if positional is None:
            raise ConfigError("a subject must take a case or an input")
        required = [p for p in required if p is not positional]
        is_named = positional.kind is inspect.Parameter.KEYWORD_ONLY
        wanted[positional.name if is_named else ""] = default
    if required:
        names = ", ".join(parameter.name for parameter in required)
        raise ConfigError(
            f"a subject gets a case or an input, and nothing for {names}",
            hint="name its parameter `case` or `input`",
        )
    return wanted


def _is_case(annotation: object, case_type: type) -> bool:
    if isinstance(annotation, str):
        return annotation.rpartition(".")[2] == case_type.__name__
    return annotation is case_type
