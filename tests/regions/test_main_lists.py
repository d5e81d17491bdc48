"""Which list is the main one, and whether there is one: pages of today with all that stands around a list.
Each list is found as it is, first and with confidence, beside each of the things that are not the point."""

from __future__ import annotations

import pytest

from fastwrap import Extraction, extract
from tests.helpers import modern
from tests.helpers.modern import page_with, sentences, title, words

LISTS = [name for name in modern.LISTS if name != "links"]
LONG, SHORT = 24, 8
LOSES = ["consent", "mega_menu", "div_menu", "footer", "facets", "facet_links", "trending", "banners", "pagers",
         "hidden_json", "prose", "faq", "form"]  # fmt: skip
"""What loses against a list of SHORT, too."""
RICH = ["privacy", "reviews", "comments", "carousel", "viewed"]
"""What has more to it than a short list of little text."""
EVERYTHING = [name for name in modern.AROUND if name not in ("privacy", "div_menu", "facet_links")]


def numbers(found: Extraction) -> list[list[str]]:
    """The numbers of the list within each record of the first region."""
    return [
        [number for node in range(*span) if (number := found.page.attributes(node).get("data-n"))]
        for span in found.regions[0].spans.tolist()
    ]


def check(text: str, count: int) -> None:
    found = extract(text)
    assert numbers(found) == [[str(k)] for k in range(count)]
    assert found.confidence >= 0.5
    assert len(found.records) == count


@pytest.mark.parametrize("around", [*LOSES, *RICH])
@pytest.mark.parametrize("name", LISTS)
def test_a_long_list(name: str, around: str) -> None:
    for in_main in (False, True):
        check(page_with(modern.LISTS[name](LONG), around, in_main=in_main), LONG)


@pytest.mark.parametrize("name", LISTS)
def test_a_long_list_beside_everything(name: str) -> None:
    for in_main in (False, True):
        check(page_with(modern.LISTS[name](LONG), *EVERYTHING, in_main=in_main), LONG)


@pytest.mark.parametrize("around", LOSES)
@pytest.mark.parametrize("name", LISTS)
def test_a_short_list(name: str, around: str) -> None:
    for in_main in (False, True):
        check(page_with(modern.LISTS[name](SHORT), around, in_main=in_main), SHORT)


@pytest.mark.parametrize("around", ["mega_menu", "div_menu", "footer", "facets", "pagers", "hidden_json", "form"])
def test_a_plain_list_of_links(around: str) -> None:
    """No text but in links, and no more to a record: what a menu looks like, too."""
    for in_main in (False, True):
        check(page_with(modern.links(LONG), around, in_main=in_main), LONG)


# Pages without a list

ARTICLE = f"<article><h1>{title('article')}</h1>" + "".join(f"<p>{sentences(f'a{k}', 5)}</p>" for k in range(12))
RELATED = "".join(
    f'<article class="card"><a href="/2024/{words(f"rl{k}", 2).replace(" ", "-")}"><img src="/x{k}.jpg" width="200" '
    f'height="120" alt=""><h3>{title(f"rl{k}")}</h3></a><p>{sentences(f"rls{k}", 1)}</p><time>{k + 1} May 2024</time>'
    "</article>"
    for k in range(6)
)
PRODUCT = (
    f'<div class="pdp"><h1>{title("product")}</h1><img src="/a.jpg" width="600" height="600" alt=""><p>€49.90</p><p>'
    + f"{sentences('pd', 6)}</p><dl>"
    + "".join(f"<dt>{title(f'sp{k}')}</dt><dd>{k * 3 + 1} cm</dd>" for k in range(8))
    + "</dl></div>"
)
RECIPE = (
    f'<h1>{title("recipe")}</h1><img src="/a.jpg" width="600" height="400" alt=""><p>{sentences("rp", 4)}</p><ul>'
    + "".join(f"<li>{k * 50 + 50} g {words(f'ing{k}', 2)}</li>" for k in range(9))
    + "</ul><ol>"
    + "".join(f"<li>{sentences(f'step{k}', 3)}</li>" for k in range(6))
    + "</ol>"
)
SECTION = f'<section class="related"><h2>Related</h2><div>{RELATED}</div></section>'
OPEN_GRAPH = '<meta property="og:type" content="{}">'
PRODUCT_DATA = modern.data({"@type": "Product", "name": "x", "offers": {"@type": "Offer", "price": "49.90"}})

RECIPE_DATA = modern.data({"@type": "Recipe", "name": "x"})


@pytest.mark.parametrize(
    "text",
    [
        page_with(ARTICLE, "mega_menu", "footer"),
        page_with(ARTICLE + SECTION, "mega_menu", "footer"),
        page_with(ARTICLE + SECTION, "mega_menu", "footer", head=OPEN_GRAPH.format("article")),
        page_with(ARTICLE, "mega_menu", "comments", "footer", head=OPEN_GRAPH.format("article")),
        page_with(ARTICLE, "mega_menu", "trending", "footer", head=OPEN_GRAPH.format("article")),
        page_with(PRODUCT, "mega_menu", "footer"),
        page_with(PRODUCT, "mega_menu", "footer", head=PRODUCT_DATA),
        page_with(
            PRODUCT, "mega_menu", "carousel", "footer", in_main=True, head=PRODUCT_DATA + OPEN_GRAPH.format("product")
        ),
        page_with(PRODUCT, "mega_menu", "viewed", "footer", head=PRODUCT_DATA),
        page_with(PRODUCT, "mega_menu", "reviews", "footer", head=PRODUCT_DATA),
        page_with(RECIPE, "mega_menu", "footer", head=RECIPE_DATA),
        page_with(RECIPE, "mega_menu", "comments", head=RECIPE_DATA + OPEN_GRAPH.format("article")),
        page_with("", "form", "footer"),
        page_with("<h1>Not found</h1><p>There is no such page.</p>", "mega_menu", "footer"),
        page_with(modern.table(1), "mega_menu", "footer"),
    ],
    ids=[
        "article", "related", "related said", "comments", "trending", "product", "product said", "carousel", "viewed",
        "reviews", "recipe", "recipe with comments", "form", "not found", "one row",
    ],
)  # fmt: skip
def test_a_page_without_a_list(text: str) -> None:
    found = extract(text)
    assert found.confidence < 0.5
    assert found.records == []


@pytest.mark.parametrize("around", [(), ("mega_menu", "footer"), ("consent", "mega_menu", "footer"), ("form",)])
def test_an_empty_shell(around: tuple[str, ...]) -> None:
    """The list stands only in a script."""
    assert extract(page_with('<div id="app"></div><script>draw([1, 2, 3])</script>', *around)).records == []


def test_a_robot_wall() -> None:
    text = (
        f"<title>One moment</title><h1>{title('x')}</h1><p>{sentences('wall', 2)}</p><div>Id: <code>7f2a</code></div>"
    )
    assert extract(text).records == []
