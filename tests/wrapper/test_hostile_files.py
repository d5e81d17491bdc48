"""Wrapper files that are made to take long: what is too large is refused at once, what is left takes linear work.
Nothing here is timed: work is counted."""

from __future__ import annotations

import copy
import json
import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page, Wrapper, WrapperSet, learn
from fastwrap.columns import Template
from fastwrap.columns.choice import OPERATIONS
from fastwrap.grammar import expression, parse_expression
from fastwrap.grammar.expression import Alternative, Expression, Sequence
from fastwrap.wrapper import cutting
from fastwrap.wrapper.cutting import NO_KEYS
from tests.helpers.sites import SITES, WORDS

PAGE = "<ul class=list>" + "".join(f"<li><a href=/{k}>Name {k}</a><b>{k}.50 EUR</b></li>" for k in range(9)) + "</ul>"
FILE = json.loads(learn(PAGE, columns="all").dumps())
CHOSEN = json.loads(learn(PAGE).dumps())
"""The same with a choice of columns."""


def changed(**entries: Any) -> str:
    """The file with other entries in its list."""
    document = copy.deepcopy(FILE)
    document["lists"][0].update(entries)
    return json.dumps(document)


# Expressions

MANY = 2_000


def nested(before: str, inner: str, after: str, depth: int = 100) -> str:
    return before * depth + inner + after * depth


NESTED = {
    "parentheses": nested("(", "0 " * MANY, ")"),
    "sequences that begin with one": nested("(", "0 " * MANY, " 1)"),
    "sequences that end with one": nested("(1 ", "0 " * MANY, ")"),
    "alternatives": nested("(", "0|" * MANY + "0", "|1)"),
    "optional alternatives": nested("(", "0|" * MANY + "0", "|1)?"),
    "optional sequences of optional parts": nested("(", "0? " * MANY, " 1?)?"),
    "alternatives with the empty string": nested("(", "0? " * MANY, " 1?|())"),
    "alternatives beside the empty string": nested("(", "0|" * MANY + "0", " ()|1)"),
    "marks": nested("(", "0 " * MANY, ")+?*") + "?+*" * MANY,
}


@pytest.mark.parametrize("name", NESTED)
def test_nested_groups_are_put_together_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = 0
    check = Expression.__post_init__

    def counted(self: Expression) -> None:
        nonlocal parts
        parts += 1 + (len(self.parts) if isinstance(self, Sequence | Alternative) else 0)
        check(self)

    monkeypatch.setattr(Expression, "__post_init__", counted)
    read = parse_expression(NESTED[name])
    assert read.size > MANY
    assert parts <= 3 * read.size + 100
    monkeypatch.undo()
    assert parse_expression(str(read)) == read


def step_by_step(text: str) -> Expression:
    """What `parse_expression` reads, made group by group of the functions that keep expressions in one form."""
    place = 0
    tokens = re.findall(r"-?\d+|\S", text)

    def branch() -> Expression:
        nonlocal place
        parts: list[Expression] = []
        while place < len(tokens) and tokens[place] not in ("|", ")"):
            mark = tokens[place]
            place += 1
            if mark == "(":
                parts.append(group())
                place += 1
            elif mark in ("?", "+", "*"):
                part = parts[-1] if mark == "?" else expression.repeat(parts[-1])
                parts[-1] = part if mark == "+" else expression.optional(part)
            else:
                parts.append(expression.Symbol(int(mark)))
        return expression.sequence(*parts)

    def group() -> Expression:
        nonlocal place
        branches = [branch()]
        while place < len(tokens) and tokens[place] == "|":
            place += 1
            branches.append(branch())
        return branches[0] if len(branches) == 1 else expression.alternative(*branches)

    return group()


marks = st.sampled_from(["", "", "", "?", "+", "*", "?+", "+?", "**"])
groups = st.recursive(
    st.builds("{}{}".format, st.sampled_from(["0", "1", "-2", "()"]), marks),
    lambda inner: st.builds(
        lambda branches, after: "(" + "|".join(map(" ".join, branches)) + ")" + after,
        st.lists(st.lists(inner, min_size=1, max_size=3), min_size=1, max_size=3),
        marks,
    ),
    max_leaves=25,
)


