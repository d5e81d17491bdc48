"""MDR: its kernels against twins, its searches against the paper's, and pages whose records are known."""

from __future__ import annotations

import ctypes
import itertools
import random
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page
from fastwrap._core.regions import generalised as native
from fastwrap.page.names import TEXT
from fastwrap.regions import cutting, mdr
from fastwrap.similarity.measures import tag_distance
from tests.helpers.paths import EXAMPLES
from tests.helpers.records import check_regions, main_list
from tests.helpers.tree_pages import tree_page
from tests.reference.html import html
from tests.reference.regions import generalised as plain
from tests.reference.regions.generalised import iden_drs, most_explained
from tests.reference.trees import Tree, record_pages, trees

DISTANCES = [0.0, 0.0, 0.1, 0.25, 0.5, 0.75, 1.0, float("inf"), float("nan")]

both = pytest.mark.parametrize("module", [native, plain], ids=["native", "plain"])


def first(source: str, **options: object) -> list[str]:
    return main_list(source, "mdr", **options)


def random_distances(page: Page, longest: int, seed: int) -> npt.NDArray[np.float64]:
    pairs = native.candidates(page.native, longest)[4]
    return np.array(random.Random(seed).choices(DISTANCES, k=len(pairs)))


@st.composite
def tree_pages(draw: st.DrawFn, drawn: st.SearchStrategy[Tree]) -> Page:
    """A page of a tree, the body being one of the children of the root or all of it."""
    tree = draw(drawn)
    page = tree_page(tree)
    return tree_page(tree, draw(st.sampled_from([None, *page.children(0)])))


# The kernels


@settings(max_examples=300)
@given(page=tree_pages(st.one_of(trees(20), record_pages())), longest=st.integers(1, 11))
def test_candidates_are_all_pairs_of_adjacent_runs(page: Page, longest: int) -> None:
    found = native.candidates(page.native, longest)
    expected = plain.candidates(page.native, longest)
    for ours, theirs in zip(found, expected, strict=True):
        assert np.asarray(ours).dtype == np.asarray(theirs).dtype
        assert np.asarray(ours).tolist() == np.asarray(theirs).tolist()


@both
def test_paths_are_equal_exactly_where_tags_are(module: ModuleType) -> None:
    page = Page("<div><p>a</p></div><ul><p>a</p></ul><div><p>b</p><p>c</p></div>")
    start, path, children, *_ = module.candidates(page.native, 10)
    by_parent = {int(page.parent[children[first]]): int(number) for first, number in zip(start, path, strict=False)}
    tags = {node: tuple(page.tag_name(up) for up in [node, *page.ancestors(node)]) for node in by_parent}
    for one, names in tags.items():
        for other, other_names in tags.items():
            assert (by_parent[one] == by_parent[other]) == (names == other_names)


@settings(max_examples=500)
@given(page=tree_pages(st.one_of(trees(20), record_pages())), longest=st.integers(1, 10), seed=st.integers(0, 999))
def test_explain_is_the_same_compiled_and_plain(page: Page, longest: int, seed: int) -> None:
    distance = random_distances(page, longest, seed)
    found = native.explain(page.native, distance, 0.5, longest)
    assert found.tolist() == plain.explain(page.native, distance, 0.5, longest).tolist()


def without_texts(tree: Tree) -> Tree:
    return max(tree[0], 1), tuple(map(without_texts, tree[1]))


@settings(max_examples=300)
@given(tree=trees(9), longest=st.integers(1, 4), seed=st.integers(0, 999))
def test_no_set_of_regions_explains_more(tree: Tree, longest: int, seed: int) -> None:
    page = tree_page(without_texts(tree))
    distance = random_distances(page, longest, seed)
    lists = cutting.Siblings(*native.candidates(page.native, longest))
    children: dict[int, list[int]] = {node: [] for node in range(len(page))}
    place_of = {}
    for place, child in enumerate(lists.children.tolist()):
        siblings = children[int(page.parent[child])]
        place_of[int(page.parent[child]), len(siblings)] = place
        siblings.append(child)

    def apart(parent: int, sibling: int, length: int) -> float:
        return float(distance[lists.pair_start[place_of[parent, sibling]] + length - 1])

    best = most_explained(children, page.size.tolist(), 0, apart, 0.5, longest)
    covered: set[int] = set()
    total = 0.0
    for place, length, count in native.explain(page.native, distance, 0.5, longest).tolist():
        assert count >= 2
        for at in range(place, place + length * (count - 1), length):
            said = distance[lists.pair_start[at] + length - 1]
            assert said <= 0.5
            total += sum(page.size[lists.children[at + length : at + 2 * length]]) * (1 - said)
        for child in lists.children[place : place + length * count].tolist():
            nodes = set(range(child, child + int(page.size[child])))
            assert not covered & nodes
            covered |= nodes
    assert total == pytest.approx(best)


