"""Writes listing pages of any size that look like the web's: site chrome around a list of varied records.
Bytes a node, attributes an element, depth and share of text are near the medians of real pages."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from fastwrap.errors import FastwrapError

# Templates are HTML with three marks:
#   {words 2 5}        a random value of that kind within those bounds (_VALUES)
#   [30%:...]          kept in 30 of 100 cases; [1-4:...] is repeated one to four times; inner blocks first
#   <<records|...|>>   a section: its item, written as often as the page has room for
_VALUE = re.compile(r"\{([a-z]+) (\d+) (\d+)\}")
_BLOCK = re.compile(r"\[(\d+)(?:%|-(\d+)):([^\[\]]*)\]")
_SECTION = re.compile(r"<<([a-z]+)\|(.*?)\|>>", re.DOTALL)

_UNSEEN = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1>", re.DOTALL | re.IGNORECASE)
_ELEMENT_OR_TEXT = re.compile(r"<[a-z]|>(?=\s*[^\s<])", re.IGNORECASE)
_IMPLIED_TBODY = re.compile(r"<table[^>]*>\s*<tr", re.IGNORECASE)

_WORDS = re.findall(
    r"\w+",
    """river oak lantern copper harbour café winter field notebook amber window garden north silk kettle red
    folding travel light classic set of the and for with wool linen steel small large compact série original
    urban mountain blue grey green cream paper bridge market corner studio quiet bright second open summer new
    edition guide maple stone cloud signal meadow island drift façade basket shelf lamp chair battery""",
)


def _words(random: Random, low: int, high: int, separator: str = " ") -> str:
    """Between `low` and `high` words."""
    return separator.join(random.choices(_WORDS, k=random.randint(low, high)))


_VALUES: dict[str, Callable[[Random, int, int], str]] = {
    "words": _words,
    "title": lambda random, low, high: _words(random, low, high).title(),
    "slug": lambda random, low, high: _words(random, low, high, "-"),
    "url": lambda random, low, high: (
        f"https://www.example.com/en/catalog/{_words(random, low, high, '/')}/{random.randint(10**6, 10**9)}"
    ),
    "code": lambda random, low, high: f"{random.getrandbits(4 * random.randint(low, high)):0{low}x}",
    "number": lambda random, low, high: str(random.randint(low, high)),
    "price": lambda random, low, high: f"{random.randint(100 * low, 100 * high) / 100:,.2f}",
    "date": lambda random, low, high: (
        f"{random.randint(low, high)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
    ),
}

_MODERN = """<!DOCTYPE html>
<html lang="en" class="no-js"><head><meta charset="utf-8"><title>{title 2 4}</title>
<link rel="stylesheet" href="/static/css/main.{code 8 8}.css">
<style>.is-hidden { display: none } .grid { display: flex; flex-wrap: wrap }</style>
<script type="application/ld+json">{"@type": "ItemList", "name": "{title 2 3}"}</script>
</head><body class="page page--listing theme-{slug 1 1}" data-page-id="{code 8 8}"><div id="wrapper">
  <nav class="l-header__nav nav" role="navigation"><ul class="nav__list"><<menu|
  <li class="nav__item[20%: nav__item--active]"><a href="{url 4 6}" data-id="nav:{code 4 4}">{title 1 2}</a>
    [60%:<div class="nav__panel is-hidden">[1-6:<a href="{url 4 7}?ref=nav:{code 8 8}">{title 1 3}</a>
    ]</div>]</li>|>></ul></nav>
  <div class="l-content container"><div class="row"><aside class="l-sidebar col-3"><ul class="facets"><<side|
    <li class="facet"><label for="f-{code 4 4}"><input type="checkbox" name="filter" value="{slug 1 2}">
      <a class="facet__link" rel="nofollow" href="{url 4 6}?filter={code 4 8}"><span>{words 1 3}</span>
      [70%:<span class="facet__count">({number 1 400})</span>]</a></label></li>|>></ul></aside>
    <main class="l-main col-9" id="main"><div class="results" data-total="{number 40 900}"><!-- results -->
      <h1 class="results__title">{title 1 3}</h1> <<list>></div></main></div></div>
  <footer class="l-footer" role="contentinfo"><ul class="footer__links"><<links|
    <li><a class="footer__link" href="{url 4 6}?ref=footer">{title 1 3}</a></li>|>></ul></footer></div>
  <script>[9-12:dataLayer.push({"event": "{slug 2 3}", "page": "{code 8 8}", "value": {number 1 999}});
  ]</script><script async src="/static/js/app.{code 8 8}.js"></script></body></html>"""

_NINETIES = """<HTML><HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1252">
<TITLE>{title 2 4}</TITLE><SCRIPT LANGUAGE="JavaScript"><!--
function go(where) { window.location = where; }
//--></SCRIPT></HEAD><BODY BGCOLOR="#FFFFFF" TEXT="#000000" LINK="#0000CC" VLINK="#663399">
<TABLE WIDTH=760 BORDER=0 CELLSPACING=0 CELLPADDING=2><TR><TD COLSPAN=2 BGCOLOR="#336699"><<menu|
<A HREF="{url 3 5}.html"><FONT COLOR="#FFFFFF" FACE="Arial,Helvetica">{title 1 2}</FONT></A>&nbsp;-|>>
<TR><TD VALIGN=top WIDTH=140 BGCOLOR="#EEEEEE"><<side|
<IMG SRC="/images/dot.gif" WIDTH=8><A HREF="{url 3 5}.html"><FONT SIZE="-1">{title 1 2}</FONT></A><BR>|>>
<TD VALIGN=top><H2>{title 2 3}</H2> <<list>></TABLE><HR NOSHADE SIZE=1><CENTER><<links|
<A HREF="{url 3 4}.html">{title 1 2}</A> -|>></CENTER></BODY></HTML>"""


@dataclass(frozen=True)
class Kind:
    """A kind of listing page: the template of its main list, and of the site around it."""

    list: str
    site: str = _MODERN
    encoding: str = "utf-8"


KINDS: dict[str, Kind] = {
    # A grid of nested boxes, most of them classed; a banner now and then between the products.
    "shop": Kind("""<div class="grid grid--products"><<records|
