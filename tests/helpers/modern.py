"""Pages as sites of the 2020s make them: lists in utility classes and custom elements, and all that stands around them.
Every record of a main list has its number as `data-n`, so that a test can tell what was found."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping

WORDS = """
    amber anchor autumn basket beacon birch bottle bramble bridge bronze canvas cedar cherry clover copper coral cotton
    crystal desert ember fern field flint forest garden granite harbour hazel heather honey indigo island ivory jasper
    juniper kettle lantern lavender lemon linen maple marble meadow mint moss mountain nutmeg oak ocean olive orchard
    pebble pepper pine plum prairie quartz raven reed river rose saffron sage salt sand shadow silver slate spruce stone
    summer thistle thunder timber valley velvet violet walnut willow winter
""".split()


def words(seed: str, count: int) -> str:
    """So many words, always the same ones for a seed."""
    return " ".join(random.Random(seed).choices(WORDS, k=count))


def sentences(seed: str, count: int) -> str:
    """So many sentences of some ten words."""
    return " ".join(words(f"{seed} {k}", 8 + (7 * k + len(seed)) % 6).capitalize() + "." for k in range(count))


def title(seed: str) -> str:
    """A name of two to four words."""
    return words(seed, 2 + random.Random(seed).randrange(3)).title()


def data(content: Mapping[str, object]) -> str:
    """A script of JSON-LD."""
    return f'<script type="application/ld+json">{json.dumps({"@context": "https://schema.org", **content})}</script>'


# Main lists: by their name, the HTML of so many records


def products(count: int) -> str:
    """A grid of cards in utility classes."""
    cards = "".join(
        f'<div data-n="{k}" class="group relative flex flex-col overflow-hidden rounded-lg border">'
        f'<a class="block" href="/p/{words(f"slug{k}", 2).replace(" ", "-")}-{1000 + 7 * k}"><div '
        f'class="aspect-square">'
        f'<img class="h-full w-full object-cover" alt="{title(f"p{k}")}" src="/i/{k}.webp" width="240" height="240">'
        f"</div>"
        f'<h3 class="mt-2 text-sm font-medium">{title(f"p{k}")}</h3></a><div class="flex gap-1 text-xs">'
        f"<span>{3 + k % 3}.{k % 10}</span><span>({12 * k + 3})</span></div>"
        f'<p class="text-lg font-bold">€{9 + 3 * k}.{k % 10}9</p><button type="button">Add to basket</button></div>'
        for k in range(count)
    )
    return f'<div class="grid grid-cols-2 gap-4 md:grid-cols-4">{cards}</div>'


def tiles(count: int) -> str:
    """Products in custom elements."""
    cards = "".join(
        f'<shop-tile data-n="{k}" class="tile"><shop-link><a href="/en/product/{2000 + k}"><shop-image><img '
        f'src="/t/{k}.jpg" '
        f'width="200" height="200" alt=""></shop-image><shop-name>{title(f"t{k}")}</shop-name></a></shop-link>'
        f"<shop-price><span>{4 + k},{k % 9}9</span><span>€</span></shop-price><shop-note>{words(f'tn{k}', 6)}"
        f"</shop-note>"
        "</shop-tile>"
        for k in range(count)
    )
    return f"<shop-grid>{cards}</shop-grid>"


def results(count: int) -> str:
    """Hits of a search engine."""
    hits = "".join(
        f'<div data-n="{k}" class="MjjYud g"><div class="kvH3mc"><div class="yuRUbf"><a '
        f'href="https://{words(f"h{k}", 1)}.example/'
        f'{words(f"hp{k}", 1)}"><h3>{title(f"r{k}")}</h3><cite>{words(f"h{k}", 1)}.example</cite></a></div><div '
        f'class="VwiC3b">'
        f"<span>{2019 + k % 6}-0{1 + k % 9}-1{k % 9}</span> {sentences(f'rs{k}', 2)}</div></div></div>"
        for k in range(count)
    )
    return f'<div id="rso">{hits}</div>'


def jobs(count: int) -> str:
    """Vacancies in a list."""
    entries = "".join(
        f'<li data-n="{k}" class="css-{5 * k % 7}abc"><article><a href="/jobs/view/{88000 + 13 * k}"><span>'
        f"{title(f'j{k}')}</span>"
        f"</a><div>{title(f'co{k}')} Ltd</div><div>{title(f'ci{k}')}</div><time>{1 + k} days ago</time>"
        f"<div>£{30 + k},000 a year</div></article></li>"
        for k in range(count)
    )
    return f'<ul class="css-1xyz2 results-list">{entries}</ul>'


def homes(count: int) -> str:
    """Homes for sale: cards that are links."""
    cards = "".join(
        f'<a data-n="{k}" class="sc-aXZVg kHoQpL" href="/homes/{words(f"town{k}", 1)}/{5000 + k}"><div '
        f'class="sc-gEvEer"><img '
        f'src="/h/{k}.jpg" width="300" height="200" alt=""></div><div class="sc-eqUAAy"><strong>$ {200 + 17 * k},000'
        f"</strong>"
        f"<span>{k + 1} {title(f'street{k}')} Street</span><ul><li>{1 + k % 4} bd</li><li>{1 + k % 3} ba</li><li>"
        f"{600 + 31 * k} sqft"
        "</li></ul></div></a>"
        for k in range(count)
    )
    return f'<div class="sc-fqkvVR cards">{cards}</div>'


def threads(count: int) -> str:
    """A forum."""
    rows = "".join(
        f'<div data-n="{k}" class="structItem"><div><a '
        f'href="/threads/{words(f"th{k}", 3).replace(" ", "-")}.{700 + k}/">'
        f"{title(f'th{k}')}</a><div>{words(f'u{k}', 1)} · <time>Mar {1 + k}, 2024</time></div></div><div><dl><dt>"
        f"Replies</dt>"
        f"<dd>{3 * k}</dd></dl><dl><dt>Views</dt><dd>{40 * k + 11}</dd></dl></div></div>"
        for k in range(count)
    )
    return f'<div class="structItemContainer">{rows}</div>'


def stories(count: int) -> str:
    """The index of a magazine."""
    entries = "".join(
        f'<article data-n="{k}" class="flex py-6 border-b"><a '
        f'href="/2024/0{1 + k % 9}/{words(f"s{k}", 3).replace(" ", "-")}">'
        f'<h2 class="text-2xl">{title(f"s{k}")} {words(f"st{k}", 3)}</h2></a><p>{sentences(f"sp{k}", 2)}</p><div>'
        f"<span>{title(f'a{k}')}</span><time>{1 + k % 28} April 2024</time></div></article>"
        for k in range(count)
    )
    return f'<section class="divide-y">{entries}</section>'


def table(count: int) -> str:
    """Rows of a register."""
    rows = "".join(
        f'<tr data-n="{k}"><td><a href="/case/{31 * k + 400}">{2015 + k % 9}/{100 + k}</a></td><td>{title(f"c{k}")} '
        f"v {title(f'd{k}')}</td>"
        f"<td>0{1 + k % 9}/12/2023</td><td>{words(f'court{k % 3}', 2).title()}</td></tr>"
        for k in range(count)
    )
    head = "<thead><tr><th>Number</th><th>Parties</th><th>Date</th><th>Court</th></tr></thead>"
    return f'<div class="table-responsive"><table class="table">{head}<tbody>{rows}</tbody></table></div>'


def links(count: int) -> str:
    """A plain list of links."""
    entries = "".join(
        f'<li data-n="{k}"><a href="/decisions/{2010 + k}">Decisions of the year {2010 + k}</a></li>'
        for k in range(count)
    )
    return f"<ul>{entries}</ul>"


LISTS: dict[str, Callable[[int], str]] = {
    made.__name__: made for made in (products, tiles, results, jobs, homes, threads, stories, table, links)
}

# What stands around them


def consent() -> str:
    """The dialog that asks for consent, with groups of cookies."""
    groups = "".join(
        f'<div class="cky-accordion"><div><button>{name}</button><input type="checkbox" id="c{name}"><label '
        f'for="c{name}">On</label>'
        f"</div><div><p>{sentences(name, 5)}</p></div></div>"
        for name in ("Necessary", "Functional", "Analytics", "Performance", "Advertisement", "Social", "Unclassified")
    )
    return (
        f'<div class="cky-consent-container" role="dialog" aria-label="We value your privacy"><p>{sentences("we", 4)}'
        f"</p>"
        f'<div class="cky-modal"><div>{groups}</div><button>Reject all</button><button>Accept all</button></div></div>'
    )


def privacy() -> str:
    """The same in div and utility classes, without a role."""
    groups = "".join(
        f'<div class="py-4"><h4 class="font-bold">{title(f"cookie {k}")} cookies</h4><p class="text-xs">'
        f"{sentences(f'ck{k}', 4)}</p>"
        "<span>Always active</span></div>"
        for k in range(5)
    )
    return (
        f'<div id="cookie-preferences" class="fixed inset-0 z-50"><h3>Your privacy</h3><div class="p-6">{groups}'
        f"</div></div>"
    )


def mega_menu() -> str:
    """A menu of a hundred and more links."""
    columns = "".join(
        f'<div class="col"><h4><a href="/c/{k}">{title(f"mc{k}")}</a></h4><ul>'
        + "".join(f'<li><a href="/c/{k}/{j}">{title(f"m{k} {j}")}</a></li>' for j in range(14))
        + "</ul></div>"
        for k in range(9)
    )
    return (
        f'<header><div class="site-header"><nav class="mega-menu"><div class="panel">{columns}</div></nav></div>'
        f"</header>"
    )


def div_menu() -> str:
    """A menu that only its class betrays."""
    entries = "".join(f'<div class="menu__item"><a href="/cat/{k}">{title(f"dm{k}")}</a></div>' for k in range(45))
    return f'<div class="main-menu"><div class="menu__list">{entries}</div></div>'


def footer() -> str:
    """Columns of links, addresses and a notice."""
    columns = "".join(
        f"<div><h5>{title(f'fc{k}')}</h5><ul>"
        + "".join(f'<li><a href="/about/{k}{j}">{title(f"f{k} {j}")}</a></li>' for j in range(8))
        + "</ul></div>"
        for k in range(5)
    )
    return (
        f'<footer class="bg-gray-900"><div class="grid">{columns}</div><small>© 2024 {title("owner")}</small></footer>'
    )


def facets() -> str:
    """Filters with counts."""
    groups = "".join(
        f"<fieldset><legend>{title(f'fg{k}')}</legend><ul>"
        + "".join(
            f'<li><label class="flex"><input type="checkbox" name="f{k}" value="{j}"><span>{title(f"fo{k} {j}")}</span>'
            f"<span>({17 * j + k + 2})</span></label></li>"
            for j in range(12)
        )
        + "</ul></fieldset>"
        for k in range(4)
    )
    return f'<aside class="w-64 filters">{groups}</aside>'


def facet_links() -> str:
    """Filters that are links, without an element that says so."""
    groups = "".join(
        f'<div class="facet-group"><h6>{title(f"lg{k}")}</h6>'
        + "".join(f'<a class="facet" href="?f{k}={j}">{title(f"lo{k} {j}")} <i>{5 * j + 1}</i></a>' for j in range(10))
        + "</div>"
        for k in range(4)
    )
    return f'<div class="left-column">{groups}</div>'


def trending() -> str:
    """What others look for."""
    entries = "".join(
        f'<li><a href="/trend/{k}"><span>{k + 1}</span><b>{title(f"tr{k}")}</b><em>{900 - 31 * k}K searches</em></a>'
        f"</li>"
        for k in range(10)
    )
    return f'<div class="trending-box"><h2>Trending now</h2><ol>{entries}</ol></div>'


def reviews() -> str:
    """What customers say, at length."""
    entries = "".join(
        f'<div class="review"><div>★★★★{"★☆"[k % 2]}</div><strong>{title(f"rv{k}")}</strong><p>'
        f"{sentences(f'rev{k}', 5)}</p>"
        f"<span>{words(f'who{k}', 1).title()}, {1 + k} May 2024</span></div>"
        for k in range(8)
    )
    return f'<section class="customer-reviews"><h2>What our customers say</h2><div>{entries}</div></section>'


def comments() -> str:
    """Comments below."""
    entries = "".join(
        f'<li class="comment"><div><img src="/u/{k}.png" width="32" height="32" alt=""><a '
        f'href="/user/{words(f"cm{k}", 1)}">'
        f"{words(f'cm{k}', 1)}</a><time>{1 + k} hours ago</time></div><div><p>{sentences(f'com{k}', 4)}</p></div>"
        f"<button>Reply</button></li>"
        for k in range(9)
    )
    return f'<div id="comments"><h3>9 comments</h3><ol class="comment-list">{entries}</ol></div>'


def carousel() -> str:
    """Twenty richer cards that are recommended."""
    cards = "".join(
        f'<div class="carousel-item"><a href="/p/rec-{k}"><img src="/r/{k}.jpg" width="260" height="260" alt=""><div>'
        f"{title(f'cr{k}')}"
        f"</div></a><p>{sentences(f'crs{k}', 2)}</p><div>★ 4.{k % 10} ({3 * k + 1})</div><div><del>€{90 + k}.00</del>"
        f" <b>€{60 + k}.00</b>"
        f"</div><span>{words(f'crl{k}', 2)}</span><button>Buy</button></div>"
        for k in range(20)
    )
    return f'<section class="recommendations"><h2>You may also like</h2><div class="carousel">{cards}</div></section>'


def viewed() -> str:
    """What was looked at before."""
    cards = "".join(
        f'<div class="card"><a href="/p/seen-{k}"><img src="/v/{k}.jpg" width="120" height="120" alt=""><span>'
        f"{title(f'vw{k}')}</span></a>"
        f"<b>€{5 + k}.50</b></div>"
        for k in range(8)
    )
    return f'<div class="recently-viewed"><h3>Recently viewed</h3><div class="row">{cards}</div></div>'


def banners() -> str:
    """Promotions with large pictures."""
    slides = "".join(
        f'<div class="slide"><a href="/campaign/{k}"><img src="/b/{k}.jpg" width="1200" height="400" '
        f'alt="{title(f"bn{k}")}"><div><h2>'
        f"{title(f'bn{k}')}</h2><p>{sentences(f'bns{k}', 1)}</p><span>Shop now</span></div></a></div>"
        for k in range(4)
    )
    return f'<div class="hero-slider"><div class="slides">{slides}</div></div>'


def pagers() -> str:
    """Twice the same links to other pages."""
    pager = '<div class="pages"><a href="?page=1">Previous</a> <a href="?page=3">Next</a></div>'
    return pager + pager


def hidden_json() -> str:
    """Data of the application in an element that is not shown."""
    entries = [{"id": k, "text": sentences(f"hj{k}", 3), "urn": f"urn:x:{k}"} for k in range(60)]
    return "".join(f'<code style="display: none" id="bpr-{k}">{json.dumps(entries)}</code>' for k in range(5))


def prose() -> str:
    """A text for search engines below the list."""
    parts = "".join(f"<h3>{title(f'pr{k}')}</h3><p>{sentences(f'prs{k}', 6)}</p>" for k in range(6))
    return f'<div class="seo-text"><h2>{title("seo")}</h2>{parts}</div>'


def faq() -> str:
    """Questions and answers."""
    entries = "".join(
        f"<details><summary>{words(f'q{k}', 6).capitalize()}?</summary><p>{sentences(f'an{k}', 4)}</p></details>"
        for k in range(7)
    )
    return f'<section class="faq"><h2>Frequently asked questions</h2>{entries}</section>'


def form() -> str:
    """A form for alerts."""
    fields = "".join(
        f'<div class="field"><label for="i{k}">{title(f"fl{k}")}</label><input id="i{k}" name="i{k}"></div>'
        for k in range(6)
    )
    return f'<form action="/alerts">{fields}<button>Create alert</button></form>'


AROUND: dict[str, Callable[[], str]] = {
    made.__name__: made
    for made in (
        consent, privacy, mega_menu, div_menu, footer, facets, facet_links, trending, reviews, comments, carousel,
        viewed, banners, pagers, hidden_json, prose, faq, form,
    )
}  # fmt: skip
BEFORE = frozenset("consent privacy mega_menu div_menu facets facet_links banners hidden_json".split())
"""Those that stand before the list; the others stand after it."""


def page_with(main: str, *around: str, in_main: bool = False, head: str = "") -> str:
    """A page with a main list, or anything else, and what stands around it."""
    before = "".join(AROUND[name]() for name in around if name in BEFORE)
    after = "".join(AROUND[name]() for name in around if name not in BEFORE)
    body = (
        f'<main id="content">{main}</main>'
        if in_main
        else f'<div class="container mx-auto"><div class="flex-1">{main}</div></div>'
    )
    heading = f'<h1 class="text-3xl">{title("heading")}</h1><p>{words("sub", 5)}</p>'
    return (
        f"<!doctype html><html lang=en><head><title>{title('heading')}</title>{head}</head>"
        f'<body><div id="__next">{before}{heading}{body}{after}</div></body></html>'
    )
