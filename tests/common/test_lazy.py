"""Lazy properties, against the same in plain Python."""

from __future__ import annotations

from typing import Any

import pytest

from fastwrap.common.lazy import lazy_property
from tests.reference.common import lazy as plain


@pytest.mark.parametrize("lazy", [lazy_property, plain.lazy_property])
def test_computed_once_and_kept(lazy: Any) -> None:
    asked = []

    class Held:
        @lazy  # type: ignore[untyped-decorator]
        def part(self) -> int:
            """What it is."""
            asked.append(self)
            if len(asked) == 1:
                raise ValueError("not yet")
            return len(asked)

    class Inner(Held):
        pass

    held, inner = Held(), Inner()
    with pytest.raises(ValueError, match="not yet"):
        _ = held.part
    assert "part" not in vars(held)
    assert (held.part, held.part, inner.part, len(asked)) == (2, 2, 3, 3)
    assert vars(held) == {"part": 2}
    assert isinstance(Held.part, lazy)
    assert Held.part.__doc__ == "What it is."
    held.__dict__["part"] = 9
    assert held.part == 9


@pytest.mark.parametrize("lazy", [lazy_property, plain.lazy_property])
def test_an_object_that_cannot_keep_it(lazy: Any) -> None:
    class Held:
        __slots__ = ()

        @lazy  # type: ignore[untyped-decorator]
        def part(self) -> int:
            return 1

    with pytest.raises(AttributeError):
        _ = Held().part
