"""How much of what the data of a page says of its thing is read from what the page shows.

    python benchmarks/detail_visible.py ../shared/corpus/wcxb [--half 0|1] [--types Recipe,Product] [--misses] [--data]

Pages that carry JSON-LD or microdata of a thing are their own truth: each value that stands in the visible text must be
in one of the first forty columns of `extract(page, structured=False).record`, by the comparison of the referee (Dice of
the words of at least 0.85, a column for one value). Sites are split in two halves by their hosts, so that rules may be
mended by one half and measured by the other; `--data` reads with the data, `--misses` prints what is missing.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import fastwrap
from fastwrap.detail import things
from fastwrap.detail.titles import page_title
from fastwrap.page import Page
from fastwrap.structured import Thing
from fastwrap.structured import read as read_structured

MOST = 40
ALIKE = 0.85
TOKEN = re.compile(r"\w+")
ISO_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
PLAIN = """
    name headline recipeYield sku mpn isbn gtin13 color material model award numberOfPages bookFormat inLanguage
    recipeCategory recipeCuisine employmentType title genre operatingSystem applicationCategory softwareVersion
    telephone floorSize numberOfRooms jobLocation hiringOrganization brand author location
    director actor
""".split()
DAYS = ("datePublished", "dateModified", "datePosted", "startDate", "validThrough")
LEAST_POINTS = 2.0
"""Of the type of a thing that has a page of its own: see `fastwrap.detail.things.TYPE_POINTS`."""
Words = collections.Counter[str]


class Value(NamedTuple):
    """What the data says under one property: each of these forms is right."""

    property: str
    forms: list[list[str]]
    """The words of each."""


def words_of(text: str) -> list[str]:
    return TOKEN.findall(text.lower())


def dice(one: Words, other: Words) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def days_of(text: str) -> list[list[str]]:
    """A day as pages write it."""
    match = ISO_DAY.match(text)
    if match is None:
        return [words_of(text)]
    try:
        day = date(*map(int, match.groups()))
    except ValueError:
        return []
    plain = str(day.day)
    return [
        words_of(form)
        for month in (day.strftime("%B"), day.strftime("%b"))
        for form in (f"{month} {plain} {day.year}", f"{plain} {month} {day.year}", f"{month} {day.day:02} {day.year}")
    ] + [words_of(day.strftime(form)) for form in ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y")]


def values_of(thing: Thing) -> Iterator[Value]:
    """What the data says that a page may show."""
    for name in PLAIN:
        texts = [text for value in thing.properties.get(name, ()) if (text := things.text_of(value))]
        if texts:
            yield Value(name, [words_of(" ".join(texts))] + [words_of(text) for text in texts])
    for name in DAYS:
        if text := thing.text(name):
            yield Value(name, days_of(text))
    ingredients = thing.properties.get("recipeIngredient") or thing.properties.get("ingredients") or ()
    if texts := [things.plain(str(value)) for value in ingredients if not isinstance(value, Thing)]:
        yield Value("recipeIngredient", [words_of(" ".join(texts))])
    if steps := things.steps_of(thing.properties.get("recipeInstructions", ())):
        yield Value("recipeInstructions", [words_of(" ".join(steps))])
    for fact in things.price_facts(thing):
        if fact.name == "price" and isinstance(fact.text, str):
            number = fact.text.split()[0]
            cents = number if re.search(r"[.,]\d\d$", number) else f"{number}.00"
            yield Value("price", [words_of(form) for form in (number, cents, number.removesuffix(".00"))])
    for fact in things.rating_facts(thing):
        if fact.name == "rating" and isinstance(fact.text, str):
            yield Value("rating", [words_of(fact.text)])


class Outcome(NamedTuple):
    """How many values of a property are there, and how many columns serve them."""

    type: str
    property: str
    right: bool


def stands(form: list[str], page: str, counted: Words) -> bool:
    """Whether a value stands on the page: a short one word for word, a long one with its words."""
    if not form:
        return False
    if len(form) <= 12:
        return f" {' '.join(form)} " in page
    wanted = collections.Counter(form)
    return (wanted & counted).total() >= 0.98 * wanted.total()


def digits_of(words: Words) -> Words:
    return collections.Counter({word: count for word, count in words.items() if word[0].isdigit()})


def score(data: bytes, structured: bool) -> tuple[list[Outcome], list[str]] | None:
    """What becomes of the values of one page, and the ones that are missing; None for a page without data."""
    page = Page(data)
    found = read_structured(page)
    thing, _ = things.main_thing(found.things, page_title(page))
    if thing is None or things.points_of(thing) < LEAST_POINTS:
        return None
    resolved = {name: things.resolved(values, found.by_id) for name, values in thing.properties.items()}
    thing = Thing(thing.types, resolved)
    extraction = fastwrap.extract(data, structured=structured)
    record = extraction.record
    cells = [cell if isinstance(cell, list) else [cell] for cell in (record.texts[:MOST] if record else [])]
    columns = [collections.Counter(words_of(" ".join(map(str, cell)))) for cell in cells]
    visible = words_of(page.text(page.body))
    text, counted = f" {' '.join(visible)} ", collections.Counter(visible)
    scored = []
    wanted: list[Value] = []
    known: list[Words] = []
    for value in values_of(thing):
        forms = [collections.Counter(form) for form in value.forms if stands(form, text, counted)]
        if not forms or any(form in known for form in forms):
            continue  # not shown, or said under another name
        known += forms
        place = len(wanted)
        wanted.append(value)
        for column, words in enumerate(columns):
            seen = digits_of(words) if value.property in ("price", "rating") else words
            best = max((dice(seen, form) for form in forms), default=0.0)
            scored.append((best, place, column))
    used: set[int] = set()
    served: set[int] = set()
    for alike, place, column in sorted(scored, reverse=True):
        if alike >= ALIKE and place not in served and column not in used:
            served.add(place)
            used.add(column)
    kind = max(thing.types, key=lambda name: things.TYPE_POINTS.get(name, 0.0))
    misses = []
    for place, value in enumerate(wanted):
        if place not in served:
            best, column = max(((alike, column) for alike, other, column in scored if other == place), default=(0, 0))
            nearest = " | ".join(map(str, cells[column])) if cells and best else ""
            misses.append(f"{value.property} ({best:.2f})\n   want {' '.join(value.forms[0])}\n   have {nearest}")
    return [Outcome(kind, value.property, place in served) for place, value in enumerate(wanted)], misses


def pages_of(folder: Path) -> Iterator[tuple[str, str, bytes]]:
    """The pages of a folder, each with its name and its host."""
    hosts: dict[str, str] = {}
    if (folder / "truth.jsonl").exists():
        for line in (folder / "truth.jsonl").read_text(encoding="utf-8").split("\n"):
            if line:
                truth = json.loads(line)
                hosts[truth["page"]] = urlsplit(truth.get("url") or "").netloc
    for path in sorted(folder.rglob("*.html*")):
        name = str(path.relative_to(folder))
        data = path.read_bytes()
        yield name, hosts.get(name) or path.name, gzip.decompress(data) if path.suffix == ".gz" else data


def half_of(host: str) -> int:
    return hashlib.sha256(host.removeprefix("www.").encode()).digest()[0] % 2


def table(outcomes: list[Outcome], key: str) -> None:
    rows: dict[str, list[bool]] = {}
    for outcome in outcomes:
        rows.setdefault(getattr(outcome, key), []).append(outcome.right)
    for name, right in sorted(rows.items(), key=lambda row: -len(row[1])):
        recall = sum(right) / len(right)
        # A column counts only where it serves a value, as with the referee: precision is 1.
        print(f"  {name:<24}{len(right):>6}{recall:>9.3f}{2 * recall / (1 + recall):>9.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--types", default="")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--data", action="store_true")
    options = parser.parse_args()
    types = set(filter(None, options.types.split(",")))
    halves: dict[int, list[Outcome]] = {0: [], 1: []}
    pages: collections.Counter[int] = collections.Counter()
    for name, host, data in pages_of(options.folder):
        half = half_of(host)
        if options.half not in (None, half) or (b"schema.org" not in data and b"itemscope" not in data):
            continue
        scored = score(data, options.data)
        if scored is None or not scored[0] or (types and scored[0][0].type not in types):
            continue
        pages[half] += 1
        halves[half] += scored[0]
        if options.misses:
            for miss in scored[1]:
                print(name, host, scored[0][0].type, miss)
    for half, outcomes in halves.items():
        if outcomes:
            print(f"half {half}: {pages[half]} pages{'':>14}values   recall       F1")
            table([*outcomes, *(one._replace(type="all") for one in outcomes)], "type")
            table(outcomes, "property")


if __name__ == "__main__":
    main()