@given(st.lists(groups, min_size=1, max_size=3).map(" ".join))
def test_an_expression_is_what_its_groups_make(text: str) -> None:
    read = parse_expression(text)
    assert read == step_by_step(text)
    assert (read.depth, read.size, read.nullable) == (lambda e: (e.depth, e.size, e.nullable))(step_by_step(text))


# Files


def columns(count: int) -> dict[str, Any]:
    """The entries of a list that has so many columns, in as many slots."""
    entry = copy.deepcopy(FILE["lists"][0])
    entry["columns"] = [{**entry["columns"][0], "id": number, "samples": []} for number in range(count)]
    entry["template"].update(
        slots=[["li", -1, 0, number, -1, -1] for number in range(count)],
        items=[{"slot": number, "kind": "text"} for number in range(count)],
        names=[{"name": f"c{number}"} for number in range(count)],
        link=-1,
    )
    return {key: entry[key] for key in ("columns", "template")}


def with_kinds(slots: int, kinds: int) -> dict[str, Any]:
    entries = columns(kinds)
    entries["template"]["slots"] = [["li", -1, 0, number, -1, -1] for number in range(slots)]
    entries["template"]["items"] = [{"slot": 0, "kind": f"data-{number}"} for number in range(kinds)]
    return entries


def choosing(sources: list[dict[str, Any]], items: list[dict[str, Any]] | None = None) -> str:
    """A file that shows these columns of its items."""
    document = copy.deepcopy(CHOSEN)
    entry = document["lists"][0]
    entry["columns"] = [{**entry["columns"][0], "id": number, "samples": []} for number in range(len(sources))]
    entry["template"].update(choice=sources, names=[{"name": f"c{number}"} for number in range(len(sources))], link=-1)
    if items is not None:
        entry["template"]["items"] = items
    return json.dumps(document)


TAKEN = {"operation": "take", "items": [[0]]}
RULE = {"separator": "|", "parts": [{"separator": "|", "parts": [{}] * 12}] * 12}
CHILD = FILE["lists"][0]["children"][0]
TOO_LARGE = {
    "columns": (changed(**columns(10_001)), "length <= 10000 - at `$.lists[0].columns`"),
    "lists": (json.dumps({**FILE, "lists": FILE["lists"] * 101}), "length <= 100 - at `$.lists`"),
    "children": (changed(children=[CHILD] * 1_001), "length <= 1000 - at `$.lists[0].children`"),
    "tokens": (
        changed(path=[{"tag": "html"}, {"tag": "body", "class": ["a"] * 101}]),
        "length <= 100 - at `$.lists[0].path[1].class`",
    ),
    "expressions": (
        json.dumps({**FILE, "lists": [{**FILE["lists"][0], "expression": "0 " * 60_000}] * 5}),
        "the expressions have more than 500,000 characters",
    ),
    "kinds": (changed(**with_kinds(150_000, 150)), "too many slots for so many kinds of items"),
    "rules": (
        changed(template={**FILE["lists"][0]["template"], "items": [
            {"slot": 0, "kind": "text", "rule": RULE}]}),
        "columns, and the template has 144",
    ),
    "rules beside a choice": (
        choosing([TAKEN], [{"slot": 0, "kind": f"data-{k}", "rule": RULE} for k in range(70)]),
        "the items have 10080 columns: expected up to 10000 - at `$.lists[0].template`",
    ),
    "a choice": (choosing([TAKEN] * 10_001), "length <= 10000 - at `$.lists[0].columns`"),
    "sources": (
        choosing([{"operation": "first", "items": [[0]] * 10_001}]),
        "length <= 10000 - at `$.lists[0].template.choice[0].items`",
    ),
    "items that are joined": (
        choosing([{"operation": "join", "items": [[0] * 10_001]}]),
        "length <= 10000 - at `$.lists[0].template.choice[0].items[0]`",
    ),
    "conditions": (
        choosing([{"operation": "rest", "items": [[0]], "where": [1] * 10_001}]),
        "length <= 10000 - at `$.lists[0].template.choice[0].where`",
    ),
    "columns of one item": (choosing([TAKEN] * 5), "an item is in more than 4 columns - at `$.lists[0].template`"),
    "an item joined with itself": (
        choosing([{"operation": "join", "items": [[0] * 5]}]),
        "an item is in more than 4 columns - at `$.lists[0].template`",
    ),
    "a condition that is there often": (
        choosing([{"operation": "rest", "items": [[0]], "where": [1] * 5}]),
        "an item is in more than 4 columns - at `$.lists[0].template`",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TOO_LARGE)
def test_files_that_are_too_large(name: str) -> None:
    text, says = TOO_LARGE[name]
    with pytest.raises(FastwrapError, match=re.escape(says)):
        Wrapper.loads(text)


def test_rules_are_counted_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Template, "from_json", None)
    with pytest.raises(FastwrapError, match="the template has 144"):
        Wrapper.loads(TOO_LARGE["rules"][0])


