"""The style sheets of the view, and of the page in it: files into which the rules of each region and column are filled.
A region and a column each have a colour of their own."""

from __future__ import annotations

from functools import cache

from fastwrap.common.resources import filled, resource
from fastwrap.show.regions import MAX_COLUMNS

REGION_HUES = (214, 24, 158, 280, 335, 188, 46, 0)


def column_hue(number: int) -> int:
    """The colour of a column: neighbours are far apart, by the golden angle.

    >>> column_hue(0), column_hue(1)
    (140, 277)
    """
    return int(140 + 137.508 * number) % 360


@cache
def style(name: str) -> str:
    """The style sheet of the "view", or of the "page" in it."""
    hues = {"region": REGION_HUES, "column": [column_hue(number) for number in range(MAX_COLUMNS)]}
    rules = {
        f"{kind}s": "".join(
            filled(resource("fastwrap.show", f"{name}_{kind}.css"), number=number, hue=hue)
            for number, hue in enumerate(of_kind)
        )
        for kind, of_kind in hues.items()
    }
    return filled(resource("fastwrap.show", f"{name}.css"), **rules)
