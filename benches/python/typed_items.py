"""The shape of an item as types of msgspec and pydantic: what a typed decoder can check of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal


def msgspec_item() -> object:
    """Return the item as msgspec types."""
    import msgspec

    criterion = msgspec.defstruct(
        "Criterion",
        [("description", str), ("examples", list[str], []), ("not_for", list[str], [])],
        forbid_unknown_fields=True,
    )
    content = str | dict[str, Any] | list[Any]
    described = str | criterion
    kinds = {
        "noul": (
            "criteria",
            dict[Literal["true", "false"], content] | msgspec.UnsetType,
            msgspec.UNSET,
        ),
        "choice": ("criteria", dict[str, described | None]),
        "score": (
            "criteria",
            Annotated[list[described], msgspec.Meta(min_length=2, max_length=10)],
        ),
    }
    questions = [
        msgspec.defstruct(
            kind.title(),
            [("instructions", content), criteria],
            tag_field="type",
            tag=kind,
            forbid_unknown_fields=True,
        )
        for kind, criteria in kinds.items()
    ]
    question = questions[0] | questions[1] | questions[2]
    return msgspec.defstruct(
        "Item",
        [
            ("id", Annotated[str, msgspec.Meta(min_length=1)]),
            ("state", content),
            ("questions", Annotated[dict[str, question], msgspec.Meta(min_length=1)]),
            ("expected", dict[str, bool | int | str]),
            ("source", str | msgspec.UnsetType, msgspec.UNSET),
            ("version", Literal[1], 1),
        ],
        forbid_unknown_fields=True,
    )


def pydantic_item() -> Any:
    """Return the item as a pydantic model."""
    import pydantic

    strict = pydantic.ConfigDict(extra="forbid", strict=True)
    criterion = pydantic.create_model(
        "Criterion",
        __config__=strict,
        description=str,
        examples=(list[str], []),
        not_for=(list[str], []),
    )
    content = str | dict[str, Any] | list[Any]
    described = str | criterion
    levels = Annotated[list[described], pydantic.Field(min_length=2, max_length=10)]
    noul = pydantic.create_model(
        "Noul",
        __config__=strict,
        type=Literal["noul"],
        instructions=content,
        criteria=(dict[Literal["true", "false"], content], {}),
    )
    choice = pydantic.create_model(
        "Choice",
        __config__=strict,
        type=Literal["choice"],
        instructions=content,
        criteria=dict[str, described | None],
    )
    score = pydantic.create_model(
        "Score", __config__=strict, type=Literal["score"], instructions=content, criteria=levels
    )
    question = Annotated[noul | choice | score, pydantic.Field(discriminator="type")]
    return pydantic.create_model(
        "Item",
        __config__=strict,
        id=Annotated[str, pydantic.Field(min_length=1)],
        state=content,
        questions=Annotated[dict[str, question], pydantic.Field(min_length=1)],
        expected=dict[str, bool | int | str],
        source=(str, ""),
        version=(Literal[1], 1),
    )