@pytest.mark.parametrize("name", ["rules beside a choice", "sources", "items that are joined", "conditions"])
def test_choices_are_counted_before_they_are_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Template, "from_json", None)
    with pytest.raises(FastwrapError, match="10000"):
        Wrapper.loads(TOO_LARGE[name][0])


def test_a_choice_of_many_parts_for_many_records_is_refused() -> None:
    """A table of one item may show many columns."""
    width = 2_000
    rule = {"separator": "|", "parts": [{"separator": ";", "parts": [{}] * 10}] * 10}
    parts = [{**TAKEN, "part": part % 100} for part in range(width)]
    wrapper = Wrapper.loads(choosing(parts, [{"slot": 0, "kind": "href", "rule": rule}]))
    page = "<ul class=list>" + "<li><a>x</a><b>y</b>" * 10_001 + "</ul>"
    with pytest.raises(FastwrapError, match="10,001 records of 2,000 columns make too large a table"):
        wrapper.extract(page).region(0).texts  # noqa: B018 - what is tested is that it is not read


BAD_CHOICES: dict[str, tuple[Any, str]] = {
    "an item that there is not": ([{"operation": "take", "items": [[99]]}], "expected a number below 3"),
    "a condition that there is not": ([{"operation": "rest", "items": [[0]], "where": [3]}], "a number below 3"),
    "an item below 0": ([{"operation": "take", "items": [[-1]]}], "Expected `int` >= 0"),
    "no items": ([{"operation": "take", "items": []}], "length >= 1 - at `$.lists[0].template.choice[0].items`"),
    "an empty join": ([{"operation": "join", "items": [[]]}], "length >= 1"),
    "an empty condition": ([{"operation": "rest", "items": [[0]], "where": []}], "length >= 1"),
    "another operation": ([{"operation": "drop", "items": [[0]]}], "Invalid enum value 'drop'"),
    "no operation": ([{"items": [[0]]}], "missing required field `operation`"),
    "a part of a whole text": ([{**TAKEN, "part": 0}], "a part of a text that is not split"),
    "a part below 0": ([{**TAKEN, "part": -1}], "Expected `int` >= 0"),
    "a trim that is a number": ([{**TAKEN, "trim": 1}], "Expected `bool`"),
    "more fields": ([{**TAKEN, "more": 1}], "unknown field `more`"),
    "a choice that is none": ({"operation": "take"}, "Expected `array`, got `object`"),
}


@pytest.mark.parametrize("name", BAD_CHOICES)
def test_bad_choices(name: str) -> None:
    sources, says = BAD_CHOICES[name]
    with pytest.raises(FastwrapError, match=re.escape(says)):
        Wrapper.loads(choosing(sources))


def test_parts_of_several_texts() -> None:
    items = [{"slot": 0, "kind": f"data-{k}", "rule": {"separator": "|", "parts": [{}, {}]}} for k in range(2)]
    assert Wrapper.loads(choosing([{**TAKEN, "part": 1}], items)).dumps()
    for source, says in (
        ({**TAKEN, "part": 2}, "not split into as many"),
        ({"operation": "join", "items": [[0, 1]], "part": 1}, "not split into as many"),
        ({"operation": "take", "items": [[0, 1]], "part": 1}, "a part of several texts"),
        ({"operation": "take", "items": [[0], [1]], "part": 1}, "a part of several texts"),
        ({**TAKEN, "where": [1], "part": 1}, "a part of several texts"),
    ):
        with pytest.raises(FastwrapError, match=says):
            Wrapper.loads(choosing([source], items))


