"""Wrappers in any order of learning, saving, loading, sending, learning again, checking and choosing.
Always: what a wrapper reads does not depend on where it has been; nothing but FastwrapError is ever raised."""

from __future__ import annotations

import pickle
import random
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from fastwrap.errors import FastwrapError
from fastwrap.extraction import extract
from fastwrap.page import Page
from fastwrap.wrapper import Wrapper, WrapperSet, learn
from tests.helpers.sites import SITES

MOST_WRAPPERS = 12


def listing(tags: tuple[str, str], items: tuple[str, ...], count: int, seed: int) -> str:
    """A list whose records have some of the items each."""
    source = random.Random(seed)
    records = []
    for k in range(count):
        inner = "".join(item.format(k) for item in items if source.random() < 0.8)
        records.append(f"<{tags[1]} class='r r{k}'>{inner}</{tags[1]}>")
    return f"<h1>List {seed}</h1><{tags[0]}>{''.join(records)}</{tags[0]}><p>end"


ITEMS = (
    "<b>Name {0}</b>", "<a href=/{0}>link {0}</a>", "<i>{0}.50 EUR</i>", "text {0}", "<img src={0}.png>", "<br>",
    "<ul><li>x{0}<li>y</ul>", "<span>Size: {0} cm</span>", "<s hidden>{0}</s>", "<time>2020-01-0{0}</time>",
)  # fmt: skip

sites = st.builds(lambda name, number: SITES[name](number), st.sampled_from(sorted(SITES)), st.integers(1, 3))
listings = st.builds(
    listing,
    st.sampled_from([("ul", "li"), ("div", "div"), ("table", "tr"), ("section", "article"), ("dl", "dd")]),
    st.lists(st.sampled_from(ITEMS), min_size=1, max_size=5).map(tuple),
    st.integers(0, 6),
    st.integers(0, 3),
)
sources = st.one_of(sites, listings, st.sampled_from(["", "<p>nothing here", "<ul><li>one</ul>"]))

Read: TypeAlias = list[tuple[list[list[Any]], list[list[Any]], list[list[int]]]]


def read(wrapper: Wrapper, source: str) -> Read:
    """All that a wrapper reads on a page: for each list the texts, the values, and where the records are."""
    found = wrapper.extract(source)
    return [
        (region.texts, [record.values for record in region.records], region.spans.tolist()) for region in found.regions
    ]


def damaged(source: str, places: list[float], piece: str) -> str:
    """A page with something in other places."""
    for place in places:
        at = int(place * len(source))
        source = source[:at] + piece + source[at + len(piece) :]
    return source


