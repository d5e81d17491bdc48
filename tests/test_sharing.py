"""What a user holds goes to other threads and processes: asked at once it says the same, pickled and copied too."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

import fastwrap
from fastwrap import Page, Wrapper, WrapperSet, extract, learn
from fastwrap._core.grammar.matching import Simulation
from fastwrap.columns import Table, Template
from fastwrap.common.lazy import lazy_property
from fastwrap.grammar import matching
from fastwrap.grammar.expression import parse_expression
from fastwrap.noise.content import LabelledText
from fastwrap.wrapper.pattern import FoundList, Pattern
from fastwrap.wrapper.wrapper import WrappedExtraction

THREADS = 8

PAGE = (
    "<h1>All</h1><ul>"
    + "".join(
        f"<li><h3><a href=/p{k}>Name {k}</a></h3><i>{k}.50 EUR</i><ol>{'<li>tag</li>' * (k % 4)}</ol>"
        f"<p>Seattle, WA | {k}</p></li>"
        for k in range(12)
    )
    + "</ul><p><a href='?page=2'>Next page</a></p>"
)

LEARNED = learn(PAGE)


@pytest.fixture
def frequent_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """What each work says if all begin at the same time; an exception is raised here."""
    barrier = threading.Barrier(len(works))
    said: list[Any] = [None] * len(works)
    failed: list[BaseException] = []

    def run(number: int) -> None:
        barrier.wait()
        try:
            said[number] = works[number]()
        except BaseException as error:  # raised below
            failed.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return said


def questions(found: fastwrap.Extraction) -> list[Callable[[], Any]]:
    """All that is computed when it is asked for."""
    first = found.regions[0]
    return [
        lambda: [column.name for column in found.regions[0].columns],
        found.to_json,
        found.to_dicts,
        lambda: [record.values for record in found.records],
        lambda: [record.link for record in found.records],
        lambda: found.next_page,
        lambda: first.table.template.to_json(),
        lambda: (found.confidence, first.texts, first.table.columns),
    ]


MAKERS: dict[str, Callable[[], fastwrap.Extraction]] = {
    "extract": lambda: extract(PAGE, min_confidence=0),
    "page": lambda: extract(Page(PAGE), min_confidence=0),
    "learned": lambda: learn(PAGE).extract(PAGE),
    "loaded": lambda: Wrapper.loads(LEARNED.dumps()).extract(PAGE),
    "set": lambda: WrapperSet([Wrapper.loads(LEARNED.dumps())]).extract(PAGE),
}


@pytest.mark.usefixtures("frequent_switches")
@pytest.mark.parametrize("maker", MAKERS)
def test_threads_that_ask_at_once_are_told_the_same(maker: str) -> None:
    expected = [ask() for ask in questions(MAKERS[maker]())]
    for shift in range(10):
        asked = questions(MAKERS[maker]())
        order = asked[shift % THREADS :] + asked[: shift % THREADS]
        same = at_once(*[order[0]] * THREADS)
        assert same == [same[0]] * THREADS
        said = at_once(*order)
        assert said == expected[shift % THREADS :] + expected[: shift % THREADS]


@pytest.mark.usefixtures("frequent_switches")
def test_threads_that_ask_for_content_at_once_are_told_the_same() -> None:
    def questions_of(found: fastwrap.Content) -> list[Callable[[], Any]]:
        return [
            lambda: found.text, lambda: found.markdown, lambda: found.title, lambda: len(found),
            lambda: [node.path for node in found.nodes], found.to_dict, lambda: bool(found), lambda: found.language,
        ]  # fmt: skip

    expected = [ask() for ask in questions_of(fastwrap.content(PAGE))]
    for _ in range(10):
        assert at_once(*questions_of(fastwrap.content(PAGE))) == expected


def test_what_two_threads_compute_is_one_object() -> None:
    barrier = threading.Barrier(THREADS, timeout=20)

    class Held:
        @lazy_property
        def part(self) -> object:
            barrier.wait()  # until all have begun
            return object()

    held = Held()
    assert set(at_once(*[lambda: held.part] * THREADS)) == {held.part}


def test_a_list_of_a_wrapper_is_found_for_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    barrier = threading.Barrier(THREADS, timeout=20)
    found = LEARNED.extract(PAGE)
    find = Pattern.find

    def find_together(pattern: Pattern, page: Page) -> FoundList:
        barrier.wait()  # until all have begun
        return find(pattern, page)

    monkeypatch.setattr(Pattern, "find", find_together)
    regions = at_once(*[lambda: found.regions[0]] * THREADS)
    assert set(map(id, regions)) == {id(found.regions[0])}
    assert found.records is found.regions[0].records


@pytest.mark.usefixtures("frequent_switches")
@pytest.mark.parametrize("most_cached", [0, 300_000])
def test_threads_share_a_matcher(most_cached: int) -> None:
    string = [0, 1, 2, 2, 3] * 40
    for _ in range(20):
        matcher = matching.Matcher(parse_expression("(0 1? 2* 3)+"))
        vars(matcher)["_simulation"] = Simulation(
            *matcher.automaton, (8, most_cached)
        )  # 0: it forgets all it found out
        assert len(set(map(str, at_once(*[partial(matcher.match, string)] * THREADS)))) == 1


# Pickled and copied

COPIERS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda held: pickle.loads(pickle.dumps(held)),  # noqa: S301 - our own bytes
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def described(held: Any) -> Any:
    """All that an object says, as plain data."""
    if isinstance(held, fastwrap.Extraction):
        fit = (held.fit, held.skipped) if isinstance(held, WrappedExtraction) else ()
        return held.to_json(), held.to_dicts(), held.limits, held.confidence, held.min_confidence, fit
    if isinstance(held, fastwrap.Region):
        records = [described(record) for record in held.records]
        return held.texts, held.columns, held.score, dict(held.why), held.limits, held.spans.tolist(), records
    if isinstance(held, fastwrap.Record):
        return held.start, held.end, held.text, held.texts, held.values, held.link
    if isinstance(held, Table):
        return held.texts, held.columns, held.links, held.limits, held.template.to_json()
    if isinstance(held, Template):
        return held.to_json(), held.paths
    if isinstance(held, Wrapper):
        return held.dumps(), held.check(PAGE), described(held.extract(PAGE)), held.limits
    if isinstance(held, WrapperSet):
        return [described(each) for each in held], described(held.extract(PAGE))
    if isinstance(held, fastwrap.Content):
        return held.to_dict(), len(held), held.limits, [described(node) for node in held.nodes]
    if isinstance(held, LabelledText):
        return held.node, held.text, held.label, held.probability, held.path
    if isinstance(held, Page):
        return len(held), held.text(), held.css_path(5), held.limits, held.url
    return held


HELD: dict[str, Callable[[], Any]] = {
    **MAKERS,
    "region": lambda: extract(PAGE).regions[0],
    "record": lambda: extract(PAGE).records[0],
    "column": lambda: extract(PAGE).regions[0].columns[0],
    "table": lambda: extract(PAGE).regions[0].table,
    "template": lambda: extract(PAGE).regions[0].table.template,
    "region of a wrapper": lambda: LEARNED.extract(PAGE).regions[0],
    "record of a wrapper": lambda: LEARNED.extract(PAGE).records[0],
    "template of a wrapper": lambda: Wrapper.loads(LEARNED.dumps()).patterns[0].template,
    "wrapper": lambda: learn(PAGE),
    "wrapper of a file": lambda: Wrapper.loads(LEARNED.dumps()),
    "wrappers": lambda: WrapperSet([learn(PAGE)]),
    "check": lambda: LEARNED.check(PAGE),
    "page as it is": lambda: Page(PAGE, url="https://a.example/"),
    "clean page": lambda: fastwrap.clean(PAGE),
    "content": lambda: fastwrap.content(PAGE),
    "text of content": lambda: next(fastwrap.content(PAGE).labelled()),
}


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("name", HELD)
def test_what_a_user_holds_is_copied_before_and_after_use(name: str, copier: str) -> None:
    made = HELD[name]()
    unused = COPIERS[copier](made)
    expected = described(made)
    assert described(unused) == expected
    used = COPIERS[copier](made)
    assert described(used) == expected
    assert described(COPIERS[copier](used)) == expected
