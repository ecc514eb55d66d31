"""Every exception that minos raises on purpose.

MinosError
├── ProblemsError       a file or value with problems, from `Err.unwrap()`
├── ConfigError         a setting that is missing or wrong, told before anything is sent
├── DecisionError       one request failed; a run writes it on its item and goes on
└── RunError            a run stopped before its end
    └── DatasetRunError     a run over a decision data set; carries `partial_results`
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minos.problems import DatasetProblems


class MinosError(Exception):
    """The base of every exception that minos raises on purpose."""

    def __reduce__(self) -> tuple[object, ...]:
        # By itself an exception is made again from its text alone.
        return _made_again, (type(self), self.args, vars(self))


def _made_again(kind: type[MinosError], args: tuple[object, ...], members: Any) -> MinosError:  # noqa: ANN401
    error = kind.__new__(kind, *args)
    vars(error).update(members)
    return error


class ProblemsError(MinosError):
    """A file or value has problems.

    Attributes:
        problems: Every problem, in order.
        title: What failed; may be empty.
    """

    def __init__(self, problems: DatasetProblems, title: str = "") -> None:
        self.problems = problems
        self.title = title
        told = "\n".join(str(problem) for problem in problems)
        super().__init__(f"{title}: {told}" if title else told)


class ConfigError(MinosError):
    """A setting is missing or wrong.

    Attributes:
        hint: What to do about it; may be empty.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)


class DecisionErrorKind(StrEnum):
    """Why a request failed. The values stand in results files and reports."""

    UNAUTHORIZED = "Unauthorized"
    VALIDATION = "Validation"
    RATE_LIMITED = "RateLimited"
    OVERLOADED = "Overloaded"
    SERVER = "Server"
    HTTP = "Http"
    NETWORK = "Network"
    TIMEOUT = "Timeout"
    INVALID_RESPONSE = "InvalidResponse"
    UNSUPPORTED = "Unsupported"
    INVALID_QUESTIONS = "InvalidQuestions"
    DISPOSED = "Disposed"
    CANCELLED = "Cancelled"


class DecisionError(MinosError):
    """One request to a decision provider failed.

    Attributes:
        kind: Why it failed.
        message: The failure in one line, free of keys and of the server's control characters.
        status_code: The HTTP status, where there was one.
        retry_after_s: How long the server asked to wait, in seconds.
        detail: The error body as parsed JSON, where it was JSON; never written to a file.
        model: The model that answered, where the answer says so.
        input_tokens: Tokens read, where known.
        output_tokens: Tokens written, where known.
        cost_usd: The cost that the provider reported, where it did.
        request_id: The provider's name for the request.
        tries: How many requests were sent, retries included; 0 where nothing was sent.
        held_s: Seconds spent waiting for the provider's sake, as in `DecisionResponse`.
    """

    def __init__(
        self,
        kind: DecisionErrorKind,
        message: str,
        *,
        status_code: int | None = None,
        retry_after_s: float | None = None,
        detail: object = None,
        model: str | None = None,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        cost_usd: float | None = None,
        request_id: str | None = None,
        tries: int = 1,
        held_s: float = 0.0,
    ) -> None:
        self.kind = kind
        self.message = message
        self.status_code = status_code
        self.retry_after_s = retry_after_s
        self.detail = detail
        self.model = model
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens
        self.cost_usd = cost_usd
        self.request_id = request_id
        self.tries = tries
        self.held_s = held_s
        status = f" ({status_code})" if status_code is not None else ""
        super().__init__(f"{kind}{status}: {message}")


class RunError(MinosError):
    """A run stopped before its end; the cause is `__cause__`.

    Attributes:
        hint: What to do about it; may be empty.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)