def test_names_and_columns_are_those_of_the_choice() -> None:
    document = copy.deepcopy(CHOSEN)
    document["lists"][0]["template"]["choice"].pop()
    with pytest.raises(FastwrapError, match="there are 3 columns, and the template has 2"):
        Wrapper.loads(json.dumps(document))
    document["lists"][0]["columns"].pop()
    with pytest.raises(FastwrapError, match="names of the columns are not one for each"):
        Wrapper.loads(json.dumps(document))


def test_files_that_are_just_not_too_large() -> None:
    for entries in (columns(3_000), with_kinds(1_000, 200)):
        wrapper = Wrapper.loads(changed(**entries))
        found = wrapper.extract(PAGE)
        assert {len(record.texts) for record in found.records} == {len(entries["columns"])}
        assert Wrapper.loads(wrapper.dumps()).extract(PAGE).region(0).texts == found.region(0).texts


def test_children_with_very_many_tokens_take_more_of_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    learned = (
        learn("<ul>" + "".join(f"<li class=a><b>Name {k}</b></li>" for k in range(9)) + "</ul>").patterns[0].cutting
    )
    page = Page("<ul>" + "".join(f"<li class='b{'c' * k}'><b>Name {k}</b></li>" for k in range(9)) + "</ul>")
    parents = np.array([3], dtype=np.int32)
    assert page.tag_name(3) == "ul"
    many = tuple("t" * number for number in range(1, 201))
    for tokens, met in (((), ()), (many, ("wrapper.likeness",))):
        children = tuple(
            symbol._replace(tokens=(*tokens, "x" * (number + 1))) for number, symbol in enumerate(learned.symbols * 9)
        )
        hostile = cutting.Cutting(1, children, (1,) * len(children))
        monkeypatch.setattr(cutting, "LIKENESS_BUDGET", 9 * len(children))
        assert hostile.apply(page, parents, NO_KEYS).limits == met


# Any file, on any page


def mutate(value: Any, choose: random.Random) -> None:
    """Change one entry, at any depth: another in its place, left out, doubled, a bit more or less, in another order."""
    places: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        here = waiting.pop()
        keys = list(here) if isinstance(here, dict) else range(len(here)) if isinstance(here, list) else ()
        places += ((here, key) for key in keys)
        waiting += (here[key] for key in keys)
    here, key = choose.choice(places)
    old = copy.deepcopy(here[key])
    match choose.randrange(6):
        case 0:
            here[key] = choose.choice(
                [0, 1, -1, 2, 7, 100, 0.5, 1.0, "", "a", "li", "#text", "0+ 1?", "(0|1)*", [], None]
            )
        case 1 if isinstance(here, list):
            here.insert(key, old)
        case 2 if type(old) is int:
            here[key] = old + choose.choice((-2, -1, 1, 2))
        case 3 if isinstance(old, list):
            choose.shuffle(here[key])
        case 4:
            del here[key]
        case _:
            other, place = choose.choice(places)
            here[key] = copy.deepcopy(other[place])


SALE = "<ul class=list>" + "".join(
    f"<li><a href=/{k}><img src=/{k}.png>Name {k}</a><p>The {WORDS[k]} lamp <b>{WORDS[-k]}</b> of {k} {WORDS[k]}s</p>"
    f"<p class=tags>{'<em>red</em>' * (k % 4)}</p><s>{k + 9}.00 EUR</s>{f'<u>{k + 5}.00 EUR</u>' * (k % 2)}"
    f"<q>Town {k} | {k} km</q></li>"
    for k in range(1, 12)
) + "</ul>"  # fmt: skip
"""Columns that are joined, lists, the first of several, the rest, and parts of texts."""

PAGES = [
    PAGE,
    SITES["shop"](1),
    SITES["forum"](1),
    SALE,
    "<p>nothing",
    "<table><tr><td>a<td>1<tr><td>b<td>2<tr><td>c<td>3</table>",
]
FILES = [json.loads(learn(page, columns=columns).dumps()) for page in PAGES for columns in (None, "all")]
WITH_CHOICE = [
    file for file in FILES if file["lists"] and all("choice" in entry["template"] for entry in file["lists"])
]