<div class="grid__item col-xs-6 col-sm-4 product[12%: product--sponsored]" data-sku="{code 8 8}">
  <script>impressions.push({"sku": "{code 8 8}", "name": "{title 3 5}", "list": "{slug 1 2}"});</script>
  <div class="product__inner"><div><a class="product__media" href="{url 5 8}" title="{title 3 5}">
    <img class="product__img lazy" src="/img/blank.gif" data-src="{url 5 8}.jpg" alt="{words 3 5}"></a>
    [25%:<span class="badge badge--sale">-{number 5 60}%</span>]</div>
  <div class="product__body">[40%:<span class="product__brand"><a href="{url 4 6}">{title 1 1}</a></span>]
    <h3><a class="product__link" href="{url 5 8}" data-track="click:{code 6 6}">{title 4 8}</a></h3>
    [60%:<div class="rating" title="{number 1 5} of 5"><i style="width:{number 20 99}%"></i>
    <a href="{url 5 8}#reviews"><span class="rating__count">({number 1 900})</span></a></div>]
    <ul class="perks">[0-3:<li class="perks__item perks__item--{slug 1 1}"><span>{words 1 4}</span></li>
    ]</ul><!-- price --><div class="product__price">[30%:<s class="price price--old">${price 50 900}</s>]
    <strong class="price" data-amount="{number 99 9999}">${price 5 900}</strong> [30%:<em>{words 2 4}</em>]
    </div><form action="{url 4 6}" method="post"><input type="hidden" name="sku" value="{code 8 8}">
    <button class="btn btn--buy btn--block" data-track="buy"><i class="icon icon-cart"></i></button></form>
</div></div></div>[4%:
<div class="grid__item banner"><a href="{url 5 8}"><img src="{url 5 8}.png" alt=""></a></div>]|>></div>"""),
    # A data table: rows of one shape but for a few cells, and a heading row now and then.
    "table": Kind("""<table class="data"><thead><tr>[6-6:<th scope="col">{title 1 1}</th>]</tr></thead><tbody>
<<records|[6%:
<tr class="data__group"><th colspan="6" scope="rowgroup">{title 2 3}</th></tr>]
<tr class="data__row" id="row-{code 6 6}" data-key="{code 12 12}">
  <td class="data__cell data__cell--check"><input type="checkbox" name="selected" value="{code 12 12}"></td>
  <td class="data__cell data__cell--name"><a href="{url 5 8}" title="{title 3 5}">{title 2 5}</a>
    [30%:<a href="{url 4 6}.pdf" target="_blank"><img src="/img/icons/{slug 1 1}.png" alt="PDF"></a>]</td>
  <td class="data__cell data__cell--date"><time datetime="{date 2009 2024}">{date 2009 2024}</time></td>
  <td class="data__cell data__cell--text">{words 3 8}[25%:<br><small>{words 3 6}</small>]</td>
  <td class="data__cell data__cell--number" data-sort="{number 1000 999999}">{price 10 99999}</td>
  <td class="data__cell">[0-2:<span class="tag tag--{slug 1 1}"><a href="{url 4 6}">{words 1 1}</a></span> ]
    [20%:<button class="btn btn--small" data-action="{code 8 8}"><i class="icon icon-edit"></i></button>]</td>
