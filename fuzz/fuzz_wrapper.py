#!/usr/bin/env python3
"""Fuzzes wrapper files: whatever is in one, it is refused with FastwrapError or is a wrapper that reads pages.
What was read is written again as it is, and pickles; selectors, checks and sets never fail in another way."""

from __future__ import annotations

import json
import pickle
import sys
import zlib
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

import atheris

with atheris.instrument_imports(include=["fastwrap"]):
    import msgspec

    from fastwrap import FastwrapError, Page, Wrapper, WrapperSet, learn

from pieces import TAGS, TEXTS, scramble


def listing(count: int, tag: str = "ul") -> str:
    """A list, with optional items and a nested list."""
    items = (
        f"<li class='c c{k}'><a href=/{k}>Name {k}</a>{'<s>9 EUR</s>' * (k % 2)}<b>{k}.50 EUR</b>"
        f"<p>{'<i>tag</i>' * (k % 3)}</p><span>size: {k} cm, {k} kg</span></li>"
        for k in range(count)
    )
    return f"<nav><a href=/>Home</a></nav><{tag} class=list>{''.join(items)}</{tag}>"


ROWS = "<tr><td rowspan=2>{0}<td><a href=/{0}>T {0}</a><tr><td>200{0}-01-01<tr class=rule><td colspan=2><hr>"

PAGES = [
    Page(source)
    for source in (
        listing(5),
        listing(3).replace("<li class='c c1'>", "<li class=ad><form>Vote</form></li><li class=x>"),
        "<table><tr><th>Name<th>Price<tr><td>a<td>1<tr><td>b<td>2<tr><td>c<td>3,5</table>",
        "<table>" + "".join(map(ROWS.format, range(5))) + "</table>",
        "".join(f"<h2>S{s}</h2><dl>{'<dt>k<dd>1 kg<dd>x' * 3}</dl>" for s in range(3)),
        "<div>" + "<h3>T</h3><p>text <b>x</b></p>" * 4 + "</div>" + "<p>one",
        "<p>nothing",
    )
]  # fmt: skip


def one_input(data: bytes) -> None:
    """One file, tried on two of the pages."""
    try:
        wrapper = Wrapper.loads(data)
    except FastwrapError:
        return
    text = wrapper.dumps()
    again = Wrapper.loads(text)
    assert again.dumps() == text
    which = zlib.crc32(data)
    for page in (PAGES[which % len(PAGES)], PAGES[(which >> 8) % len(PAGES)]):
        found, same = wrapper.extract(page), again.extract(page)
        for number in range(min(3, len(wrapper.patterns))):
            region = found.region(number)
            assert region.texts == same.region(number).texts
            assert len(region.table.nested_values) == len(region)
            assert len(region.columns) == len(region.texts[0]) if len(region) else True
        msgspec.json.decode(found.to_json())
        found.to_dicts(), found.skipped
        assert 0 <= found.fit <= 1
        checked = wrapper.check(page)
        assert checked == again.check(page)
        assert checked.fit == found.fit
        assert len(WrapperSet([wrapper, again]).extract(page).records) in (0, len(found.records))
        for selectors in (wrapper.to_xpath, wrapper.to_css, wrapper.to_scrapy):
            with suppress(FastwrapError):
                assert selectors(page)
    if which >> 16 & 1:
        assert pickle.loads(pickle.dumps(wrapper)).dumps() == text  # noqa: S301 - our own
        kept = learn(PAGES[(which >> 17) % len(PAGES)], previous=wrapper)
        assert Wrapper.loads(kept.dumps()).dumps() == kept.dumps()


SCALARS: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3, 7, 64, 2**31 - 1, 2**31, -(2**31), 2**63, 10**30, 0.5, 1.0, -0.0, 1e308, "", "a",
    "li", "#text", "1+", "(1 2?)+ 3", "(((1)))*", "1|2", "record", "tag", "class", "shape", "text", "\ud800", "x" * 300,
    [], {}, [0], [[]], [None], [1, 2, 3],
]  # fmt: skip


def mutate_file(data: bytes, max_size: int, seed: int) -> bytes:
    """A file like another one: entries replaced, left out, doubled, swapped; sometimes bytes."""
    random = Random(seed)  # noqa: S311 - the same input every time is the point
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if value is None or random.random() < 0.1:
        return scramble(data, random)[:max_size]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        change(value, random)
    return json.dumps(value).encode()[:max_size]


def change(value: Any, random: Random) -> None:
    """Change one entry, at any depth, of a value."""
    places: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        here = waiting.pop()
        keys = list(here) if isinstance(here, dict) else range(len(here)) if isinstance(here, list) else ()
        places += ((here, key) for key in keys)
        waiting += (here[key] for key in keys)
    if not places:
        return
    here, key = random.choice(places)
    old = deepcopy(here[key])
    match random.randrange(9):
        case 0:
            here[key] = deepcopy(random.choice(SCALARS))
        case 1:
            del here[key]
        case 2 if isinstance(here, list):
            here.insert(key, old)
        case 3 if type(old) is int:
            here[key] = old + random.choice((-2, -1, 1, 2, 100))
        case 4 if isinstance(old, str):
            here[key] = random.choice((random.choice(TAGS), random.choice(TEXTS), old + " " + old, old[1:]))
        case 5 if isinstance(old, list):
            random.shuffle(here[key])
        case 6 if isinstance(here, list):
            here[key:key] = [deepcopy(old) for _ in range(random.choice((9, 50, 300)))]
        case 7 if isinstance(old, str):
            # Expressions, shapes and rules that nest or repeat what they have.
            times = random.choice((2, 9, 100))
            here[key] = random.choice(("(" * times + old + ")" * times, "|".join([old] * times), (old + " ") * times))
        case _:
            other, place = random.choice(places)
            here[key] = deepcopy(other[place])


def write_seeds(folder: str) -> None:
    """The files of wrappers that are learned from the pages, to begin with."""
    for number, page in enumerate(PAGES):
        with open(f"{folder}/page{number}.json", "w", encoding="utf-8") as file:
            file.write(json.dumps(json.loads(learn(page).dumps())))


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input, custom_mutator=mutate_file)
    atheris.Fuzz()