class Wrappers(RuleBasedStateMachine):
    """Wrappers and pages; for each file of a wrapper, what it has read so far."""

    wrappers = Bundle("wrappers")
    pages = Bundle("pages")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.known: dict[tuple[str, str], Read] = {}
        self.chosen_from = WrapperSet()
        self.added: list[Wrapper] = []
        self.made = 0

    def teardown(self) -> None:
        self.folder.cleanup()

    # Pages

    @rule(target=pages, source=sources)
    def write_a_page(self, source: str) -> str:
        return source

    @rule(
        target=pages,
        source=pages,
        places=st.lists(st.floats(0, 1), min_size=1, max_size=3),
        piece=st.sampled_from(["<", "<li>", "</ul>", "<p class=x>", "zz", "<table>", "\0", "&"]),
    )
    def damage_a_page(self, source: str, places: list[float], piece: str) -> str:
        return damaged(source, places, piece)

    # Making wrappers

    @rule(target=wrappers, source=pages)
    def learn_from_one_page(self, source: str) -> Wrapper:
        wrapper = learn(source)
        found = extract(source, min_confidence=0)
        assert bool(wrapper.patterns) == bool(found.regions)
        if wrapper.patterns:
            assert wrapper.extract(source).region(0).pattern is wrapper.patterns[0]
        return wrapper

    @rule(target=wrappers, some=st.lists(pages, min_size=2, max_size=3))
    def learn_from_several_pages(self, some: list[str]) -> Wrapper:
        wrapper = learn(some)
        assert wrapper.pages == len(some)
        return wrapper

    @rule(target=wrappers, source=pages, previous=wrappers)
    def learn_again(self, source: str, previous: Wrapper) -> Wrapper:
        """A column that has the id of an older one has its name, too; no id and no name is there twice."""
        wrapper = learn(source, previous=previous)
        plain = learn(source)
        assert len(wrapper.patterns) == len(plain.patterns)
        assert [texts for texts, _, _ in read(wrapper, source)] == [texts for texts, _, _ in read(plain, source)]
        for pattern in wrapper.patterns:
            names = [name.name for name in pattern.template.names]
            ids = [profile.id for profile in pattern.profiles]
            assert len(set(names)) == len(names)
            assert len(set(ids)) == len(ids)
        if wrapper.patterns and previous.patterns:
            before = names_by_id(previous)
            for number, name in names_by_id(wrapper).items():
                assert before.get(number, name) == name
        return wrapper

    @rule(source=pages)
    def learn_the_same_page_again(self, source: str) -> None:
        """The columns are the same ones: where they are filled, they keep their names and ids."""
        first = learn(source)
        again = learn(source, previous=first)
        if first.patterns:
            assert names_by_id(again) == names_by_id(first)

    # Where wrappers go: each of these must not change what they read

    @rule(target=wrappers, wrapper=consumes(wrappers))
    def write_and_read(self, wrapper: Wrapper) -> Wrapper:
        again = Wrapper.loads(wrapper.dumps())
        assert again.dumps() == wrapper.dumps()
        return again

    @rule(target=wrappers, wrapper=consumes(wrappers))
    def save_and_load(self, wrapper: Wrapper) -> Wrapper:
        self.made += 1
        path = Path(self.folder.name) / f"{self.made}.json"
        wrapper.save(path)
        return Wrapper.load(path)

    @rule(target=wrappers, wrapper=consumes(wrappers))
    def send(self, wrapper: Wrapper) -> Wrapper:
        sent = pickle.loads(pickle.dumps(wrapper))  # noqa: S301 - our own
        assert isinstance(sent, Wrapper)
        return sent

    # Using wrappers

    @rule(wrapper=wrappers, source=pages)
    def apply(self, wrapper: Wrapper, source: str) -> None:
        """Wrappers with the same file read the same, whatever became of them."""
        found = read(wrapper, source)
        assert self.known.setdefault((wrapper.dumps(), source), found) == found
        page = Page(source)
        assert read(wrapper, source) == found
        assert wrapper.extract(page).to_json() == wrapper.extract(source).to_json()

    @rule(wrapper=wrappers, source=pages)
    def check(self, wrapper: Wrapper, source: str) -> None:
        check = wrapper.check(source)
        found = wrapper.extract(source)
        assert 0 <= check.fit <= 1
        assert check.fit == found.fit
        assert check == Wrapper.loads(wrapper.dumps()).check(source)
        assert bool(found.records) or wrapper.kind == "detail" or check.fit == 0

    @rule(wrapper=wrappers, source=pages)
    def select(self, wrapper: Wrapper, source: str) -> None:
        for selectors in (wrapper.to_xpath, wrapper.to_css, wrapper.to_scrapy):
            with suppress(FastwrapError):
                assert selectors(source)

    @rule(wrapper=wrappers, start=st.floats(0, 1), length=st.integers(0, 40), piece=st.text(max_size=3))
    def break_a_file(self, wrapper: Wrapper, start: float, length: int, piece: str) -> None:
        """A damaged file is refused, or is still a wrapper: one that can be written again."""
        text = wrapper.dumps()
        at = int(start * len(text))
        try:
            broken = Wrapper.loads(text[:at] + piece + text[at + length :])
        except FastwrapError:
            return
        assert Wrapper.loads(broken.dumps()).dumps() == broken.dumps()
        read(broken, SITES["shop"](1))

    @rule(wrapper=wrappers)
    def add_to_the_set(self, wrapper: Wrapper) -> None:
        if len(self.added) < MOST_WRAPPERS:
            self.chosen_from.add(wrapper)
            self.added.append(wrapper)

    @rule(source=pages)
    def choose(self, source: str) -> None:
        chosen = self.chosen_from.choose(source)
        found = self.chosen_from.extract(source)
        if chosen is None:
            assert found.records == []
            assert found.fit == 0
        else:
            assert any(chosen is wrapper for wrapper in self.added)
            assert [region.texts for region in found.regions] == [texts for texts, _, _ in read(chosen, source)]
        again = WrapperSet(Wrapper.loads(wrapper.dumps()) for wrapper in self.added).choose(source)
        assert (again is None) == (chosen is None)
        if chosen is not None and again is not None:
            assert again.dumps() == chosen.dumps()

    @invariant()
    def the_set_has_what_was_added(self) -> None:
        assert list(self.chosen_from) == self.added


def names_by_id(wrapper: Wrapper) -> dict[int, str]:
    """The names of the columns of the first list by their ids."""
    pattern = wrapper.patterns[0]
    return {profile.id: name.name for profile, name in zip(pattern.profiles, pattern.template.names, strict=True)}


TestWrappers = Wrappers.TestCase
TestWrappers.settings = settings(max_examples=40, stateful_step_count=25)
