"""HTML reports, each one file that needs nothing else: the frame, figures and tables that both tools share.
Titles, names and cells are escaped here; sections are markup already."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from fastwrap.common.resources import filled, resource
from fastwrap.tools.reports.plots import colour
from fastwrap.tools.tables import Row


class Figure(NamedTuple):
    """A plot and its title; `shape` may be "tall"."""

    title: str
    svg: str
    shape: str = ""


def report(title: str, facts: Iterable[str], sections: Mapping[str, str], script: str = "") -> str:
    """A whole report: what it is about, one line per fact, then its sections by heading.

    >>> "<h2>Plots</h2>none</section>" in report("a < b", ["one page"], {"Plots": "none"})
    True
    """
    return filled(
        resource(__name__, "report.html"),
        title=escape(title),
        style=resource(__name__, "report.css"),
        facts="<br>".join(map(escape, facts)),
        sections="\n".join(f"<section><h2>{escape(head)}</h2>{body}</section>" for head, body in sections.items()),
        script=f"<script>\n{script}</script>" if script else "",
    )


def legend(names: Iterable[str]) -> str:
    """Which colour is whose."""
    entries = "".join(f'<li class="{colour(number)}">{escape(name)}</li>' for number, name in enumerate(names))
    return f'<ul class="legend">{entries}</ul>'


def figures(drawn: Iterable[Figure]) -> str:
    """Plots, each with its title."""
    entries = "".join(
        f'<figure class="{figure.shape}"><figcaption>{escape(figure.title)}</figcaption>{figure.svg}</figure>'
        for figure in drawn
    )
    return f'<div class="plots">{entries}</div>'


def table(title: str, rows: Sequence[Row], words: Collection[int] = (0,)) -> str:
    """Rows as a table that can be folded away, the first row as its head; nothing where there are no others.

    Columns in `words` are flush left.
    """
    if len(rows) < 2:
        return ""
    kinds = ["words" if place in words else "" for place in range(len(rows[0]))]
    head, *body = (
        "".join(f'<{tag} class="{kind}">{escape(text)}</{tag}>' for kind, text in zip(kinds, row, strict=True))
        for row, tag in zip(rows, ["th", *["td"] * (len(rows) - 1)], strict=True)
    )
    return (
        f'<details class="table" open><summary>{escape(title)}</summary><div class="scroll"><table class="figures">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{cells}</tr>' for cells in body)}</tbody>"
        "</table></div></details>"
    )
