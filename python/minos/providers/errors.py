"""What a failed exchange means, in one table for every wire."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from minos.errors import DecisionError, DecisionErrorKind
from minos.providers.exchange import Failure, RawExchange
from minos.providers.redactor import Redactor
from minos.providers.retry import is_transient
from minos.providers.shown import shown
from minos.providers.strict_json import UnreadableError, parse_json

_SITE_OVERLOADED = 529
_SHOWN_PROBLEMS = 5
_JSON_TYPE = "application/json"

_KINDS = {
    HTTPStatus.BAD_REQUEST: DecisionErrorKind.VALIDATION,
    HTTPStatus.UNAUTHORIZED: DecisionErrorKind.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN: DecisionErrorKind.UNAUTHORIZED,
    HTTPStatus.UNPROCESSABLE_ENTITY: DecisionErrorKind.VALIDATION,
    HTTPStatus.TOO_MANY_REQUESTS: DecisionErrorKind.RATE_LIMITED,
    HTTPStatus.SERVICE_UNAVAILABLE: DecisionErrorKind.OVERLOADED,
    _SITE_OVERLOADED: DecisionErrorKind.OVERLOADED,
}


def kind_of_status(status_code: int) -> DecisionErrorKind:
    """Return what kind of failure an HTTP status outside 200 to 299 is."""
    kind = _KINDS.get(status_code)
    if kind is not None:
        return kind
    if status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return DecisionErrorKind.SERVER
    return DecisionErrorKind.HTTP


def status_error(raw: RawExchange, redactor: Redactor) -> DecisionError:
    """Return the failure that a response of a status outside 200 to 299 is.

    Its message names the status, and after it what the server said, masked and cut to a line.

    Args:
        raw: The response.
        redactor: Masks the keys that were sent.
    """
    detail = _detail(raw, redactor)
    said = _plain_words(raw.body.data, redactor) if detail is None else server_words(detail)
    told = f"The API returned HTTP {raw.status_code}."
    return DecisionError(
        kind_of_status(raw.status_code),
        f"{told} The server said: {said}" if said else told,
        status_code=raw.status_code,
        retry_after_s=raw.retry_after_s,
        detail=detail,
        request_id=raw.request_id,
        tries=raw.tries,
        held_s=raw.held_s,
    )


def status_failure(raw: RawExchange, redactor: Redactor) -> Failure | None:
    """Return why a response is a failure, by its status; None where it is an answer."""
    if raw.is_success:
        return None
    error = status_error(raw, redactor)
    return Failure(error, is_transient(error.kind, raw.status_code))


def _detail(raw: RawExchange, redactor: Redactor) -> Any:  # noqa: ANN401
    """Return an error body as parsed JSON; None where it is cut off, or cannot be read as JSON."""
    media_type = raw.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_json = media_type == _JSON_TYPE or media_type.endswith("+json")
    if not is_json or raw.body.fault:
        return None
    try:
        return redactor.json(parse_json(raw.body.data))
    except (UnreadableError, RecursionError):
        return None


def server_words(detail: object) -> str:
    """Return what a server says about a failure, in one line that is safe to show.

    Every envelope in use is understood: `error` as text or with a `message`, `message`, `detail`
    as text, with a `message` or as a list of problems, and Cloudflare's `errors`. A problem's
    `input` echoes what was asked and is left out.

    Args:
        detail: A body as JSON, keys masked.
    """
    return shown(_message(detail))


def _plain_words(body: bytes, redactor: Redactor) -> str:
    text = redactor.text(body.decode("utf-8", "replace")).lstrip()
    # A gateway's error page says less than its status.
    return "" if text.startswith("<") else shown(text)


def _message(detail: object) -> str:
    if isinstance(detail, str):
        return detail
    if not isinstance(detail, dict):
        return ""
    error = detail.get("error")
    for value in (
        error,
        _member(error, "message"),
        detail.get("message"),
        detail.get("detail"),
        _member(detail.get("detail"), "message"),
        _member(detail.get("detail"), "error_type"),
        _problems(detail.get("detail")),
        _problems(detail.get("errors")),
    ):
        if isinstance(value, str) and value:
            return value
    return ""


def _member(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _problems(value: object) -> str:
    """Join a list of problems: `{loc, msg}` of a validator, `{code, message}` of Cloudflare."""
    if not isinstance(value, list):
        return ""
    told = []
    for problem in value[:_SHOWN_PROBLEMS]:
        place = _member(problem, "loc")
        text = _member(problem, "msg") or _member(problem, "message")
        if not isinstance(text, str):
            continue
        if isinstance(place, list):
            told.append(f"{'.'.join(str(part) for part in place)}: {text}")
        else:
            told.append(text)
    return "; ".join(told)
