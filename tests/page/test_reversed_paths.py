"""Reversed enhanced tag paths: the document's own example, its rules one by one, and equal to the twin everywhere."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page, clean
from fastwrap._core.page.reversed_paths import TokenRules
from fastwrap.page.names import ATTRIBUTES, TAG_NUMBER, TAGS
from fastwrap.page.page import restore
from fastwrap.page.reversed_paths import OWN, SPECIAL, number_of_token
from tests.reference.html import html
from tests.reference.page import reversed_paths as plain
from tests.reference.page.symbols import numbered

ADDED = {"author": "<#AUTHOR>", "isbn": "<#ISBN>", "ÉcriT": "<#AUTHOR>", "cost": "<#PRICE>"}

TAGS_WITH_RULES = """
    span a b strong i em mark small del ins sub sup li ol ul option p dd dl dt br th tr td menuitem link meta base input
    area div section h1 x-card my-tag u font
    """.split()
SAID = st.sampled_from(
    [
        "", "", "", " class=a", " class=product-price", " class='x NAME y'", " class", " id=a", " id=name",
        " itemprop=Price", " itemprop=name content='Date of'", " title=valuedescription", " name=q",
        " data-detail-x=1", " datetime=now", " style='display:none'", " style=color:red", " hidden",
        " class=priccedetailss", " alt=namename", " title=ésbn", " class='by-author ISBN'",
        " title='PRIX éCRIT Écrit'", " rel=nam", " href=/e?conten", " x-isbn=2", " title=cOsT",
    ]
)  # fmt: skip
WORDS = st.sampled_from(
    ["text", "$5", " $5", "US$ 5", "$", " ", "x ", " y", "1", "2", "é", "<!-- c -->", "<script>x</script>"]
)
tagged = st.lists(
    st.one_of(
        st.builds(lambda tag, said: f"<{tag}{said}>", st.sampled_from(TAGS_WITH_RULES), SAID),
        st.sampled_from(TAGS_WITH_RULES).map(lambda tag: f"</{tag}>"),
        WORDS,
    ),
    max_size=60,
).map("".join)
"""Pages of what the rules are about."""


def check(page: Page, added: dict[str, str] | None = None) -> None:
    """The paths of a page are those of the twin, as strings and as numbers."""
    found = page.retps(tokens=added)
    wanted = plain.reversed_paths(page, added)
    strings = ["<#SEP>".join(path) for path in wanted.values()]
    assert dict(found) == dict(zip(wanted, strings, strict=True))
    assert found.path.tolist() == numbered(strings)
    assert found.paths == list(dict.fromkeys(strings))
    assert found.content.tolist() == plain.contents(page)
    starts = found.starts.tolist()
    for path, start, end in zip(found.paths, starts, starts[1:], strict=False):
        assert found.tokens[start:end].tolist() == [plain.number_of(token) for token in path.split("<#SEP>")]


@settings(max_examples=1500)
@given(html)
def test_paths_are_those_of_the_twin(source: str) -> None:
    check(Page(source))


@settings(max_examples=2500)
@given(tagged)
def test_rules_are_those_of_the_twin(source: str) -> None:
    check(Page(source))


@settings(max_examples=500)
@given(tagged)
def test_added_tokens_are_those_of_the_twin(source: str) -> None:
    check(Page(source), ADDED)


@settings(max_examples=500)
@given(tagged, st.lists(st.sampled_from([*TAGS_WITH_RULES, "script", "noscript", "style"]), min_size=1, max_size=30))
def test_any_arrays_are_read_as_the_twin_does(source: str, names: list[str]) -> None:
    """Elements of other names than the HTML parser would have put there: a br with a text in it, and its like."""
    page = Page(source)
    tag = page.tag.copy()
    elements = np.flatnonzero((tag != 0) & (tag < len(TAGS)))
    numbers = [TAG_NUMBER[name] for name in names if name in TAG_NUMBER]
    tag[elements] = np.resize(np.array(numbers or [TAG_NUMBER["br"]], dtype=np.int32), len(elements))
    check(restore((tag, *page.arrays[1:]), page.custom_names, None, "utf-8", None, None))


def test_paths_of_the_examples(example: bytes) -> None:
    check(Page(example))


# The example of the document (figure 14)


def figure_14(tags: int) -> str:
    """A page of so many tags that count, with those of figure 14 at their places."""
    between = "<div></div>"
    return (
        "<html xmlns='http://www.w3.org/1999/xhtml'><head><title></title></head><body><form id=f action=/ name=f>"
        "<div id=a><div id=b>" + between * 31 + "<div id=c>" + between * 21 + "<div id=d class=x><div id=e>"
        "<div id=f class=y>" + between * 7 + "<div class=z><div class='align_lft'>MSRP: $61,550</div></div>"
        "</div></div></div></div></div></div></form>" + between * (tags - 72) + "</body></html>"
    )


LINE_G = (
    "<#CNT><#SEP><#CLSS><#SEP>div|21<#SEP><#CLSS><#SEP>div|21<#SEP><#CLSS><#SEP><#ID><#SEP>div|21<#SEP><#ID><#SEP>div|13"
    "<#SEP><#CLSS><#SEP><#ID><#SEP>div|13<#SEP><#ID><#SEP>div|13<#SEP><#ID><#SEP>div|2<#SEP><#ID><#SEP>div|2<#SEP><#NAME>"
)


@pytest.mark.parametrize("tags", range(296, 301))
def test_figure_14(tags: int) -> None:
    page = Page(figure_14(tags))
    assert plain.places(page)[-1] == tags
    ((node, path),) = page.retps().items()
    assert path == LINE_G
    assert len(page.retps().tokens) == 20
    assert page.text(node) == "MSRP: $61,550"
    at = plain.places(page)
    assert [at[above] for above in page.ancestors(node)] == [72, 71, 63, 62, 61, 39, 7, 6, 5, 4, 1]


@pytest.mark.parametrize("tags", [295, 301])
def test_the_counts_of_figure_14_are_of_no_other_page(tags: int) -> None:
    (path,) = Page(figure_14(tags)).retps().values()
    assert path != LINE_G
    assert len(path.split("<#SEP>")) == 20


def test_figure_11_ends_at_the_root() -> None:
    (path,) = Page("<form><div id=a><div id=b><div>x").retps().paths
    assert (
        path
        == "<#CNT><#SEP>div|100<#SEP><#ID><#SEP>div|55<#SEP><#ID><#SEP>div|55<#SEP>form|55<#SEP>body|34<#SEP>html|13"
    )


# The rules, one by one


def path_of(source: str, text: str) -> str:
    """The path of a text, up to the body."""
    page = Page(source)
    (found,) = [path for node, path in page.retps().items() if page.text(node) == text]
    return found.partition("<#SEP>body")[0].replace("<#SEP>", " ")


def test_only_wrapper_tags_without_a_text_have_the_prefix() -> None:
    source = "<div><a href=/><span><b>x</b></span></a><a>y<b>z</b></a><a><img> v</a></div>"
    assert path_of(source, "x") == "<#CNT> b|55 #WTspan|34 <#PROP> #WTa|34 div|34"
    assert path_of(source, "y") == "<#CNT> a|55 div|34"
    assert path_of(source, "v") == "<#CNT> #WTa|55 div|34"


def test_what_repeats_does_not_move_what_follows() -> None:
    once, often = ("<ul>" + "<li>1</li>" * times + "</ul><div>x</div>" for times in (1, 50))
    assert path_of(once, "x") == path_of(often, "x") == "<#CNT> div|100"
    assert path_of("<table><tr><td>x", "x") == "<#CNT> td|100 tr|100 tbody|100 table|55"


def test_skipped_tags_and_breaks_are_in_no_path() -> None:
    source = "<div><link><input><meta><br>x</div><area><script>let y</script><noscript><p>n</noscript>"
    assert path_of(source, "x") == "<#CNT> div|100"
    assert len(Page(source).retps()) == 1
    # Within SVG these are elements like others.
    assert path_of("<svg><link>x</link></svg>", "x") == "<#CNT> svg|100"


def test_custom_tags_and_attributes_are_kept() -> None:
    source = "<dhi-new-typeahead-input _ngcontent-c53 formcontrolname=keyword data-cy=search-term>x"
    assert path_of(source, "x") == "<#CNT> <#CONT> <#NAME> <#PROP> dhi-new-typeahead-input|100"


def test_what_an_element_says_comes_in_this_order() -> None:
    source = "<p title=x style='display: none' class='old price' id=y itemprop='Price Value'>$12"
    assert path_of(source, "$12") == ("<#$> <#CNT> <#HIDE> <#VAL> <#PRICE> <#PROP> <#PRICE> <#CLSS> <#ID> p|100")
    assert path_of("<p style='color:red' hidden>x", "x") == "<#CNT> <#HIDE> p|100"
    assert path_of("<p id=price>x", "x") == "<#CNT> <#ID> p|100"
    assert path_of("<p class='pri ce' title='pri' alt='ce'>x", "x") == "<#CNT> <#PROP> <#CLSS> p|100"


def contents_of(source: str) -> list[str]:
    """The texts of a page, those that are of one content together."""
    page = Page(source)
    found = page.retps()
    return [
        page.span_text(int(texts[0]), int(texts[-1]) + 1)
        for number in range(found.content.max() + 1)
        if len(texts := found.nodes[found.content == number])
    ]


def test_formatter_tags_join_texts() -> None:
    assert contents_of("<div>texto <b>formatado</b> aqui</div>") == ["texto formatado aqui"]
    assert contents_of("19<sup>,90</sup> EUR") == ["19,90 EUR"]
    assert contents_of("<p>a<b><i>b</i></b>c<p>d<a>e</a>f") == ["abc", "d", "e", "f"]
    assert contents_of("a <b>b <span>c</span></b> d<br>e") == ["a b", "c", "d", "e"]
    # Two side by side are two things, unless they touch.
    assert contents_of("<b>Name</b> <i>author</i>, 2001") == ["Name", "author, 2001"]
    assert contents_of("H<sub>2</sub>O<sub>3</sub><sup>+</sup>") == ["H2O3+"]
    assert contents_of("a<b></b>b <b> </b>c<u>d</u> <u>e</u>") == ["ab cd", "e"]


def test_a_path_has_twenty_tokens_at_most() -> None:
    for levels in (17, 18, 19, 40):
        source = "<div>" * levels + "x"
        assert len(Page(source).retps().tokens) == min(20, levels + 3)
    # Paths that differ only in what was cut off are one.
    for levels, different in ((8, 2), (10, 1)):
        inner = "<ul><li>" * levels + "x" + "</li></ul>" * levels
        found = Page(f"{'<h2></h2>' * 60}<div id=a>{inner}</div><div class=b>{inner}</div>{'<h2></h2>' * 60}").retps()
        assert [len(found), len(found.paths)] == [2, different]


def test_deep_pages() -> None:
    """A text at every one of 6,000 levels: each path is cut, and found without a look at what is cut off."""
    page = Page("<div><p>x</p>" * 6_000)
    found = page.retps()
    assert len(found) == 6_000
    assert np.diff(found.starts).max() == 20
    assert len(found.paths) < 300
    assert found[int(found.nodes[-1])].startswith("<#CNT><#SEP>p|100<#SEP>div|100")


def test_pages_without_texts() -> None:
    for source in ("", "<div id=price>", "<!-- x -->"):
        found = Page(source).retps()
        assert [len(found), found.paths, found.starts.tolist(), found.tokens.tolist()] == [0, [], [0], []]


# The mapping and its numbers


def test_it_is_a_mapping_of_texts() -> None:
    page = Page("<h1>a</h1><p>b")
    found = page.retps()
    assert list(found) == [node for node in range(len(page)) if page.tag_name(node) == "#text"]
    assert 3 not in found
    with pytest.raises(KeyError, match="3 is no text"):
        found[3]
    with pytest.raises(KeyError, match="99 is no text"):
        found[99]
    assert repr(found) == "<ReversedPaths: 2 texts, 2 different paths>"
    assert not any(
        array.flags.writeable for array in (found.nodes, found.path, found.content, found.starts, found.tokens)
    )
    again = pickle.loads(pickle.dumps(found))  # noqa: S301
    assert dict(again) == dict(found)


def test_a_cleaned_page_has_paths_of_its_own() -> None:
    items = "".join(f"<li><a href=/{k}>Pan {k}</a> <i>{k}.90 EUR</i></li>" for k in range(9))
    check(clean(f"<div><p>menu</div><x-list><ul>{items}</ul></x-list>"))


def test_numbers_are_those_that_models_hold() -> None:
    assert [number_of_token(token) for token in SPECIAL] == list(range(1, 14))
    assert {token: number + 1 for number, token in enumerate(SPECIAL)} == plain.NUMBERS
    page = Page("<p class=isbn>x")
    assert page.retps({"isbn": "<#ISBN>"}).tokens[:4].tolist() == [1, OWN | 592042810, 4, TAG_NUMBER["p"] << 5 | 11]
    alone, others = ({"isbn": "<#ISBN>"}, {"author": "<#AUTHOR>", "isbn": "<#ISBN>"})
    assert page.retps(alone).tokens.tolist() == page.retps(others).tokens.tolist()


@pytest.mark.parametrize(
    ("tokens", "error", "message"),
    [
        (["author"], TypeError, "tokens is a mapping .* not list"),
        ({1: "<#A>"}, TypeError, "what is searched is a str, not int"),
        ({"author": 1}, TypeError, "a token is a str, not int"),
        ({"by": "<#BY>"}, FastwrapError, "'by' cannot be searched: it must have 3 to 64 bytes"),
        ({"b" * 65: "<#BY>"}, FastwrapError, "must have 3 to 64 bytes"),
        ({"author": "AUTHOR"}, FastwrapError, "'AUTHOR' is no token"),
        ({"author": "<#>"}, FastwrapError, "'<#>' is no token"),
        ({"author": "<#SEP>"}, FastwrapError, "'<#SEP>' has a meaning of its own"),
        ({"author": "<#CNT>"}, FastwrapError, "'<#CNT>' has a meaning of its own"),
        ({f"v{k:03}": f"<#{k}>" for k in range(18)}, FastwrapError, "nor 24 tokens"),
        ({f"v{k:03}": "<#V>" for k in range(58)}, FastwrapError, "no more than 64 values"),
        ({"one": "<#plumless>", "two": "<#buckeroo>"}, FastwrapError, "two of these tokens have the same hash"),
    ],
)
def test_tokens_that_cannot_be(tokens: dict[str, str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Page("<p>x").retps(tokens)


def test_as_many_tokens_as_can_be() -> None:
    tokens = {f"v{k:03}": f"<#{k}>" for k in range(17)}
    page = Page(f"<p class='{' '.join(tokens)}' title='{' '.join(tokens)}'>x")
    found = [f"<#{k}>" for k in range(16, -1, -1)]
    assert page.retps(tokens).paths == ["<#SEP>".join(["<#CNT>", *found, "<#PROP>", "<#16>"])]


def test_rules_that_do_not_belong_together() -> None:
    kinds, names = bytes(len(TAGS) + 1), [name.encode() for name in ATTRIBUTES]
    TokenRules(kinds, names, [b"abc"], [0], [7])
    for wrong in (
        (kinds[1:], names, [b"abc"], [0], [7]),
        (kinds, names * 9, [b"abc"], [0], [7]),
        (kinds, names, [], [], []),
        (kinds, names, [b"ab"], [0], [7]),
        (kinds, names, [b"ABC"], [0], [7]),
        (kinds, names, [b"abc"], [1], [7]),
        (kinds, names, [b"abc"], [-1], [7]),
        (kinds, names, [b"abc"], [], [7]),
        (kinds, names, [b"abc"] * 65, [0] * 65, [7]),
        (kinds, names, [b"abc"], [0], [7] * 25),
    ):
        with pytest.raises(ValueError, match=r"token|kind"):
            TokenRules(*wrong)
