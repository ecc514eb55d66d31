"""Views of a file, which are not pickled."""

from __future__ import annotations

from typing import ClassVar, NoReturn, Self


class Unpickled:
    """What stands on the bytes of a file: copies share them, and pickling is refused in words."""

    __slots__ = ()

    _instead: ClassVar[str]
    """What to do instead of pickling it."""

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} is not pickled: {self._instead}")
