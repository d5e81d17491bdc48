"""Limits of wrappers: for every step that has a budget, a page that meets it, and a result that says so.
What is learned and read within the budget is still right. Nothing here is timed."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fastwrap import FastwrapError, Page, Wrapper, columns, extract, learn
from fastwrap.grammar import SKIPPED, expression
from fastwrap.regions import Search, auto
from fastwrap.wrapper import cutting, files, fitting, keeping, learning, location
from fastwrap.wrapper.cutting import NO_KEYS, Children, Example, agreed, induced, learn_cutting
from fastwrap.wrapper.format import MAX_TEXT
from fastwrap.wrapper.location import learn_location
from fastwrap.wrapper.wrapper import WrappedExtraction
from tests.helpers.sites import SITES
from tests.helpers.threads import Post, box_forum, posts, questions, story


def letters(number: int) -> str:
    """A name without digits, which classes may have."""
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def shop(count: int = 5, inner: str = "", name: str = "Name") -> str:
    """A list as others are."""
    return "<ul>" + "".join(f"<li><b>{name} {k}</b> <i>{k} EUR</i>{inner}</li>" for k in range(count)) + "</ul>"


def rows_of(count: int, word: str, tag: str = "td", records: int = 6) -> str:
    """A table that has so many columns."""
    rows = ("".join(f"<{tag}>{word} {row} {k}</{tag}>" for k in range(count)) for row in range(records))
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


@pytest.mark.parametrize("site", SITES)
def test_usual_pages_meet_no_limit(site: str) -> None:
    wrapper = learn([SITES[site](1), SITES[site](2)])
    assert wrapper.limits == ()
    found = read(wrapper, SITES[site](3))
    assert found.limits == found.region(0).limits == ()
    assert wrapper.check(SITES[site](3)).limits == ()
    assert "limits" not in json.loads(wrapper.dumps())


def read(wrapper: Wrapper, page: str | Page) -> WrappedExtraction:
    """What a wrapper reads on a page, with the texts of the first list read."""
    extraction = wrapper.extract(page)
    for record in extraction.records:
        assert record.texts
    return extraction


# Learning


def test_more_pages_than_are_used() -> None:
    assert learn([shop()] * 50).limits == ()
    wrapper = learn([shop()] * 51)
    assert wrapper.limits == ("wrapper.pages",)
    assert wrapper.pages == 50


def test_more_lists_than_are_learned() -> None:
    tags = """
        p dd center h4 blockquote pre address h5 h6 dt figure nav header footer main aside article form fieldset details
        summary hgroup menu dir search
    """.split()
    page = ""
    for k, tag in enumerate(tags):
        items = "".join(f"<{tag} class={letters(k)}><b>n{k} {j}</b> t</{tag}>" for j in range(4))
        page += "<div>" * (k % 7 + 1) + f"<h2>Title</h2>{items}" + "</div>" * (k % 7 + 1)
    wrapper = learn(page)
    assert wrapper.limits == ("wrapper.lists",)
    assert len(wrapper.patterns) == 20


def test_more_sections_than_are_learned() -> None:
    sections = "".join(f"<section><h2>Title {k}</h2>{shop(9 + k % 2)}</section>" for k in range(5))
    pages = [f"<{outer}>{sections}</{outer}>" for outer in ("main", "aside")]
    assert learn(pages[0]).limits == ()
    wrapper = learn(pages)
    assert wrapper.limits == ("wrapper.sections",)
    assert sum(pattern.confidence == 0 for pattern in wrapper.patterns) == 8


@pytest.mark.parametrize("make", [questions, story])
def test_records_on_several_levels(make: Callable[[list[Post]], str]) -> None:
    """Those of one level are learned, and it is told: answers without their question, some of the replies."""
    page = make(posts())
    wrapper = learn(page)
    assert wrapper.limits == ("wrapper.levels",)
    found = wrapper.extract(page)
    assert {record.text for record in found.records} < {record.text for record in extract(page).records}
    assert found.fit > 0.9
    assert learn(box_forum(posts())).limits == ()


def test_a_list_that_is_too_deep() -> None:
    wrapper = learn("<div>" * 1_100 + shop())
    assert "wrapper.depth" in wrapper.limits


@pytest.mark.parametrize("where", ["above", "inside"])
def test_names_that_no_file_holds(where: str) -> None:
    name = "x-" + "n" * 3_000
    wrapper = learn(f"<{name}>{shop()}" if where == "above" else shop(inner=f"<{name}>z</{name}>"))
    assert "wrapper.names" in wrapper.limits
    assert Wrapper.loads(wrapper.dumps()).limits == wrapper.limits


SHAPED = (
    "<table>"
    + "".join(
        f"<tr><td><a href=/{k}><b>Name {k}</b></a></td><td><i><u>{k} EUR</u></i></td></tr><tr><td>text {k}</td></tr>"
        for k in range(12)
    )
    + "</table>"
)
"""Records of two rows, which only what is in them tells apart."""


@pytest.mark.parametrize("what", ["shape", "expression"])
def test_shapes_and_expressions_that_no_file_holds(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrapper = learn(SHAPED)
    (pattern,) = wrapper.patterns
    assert max(len(symbol.shape) for symbol in pattern.cutting.symbols) > 10
    assert wrapper.limits == ()
    assert learning.saved_lists([pattern]) == [pattern]
    first, *others = pattern.cutting.symbols
    count = MAX_TEXT // 2 + 1
    long = {
        "shape": replace(pattern.cutting, symbols=(first._replace(shape="b " * count), *others)),
        "expression": replace(
            pattern.cutting,
            expression=expression.repeat(expression.sequence(*[expression.Symbol(0)] * count)),
            position_roles=(1,) * count,
        ),
    }[what]
    monkeypatch.setattr(learning, "learn_pattern", lambda *_: replace(pattern, cutting=long))
    wrapper = learn(SHAPED)
    assert (wrapper.patterns, wrapper.limits) == ((), ("wrapper.names",))
    assert Wrapper.loads(wrapper.dumps()).limits == ("wrapper.names",)


def test_an_expression_that_is_only_to_be_read_is_left_out_of_a_file_if_it_is_too_long() -> None:
    source = random.Random(1)
    tags = "p div h3 span dl form section a b i u em".split()
    page = "<main>" + "".join(
        "<ul>" + "".join(f"<li class={source.choice(tags)}><b>N {k}</b> t</li>" for k in range(40)) + "</ul>"
        for _ in range(200)
    )
    pattern = learn(page).patterns[0]
    assert pattern.cutting.expression is None
    long = replace(pattern, cutting=replace(pattern.cutting, strings=(), written_as="1 " * MAX_TEXT))
    assert json.loads(files.write([long], None, 1))["lists"][0]["expression"] is None
    assert len(files.read(files.write([long], None, 1))[0]) == 1


def test_children_that_are_too_many_to_induce_from() -> None:
    few, many = ([Children([0, 1] * count, [1, 2] * count)] for count in (500, 501))
    assert induced(few)[1] == ()
    assert induced(many)[1] == ("wrapper.cutting",)
    assert str(induced(few)[0]) == str(induced(many)[0])


def boxes(levels: int) -> tuple[Page, int]:
    """Boxes in boxes, all alike but for their places, and the element that is the second of each two."""
    page = "<ul><li>x<li>y</ul>"
    for _ in range(levels):
        page = f"<div>{page}</div><div>{page}</div>"
    read = Page(page)
    return read, max(node for node in range(len(read)) if read.tag_name(node) == "ul")


def test_a_location_that_needs_more_places_than_it_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    page, meant = boxes(6)
    whole = learn_location([(page, [meant])])
    assert whole.limits == ()
    assert whole.find(page)[0].tolist() == [meant]
    assert sum(step.nth != 0 for step in whole.path) == 6
    monkeypatch.setattr(location, "MOST_PLACES", 4)
    some = learn_location([(page, [meant])])
    assert some.limits == ("wrapper.location",)
    assert sum(step.nth != 0 for step in some.path) == 4
    found = some.find(page)[0].tolist()
    assert len(found) == 4
    assert meant in found


def test_a_location_of_many_elements_far_down() -> None:
    """Elements and levels are looked at once, whatever their number."""
    sections = "".join(f"<section><div class={letters(k)}>{shop(2)}</div></section>" for k in range(2_000))
    wrapper = learn("<div>" * 600 + sections)
    assert wrapper.limits == ()
    assert len(wrapper.extract("<div>" * 600 + sections).records) == 4_000


def example_of(html: str, is_head: Callable[[str], bool], holder: str = "ul") -> Example:
    """Elements whose children are records, which begin with children of some classes."""
    page = Page(html)
    parents = [node for node in range(len(page)) if page.tag_name(node) == holder]
    spans: list[list[int]] = []
    for parent in parents:
        for child in page.children(parent):
            if is_head(page.attributes(child).get("class", "")):
                spans.append([child, child])
            spans[-1][1] = child + int(page.size[child])
    return Example(page, np.array(parents, dtype=np.int32), np.array(spans, dtype=np.int32))


def headed(counts: Sequence[int], extra: str = "") -> str:
    """Records of several elements, which only their classes tell."""
    more = "<li class=more><b>More</b> text</li>"
    heads = (
        f"<li class='head{extra and f' {extra}{letters(k)}'}'><b>Name {k}</b> text</li>" for k in range(len(counts))
    )
    return "<ul>" + "".join(head + more * count for head, count in zip(heads, counts, strict=True)) + "</ul>"


UNEVEN = (0, 2, 1, 0, 0, 3, 1, 2, 0, 1, 3, 3, 0, 1)


def test_more_kinds_of_children_than_may_be_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    example = example_of(headed(UNEVEN), lambda name: name == "head")
    whole = learn_cutting([example])
    assert whole.limits == ()
    assert whole.level == 1
    monkeypatch.setattr(cutting, "MOST_SYMBOLS", 1)
    some = learn_cutting([example])
    assert some.limits[-1] == "wrapper.cutting"
    assert some.level == 0


def test_more_elements_with_records_than_are_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "MOST_PARENTS", 2)
    same = example_of(headed(UNEVEN) * 3, lambda name: name == "head")
    # Those that were left out are cut in the same way: nothing is lost.
    assert learn_cutting([same]).limits == ()
    other = headed(UNEVEN) + headed(UNEVEN).replace("head", "other") + headed(UNEVEN)
    assert learn_cutting([example_of(other, lambda name: name in ("head", "other"))]).limits == ("wrapper.cutting",)


def test_more_pages_than_ways_to_cut_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    examples = [example_of(shop(4), lambda _: True) for _ in range(3)]
    odd = [*examples[:2], examples[2]._replace(spans=examples[2].spans[::2].copy())]
    assert agreed(examples)[1] == agreed(odd)[1] == ()
    monkeypatch.setattr(cutting, "MOST_CUTTINGS", 2)
    assert agreed(examples)[1] == ()  # the way of the first is right on all
    assert agreed(odd)[1] == ("wrapper.cutting",)


def tree(levels: int) -> str:
    """Two kinds of element in each other, in all ways."""
    if not levels:
        return "x"
    inner = tree(levels - 1)
    return f"<div>{inner}</div><section>{inner}</section>"


def test_more_tag_paths_than_are_kept() -> None:
    page = "<ul>" + f"<li>{tree(11)}</li>" * 3 + "</ul>"
    wrapper = learn(page)
    assert "wrapper.tag_paths" in wrapper.limits
    assert max(len(pattern.paths) for pattern in wrapper.patterns) == 4_000
    assert len(Wrapper.loads(wrapper.dumps()).extract(page).records) == len(wrapper.extract(page).records) > 1


def test_tag_paths_of_deep_records_are_not_longer_than_they_may_be() -> None:
    name = "x-" + "n" * 250
    record = f"<{name}>" * 400 + "text" + f"</{name}>" * 400
    wrapper = learn("<ul>" + f"<li>{record}</li>" * 3 + "</ul>")
    assert "wrapper.tag_paths" in wrapper.limits
    assert all(sum(map(len, pattern.paths)) <= 300_000 for pattern in wrapper.patterns)


def test_limits_of_the_columns_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    page = shop()
    wrapper = learn(page)
    assert wrapper.limits == read(wrapper, page).limits == wrapper.check(page).limits == ()
    apply, table = columns.apply, columns.learn(Page(page), wrapper.extract(page).region(0).spans)
    table.limits = ("columns",)
    monkeypatch.setattr(columns, "learn", lambda *_, choose: table)
    assert learn(page).limits == ("columns",)

    def limited(*arguments: Any) -> columns.Table:
        found = apply(*arguments)
        found.limits = ("columns",)
        return found

    monkeypatch.setattr(columns, "apply", limited)
    assert wrapper.extract(page).limits == ()
    assert read(wrapper, page).limits == wrapper.check(page).limits == ("columns",)


def test_limits_of_the_regions_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    find = auto.find

    def limited(page: Page) -> Search:
        return find(page)._replace(limits=("regions.clusters",))

    monkeypatch.setattr(auto, "find", limited)
    assert learn(shop()).limits == learn("<p>").limits == ("regions.clusters",)
    assert read(learn(shop()), shop()).limits == ()


# Columns of an older wrapper


def test_wide_lists_are_kept_by_name_place_and_value() -> None:
    old = learn(rows_of(450, "word"))
    wrapper = learn(rows_of(450, "word"), previous=old)
    assert wrapper.limits == ("wrapper.keeping",)
    names, before = ([name.name for name in each.patterns[0].template.names] for each in (wrapper, old))
    assert names == before
    assert [profile.id for profile in wrapper.patterns[0].profiles] == [
        profile.id for profile in old.patterns[0].profiles
    ]
    moved = learn(rows_of(450, "word").replace("<tr>", "<tr><td>new</td>"), previous=old)
    assert [profile.id for profile in moved.patterns[0].profiles][-449:] == list(range(1, 450))


def test_keeping_compares_all_columns_of_other_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    old = learn(shop(8))
    whole = learn(shop(8), previous=old)
    assert whole.limits == ()
    monkeypatch.setattr(keeping, "MOST_PAIRS", 1)
    some = learn(shop(8), previous=old)
    assert some.limits == ("wrapper.keeping",)
    assert some.dumps() == whole.dumps().replace('"pages": 1,', '"pages": 1,\n  "limits": ["wrapper.keeping"],')


# Reading


def hostile_expression(parts: int) -> Wrapper:
    """A wrapper whose file says that records are very many things that may all be absent."""
    data = json.loads(learn(shop()).dumps())
    first = data["lists"][0]
    first["expression"] = "(" + "0? " * parts + ")+"
    first["expression_roles"] = ["head"] * parts
    first["expression_repeat"] = 0
    return Wrapper.loads(json.dumps(data))


def test_an_expression_that_takes_too_many_steps_to_match(monkeypatch: pytest.MonkeyPatch) -> None:
    page = shop(120)
    small = hostile_expression(20)
    assert read(small, page).limits == ()
    monkeypatch.setattr(cutting, "TOTAL_BUDGET", 20_000)
    wrapper = hostile_expression(2_000)
    assert wrapper.extract(page).limits == ()  # nothing has been read so far
    found = read(wrapper, page)
    assert found.limits == found.region(0).limits == ("grammar.expression",)
    assert wrapper.check(page).limits == ("grammar.expression",)
    assert wrapper.limits == ()  # of learning, not of reading


def test_the_budget_of_matching_is_that_of_all_elements_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "TOTAL_BUDGET", 100_000)
    reading = cutting.Reading(hostile_expression(500).patterns[0].cutting.matcher)
    matches = [reading.match([0] * k + [7]) for k in range(1, 200)]
    assert reading.left < 0
    assert reading.limits == ("grammar.expression",)
    # Beyond the budget each string takes what its length is worth, and as much again is enough for the expression.
    assert sum(match.steps for match in matches) <= 3 * 100_000 + sum(k * 16 for k in range(1, 200))
    last = matches[-1]
    assert (last.positions, last.steps) == ((SKIPPED,) * 200, 0)
    assert last.iterations(0) == []
    assert last is reading.match([0] * 199 + [7])


def test_lists_share_the_budget_of_matching(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "TOTAL_BUDGET", 100_000)
    matcher = hostile_expression(500).patterns[0].cutting.matcher
    assert [cutting.Reading(matcher, sharing).left for sharing in (1, 4)] == [100_000, 25_000]
    (pattern,) = hostile_expression(500).patterns
    shared: list[int] = []
    apply = cutting.Cutting.apply

    def counted(self: cutting.Cutting, *arguments: Any) -> cutting.Cut:
        shared.append(arguments[3])
        return apply(self, *arguments)

    monkeypatch.setattr(cutting.Cutting, "apply", counted)
    for count in (1, 3):
        assert [len(region) for region in Wrapper((pattern,) * count).extract(shop(120)).regions]
        assert set(shared) == {count}
        shared.clear()


def test_more_unknown_children_than_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    learned = learn_cutting([example_of(headed(UNEVEN), lambda name: name == "head")])
    strange = example_of(headed((0, 1) * 20, "new"), lambda name: "head" in name)
    whole = learned.apply(strange.page, strange.parents, NO_KEYS)
    assert whole.limits == ()
    assert len(whole.unknown) == 0
    assert whole.spans.tolist() == strange.spans.tolist()
    monkeypatch.setattr(cutting, "LIKENESS_BUDGET", 20)
    some = learned.apply(strange.page, strange.parents, NO_KEYS)
    assert some.limits == ("wrapper.likeness",)
    assert len(some.unknown) == 30  # two kinds are known: each of ten others was compared with both
    wrapper = learn(shop())
    wrapper = replace(wrapper, patterns=(replace(wrapper.patterns[0], cutting=learned),))
    assert read(wrapper, strange.page).limits == wrapper.check(strange.page).limits == ("wrapper.likeness",)


def test_more_is_skipped_than_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    wrapper = learn(shop())
    page = shop().replace("</ul>", "<x-y>s</x-y>" * 100 + "</ul>")
    whole = read(wrapper, page)
    assert whole.limits == ()
    assert whole.skipped[-1] == (":root > body > ul > x-y:nth-of-type(100)", "s")
    assert len(whole.skipped) == 100
    monkeypatch.setattr("fastwrap.wrapper.wrapper.SKIPPED_WORK", 50 * len(whole.page) * 4)
    some = read(wrapper, page)
    assert some.limits == ("wrapper.skipped",)
    assert some.skipped == whole.skipped[:50]
    assert wrapper.check(page).skipped == 100
    monkeypatch.setattr("fastwrap.wrapper.wrapper.SKIPPED_WORK", 0)
    assert wrapper.extract(page).skipped == whole.skipped[:20]
    assert read(wrapper, shop()).limits == ()


def test_more_columns_than_are_looked_for_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    wrapper = learn(shop(20))
    damaged = shop(20).replace("<i>", "<p><u>").replace("</i>", "</u></p>")
    whole = wrapper.check(damaged)
    assert [(column.name, column.state) for column in whole.troubles] == [("price", "moved")]
    assert whole.limits == ()
    monkeypatch.setattr(fitting, "MOST_PAIRS", 0)
    some = wrapper.check(damaged)
    assert [(column.name, column.state) for column in some.troubles] == [("price", "emptied")]
    assert some.limits == ("wrapper.moved",)
    assert some.fit == whole.fit


# Files


def test_limits_are_saved() -> None:
    wrapper = learn([shop()] * 51)
    assert json.loads(wrapper.dumps())["limits"] == ["wrapper.pages"]
    assert Wrapper.loads(wrapper.dumps()).limits == ("wrapper.pages",)
    assert pickle.loads(pickle.dumps(wrapper)).limits == ("wrapper.pages",)  # noqa: S301 - our own


@pytest.mark.parametrize("limits", [None, "pages", [1], [""], ["x" * 2_000], ["a"] * 101, {}])
def test_limits_that_are_none_are_refused(limits: object) -> None:
    data = json.loads(learn(shop()).dumps()) | {"limits": limits}
    with pytest.raises(FastwrapError, match="limits"):
        Wrapper.loads(json.dumps(data))