def assert_usable(wrapper: Wrapper, page: str) -> None:
    """Everything can be done with a wrapper, and it is the same after it was saved."""
    text = wrapper.dumps()
    again = Wrapper.loads(text)
    assert again.dumps() == text
    found = wrapper.extract(page)
    assert [region.texts for region in found.regions] == [region.texts for region in again.extract(page).regions]
    checked = wrapper.check(page)
    assert checked == again.check(page)
    assert 0.0 <= checked.fit == found.fit <= 1.0
    json.loads(found.to_json())
    assert len(WrapperSet([wrapper, again]).extract(page).records) in (0, len(found.records))
    for selectors in (wrapper.to_xpath, wrapper.to_css, wrapper.to_scrapy):
        try:
            selected = selectors(page)
        except FastwrapError:
            continue
        assert selected
    learn(page, previous=wrapper).dumps()


@given(st.sampled_from(FILES), st.sampled_from(PAGES), st.randoms(use_true_random=False), st.integers(1, 3))
def test_whatever_loads_can_be_used(file: Any, page: str, choose: random.Random, times: int) -> None:
    document = copy.deepcopy(file)
    for _ in range(times):
        mutate(document, choose)
    try:
        wrapper = Wrapper.loads(json.dumps(document))
    except FastwrapError:
        return
    assert_usable(wrapper, page)


@given(st.sampled_from(WITH_CHOICE), st.sampled_from(PAGES), st.randoms(use_true_random=False), st.integers(1, 4))
def test_whatever_choice_loads_can_be_used(file: Any, page: str, choose: random.Random, times: int) -> None:
    document = copy.deepcopy(file)
    for entry in document["lists"]:
        for _ in range(times):
            if entry["template"]["choice"]:
                mutate(entry["template"]["choice"], choose)
    try:
        wrapper = Wrapper.loads(json.dumps(document))
    except FastwrapError:
        return
    assert_usable(wrapper, page)


@given(st.sampled_from(WITH_CHOICE), st.sampled_from(PAGES), st.data())
def test_any_choice_of_items_can_be_used(file: Any, page: str, data: st.DataObject) -> None:
    """Columns that are put together at random of the items that there are."""
    document = copy.deepcopy(file)
    for entry in document["lists"]:
        template = entry["template"]
        rules = {number: item["rule"] for number, item in enumerate(template["items"]) if "rule" in item}
        number = st.integers(0, len(template["items"]) - 1)
        joined = st.lists(number, min_size=1, max_size=3)
        whole = st.fixed_dictionaries(
            {
                "operation": st.sampled_from(OPERATIONS),
                "items": st.lists(joined, min_size=1, max_size=3),
                "trim": st.booleans(),
            },
            optional={"where": joined},
        )
        part = st.builds(
            lambda item, part, trim: {"operation": "take", "items": [[item]], "part": part, "trim": trim},
            st.sampled_from(sorted(rules) or [0]),
            st.integers(0, 2),
            st.booleans(),
        )
        count = len(template["choice"])
        template["choice"] = data.draw(st.lists(whole | part if rules else whole, min_size=count, max_size=count))
    try:
        wrapper = Wrapper.loads(json.dumps(document))
    except FastwrapError as error:
        assert "more than 4 columns" in str(error) or "not split into as many" in str(error)  # noqa: PT017
        return
    assert_usable(wrapper, page)


def test_the_files_have_all_operations() -> None:
    choices = [entry["template"]["choice"] for file in WITH_CHOICE for entry in file["lists"]]
    assert {source["operation"] for choice in choices for source in choice} == set(OPERATIONS)
    assert any("part" in source for choice in choices for source in choice)
    assert any("where" in source for choice in choices for source in choice)


@pytest.mark.parametrize("page", PAGES)
def test_a_choice_is_saved_byte_for_byte(page: str) -> None:
    text = learn(page).dumps()
    again = Wrapper.loads(text)
    assert again.dumps() == text == Wrapper.loads(again.dumps().encode()).dumps()
    for ours, theirs in zip(learn(page).patterns, again.patterns, strict=True):
        assert ours.template.choice == theirs.template.choice
        assert ours.template.choice is not None
        assert ours.template.shown.paths == theirs.template.shown.paths
    without = learn(page, columns="all")
    assert '"choice"' not in without.dumps()
    assert Wrapper.loads(without.dumps()).dumps() == without.dumps()
