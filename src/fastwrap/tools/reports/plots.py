"""Plots as inline SVG: axes, lines, dots and bars, and the plots that both tools draw.
Colours and type come from the report's style sheet, so that a plot follows the reader's light or dark."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TypeAlias

Range: TypeAlias = tuple[float, float]
Point: TypeAlias = tuple[float, float, str]  # where it is, and what it says when it is pointed at

MARGIN_TOP, MARGIN_RIGHT, MARGIN_BOTTOM = 12, 26, 42
WIDTH = 640


@dataclass
class Plot:
    """A plot under construction: a frame with two scales, and what has been drawn into it."""

    height: int
    left: int
    x_range: Range
    y_range: Range
    log_x: bool = False
    log_y: bool = False
    parts: list[str] = field(default_factory=list)

    def x(self, value: float) -> float:
        """Where a value stands from left to right."""
        return position(value, self.x_range, self.left, WIDTH - MARGIN_RIGHT, self.log_x)

    def y(self, value: float) -> float:
        """Where a value stands from top to bottom."""
        return position(value, self.y_range, self.height - MARGIN_BOTTOM, MARGIN_TOP, self.log_y)

    def axes(self, x_ticks: Mapping[float, str], y_ticks: Mapping[float, str], x_title: str, y_title: str = "") -> None:
        """Draw a line and a label at each tick, and the titles of the axes."""
        bottom, right = self.height - MARGIN_BOTTOM, WIDTH - MARGIN_RIGHT
        for value, label in x_ticks.items():
            at = self.x(value)
            self.path(f"M{at:.1f} {MARGIN_TOP}V{bottom}", "grid")
            self.text(at, bottom + 15, label, "middle")
        for value, label in y_ticks.items():
            at = self.y(value)
            self.path(f"M{self.left} {at:.1f}H{right}", "grid")
            self.text(self.left - 7, at + 4, label, "end")
        self.text((self.left + right) / 2, self.height - 6, x_title, "middle", "title")
        if y_title:
            middle = (MARGIN_TOP + bottom) / 2
            self.parts.append(
                f'<text class="title" text-anchor="middle" transform="translate(13 {middle:.1f}) rotate(-90)">'
                f"{escape(y_title)}</text>"
            )

    def text(self, x: float, y: float, text: str, anchor: str, kind: str = "label") -> None:
        """Write a text."""
        self.parts.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>')

    def path(self, steps: str, kind: str) -> None:
        """Draw a path."""
        self.parts.append(f'<path class="{kind}" d="{steps}"/>')

    def dot(self, point: Point, kind: str, radius: float) -> None:
        """Draw a point that says something when it is pointed at."""
        x, y, says = point
        self.parts.append(
            f'<circle class="{kind}" cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="{radius}">'
            f"<title>{escape(says)}</title></circle>"
        )

    def svg(self, label: str) -> str:
        """The plot as an element for HTML."""
        head = f'<svg viewBox="0 0 {WIDTH} {self.height}" role="img" aria-label="{escape(label)}">'
        return "".join([head, *self.parts, "</svg>"])


def position(value: float, domain: Range, start: float, end: float, log: bool) -> float:
    """Where in [start, end] a value of a domain stands.

    >>> position(5, (0, 10), 100, 200, log=False), position(10, (1, 100), 0, 1, log=True)
    (150.0, 0.5)
    """
    low, high = domain
    if log:
        value, low, high = math.log(value), math.log(low), math.log(high)
    return start + (end - start) * (value - low) / (high - low)


def colour(number: int) -> str:
    """The class of the line with this number; the style sheet has eight colours."""
    return f"m{number % 8}"


def around(values: Iterable[float]) -> Range:
    """The round numbers (1, 2 or 5 times a power of ten) around positive values.

    >>> around([3.0, 150.0])
    (2.0, 200.0)
    """
    positive = [value for value in values if value > 0] or [1.0]
    steps = [float(f"{digit}e{power}") for power in range(-9, 12) for digit in (1, 2, 5)]
    return max(step for step in steps if step <= min(positive)), min(step for step in steps if step > max(positive))


def powers(domain: Range) -> dict[float, str]:
    """A tick at every power of ten of a range.

    >>> powers((0.05, 20.0))
    {0.1: '0.1', 1.0: '1', 10.0: '10'}
    """
    first, last = math.ceil(math.log10(domain[0])), math.floor(math.log10(domain[1]))
    return {float(f"1e{power}"): f"{float(f'1e{power}'):,g}" for power in range(first, last + 1)}


def bars(rows: Sequence[tuple[str, float, int]], title: str, left: int, log: bool = False) -> str:
    """A bar for each row: its label, its length, and its colour. Labels have `left` to the left of the bars.

    A logarithmic bar begins at 1: to the right of it for what is longer, to the left for what is shorter.
    """
    height = 22
    lengths = [length for _, length, _ in rows]
    domain = around([*lengths, 1.0]) if log else (0.0, 1.15 * max([*lengths, 1e-9]))
    plot = Plot(MARGIN_TOP + MARGIN_BOTTOM + height * len(rows), left, domain, (len(rows), 0), log_x=log)
    plot.axes(powers(domain) if log else {}, {}, title)
    for number, (label, length, kind) in enumerate(rows):
        start, end = sorted((plot.x(max(length, domain[0])), plot.x(1.0 if log else 0.0)))
        top, says = plot.y(number), f"{length:.2f}" if length < 100 else f"{length:,.0f}"
        plot.text(left - 7, top + 14, label, "end")
        plot.parts.append(
            f'<rect class="{colour(kind)} full" x="{start:.1f}" y="{top + 3:.1f}" width="{max(1.0, end - start):.1f}"'
            f' height="{height - 7}"><title>{escape(f"{label}: {says}")}</title></rect>'
        )
        plot.text(end + 5, top + 14, says, "start")
    return plot.svg(title)


def sorted_pages(
    series: Iterable[Sequence[tuple[float, str]]], y_ticks: Mapping[float, str], top: float, order: str, y_title: str
) -> str:
    """A figure of every page, sorted, one line per series: for each page its figure and its name.

    `order` is "best first", the largest figure being the best, or "cheapest first", the smallest being the cheapest.
    """
    plot = Plot(300, 52, (0, 1), (0, top))
    plot.axes({share / 5: f"{share / 5:.0%}" for share in range(6)}, y_ticks, f"share of pages, {order}", y_title)
    for number, pages in enumerate(series):
        ordered = sorted(pages, key=lambda page: page[0], reverse=order == "best first")
        steps = [f"M{plot.x(0):.1f} {plot.y(ordered[0][0]):.1f}"] if ordered else []
        for rank, (figure, _) in enumerate(ordered, start=1):
            steps.append(f"V{plot.y(figure):.1f}H{plot.x(rank / len(ordered)):.1f}")
        plot.path("".join(steps), f"{colour(number)} line")
        for rank, (figure, says) in enumerate(ordered, start=1):
            plot.dot(((rank - 0.5) / len(ordered), figure, f"{says}: {figure:.4g}"), "hover", 4)
    return plot.svg(f"{y_title}, sorted")


def time_against_nodes(parse: Sequence[Point], series: Iterable[Sequence[Point]]) -> str:
    """Milliseconds against nodes of the page, both logarithmic; the bare parse is grey."""
    groups = [("parse", parse), *((f"{colour(number)} faint", group) for number, group in enumerate(series))]
    points = [point for _, group in groups for point in group]
    x_range, y_range = around(nodes for nodes, _, _ in points), around(time for _, time, _ in points)
    plot = Plot(360, 62, x_range, y_range, log_x=True, log_y=True)
    plot.axes(powers(x_range), powers(y_range), "nodes of the page", "milliseconds")
    for kind, group in groups:
        for nodes, milliseconds, says in group:
            plot.dot((nodes, milliseconds, f"{says}: {nodes:,.0f} nodes, {milliseconds:.2f} ms"), kind, 3)
    return plot.svg("Time against nodes")