</tr>|>></tbody></table>"""),
    # Layout tables inside a layout table: a record is two rows, with a ruler row after it.
    "old": Kind(
        """<TABLE WIDTH="100%" BORDER=0><TR BGCOLOR="#CCCCCC"><TD COLSPAN=3><B>{title 1 2}</B></TR><<records|
<TR><TD ROWSPAN=2 VALIGN=top>[70%:<A HREF="{url 3 6}.html"><IMG SRC="{url 3 6}.gif" ALT="{words 2 3}"></A>]
<TD><FONT FACE="Verdana,Arial" SIZE=2><B><A HREF="{url 4 7}.html">{title 3 6}</A></B>[40%: <I>{words 1 3}</I>]
</FONT><TD ALIGN=right NOWRAP><FONT SIZE=2 COLOR="#990000"><B>${price 2 400}</B></FONT></TR>
<TR><TD COLSPAN=2><FONT FACE="Verdana,Arial,Helvetica" SIZE=1>{words 12 30}[50%: <B>{words 1 2}</B>]<BR>
[0-4:<A HREF="{url 3 6}.cgi?query={slug 2 3}&amp;page=1" TARGET="_top">{words 1 3}</A><BR>
]</FONT>[20%:<TABLE BORDER=1><TR><TD BGCOLOR="#FFFFCC"><IMG SRC="/images/new.gif" WIDTH=28></TABLE>]</TR>
<TR><TD COLSPAN=3><IMG SRC="/images/ruler.gif" WIDTH="100%" HEIGHT=1></TR>|>></TABLE>""",
        _NINETIES,
        "windows-1252",
    ),
    # Results as runs of siblings: no box of their own, no classes, highlights inside the snippets.
    "search": Kind("""<div id="results"><<records|
<h3 id="r{number 1 9999}"><a href="{url 5 8}.html" onmousedown="return track(this, '{code 16 16}')">
  [0-2:<em>{words 1 1}</em> {words 1 3} ]{title 2 4}</a>[15%: <span title="{words 2 3}">PDF</span>]</h3>
<p data-id="{code 16 16}">[30%:<span title="{date 2001 2024}">{date 2001 2024}</span> ]{words 9 18}
  [0-3: <b>{words 1 2}</b> {words 3 9}]<br><cite title="{url 5 8}">{slug 2 3}.example/{slug 1 3}</cite>
  <span id="c{code 8 8}" data-href="{url 5 8}"><a href="{url 4 6}?cache={code 12 12}" rel="nofollow">
  <img src="/img/icons/cached.png" width="12" height="12" alt="{title 1 2}"></a></span></p>
[25%:<ul style="margin-left:2em">[2-6:<li><a href="{url 5 8}" rel="noopener">{title 1 3}</a></li>
  ]</ul>]|>></div>"""),
    # Posts of a thread: the author's column, a body of paragraphs and quotes, a bar of buttons.
    "forum": Kind("""<ol class="posts"><<records|
<li class="post js-post" id="p{number 1000 999999}" data-author="{title 1 1}"><div class="post__author">
  <a class="avatar avatar--m" href="{url 4 6}"><img src="{url 5 8}.jpg" width="96" height="96" alt=""></a>
  <h4><a class="username" href="{url 4 6}" data-id="{code 6 6}">{title 1 2}</a></h4>[40%:<em>{words 1 2}</em>]
  <dl class="stats">[0-2:<dt>{title 1 1}</dt><dd>{number 1 9000}</dd> ]</dl></div><!-- author -->
<div class="post__main"><div class="post__meta"><a class="permalink" href="{url 5 8}#p" rel="nofollow">
    <time class="date" datetime="{date 2008 2024}">{date 2008 2024}</time></a></div>
  <script>forum.posts.push({"id": "{code 12 12}", "author": "{title 1 2}", "quotes": {number 0 9}});</script>
  <div class="post__body js-lightbox">[25%:<blockquote cite="{url 5 8}">{words 6 20}<br></blockquote>]
    [1-3:<p>{words 6 30}</p> ][20%:<a href="{url 4 6}.png"><img src="{url 4 6}.png" alt=""></a>]</div>
  <ul class="post__bar"><li><a class="btn btn--like" href="{url 4 6}?like={code 6 6}"><i class="icon"></i>
    [30%:<span>{number 1 90}</span>]</a></li>
    <li><a class="btn btn--reply" href="{url 4 6}?reply={code 6 6}" rel="nofollow">Reply</a></li></ul>