@both
def test_what_does_not_fit_is_refused(module: ModuleType) -> None:
    native_page = tree_page((1, ((2, ()), (2, ()), (2, ())))).native
    none = np.empty(0)
    for longest in (0, 65):
        with pytest.raises(ValueError, match="siblings"):
            module.candidates(native_page, longest)
        with pytest.raises(ValueError, match="siblings"):
            module.explain(native_page, none, 0.5, longest)
    with pytest.raises(ValueError, match="2 pairs, and 0 distances"):
        module.explain(native_page, none, 0.5, 10)


def test_distances_of_another_type_are_refused() -> None:
    native_page = tree_page((1, ((2, ()), (2, ()), (2, ())))).native
    with pytest.raises(ValueError, match="differ in length"):
        native.explain(native_page, np.zeros(2, dtype=np.float32), 0.5, 10)


# The searches


@settings(max_examples=300)
@given(siblings=st.integers(1, 16), longest=st.integers(1, 5), seed=st.integers(0, 9999))
def test_the_paper_s_search_is_that_of_the_paper(siblings: int, longest: int, seed: int) -> None:
    page = Page("<div>" + "<p>x</p>" * siblings + "</div>")
    lists = cutting.Siblings(*native.candidates(page.native, longest))
    chooser = random.Random(seed)
    distance = np.array([chooser.choice([0.0, 1.0]) for _ in lists.runs])
    distance[lists.runs[:, 0] == page.body + 1] = 1.0  # the div alone
    compared = cutting.ComparedLists(page, lists, lambda pairs: np.ones(len(pairs)), distance, 0.5, longest)
    records, region = mdr.search_mdr(compared)
    offset = int(np.flatnonzero(lists.children == page.body + 2)[0])

    def similar(sibling: int, length: int) -> bool:
        return bool(distance[lists.pair_start[offset + sibling] + length - 1] <= 0.5)

    expected = iden_drs(0, siblings, similar, longest)
    found = []
    for number in range(int(region.max()) + 1 if len(region) else 0):
        starts, ends = records[region == number].T
        inside = lists.children.tolist()
        found.append((inside.index(starts[0]) - offset, (ends[0] - starts[0]) // 2, len(starts)))
    assert found == expected


ROWS = (
    "<table>"
    + "".join(f"<tr><td><b>{k}</b></td></tr><tr><td>text</td><td>{k}</td></tr>" for k in range(6))
    + "</table>"
)


@pytest.mark.parametrize("distance", ["dt", "dg", "dc"])
@pytest.mark.parametrize("search", ["explain", "mdr", "ca"])
def test_records_of_two_siblings(search: str, distance: str) -> None:
    assert first(ROWS, search=search, distance=distance, threshold=0.3) == [f"{k} text {k}" for k in range(6)]


def test_cs_finds_single_siblings_only() -> None:
    assert first(ROWS, search="cs", threshold=0.3) == ["text", "0"]  # the cells of a row, not the rows
    assert first("<ul><li><b>1</b></li><li><b>2</b></li><li><b>3</b></li><p><i>x</i>y</p></ul>", search="cs") == [
        "1",
        "2",
        "3",
    ]


def test_ca_takes_the_way_to_the_next_sibling_like_the_first() -> None:
    """An anchor before each item, which is no record by itself."""
    items = "".join(f"<a name={k}></a><table><tr><td>{k}<td>x</table>" for k in range(5))
    assert first(f"<div>{items}</div>", search="ca") == [f"{k} x" for k in range(5)]


ODD = [f"<li><b>{k}</b> <i>text</i> <u>more</u></li>" for k in range(12)]
ODD[5] = "<li><table><tr><td>5</td></tr></table> <p>text <em>of</em> <img src=x> <p>more</p></li>"


def test_one_odd_record_does_not_make_pairs_of_records() -> None:
    """What the paper's rule does: runs of several records cover more siblings than the records do."""
    source = "<ul>" + "".join(ODD) + "</ul>"
    assert first(source, search="mdr", distance="dg", threshold=0.5)[0] != "0 text more"
    found = first(source)
    assert found[:5] == [f"{k} text more" for k in range(5)]
    assert found[-6:] == [f"{k} text more" for k in range(6, 12)]


def test_two_halves_that_are_alike_do_not_hide_their_lists() -> None:
    half = (
        "<div><h2>{}</h2><ul>"
        + "".join(f"<li><b>n{k}</b> <i>{k}</i> <u>text</u></li>" for k in range(9))
        + "</ul></div>"
    )
    source = half.format("left") + half.format("right")
    assert len(first(source, search="mdr")) == 2
    assert first(source) == [f"n{k} {k} text" for k in range(9)] * 2


# From regions to records


PRODUCT = "<div><b>{0}</b> <i>{0} EUR</i> <u>in stock</u></div>"


def test_rows_of_a_grid_are_one_region_of_records() -> None:
    rows = "".join("<section>" + "".join(PRODUCT.format(4 * r + c) for c in range(4)) + "</section>" for r in range(8))
    assert first(f"<div>{rows}</div>") == [f"{k} {k} EUR in stock" for k in range(32)]


def test_rows_of_a_data_table_are_records() -> None:
    rows = "".join(f"<tr><td>{k}</td><td>a{k}</td><td>b{k}</td></tr>" for k in range(9))
    assert first(f"<table>{rows}</table>") == [f"{k} a{k} b{k}" for k in range(9)]


def test_records_between_rulers_are_split() -> None:
    rows = "".join("".join(PRODUCT.format(4 * r + c) for c in range(4)) + "<hr>" for r in range(8))
    assert first(f"<div>{rows}</div>") == [f"{k} {k} EUR in stock" for k in range(32)]


@pytest.mark.parametrize("ruler", ["<hr>", "<hr><br>"])
def test_the_last_record_may_lack_its_ruler(ruler: str) -> None:
    records = ruler.join(PRODUCT.format(k) for k in range(6))
    assert first(f"<div>{records}</div>") == [f"{k} {k} EUR in stock" for k in range(6)]


def test_a_list_that_is_interrupted_is_one_region() -> None:
    items = [PRODUCT.format(k) for k in range(9)]
    items.insert(4, "<form><input name=q><select><option>a<option>b</select><table><tr><td>x</table></form>")
    assert first(f"<div>{''.join(items)}</div>") == [f"{k} {k} EUR in stock" for k in range(9)]


def test_sections_of_one_kind_are_one_region() -> None:
    parts = [
        f"<article><h2>Part {part}</h2><p>About it.</p><div>"
        + "".join(PRODUCT.format(10 * part + k) for k in range(part + 2))
        + "</div></article>"
        + "<table><tr><td>unlike</td></tr></table>" * part
        for part in range(4)
    ]
    expected = [f"{n} {n} EUR in stock" for part in range(4) for n in range(10 * part, 11 * part + 2)]
    assert first("".join(parts)) == expected


def test_regions_are_ordered_by_text_and_text_of_a_record() -> None:
    menu = "<ul>" + "<li><a href=#>a menu entry</a></li>" * 40 + "</ul>"
    items = "".join(f"<p><b>Name {k}</b> <i>{'long text ' * 8}</i></p>" for k in range(5))
    page = Page(menu + f"<div>{items}</div>")
    found = mdr.find(page).regions
    assert [len(region.records) for region in found[:2]] == [5, 40]
    assert float(found[1].why["text"]) > float(found[0].why["text"])
    scores = [region.score for region in found]
    assert scores == sorted(scores, reverse=True)


# Any page


@settings(max_examples=400)
@given(
    source=st.one_of(
        html, st.lists(html, max_size=4).map(lambda parts: "".join(f"<li>{part}</li>" for part in parts * 2))
    ),
    distance=st.sampled_from(["dg", "dc", "dt"]),
    search=st.sampled_from(["explain", "mdr", "ca", "cs"]),
    threshold=st.sampled_from([None, 0.0, 0.3, 1.0]),
    siblings=st.integers(1, 10),
)
def test_any_page(source: str, distance: str, search: str, threshold: float | None, siblings: int) -> None:
    page = Page(source)
    check_regions(
        page, mdr.find(page, distance=distance, search=search, threshold=threshold, siblings=siblings).regions
    )


EXAMPLE_RECORDS = {"shop": 24, "jobs": 20, "table": 40}


def test_examples(example: bytes) -> None:
    page = Page(example)
    check_regions(page, mdr.find(page).regions)


@pytest.mark.parametrize(("name", "count"), EXAMPLE_RECORDS.items())
def test_main_lists_of_the_examples(name: str, count: int) -> None:
    page = Page((EXAMPLES / f"{name}.html").read_bytes())
    assert len(mdr.find(page).regions[0].records) == count


def test_compiled_and_plain_find_the_same(example: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(example)
    found = [region.records.tolist() for region in mdr.find(page).regions]
    monkeypatch.setattr(mdr, "generalised", plain)
    assert [region.records.tolist() for region in mdr.find(page).regions] == found


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "best"}, "no search 'best': choose one of explain, mdr, ca, cs"),
        ({"distance": "ted"}, "no distance 'ted': choose one of dg, dc, dt"),
        ({"threshold": 1.5}, r"threshold is 1\.5"),
        ({"threshold": float("nan")}, "threshold is nan"),
        ({"siblings": 0}, "1 to 10 siblings, not 0"),
        ({"siblings": 11}, "1 to 10 siblings, not 11"),
    ],
)
def test_wrong_options_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(FastwrapError, match=message):
        mdr.find(Page("<p>a"), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("distance", [object(), 7])
def test_what_cannot_be_a_distance_is_a_type_error(distance: object) -> None:
    with pytest.raises(TypeError, match=r"is no distance: numba\.cfunc"):
        mdr.find(Page("<p>a"), distance=distance)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", ["", "<frameset><frame></frameset>", "<p>a", "just text"])
@pytest.mark.parametrize("search", ["explain", "mdr", "ca", "cs"])
def test_pages_without_any_list(source: str, search: str) -> None:
    assert mdr.find(Page(source), search=search) == ([], ())


# A distance of one's own


class Address:
    """What a compiled function looks like."""

    def __init__(self, address: object) -> None:
        self.address = address


@pytest.mark.parametrize("address", [0, -1, None, "0x10", 1.0])
def test_what_has_no_address_is_no_distance(address: object) -> None:
    with pytest.raises(FastwrapError, match="is no distance"):
        mdr.find(Page("<p>a<p>b"), distance=Address(address))  # type: ignore[arg-type]


@both
def test_a_function_is_called_for_every_pair(module: ModuleType) -> None:
    calls = []

    @ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.POINTER(ctypes.c_int32)] * 2, *[ctypes.c_int32] * 4)
    def function(tag, size, *ends):  # type: ignore[no-untyped-def]
        calls.append((tag[ends[0]], size[ends[2]], ends))
        return len(calls) / 4

    page = Page("<p>a<p>b<p>c")
    address = ctypes.cast(function, ctypes.c_void_p).value
    pairs = np.array([[3, 5, 5, 7], [5, 7, 7, 9]], dtype=np.int32)
    assert module.distances(page.native, address, pairs).tolist() == [0.25, 0.5]
    paragraph = int(page.tag[3])
    assert calls == [(paragraph, 2, (3, 5, 5, 7)), (paragraph, 2, (5, 7, 7, 9))]


