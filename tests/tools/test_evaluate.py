"""The evaluation: its pairing against the reference twin and the referee itself, each part, the command, the report."""

from __future__ import annotations

import json
import math
import os
import pty
import re
import subprocess
import sys
import types
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from fastwrap import regions
from fastwrap.cli import main
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.names import TEXT
from fastwrap.regions import FoundRegion, Search
from fastwrap.tools.evaluate.benchmark import (
    EVALUATORS,
    Extractor,
    PageResult,
    Summary,
    as_json,
    method,
    run,
    summarise,
)
from fastwrap.tools.evaluate.corpora import Document, Folder
from fastwrap.tools.evaluate.evaluators import (
    Attempt,
    Confidence,
    Figures,
    ItemSets,
    NoiseRemoval,
    Referee,
    Time,
    Totals,
)
from fastwrap.tools.evaluate.marks import AnswerKey, Marks, locate
from fastwrap.tools.evaluate.pairing import Pairing, distinct, tokens
from fastwrap.tools.evaluate.report import html_report, side_by_side
from tests.helpers.paths import CORPUS, ROOT
from tests.reference.html import html as any_html
from tests.reference.pairing import dice, pair_off

REFEREE = CORPUS.parent / "tools" / "score.py"

bags = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=9), max_size=7)
THRESHOLDS = {0.8: Fraction(8, 10), 0.5: Fraction(1, 2), 1.0: Fraction(1), 0.35: Fraction(7, 20)}


# Parts to put together


def listing(records: Sequence[str], around: str = "menu") -> bytes:
    items = "".join(f"<li><b>{record}</b></li>" for record in records)
    return f"<div><p>{around}</p></div><ul>{items}</ul>".encode()


def list_items(html: bytes) -> Marks:
    """An extractor: the items of lists."""
    page = Page(html)
    spans = [(n, n + int(page.size[n])) for n in range(len(page)) if page.tag_name(n) == "li"]
    return Marks(page, [spans] if spans else [], confidence=1.0 if spans else 0.0)


def document(name: str, records: Sequence[str], html: bytes | None = None) -> Document:
    return Document(name, lambda: listing(records) if html is None else html, AnswerKey(records))


class Pages(list[Document]):
    name = "pages"


def texts_on_page(given: Sequence[Sequence[str]]) -> Marks:
    """Marks with these texts, region by region, on a page made for them."""
    page = Page("".join(f"<div>{''.join(f'<p>{text}</p>' for text in region)}</div>" for region in given))
    spans = [[(n, n + int(page.size[n])) for n in page.children(division)] for division in page.children(page.body)]
    return Marks(page, spans)


