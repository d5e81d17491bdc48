"""Plots as inline SVG: the comparison of methods, F1 page by page, its histogram, time against nodes.
Colours and type come from the style sheet of the report, so that a plot follows the reader's light or dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TypeAlias

Scale: TypeAlias = Callable[[float], float]
Point: TypeAlias = tuple[float, float, str]
"""Where it is, and what to say of it."""

MARGIN_TOP, MARGIN_RIGHT, MARGIN_BOTTOM = 12, 26, 42
BINS = 10


@dataclass
class Plot:
    """A plot under construction: a frame with two scales, and what has been drawn into it."""

    width: int
    height: int
    left: int
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    log: bool = False
    parts: list[str] = field(default_factory=list)

    def x(self, value: float) -> float:
        """Where a value stands from left to right."""
        return position(value, self.x_range, self.left, self.width - MARGIN_RIGHT, self.log)

    def y(self, value: float) -> float:
        """Where a value stands from top to bottom."""
        return position(value, self.y_range, self.height - MARGIN_BOTTOM, MARGIN_TOP, self.log)

    def axes(self, x_ticks: Mapping[float, str], y_ticks: Mapping[float, str], x_title: str, y_title: str = "") -> None:
        """Draw a line and a label at each tick, and the titles of the axes."""
        bottom, right = self.height - MARGIN_BOTTOM, self.width - MARGIN_RIGHT
        for value, label in x_ticks.items():
            at = self.x(value)
            self.parts.append(f'<path class="grid" d="M{at:.1f} {MARGIN_TOP}V{bottom}"/>')
            self.text(at, bottom + 15, label, "middle")
        for value, label in y_ticks.items():
            at = self.y(value)
            self.parts.append(f'<path class="grid" d="M{self.left} {at:.1f}H{right}"/>')
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

    def dot(self, x: float, y: float, radius: float, kind: str, says: str) -> None:
        """Draw a point that says something when it is pointed at."""
        self.parts.append(
            f'<circle class="{kind}" cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="{radius}">'
            f"<title>{escape(says)}</title></circle>"
        )

    def svg(self, label: str) -> str:
        """The plot as an element for HTML."""
        return (
            f'<svg viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{escape(label)}">'
            + "".join(self.parts)
            + "</svg>"
        )


def position(value: float, domain: tuple[float, float], start: float, end: float, log: bool) -> float:
    """Where in [start, end] a value of a domain stands.

    >>> position(5, (0, 10), 100, 200, log=False), position(10, (1, 100), 0, 1, log=True)
    (150.0, 0.5)
    """
    low, high = domain
    if log:
        value, low, high = math.log(value), math.log(low), math.log(high)
    return start + (end - start) * (value - low) / (high - low)


SHARES = {0.0: "0", 0.2: "0.2", 0.4: "0.4", 0.6: "0.6", 0.8: "0.8", 1.0: "1"}


def colour(number: int) -> str:
    """The class of the method with this number; the style sheet has eight colours."""
    return f"m{number % 8}"


def comparison(rows: Sequence[tuple[str, Sequence[tuple[int, str, float, float]]]]) -> str:
    """For each corpus one line a method: F1 of the first region, and how far the best one is from it.

    `rows` holds for each corpus (number of the method, its name, F1 of the first region, F1 of the best).
    """
    line, gap = 19, 12
    height = MARGIN_TOP + MARGIN_BOTTOM + sum(line * len(methods) + gap for _, methods in rows)
    plot = Plot(640, height, 168, (0, 1), (height - MARGIN_TOP - MARGIN_BOTTOM, 0))
    plot.axes(SHARES, {}, "F1 of all records: first region ●, best region ○")
    at = gap / 2
    for corpus, methods in rows:
        plot.text(8, plot.y(at + line * len(methods) / 2) + 4, corpus, "start", "title")
        for number, name, main, best in methods:
            at += line / 2
            plot.parts.append(
                f'<path class="{colour(number)} link" d="M{plot.x(main):.1f} {plot.y(at):.1f}H{plot.x(best):.1f}"/>'
            )
            plot.text(plot.left - 7, plot.y(at) + 4, name if len(name) <= 14 else name[:13] + "…", "end")
            plot.dot(best, at, 4.5, f"{colour(number)} hollow", f"{name} on {corpus}: best region {best:.4f}")
            plot.dot(main, at, 5, f"{colour(number)} full", f"{name} on {corpus}: first region {main:.4f}")
            at += line / 2
        at += gap
    return plot.svg("F1 of each method on each corpus")


def by_page(series: Iterable[Sequence[tuple[float, str]]]) -> str:
    """The F1 of every page, sorted: the further to the right a line stays up, the better."""
    plot = Plot(640, 300, 52, (0, 1), (0, 1))
    plot.axes({share: f"{share:.0%}" for share in SHARES}, SHARES, "share of pages, best first", "F1 of the page")
    for number, pages in enumerate(series):
        ordered = sorted(pages, key=lambda page: -page[0])
        steps = [f"M{plot.x(0):.1f} {plot.y(ordered[0][0]):.1f}"] if ordered else []
        for rank, (f1, _) in enumerate(ordered, start=1):
            steps.append(f"V{plot.y(f1):.1f}H{plot.x(rank / len(ordered)):.1f}")
        plot.parts.append(f'<path class="{colour(number)} line" d="{"".join(steps)}"/>')
        for rank, (f1, says) in enumerate(ordered, start=1):
            plot.dot((rank - 0.5) / len(ordered), f1, 4, "hover", f"{says}: {f1:.4f}")
    return plot.svg("F1 of the pages, sorted")


def histogram(number: int, name: str, figures: Sequence[float]) -> str:
    """How many pages of one method have which F1."""
    counts = [0] * BINS
    for figure in figures:
        counts[min(int(figure * BINS), BINS - 1)] += 1
    plot = Plot(300, 170, 36, (0, 1), (0, max(1, *counts)))
    plot.axes({0.0: "0", 0.5: "0.5", 1.0: "1"}, {0.0: "0", float(max(counts)): str(max(counts))}, "F1 of the page")
    for place, count in enumerate(counts):
        left, right, top = plot.x(place / BINS), plot.x((place + 1) / BINS), plot.y(count)
        plot.parts.append(
            f'<rect class="{colour(number)} full" x="{left + 1:.1f}" y="{top:.1f}" width="{right - left - 2:.1f}"'
            f' height="{plot.y(0) - top:.1f}"><title>{count} pages with an F1 of {place / BINS:.1f} to'
            f" {(place + 1) / BINS:.1f}</title></rect>"
        )
    return plot.svg(f"Histogram of the F1 of {name}")


def time_against_nodes(parse: Sequence[Point], series: Iterable[Sequence[Point]]) -> str:
    """Milliseconds against nodes of the page, both logarithmic; the bare parse is grey."""
    groups = [*series]
    points = [*parse, *(point for group in groups for point in group)]
    x_range, y_range = around(nodes for nodes, _, _ in points), around(time for _, time, _ in points)
    plot = Plot(640, 360, 62, x_range, y_range, log=True)
    plot.axes(powers(x_range), powers(y_range), "nodes of the page", "milliseconds")
    for kind, group in [("parse", parse), *((f"{colour(number)} faint", group) for number, group in enumerate(groups))]:
        for nodes, milliseconds, says in group:
            plot.dot(nodes, milliseconds, 3, kind, f"{says}: {nodes:,.0f} nodes, {milliseconds:.2f} ms")
    return plot.svg("Time against nodes")


def around(values: Iterable[float]) -> tuple[float, float]:
    """The round numbers (1, 2 or 5 times a power of ten) around positive values.

    >>> around([3.0, 150.0])
    (2.0, 200.0)
    """
    given = [value for value in values if value > 0] or [1.0]
    steps = [float(f"{digit}e{power}") for power in range(-9, 12) for digit in (1, 2, 5)]
    low = max(step for step in steps if step <= min(given))
    high = min(step for step in steps if step > max(given))
    return low, high


def powers(domain: tuple[float, float]) -> dict[float, str]:
    """A tick at every power of ten of a range.

    >>> powers((0.05, 20.0))
    {0.1: '0.1', 1.0: '1', 10.0: '10'}
    """
    first, last = math.ceil(math.log10(domain[0])), math.floor(math.log10(domain[1]))
    return {float(f"1e{power}"): f"{float(f'1e{power}'):,g}" for power in range(first, last + 1)}