@both
def test_spans_outside_the_page_never_reach_the_function(module: ModuleType) -> None:
    page = Page("<p>a")
    for place, wrong in itertools.product(range(4), (-1, len(page) + 1)):
        pair = np.zeros((1, 4), dtype=np.int32)
        pair[0, place] = wrong
        with pytest.raises(ValueError, match="not within"):
            module.distances(page.native, 1, pair)
    with pytest.raises(ValueError, match="address"):
        module.distances(page.native, 0, np.zeros((1, 4), dtype=np.int32))
    with pytest.raises(ValueError, match="length"):
        module.distances(page.native, 1, np.zeros((1, 3), dtype=np.int32))


def test_a_distance_of_numba(example: bytes) -> None:
    """Edits between lists of tags, written again in numba, finds what the built-in one does."""
    numba = pytest.importorskip("numba")
    work = numba.carray

    @numba.cfunc(mdr.SIGNATURE)
    def edits(tag, size, left, left_end, right, right_end):  # type: ignore[no-untyped-def]
        rows, columns = left_end - left, right_end - right
        tags = work(tag, max(left_end, right_end))
        row = np.arange(columns + 1)
        for i in range(rows):
            diagonal, row[0] = row[0], i + 1
            for j in range(columns):
                above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (tags[left + i] != tags[right + j]))
                diagonal = above
        return row[columns] / max(rows, columns, 1)

    page = Page(example)
    ours = [region.records.tolist() for region in mdr.find(page, distance=edits).regions]
    assert ours == [region.records.tolist() for region in mdr.find(page).regions]


def test_texts_are_nodes_in_the_distance() -> None:
    """What the thresholds were chosen for: a text counts as a tag does."""
    page = Page("<p>a</p><p><b></b></p>")
    assert page.tag[4] == TEXT
    assert tag_distance(page, 3, 5).tolist() == [0.5]