def only(results: Iterator[PageResult] | list[PageResult]) -> Summary:
    """The one total of a run with one extractor on one corpus."""
    total, _ = summarise(results)
    return total


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> str:
    """A method of fastwrap that takes list items for records, with an option."""

    def find(page: Page, *, least: int = 1) -> Search:
        found = [(n, n + int(page.size[n])) for n in range(len(page)) if page.tag_name(n) == "li"]
        if b"fail" in page.arrays.text:
            raise ZeroDivisionError("made to fail")
        return Search([FoundRegion(np.array(found, dtype=np.int32), 1.0)] if len(found) >= least else [], ())

    module = types.ModuleType("fastwrap.regions.fake")
    module.find = find  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fastwrap.regions.fake", module)
    monkeypatch.setitem(regions.METHODS, "fake", "list items")
    return "fake"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A corpus of three pages with keys: one right, one with a wrong record, one that fails."""
    pages = {
        "right.html": (listing(["alpha 1", "beta 2", "gamma 3"]), ["alpha 1", "beta 2", "gamma 3"]),
        "more.html": (listing(["one 1", "two 2", "spam 7 7 7"]), ["one 1", "two 2"]),
        "fails.html": (listing(["fail here", "x"]), ["fail here", "x"]),
    }
    corpus = tmp_path / "shelf"
    corpus.mkdir()
    for name, (html, _) in pages.items():
        (corpus / name).write_bytes(html)
    lines = (json.dumps({"page": name, "records": records, "note": "x"}) for name, (_, records) in pages.items())
    (corpus / "truth.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return corpus


# Pairing


@pytest.mark.parametrize("least", THRESHOLDS)
@given(bags, bags)
def test_pairs_are_those_of_the_reference(least: float, found: list[list[str]], true: list[list[str]]) -> None:
    assert Pairing(true, least).pair(found) == pair_off(found, true, THRESHOLDS[least])


@given(bags, bags)
def test_above_a_threshold_is_at_least_the_next_number(found: list[list[str]], true: list[list[str]]) -> None:
    pairs = Pairing(true, math.nextafter(0.35, 1)).pair(found)
    assert pairs == pair_off(found, true, Fraction(35, 100) + Fraction(1, 10**12))
    assert all(dice(found[one], true[other]) > Fraction(35, 100) for one, other in pairs)


@given(st.text("abc"), st.text("abc"))
def test_numbering_keeps_what_bags_share(one: str, other: str) -> None:
    assert len(distinct(one) & distinct(other)) == (Counter(one) & Counter(other)).total()


def test_no_candidate_is_lost_to_rounding() -> None:
    for size in range(1, 300):
        # The smallest bag that still fits shares nothing but the tokens that are most frequent in the truth.
        bag = [f"t{k}" for k in range(size)]
        smallest = math.ceil(Fraction(2, 3) * size)
        true = [bag[-smallest:], *([token] for token in bag[-smallest:])]
        assert (0, 0) in Pairing(true, 0.8).pair([bag])


# Referee


records = st.lists(st.sampled_from("abcde"), min_size=1, max_size=6)


@given(st.lists(st.lists(records, min_size=1, max_size=6), max_size=4), st.lists(records, max_size=6))
def test_referee_takes_the_first_and_the_best_region(found: list[list[list[str]]], true: list[list[str]]) -> None:
    figures = Referee().measure(
        Attempt(Page(b""), texts_on_page([[" ".join(r) for r in region] for region in found]),
                AnswerKey([" ".join(record) for record in true]))
    )  # fmt: skip
    assert figures is not None
    counts = [(len(pair_off(region, true, Fraction(8, 10))), len(region)) for region in found] or [(0, 0)]
    f1 = [Fraction(2 * right, total + len(true)) if total + len(true) else Fraction(1) for right, total in counts]
    assert [figures["main_right"], figures["main_found"]] == list(counts[0])
    assert figures["main_f1"] == pytest.approx(float(f1[0]))
    assert figures["any_f1"] == pytest.approx(float(max(f1)))
    assert figures["main_count"] == (counts[0][1] == len(true))
    assert figures["any_count"] == any(total == len(true) for _, total in counts)


def test_referee_looks_at_twenty_regions() -> None:
    right = texts_on_page([["x"]] * 20 + [["a b"]])
    assert Referee().measure(Attempt(right.page, right, AnswerKey(["a b"])))["any_right"] == 0  # type: ignore[index]


@pytest.mark.parametrize(("shared", "size", "right"), [(4, 5, 1), (19, 24, 0)])
def test_referee_wants_four_fifths(shared: int, size: int, right: int) -> None:
    words = [f"w{k}" for k in range(size)]
    found = texts_on_page([[" ".join([*words[:shared], *(f"x{k}" for k in range(size - shared))])]])
    figures = Referee().measure(Attempt(found.page, found, AnswerKey([" ".join(words)])))
    assert figures is not None
    assert figures["main_right"] == right


def test_referee_counts_over_all_pages() -> None:
    pages = Pages([document("a", ["one 1", "two 2"]), document("b", ["three 3"], listing(["three 3", "x", "y"]))])
    total = only(run([pages], [Extractor("items", list_items)], repeat=1)).figures["referee"]
    assert total["main"] == {
        "precision": 0.6, "recall": 1.0, "f1": 0.75, "page_f1": 0.75, "pages_exact": 0.5, "count_hit": 0.5,
    }  # fmt: skip
    assert total["main"] == total["any"]


def disturbed(true: Sequence[str], random: Random) -> list[list[str]]:
    """Regions that resemble the truth more or less: records dropped, cut, joined, doubled, in another order."""
    found = []
    for _ in range(random.randrange(4)):
        region: list[str] = []
        for text in true:
            words = text.split()
            damage = random.randrange(8)
            if damage == 0:
                continue
            if damage == 1:
                words = words[random.randrange(len(words) + 1) :]
            elif damage == 2 and region:
                words = [*region.pop().split(), *words]
            elif damage == 3:
                region.append(text)
            region.append(" ".join(words))
        found.append(region)
    random.shuffle(found)
    return found


@pytest.mark.corpus
def test_figures_are_those_of_the_referee(tmp_path: Path) -> None:
    folder = CORPUS / "tbdw"
    if not (REFEREE.is_file() and folder.is_dir()):
        pytest.skip(f"no referee at {REFEREE}, or no pages at {folder}: both are shared, not part of the repository")
    random = Random(0)
    predictions = {page.name: disturbed(page.key.records, random) for page in Folder(folder) if page.key is not None}
    given = tmp_path / "predictions.json"
    given.write_text(json.dumps(predictions), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, REFEREE, folder, "--json", "--predictions", given], capture_output=True, check=True
    )
    expected = json.loads(ran.stdout)["all"]
    evaluator = Referee()
    figures = []
    for page in Folder(folder):
        found = Marks(Page(b""), [])
        found.__dict__["texts"] = predictions[page.name]
        figures.append(evaluator.measure(Attempt(Page(b""), found, page.key)) or {})
    total = evaluator.total(figures)
    assert {view: total[view] for view in ("main", "any")} == {view: expected[view] for view in ("main", "any")}
    assert 0.1 < total["main"]["f1"] < total["any"]["f1"] < 0.98


# Answer keys and marks


@given(any_html, st.data())
def test_texts_are_found_where_they_stand(html: str, data: st.DataObject) -> None:
    page = Page(html)
    nodes = [n for n in np.flatnonzero(page.tag == TEXT).tolist() if tokens(page.text(n))]
    cuts = sorted(data.draw(st.lists(st.sampled_from(nodes), unique=True))) if nodes else []

    def spaced(start: int, end: int) -> str:
        """The texts of a span as truth has them: with a space wherever there is a tag."""
        return " ".join(page.text(node) for node in range(start, end) if page.tag[node] == TEXT)

    texts = [spaced(start, end) for start, end in zip(cuts, [*cuts[1:], len(page)], strict=False)]
    found = locate(page, texts)
    for span, text in zip(found, texts, strict=True):
        # What was sought may begin in the middle of a text.
        assert f" {' '.join(tokens(text))} " in f" {' '.join(tokens(spaced(*span)))} "
    assert found == sorted(found)


def test_a_text_that_is_nowhere_has_an_empty_span() -> None:
    key = AnswerKey(["one", "...", "never", "two", "one two"])
    marks = key.marks(Page("<p>one<p>two"))
    assert marks.texts == [["one", "", "", "two", "one two"]]


def test_words_are_whole() -> None:
    assert locate(Page("<p>none <p>one"), ["one"]) == [(6, 7)]


@pytest.mark.corpus
def test_true_records_are_found_on_real_pages() -> None:
    folder = CORPUS / "tbdw"
    if not folder.is_dir():
        pytest.skip(f"no pages at {folder}: the tests on real pages need the shared corpus")
    for page in Folder(folder):
        assert page.key is not None
        for text, true in zip(page.key.marks(Page(page.read())).texts[0], page.key.records, strict=True):
            # Without spaces: where texts touch, the page has none, and the truth has one for each tag.
            assert "".join(tokens(true)) in "".join(tokens(text))


# Other evaluators


def test_item_sets_drop_the_template_and_match_above_a_third() -> None:
    page = Page(
        "<ul>"
        "<li><b>a</b><i>buy</i><i>x1</i><i>x2</i></li>"
        "<li><b>b</b><i>buy</i><i>y1</i><i>y2</i></li>"
        "<li><b>c</b><i>buy</i><i>z1</i><i>z2</i></li></ul>"
    )
    items = [n for n in range(len(page)) if page.tag_name(n) == "li"]
    true = Marks(page, [[(n, n + 9) for n in items]])
    # The first is whole, the second has one item of three, the third shares none. "buy" is in all of the true
    # records, so it is none of their items; it is in two of three found ones, so there it counts.
    found = Marks(page, [[(items[0], items[0] + 9), (items[1], items[1] + 3), (items[2] + 3, items[2] + 5)]])
    assert ItemSets().measure(Attempt(page, found, AnswerKey([]), true)) == {
        "records_true": 3, "records_found": 3, "records_right": 2,
        "items_true": 9, "items_found": 4 + 1 + 1, "items_right": 3 + 1,
    }  # fmt: skip


@pytest.mark.parametrize(("shared", "right"), [(7, 0), (8, 1)])
def test_item_sets_match_only_above_the_threshold(shared: int, right: int) -> None:
    # 7 of 20 and 20 items are an F of 0.35, which is not above it.
    true = [f"t{k}" for k in range(20)]
    found = [*true[:shared], *(f"f{k}" for k in range(20 - shared))]
    page = Page("".join(f"<p>{''.join(f'<b>{item}</b>' for item in items)}</p>" for items in (true, found)))
    one, other = (Marks(page, [[(n, n + int(page.size[n]))]]) for n in page.children(page.body))
    figures = ItemSets().measure(Attempt(page, other, AnswerKey([]), one))
    assert figures is not None
    assert figures["records_right"] == right


def test_an_item_of_four_fifths_of_the_records_is_no_template() -> None:
    page = Page("".join(f"<p><b>{k}</b><i>{'buy' if k else 'sold'}</i></p>" for k in range(5)))
    marks = Marks(page, [[(n, n + int(page.size[n])) for n in page.children(page.body)]])
    figures = ItemSets().measure(Attempt(page, marks, AnswerKey([]), marks))
    assert figures is not None
    assert figures["items_true"] == 10


def before_and_after(before: int, after: int, true: int) -> Figures:
    """Figures of a page with `true` records, all found, among so many records before and after."""
    records = [f"record {k} name {k} price {k}" for k in range(true)]
    noise = [f"noise {k}" for k in range(before - true)]
    key = AnswerKey(records)
    uncleaned = texts_on_page([noise, records])
    cleaned = texts_on_page([noise[: after - true], records])
    figures = NoiseRemoval().measure(Attempt(uncleaned.page, cleaned, key, key.marks(uncleaned.page), uncleaned))
    assert figures is not None
    return figures


@pytest.mark.parametrize(
    # Rows of table 2 of Velloso (2014): records before and after, true ones, and the noise removed.
    ("before", "after", "true", "removed"), [(61, 16, 10, 0.8824), (82, 20, 20, 1.0), (164, 93, 10, 0.461)],
)  # fmt: skip
def test_noise_removed_is_equation_4_1(before: int, after: int, true: int, removed: float) -> None:
    figures = before_and_after(before, after, true)
    # The body, two lists, and two nodes a record; the head does not count.
    assert (figures["before_nodes"], figures["after_nodes"]) == (3 + 2 * before, 3 + 2 * after)
    total = NoiseRemoval().total([figures])
    assert total["noise_removed"] == pytest.approx(removed, abs=1e-4)
    assert total["main_list_kept"] == 1.0
    assert total["before"]["precision"] == pytest.approx(true / before, abs=1e-4)
    assert total["after"]["recall"] == 1.0
    assert total["nodes_pruned"] == pytest.approx(1 - (3 + 2 * after) / (3 + 2 * before), abs=1e-4)


def test_a_lost_list_says_nothing_of_noise() -> None:
    key = AnswerKey(["alpha beta gamma delta epsilon", "one two three four five"])
    page = texts_on_page([key.records, ["noise"]])
    for left, kept in (
        (["alpha beta gamma delta", "one two three four"], True),
        (["alpha beta gamma", "one two three four"], False),
    ):
        figures = NoiseRemoval().measure(Attempt(page.page, texts_on_page([left]), key, None, page))
        assert figures is not None
        assert figures["kept"] == kept
        assert (NoiseRemoval().total([figures])["noise_removed"] is None) == (not kept)


def test_evaluators_without_a_say_are_left_out() -> None:
    page = list_items(listing(["a"]))
    attempt = Attempt(page.page, page)
    said = {evaluator.name for evaluator in EVALUATORS if evaluator.measure(attempt) is not None}
    assert said == {"confidence"}


def test_the_calibration_error_is_that_of_equal_bins() -> None:
    sure = [{"confidence": 0.9, "answers": 1, "right": True}, {"confidence": 0.2, "answers": 0, "right": False}]
    assert Confidence().total(sure) == {
        "confidence": 0.55, "answers": 0.5, "right": 0.5, "calibration_error": 0.15,
        "reliability": [
            {"confidence": 0.2, "right": 0.0, "pages": 1}, {"confidence": 0.9, "right": 1.0, "pages": 1},
        ],
    }  # fmt: skip
    # Two pages in each of ten bins, both of 0.5, one of which is right: nothing is wrong with that.
    half = [{"confidence": 0.5, "answers": 1, "right": number % 2 == 0} for number in range(20)]
    assert Confidence().total(half)["calibration_error"] == 0.0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_bins_hold_all_pages_in_order(pages: list[tuple[float, bool]]) -> None:
    figures: list[Figures] = [{"confidence": sure, "answers": sure >= 0.5, "right": right} for sure, right in pages]
    total = Confidence().total(figures)
    curve = total["reliability"]
    counts = [part["pages"] for part in curve]
    assert len(curve) == min(10, len(pages))
    assert sum(counts) == len(pages)
    assert max(counts) - min(counts) <= 1
    assert [part["confidence"] for part in curve] == sorted(part["confidence"] for part in curve)
    error = sum(abs(part["confidence"] - part["right"]) * part["pages"] for part in curve) / len(pages)
    assert total["calibration_error"] == pytest.approx(error, abs=2e-4)


def test_a_page_is_right_from_nine_tenths_on_and_without_a_list_never() -> None:
    texts = [f"word{number} text{number}" for number in range(20)]
    for found, right in ((20, True), (17, True), (16, False), (0, False)):  # F1: 1, 0.92, 0.89, 0
        figures = Confidence().measure(Attempt(Page(b""), list_items(listing(texts[:found])), AnswerKey(texts)))
        assert figures is not None
        assert figures["right"] is right
    page = list_items(listing(texts))
    assert (Confidence().measure(Attempt(page.page, page)) or {})["right"] is False


def test_pages_without_truth_count_in_the_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, key in (("lists", True), ("articles", False)):
        (folder := tmp_path / name).mkdir()
        texts = [f"Name {k} of {k} EUR" for k in range(8)]
        (folder / "a.html").write_text(
            "<ul>" + "".join(f"<li><b>Name {k}</b> of <i>{k} EUR</i></li>" for k in range(8))
        )
        if key:
            (folder / "truth.jsonl").write_text(json.dumps({"page": "a.html", "records": texts}) + "\n")
    folders = [str(tmp_path / "lists"), str(tmp_path / "articles")]
    assert main(["eval", *folders, "--method", "auto", "--repeat", "1"]) == 0
    head, *rows = (line.split() for line in capsys.readouterr().out.partition("\n\n")[2].splitlines())
    assert head[:6] == ["method", "set", "pages", "confidence", "right", "ECE"]
    assert [row[:3] for row in rows] == [["auto", "lists", "1"], ["auto", "articles", "1"], ["auto", "all", "2"]]
    lists, articles, both = (dict(zip(head[3:6], map(float, row[3:6]), strict=True)) for row in rows)
    assert (lists["right"], articles["right"], both["right"]) == (1.0, 0.0, 0.5)
    assert articles["ECE"] == articles["confidence"] == lists["confidence"] > 0.5
    assert lists["ECE"] == pytest.approx(1 - lists["confidence"], abs=1e-4)


def test_time_is_a_multiple_of_the_parse() -> None:
    page = Page(b"")
    pages = [
        Time().measure(Attempt(page, Marks(page, []), seconds=k / 1000, parse_seconds=0.001)) for k in range(1, 102)
    ]
    assert Time().total([figures for figures in pages if figures]) == {
        "ms_per_page": 51.0, "median_ms": 51.0, "median_multiple": 51.0, "percentile_95_multiple": 96.0,
        "slowest_ms": 101.0,
    }  # fmt: skip


# Benchmark


def test_extractors_take_turns_and_time_is_theirs() -> None:
    turns = []

    def busy(name: str, rounds: int) -> Callable[[bytes], Marks]:
        def find(html: bytes) -> Marks:
            turns.append(name)
            for _ in range(rounds):
                sum(range(1000))
            return list_items(html)

        return find

    extractors = [Extractor("slow", busy("slow", 300)), Extractor("fast", busy("fast", 0))]
    results = list(run([Pages([document("a", ["x y", "z"])])], extractors, repeat=3))
    assert turns == ["slow", "fast"] * 3
    assert results[0].figures["time"]["ms"] > 5 * results[1].figures["time"]["ms"] > 0


def test_one_slow_run_does_not_count() -> None:
    runs = iter([300, 0, 0])

    def find(html: bytes) -> Marks:
        for _ in range(next(runs)):
            sum(range(1000))
        return list_items(html)

    extractors = [Extractor("once", find), Extractor("items", list_items)]
    once, items = run([Pages([document("a", ["x y", "z"])])], extractors, repeat=3)
    assert once.figures["time"]["ms"] < 5 * items.figures["time"]["ms"]


def test_a_page_that_fails_is_counted_and_the_run_goes_on() -> None:
    def off_the_page(html: bytes) -> Marks:
        return Marks(Page(html), [[(10**6, 10**6 + 1)]])

    def fails(html: bytes) -> Marks:
        raise RecursionError("deep\nvery")

    def unreadable() -> bytes:
        raise FileNotFoundError("gone")

    pages = Pages(
        [
            Document("gone", unreadable, AnswerKey(["a"])),
            Document("deep", lambda: b"<div>" * 300_000, AnswerKey(["a"])),
            document("good", ["one 1", "two 2"]),
        ]
    )
    extractors = [Extractor("items", list_items), Extractor("off", off_the_page), Extractor("fails", fails)]
    results = list(run([pages], extractors, repeat=2))
    totals = {total.method: total for total in summarise(results) if total.corpus == "pages"}
    assert {name: total.errors for name, total in totals.items()} == {"items": 2, "off": 3, "fails": 3}
    assert {name: total.pages for name, total in totals.items()} == {"items": 3, "off": 3, "fails": 3}
    assert totals["items"].figures["referee"]["main"]["recall"] == 0.5
    assert totals["items"].figures["items"]["records"]["recall"] == 0.5
    errors = {(result.page, result.method): result.error for result in results}
    assert errors["gone", "off"] == "FileNotFoundError: gone"
    assert errors["good", "fails"] == "RecursionError: deep"
    assert errors["good", "items"] is None
    assert (errors["deep", "items"] or "").startswith("TooComplexError")
    assert "time" not in totals["fails"].figures


def test_a_new_evaluator_and_a_new_corpus_are_one_class_each() -> None:
    class Longest:
        name = "longest"

        def measure(self, attempt: Attempt) -> Figures | None:
            return {"letters": max((len(text) for text in attempt.found.texts[0]), default=0)}

        def total(self, pages: Sequence[Figures]) -> Totals:
            return {"letters": max(page["letters"] for page in pages)}

    class Numbers:
        name = "numbers"

        def __len__(self) -> int:
            return 3

        def __iter__(self) -> Iterator[Document]:
            return (document(str(k), ["n" * k, "m"]) for k in range(1, 4))

    evaluators = [Longest()]
    results = run([Numbers()], [Extractor("items", list_items)], evaluators, repeat=1)
    total, everything = summarise(results, evaluators)
    assert total.figures == {"longest": {"pages": 3, "letters": 3}}
    assert (total.corpus, everything.corpus, total.records) == ("numbers", "all", 6)


# Corpora


def test_a_folder_without_keys_is_pages_without_a_list(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    names = [*(f"{k:02}.html" for k in range(30)), "b.html", "deep/a.HTM"]
    for name in Random(1).sample([*names, "c.txt"], len(names) + 1):
        (tmp_path / name).write_bytes(listing(["x"]))
    assert [(page.name, page.key) for page in Folder(tmp_path)] == [(name, None) for name in names]


@pytest.mark.parametrize(
    "line", ['{"page": "a.html"}', "{", '{"page": 1, "records": []}', '{"page": "a", "records": [1]}']
)
def test_a_line_that_is_no_key_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "truth.jsonl").write_text('{"page": "a", "records": []}\n' + line, encoding="utf-8")
    with pytest.raises(FastwrapError, match="line 2"):
        Folder(tmp_path)


# Extractors


def test_options_of_a_method_are_read(fake: str) -> None:
    assert len(method("fake:least=3").find(listing(["a", "b", "c"])).regions) == 1
    assert len(method("fake:least=4").find(listing(["a", "b", "c"])).regions) == 0
    cleaning = method("fake:clean=true")
    assert cleaning.find_uncleaned is not None
    assert method("fake", clean=False).find_uncleaned is None
    assert cleaning.find(listing(["a", "b", "c"] * 9)).page.original is not None
    assert cleaning.find_uncleaned(listing(["a", "b", "c"] * 9)).page.original is None


@pytest.mark.parametrize(
    "written", ["nothing", "fake:most=1", "fake:least", "fake:=1", "fake:main=odd", "fake:least=x"]
)
def test_a_wrong_method_or_option_is_told_at_once(fake: str, written: str) -> None:
    with pytest.raises(FastwrapError, match=re.escape(written)):
        method(written)


# The command


def test_the_table_has_the_figures(fake: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", str(folder), "--method", fake, "--worst", "1", "--repeat", "1"]) == 0
    out, err = capsys.readouterr()
    head, row = out.splitlines()[:2]
    assert head.split()[:6] == ["method", "set", "pages", "records", "errors", "ms/page"]
    assert row.split()[:5] == [fake, "shelf", "3", "7", "1"]
    assert row.split()[8:14] == ["0.8333", "0.7143", "0.7692", "0.6", "0.3333", "0.3333"]
    assert "  shelf/fails.html: 2 true, main 0 found 0 right" in out
    assert err == "fastwrap: shelf/fails.html: fake: ZeroDivisionError: made to fail\n"


def test_the_json_is_complete(fake: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", str(folder), "--method", fake, "--clean", "--json", "--repeat", "1"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["format"] == 1
    assert [(total["corpus"], total["pages"], total["errors"]) for total in report["totals"]] == [
        ("shelf", 3, 1), ("all", 3, 1),
    ]  # fmt: skip
    total = report["totals"][0]
    assert set(total["referee"]["main"]) == {"precision", "recall", "f1", "page_f1", "pages_exact", "count_hit"}
    assert set(total["items"]) == {"pages", "records", "items"}
    assert set(total["noise"]) == {"pages", "main_list_kept", "nodes_pruned", "noise_removed", "before", "after"}
    assert set(total["confidence"]) == {
        "pages", "confidence", "answers", "right", "calibration_error", "reliability",
    }  # fmt: skip
    assert sum(part["pages"] for part in total["confidence"]["reliability"]) == 3
    assert set(total["time"]) == {
        "pages", "ms_per_page", "median_ms", "median_multiple", "percentile_95_multiple", "slowest_ms",
    }  # fmt: skip
    assert [page["error"] for page in report["pages"]] == [None, None, "ZeroDivisionError: made to fail"]
    documented = as_json.__doc__ or ""
    for name in [
        *total,
        *total["referee"]["main"],
        *total["noise"],
        *total["confidence"],
        *total["time"],
        *report,
        *report["pages"][0],
    ]:
        assert re.search(rf"\b{name}\b", documented), f"{name} is not documented"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 2),
        (["--method", "fake", "--method", "fake"], 2),
        (["--method", "unheard-of"], 2),
        (["--repeat", "0"], 2),
        (["--report", "/nowhere/at/all.html"], 2),
        (["--main", "shortest"], 2),
        (["--method", "fake"], 1),
    ],
)
def test_exit_codes(fake: str, tmp_path: Path, arguments: list[str], code: int) -> None:
    corpus = [str(tmp_path)] if arguments else []
    try:
        assert main(["eval", *corpus, *arguments]) == code
    except SystemExit as stop:  # argparse
        assert stop.code == code  # noqa: PT017


def test_folders_of_one_name_are_told_apart(fake: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twin = folder / "inside" / "shelf"
    twin.mkdir(parents=True)
    (twin / "a.html").write_bytes(listing(["a"]))
    assert main(["eval", str(folder), str(twin), "--method", fake, "--json", "--repeat", "1"]) == 0
    names = [total["corpus"] for total in json.loads(capsys.readouterr().out)["totals"]]
    assert names == [str(folder), str(twin), "all"]


# The report

NASTY = ['<script>alert("1")</script>', "a & b < c", "\x00 control \x1b", "\ud800 lone", "</td></table>", "x" * 5_000]


def nasty_report() -> str:
    found = [*NASTY[:3], "nothing of the sort", "", "</td></table> and"]
    page = Page(b"")

    def find(html: bytes) -> Marks:
        marks = Marks(page, [[(0, 0)] * len(found)])
        marks.__dict__["texts"] = [found]
        return marks

    def fails(html: bytes) -> Marks:
        raise ValueError("<img src=x onerror=alert(1)>")

    pages = Pages([Document('"><b>page', lambda: b"<p>x", AnswerKey(NASTY)), Document("no key", lambda: b"<p>x")])
    pages.name = "<corpus>"
    results = list(run([pages], [Extractor('<i>"find', find), Extractor("fails", fails)], repeat=1))
    return html_report(summarise(results), results)


def test_the_report_needs_nothing_else_and_is_escaped() -> None:
    report = nasty_report()
    tree = LexborHTMLParser(report)
    assert len(tree.css("script")) == 1
    assert not tree.css("img, link, iframe, object, embed, video, base, [src], [href], [onerror], i:not(.same)")
    assert not re.search(r"url\(|@import|https?:", report)
    assert "\x00" not in report
    report.encode("utf-8")
    assert [cell.text() for cell in tree.css(".page summary b")] == ['<corpus>/"><b>page', "<corpus>/no key"]
    assert tree.css(".chip")[0].attributes["title"] == '<i>"find'
    assert tree.css(".error")[0].text() == "failed: ValueError: <img src=x onerror=alert(1)>"


def test_the_report_shows_what_was_found_against_what_is_true() -> None:
    tree = LexborHTMLParser(nasty_report())
    rows = tree.css(".page .records")[0].css("tr[class]")
    # Both texts of control characters and of signs alone have tokens; one pair differs by a word.
    assert [row.attributes["class"] for row in rows] == ["ok", "ok", "ok", "missed", "wrong", "wrong", "ok", "missed"]
    assert rows[0].css("td")[1].text() == NASTY[0]
    assert [mark.text() for mark in rows[6].css("mark")] == ["and"]
    assert len(rows[7].text()) < 1_100


def test_records_that_are_not_alike_enough_stand_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    def rows() -> list[list[str | None]]:
        shown = side_by_side(["a b c", "d e", "f g"], ["x y z", "f g", "b c v w"])
        tree = LexborHTMLParser(f"<table>{''.join(shown)}</table>")
        return [[row.attributes["class"], *(cell.text() for cell in row.css("td"))] for row in tree.css("tr")]

    assert rows() == [
        ["wrong", "!", "", "x y z"],
        ["near", "≠", "a b c", "b c v w"],
        ["missed", "✗", "d e", ""],
        ["ok", "✓", "f g", "the same"],
    ]
    monkeypatch.setattr("fastwrap.tools.evaluate.report.NEAR_PAIRS", 3)
    assert [kind for kind, *_ in rows()] == ["missed", "missed", "wrong", "ok", "wrong"]


def test_plots_are_well_formed() -> None:
    drawn = re.findall(r"<svg.*?</svg>", nasty_report(), re.DOTALL)
    assert len(drawn) == 3
    for svg in drawn:
        root = ElementTree.fromstring(svg)  # noqa: S314 - our own
        assert root.get("aria-label")
        numbers = re.findall(r'(?:c?[xy]|width|height|d)="([^"]*)"', svg)
        assert numbers
        assert not any("nan" in number or "inf" in number for number in numbers)


def test_a_run_without_keys_has_a_report_too(fake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.html").write_bytes(listing(["a"]))
    out = tmp_path / "out.html"
    assert main(["eval", str(tmp_path), "--method", fake, "--report", str(out)]) == 0
    assert " - " in capsys.readouterr().out
    assert "A page without a key" in out.read_text(encoding="utf-8")


def test_the_bar_is_for_terminals_alone(folder: Path) -> None:
    pytest.importorskip("rich", reason="the progress bar needs rich (extra: cli)")
    program = (
        "import sys, types; from fastwrap import regions; module = types.ModuleType('fastwrap.regions.none');"
        "module.find = lambda page: regions.Search([], ()); sys.modules['fastwrap.regions.none'] = module;"
        "regions.METHODS['none'] = '';"
        f"from fastwrap.cli import main; sys.exit(main(['eval', {str(folder)!r}, '--method', 'none']))"
    )
    piped = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert piped.stderr == b""
    master, slave = pty.openpty()
    shown = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=slave, check=True,
        env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(slave)
    assert b"evaluated shelf" in os.read(master, 100_000)
    os.close(master)
    assert b"none" in shown.stdout
    assert b"none" in piped.stdout


# The tables of docs/methods.md

REPRODUCE = ROOT / "benchmarks" / "reproduce.py"
TABLES = ["accuracy", "cost", "noise", "classes", "items", "papers", "alignment"]


def reproduce(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, REPRODUCE, *arguments], capture_output=True, text=True, check=True)


def test_tables_without_their_pages_are_skipped(tmp_path: Path) -> None:
    done = reproduce("--corpus", str(tmp_path))
    assert done.stdout == ""
    assert [line.partition(": skipped")[0] for line in done.stderr.splitlines()] == TABLES


def test_tables_are_measured_on_any_pages(tmp_path: Path) -> None:
    names = [f"Name {k}" for k in range(20)]
    rows = "".join(f"<li><b>{name}</b><i>{name[5:]} EUR</i></li>" for name in names)
    page = f"{4 * '<p><a>menu</a></p>'}<ul>{rows}</ul>"
    for folder in ("tbdw", "zhao1", "tpsf", "shops", "fields"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.html").write_text(page, encoding="utf-8")
        key = {"page": "a.html", "records": [f"{name} {name[5:]} EUR" for name in names]}
        (tmp_path / folder / "truth.jsonl").write_text(json.dumps(key), encoding="utf-8")
    values = [[name, None] for name in names]
    labelled = {"site": "one", "page": "a.html", "kind": "list", "fields": ["name", "price"], "records": values}
    for name in ("wien", "exalg", "courts", "dockets"):
        (tmp_path / "fields" / f"{name}.jsonl").write_text(json.dumps(labelled), encoding="utf-8")
    table = {**labelled, "page": "../tbdw/a.html", "fields": [{"name": "name"}, {"name": "price"}]}
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "tables.jsonl").write_text(json.dumps(table), encoding="utf-8")
    done = reproduce("--corpus", str(tmp_path))
    assert done.stderr == ""
    assert re.findall(r"^\w+$", done.stdout, re.MULTILINE) == TABLES
    rows_of = {row[0]: row[1:] for line in done.stdout.splitlines() if len(row := line.strip("| ").split(" | ")) > 1}
    assert rows_of["`mdr:clean=joined`"][:3] == ["1", "100.0", "100.0"]
    # All that is extracted counts here: 20 records and a menu of 4 entries.
    assert rows_of["`classes`, mean of 1 sites"] == ["2", "83.3", "100.0", "83.3", "100.0"]
    assert rows_of["autorm"][:6] == ["100.0"] * 6
    assert rows_of["`auto`, tables of TBDW"] == rows_of["`depta`, wien"] == ["1", *["100.0"] * 5]


def test_every_table_has_its_place() -> None:
    document = REPRODUCE.parent.parent / "docs" / "methods.md"
    places = re.findall(r"<!-- table: (\w+) -->\n\|[^<]*\|\n<!-- end -->", document.read_text(encoding="utf-8"))
    assert places == TABLES