</div></li>|>></ol>"""),
}

# Chrome grows with the page and then stops, as menus do: its share of the nodes beyond 100, and its cap. Of 218 saved
# listings with 300 to 1,500 nodes, half have less than 54% of these in the main list, of those with more 41 to 47%.
_CHROME = {"menu": (0.17, 600), "side": (0.21, 800), "links": (0.10, 400)}
_INDENTATION = "\n" + " " * 16  # items stand deep in their page, and real pages pay for it in blanks


def generate(kind: str, nodes: int, seed: int = 0) -> bytes:
    """Write a page of that kind (one of `KINDS`) whose tree has about `nodes` nodes, from 100 to 200,000.

    Nodes are elements and texts that are not blank; script, style and comments are not counted.

    >>> page = generate("shop", 300)
    >>> page == generate("shop", 300), page == generate("shop", 300, seed=1)
    (True, False)
    >>> page.count(b"<h3"), generate("shop", 3_000).count(b"<h3")
    (6, 56)
    """
    if kind not in KINDS:
        raise FastwrapError(f"no kind of page is called {kind!r}: there are {', '.join(KINDS)}")
    if not 100 <= nodes <= 200_000:
        raise FastwrapError(f"a page can have 100 to 200,000 nodes, not {nodes:,}")
    random = Random(seed)  # noqa: S311 - the same page every time is the point
    # The template split at its sections: HTML, name, item, HTML, name, item, ..., HTML.
    site, *parts = _SECTION.split(KINDS[kind].site.replace("<<list>>", KINDS[kind].list))
    frame = [_fill(html, random) for html in (site, *parts[2::3])]
    left = nodes - _count("".join(frame))
    room = {name: min(int(share * max(0, nodes - 100)), cap) for name, (share, cap) in _CHROME.items()}
    room["records"] = left - sum(room.values())
    page = frame[:1]
    for name, item, after in zip(parts[::3], parts[1::3], frame[1:], strict=True):
        # The links come last and are the smallest items, so they take up what the other sections left.
        space = left if name == "links" else room[name]
        items, used = _repeat(item.replace("\n", _INDENTATION), space, random)
        page += items, after
        left -= used
    return "".join(page).encode(KINDS[kind].encoding)


SIZES = (500, 2_000, 10_000, 100_000)  # nodes of the pages on which time per node is measured

SHIPPED = {
    "search": (100, 1_000, 2_200, 6_000),
    "table": (300, 1_400, 3_000, 20_000),
    "old": (500, 900, 1_800, 4_000),
    "forum": (600, 1_200, 2_500, 9_000),
    "shop": (800, 1_600, 3_500, 100_000),
}
"""Nodes of the pages that `fastwrap bench` measures by default. Of 702 saved pages, nine in ten have 150 to 3,000; of
those that are listings of shops and portals, 640 to 5,600, half of them more than 2,200."""


def shipped() -> list[tuple[str, bytes]]:
    """Return the pages that `fastwrap bench` measures by default, as (name, HTML), the smallest first.

    >>> [name for name, _ in shipped()][:3]
    ['search-100', 'table-300', 'old-500']
    """
    sizes = sorted((nodes, kind) for kind, sizes in SHIPPED.items() for nodes in sizes)
    return [(f"{kind}-{nodes}", generate(kind, nodes)) for nodes, kind in sizes]


def _fill(template: str, random: Random) -> str:
    """Draw the blocks, then the values of a template.

    >>> _fill("<ul>[2-2:<li>{number 7 7}</li>]</ul>[0%:never]", Random(0))
    '<ul><li>7</li><li>7</li></ul>'
    """

    def draw_block(block: re.Match[str]) -> str:
        low, high, html = block.groups()
        times = random.randint(int(low), int(high)) if high else random.randrange(100) < int(low)
        return str(html) * times

    drawn = 1
    while drawn:
        template, drawn = _BLOCK.subn(draw_block, template)
    return _VALUE.sub(lambda value: _VALUES[value[1]](random, int(value[2]), int(value[3])), template)


def _repeat(item: str, room: int, random: Random) -> tuple[str, int]:
    """Write an item, drawn anew each time, as often as fits into `room` nodes; return HTML and its nodes."""
    items: list[str] = []
    used = 0
    while (size := _count(html := _fill(item, random))) <= room - used:
        items.append(html)
        used += size
    return "".join(items), used


def _count(html: str) -> int:
    """Count the nodes a parser makes of HTML to which it adds nothing but tbody."""
    seen = _UNSEEN.sub("", html)
    return len(_ELEMENT_OR_TEXT.findall(seen)) + len(_IMPLIED_TBODY.findall(seen))
