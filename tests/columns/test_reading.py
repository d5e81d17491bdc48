"""Reading records by a template: the reader against its oracle, and what it remembers of pages."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page, columns
from fastwrap._core.columns import reading as native
from fastwrap._core.columns.learning import learn
from fastwrap._core.columns.presenting import Presenter
from fastwrap.page.names import NO_NODE, TEXT
from tests.helpers.columns import (
    ATTRIBUTES,
    OPTIONS,
    PLENTY,
    children_of,
    first_children,
    plainly,
    record_parts,
    spans_of,
)
from tests.reference.columns import choice as plain_choice
from tests.reference.columns import reading as plain
from tests.reference.html import html

NO_LABELS = np.empty(0, dtype=np.int32)


@settings(max_examples=400)
@given(
    parts=st.lists(st.one_of(record_parts, html), min_size=1, max_size=7),
    others=st.lists(st.lists(st.one_of(record_parts, html), max_size=7), max_size=3),
    chooser=st.randoms(use_true_random=False),
    enough=st.integers(1, 3),
)
def test_reader(parts: list[str], others: list[list[str]], chooser: random.Random, enough: int) -> None:
    pages = [Page("<ul>" + "".join(f"<li>{part}</li>" for part in own) + "</ul>") for own in (parts, *others)]
    found = [first_children(page) for page in pages]
    tree = learn(pages[0].native, found[0], {}, OPTIONS._replace(label_records=enough))[1][:4].copy()
    count = tree.shape[1]
    repeats = np.array([chooser.choice([NO_NODE, NO_NODE, slot]) for slot in range(count)], dtype=np.int32)
    width = chooser.randint(0, 2 * count)
    column_of = np.array(
        [[chooser.randrange(-1, width) for _ in range(len(ATTRIBUTES) + 1)] for _ in range(count)], dtype=np.int32
    ).reshape(count, len(ATTRIBUTES) + 1)
    unit = np.array([chooser.choice([NO_NODE, NO_NODE, 0, 1]) for _ in range(count)], dtype=np.int32)
    lists = np.array([chooser.choice([NO_NODE, NO_NODE, 0, 1]) for _ in range(width)], dtype=np.int32)
    labels = np.unique(tree[2][(tree[0] == TEXT) & (tree[2] != 0)])
    template = (tree, repeats, labels, ATTRIBUTES, column_of, unit, lists)
    reader, reference = native.Reader(*template), plain.Reader(*template)
    # What a reader remembers of pages changes nothing, also where a record exceeds the budget.
    for turn in chooser.choices(range(len(pages)), k=5):
        page, spans = pages[turn], found[turn]
        budget = chooser.choice([0, 20, 100, 400, PLENTY])
        placed, rows, limits = reader.read(page.native, spans, budget)
        assert plainly((placed, rows, limits)) == plainly(reference.read(page.native, spans, budget))
        assert not (limits and budget == PLENTY)
        outputs = [(0, 0, NO_NODE, 0, ((item,),), ()) for item in range(0, width, 2)]
        shown = reader.read(page.native, spans, budget, Presenter(outputs))[1]
        assert shown == plain_choice.present(rows, [plain_choice.Output(*output) for output in outputs])
        nodes = [node for first, last in spans.tolist() for node in range(first, last)]
        for node, slot in zip(nodes, placed.tolist(), strict=True):
            assert slot == NO_NODE or tree[0, slot] == page.tag[node]
        # The records fit into their own tree.
        assert turn or budget < PLENTY or (placed != NO_NODE).all()


def test_what_is_new_in_what_somebody_wrote_belongs_to_it() -> None:
    words = "these are words enough that they would be taken for what somebody wrote"
    texts = [f"<p>{words}.</p>" * (1 + k % 3) + f"<ul><li>{k}</ul>" * (k % 2) for k in range(6)]
    post = "<article><b>n{k}</b><div class=text>{text}</div></article>"
    first = Page("<main>" + "".join(post.format(k=k, text=text) for k, text in enumerate(texts)) + "</main>")
    table = columns.learn(first, first_children(first), choose=True)
    new = f"<table><tr><td>a<td>b</table><p>{words} <em>and</em> more</p><h4>end</h4>"
    other = Page(f"<main>{post.format(k=7, text=new)}<article><i>?</i></article></main>")
    read = columns.apply(table.template, other, first_children(other)).texts
    assert read == [["n7", f"a b {words} and more end"], [None, None]]


def test_a_reader_forgets() -> None:
    # More records, and more nodes, than it remembers.
    page = Page("".join(f"<p>{'<b></b>' * (k % 90)}{'<i>x</i>' * (k // 90)}</p>" for k in range(900)))
    spans = children_of(page, page.body)
    tree = np.array([[int(page.tag[spans[0, 0]]), 0], [NO_NODE, 0], [0, 0], [2, 1]], dtype=np.int32)
    nothing = np.full(2, NO_NODE, dtype=np.int32)
    column_of = np.full((2, 1), NO_NODE, dtype=np.int32)
    reader = native.Reader(tree, nothing, NO_LABELS, NO_LABELS, column_of, nothing, NO_LABELS)
    first, again = (reader.read(page.native, spans, PLENTY) for _ in range(2))
    assert plainly(first) == plainly(again)
    assert first[0][spans[:, 0] - spans[0, 0]].tolist() == [0] * len(spans)


@pytest.mark.parametrize("module", [native, plain], ids=["native", "plain"])
def test_what_is_refused(module: ModuleType) -> None:
    page = Page("<ul><li class=c title=t>a<li title=t>b</ul>")
    tree = np.array([[20, 0], [-1, 0], [0, 0], [2, 1]], dtype=np.int32)
    nothing = np.full(2, NO_NODE, dtype=np.int32)
    column_of = np.full((2, len(ATTRIBUTES) + 1), NO_NODE, dtype=np.int32)
    template: dict[str, Any] = {
        "tree": tree, "repeats": nothing, "labels": NO_LABELS, "attributes": ATTRIBUTES, "column_of": column_of,
        "unit": nothing, "list_of": nothing[:1],
    }  # fmt: skip
    reader = module.Reader(**template)
    reader.read(page.native, spans_of([[4, 6], [6, 8]]), PLENTY)
    for name, array in template.items():
        if name not in ("labels", "list_of"):
            with pytest.raises(ValueError, match=r"length|within|order"):
                module.Reader(**template | {name: array[..., :-1].copy()})
    wrong: list[tuple[str, Any, str]] = [
        ("tree", tree[:2], "length"),
        ("tree", tree[:, ::-1].copy(), "order"),
        ("repeats", np.array([1, -1], dtype=np.int32), "not repeated"),
        ("repeats", np.array([-1, 2], dtype=np.int32), "not repeated"),
        ("column_of", column_of + 2, "column"),
        ("column_of", column_of - 1, "column"),
        ("unit", nothing - 1, "list"),
        ("list_of", nothing - 1, "list"),
        ("attributes", np.arange(251, dtype=np.int32), r"attributes are wanted|length"),
    ]
    for name, array, message in wrong:
        with pytest.raises(ValueError, match=message):
            module.Reader(**template | {name: array})
    for spans in ([[4, 5]], [[4, 9]], [[5, 5]], [[-1, 6]]):
        with pytest.raises(ValueError, match="span 0"):
            reader.read(page.native, spans_of(spans), PLENTY)
