"""Whether the answer is JSON that keeps a schema: json_schema."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from minos._native import Pattern
from minos.cases.assertions.base import (
    AssertionType,
    Check,
    Observed,
    Options,
    OptionsError,
    Verdict,
)
from minos.cases.assertions.json_text import read_json

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_MOST_SHOWN = 5
_NO_SCHEMA = "json_schema requires an object as schema: write `json_schema: {schema: {...}}`"


def _needs() -> str:
    if importlib.util.find_spec("jsonschema") is None:
        return "the package jsonschema (pip install 'minos-eval[schema]')"
    return ""


def _json_schema(options: Options) -> Check:
    schema = options.get("schema")
    if not isinstance(schema, dict):
        raise OptionsError(_NO_SCHEMA, "schema")
    if _needs():
        return lambda _observed: Verdict.error(f"json_schema needs {_needs()}")
    validator = _compiled(json.dumps(schema))

    def check(observed: Observed) -> Verdict:
        try:
            value = read_json(observed.output)
        except ValueError:
            return Verdict.failed("Invalid JSON")
        except RecursionError:
            return Verdict.error("The JSON nests too deeply to be read")
        try:
            found = [(error.json_path, error.message) for error in validator.iter_errors(value)]
        except Exception as error:  # noqa: BLE001 (a reference that leads nowhere, in words of its own)
            return Verdict.error(f"json_schema: the schema cannot be followed: {error}")
        if not found:
            return Verdict.passed()
        shown = sorted(found)[:_MOST_SHOWN]
        told = "; ".join(f"{path}: {message}" for path, message in shown)
        more = f" and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
        errors = [{"path": path, "message": message} for path, message in shown]
        return Verdict.failed(f"Output breaks the schema: {told}{more}", errors=errors)

    return check


@lru_cache(maxsize=64)
def _compiled(text: str) -> Validator:
    from jsonschema import SchemaError  # noqa: PLC0415 (an extra)
    from jsonschema.validators import extend, validator_for  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415

    schema = json.loads(text)
    kind = validator_for(schema)
    if _uses(schema, "unevaluatedProperties") and _uses(schema, "patternProperties"):
        message = "json_schema: unevaluatedProperties cannot be used with patternProperties"
        raise OptionsError(message, "schema")
    _compile_patterns(schema)
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        message = f"json_schema: {error.json_path}: {error.message}"
        raise OptionsError(message, "schema") from None
    # An empty registry reads nothing from elsewhere; patterns are searched for in linear time.
    linear: Any = extend(  # type: ignore[no-untyped-call]
        kind,
        {
            "pattern": _pattern,
            "patternProperties": _pattern_properties,
            "additionalProperties": _additional_properties,
        },
    )
    validator: Validator = linear(schema, registry=Registry())
    return validator


def _compile_patterns(schema: object) -> None:
    """Refuse patterns that cannot be searched for in linear time."""
    if isinstance(schema, list):
        for each in schema:
            _compile_patterns(each)
    if not isinstance(schema, dict):
        return
    patterns = [schema["pattern"]] if isinstance(schema.get("pattern"), str) else []
    by_pattern = schema.get("patternProperties")
    if isinstance(by_pattern, dict):
        patterns += by_pattern
    for source in patterns:
        try:
            _linear(source)
        except ValueError as error:
            raise OptionsError(f"json_schema: pattern {source!r}: {error}", "schema") from None
    for each in schema.values():
        _compile_patterns(each)


def _uses(schema: object, keyword: str) -> bool:
    if isinstance(schema, list):
        return any(_uses(each, keyword) for each in schema)
    if not isinstance(schema, dict):
        return False
    return keyword in schema or any(_uses(each, keyword) for each in schema.values())


@lru_cache(maxsize=256)
def _linear(source: str) -> Pattern:
    return Pattern(source)


def _pattern(_validator: Validator, source: str, value: object, _schema: object) -> Iterator[Any]:
    from jsonschema import ValidationError  # noqa: PLC0415 (an extra)

    if isinstance(value, str) and _linear(source).find(value) is None:
        yield ValidationError(f"{value!r} does not match {source!r}")


def _pattern_properties(
    validator: Any,  # noqa: ANN401 (what the protocol leaves out is used)
    by_pattern: dict[str, Any],
    value: object,
    _schema: object,
) -> Iterator[Any]:
    if not isinstance(value, dict):
        return
    for source, schema in by_pattern.items():
        for name, member in value.items():
            if _linear(source).find(name) is not None:
                yield from validator.descend(member, schema, path=name, schema_path=source)


def _additional_properties(
    validator: Any,  # noqa: ANN401 (what the protocol leaves out is used)
    additional: object,
    value: object,
    schema: dict[str, Any],
) -> Iterator[Any]:
    from jsonschema import ValidationError  # noqa: PLC0415 (an extra)

    if not isinstance(value, dict):
        return
    known, by_pattern = schema.get("properties", {}), schema.get("patternProperties", {})
    extra = [
        name
        for name in value
        if name not in known and all(_linear(source).find(name) is None for source in by_pattern)
    ]
    if isinstance(additional, dict):
        for name in extra:
            yield from validator.descend(value[name], additional, path=name)
    elif additional is False and extra:
        names = ", ".join(repr(name) for name in extra)
        yield ValidationError(f"Additional properties are not allowed: {names}")


JSON_SCHEMA = AssertionType(
    name="json_schema", read=_json_schema, options=("schema",), needs=_needs
)
