"""Listing pages as they are made today, each with one thing that makes it hard to cut, and the texts of its records.
The markup is our own: utility and hashed classes, custom elements, data attributes, wrappers, boxes between items."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from tests.helpers.modern_texts import Texts

FEW = 5
"""Fewer items than that are interrupted after every second one, more after every fifth."""


class Listing(NamedTuple):
    """A page, and the text of each of its records."""

    page: str
    records: list[str]


def seen(markup: str) -> str:
    """The text of a piece of HTML as a record has it: nodes joined by a space."""
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", markup)).split())


def listing(page: str, items: Iterable[str]) -> Listing:
    return Listing(page, [seen(item) for item in items])


def interrupted(items: list[str], box: Callable[[], str]) -> str:
    """Items with a box after every fifth of them, or every second where they are few."""
    every = 5 if len(items) > FEW else 2
    return "".join(item + (box() if k % every == every - 1 else "") for k, item in enumerate(items))


# What stands around a list

ICON = '<svg class="icon size-4" aria-hidden="true" viewBox="0 0 24 24"><path d="M4 6h16M4 12h16"/></svg>'


def header(texts: Texts) -> str:
    links = "".join(
        f'<li class="nav__item"><a class="px-3 py-2 text-sm" href="/c/{k}">{texts.name()}</a></li>' for k in range(9)
    )
    return (
        '<header class="sticky top-0 z-50 border-b"><a href="/" aria-label="Logo"><svg viewBox="0 0 9 9"></svg></a>'
        f'<form role="search" action="/search"><input type="search" name="q" placeholder="{texts.say("search")}">'
        f'<button type="submit">{ICON}</button></form><nav aria-label="Main"><ul class="flex">{links}</ul>'
        f"</nav></header>"
    )


def footer(texts: Texts, columns: int = 4) -> str:
    blocks = "".join(
        f'<div class="footer-col"><h4>{texts.name()}</h4><ul>'
        + "".join(f'<li><a href="/help/{column}-{k}">{texts.name()}</a></li>' for k in range(5))
        + "</ul></div>"
        for column in range(columns)
    )
    return f'<footer class="bg-gray-900 text-white"><div class="grid grid-cols-4">{blocks}</div><p>© 2025</p></footer>'


def document(texts: Texts, main: str, before: str = "", after: str = "", head: str = "") -> str:
    """A page with a header and a footer, and with a main landmark or without one."""
    title = texts.title()
    content = f'<h1 class="text-2xl font-semibold">{title}</h1>{main}'
    if texts.chance(0.5):
        content = f'<main id="main">{content}</main>'
    return (
        f'<!doctype html><html lang="{texts.language}"{" dir=rtl" if texts.language == "ar" else ""}><head>'
        f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
        f'<link rel="preload" href="/app.js" as="script"><style>.x{{color:red}}</style>{head}</head>'
        f'<body class="antialiased">{before}{header(texts)}<div id="app" data-server-rendered="true">'
        f'<div class="container mx-auto px-4">{content}</div></div>{after}{footer(texts)}'
        "<script>window.__STATE__={}</script></body></html>"
    )


# Items


def card(
    texts: Texts, k: int, tag: str = "div", attributes: str = 'class="card rounded-lg shadow"', label: str = ""
) -> str:
    """A product in a grid: picture, title, a line about it, price, and a rating where there is one."""
    rating = f'<span class="rating" aria-label="stars">{texts.number(1, 4)}.{texts.number(0, 9)}</span>'
    return (
        f'<{tag} {attributes}><a class="block" href="/p/{k}"><img loading="lazy" src="/img/{k}.webp" alt=""></a>{label}'
        f'<h3 class="text-base"><a href="/p/{k}">{texts.title()}</a></h3>'
        f'<p class="line-clamp-2">{texts.sentence(5, 12)}</p>{rating if texts.chance(0.6) else ""}'
        f'<div class="price-box"><span class="price">{texts.price()}</span></div></{tag}>'
    )


def result(texts: Texts, k: int, tag: str = "div", attributes: str = 'class="g jD8kYt"') -> str:
    """A result of a search: title, where it is from, an excerpt."""
    host = f"www{k}.example"
    return (
        f'<{tag} {attributes}><div class="hB4mQa"><a href="https://{host}/{k}"><h3>{texts.title()}</h3>'
        f'<cite>{host}</cite></a></div><div class="tX9cLe"><span>{texts.sentence(10, 24)}</span></div></{tag}>'
    )


def cards(texts: Texts, count: int, tag: str = "div", attributes: str = 'class="card rounded-lg shadow"') -> list[str]:
    return [card(texts, k, tag, attributes) for k in range(count)]


def results(texts: Texts, count: int) -> list[str]:
    return [result(texts, k) for k in range(count)]


# Pages that are hard to cut

CUTTING: dict[str, Callable[[Texts, int], Listing]] = {}
"""By name: makes a page with so many records."""


def hard_to_cut(make: Callable[[Texts, int], Listing]) -> Callable[[Texts, int], Listing]:
    CUTTING[make.__name__] = make
    return make


@hard_to_cut
def two_templates_in_turn(texts: Texts, count: int) -> Listing:
    def other(k: int) -> str:
        return (
            f'<section class="row row--reverse"><h3><a href="/p/{k}">{texts.title()}</a></h3>'
            f'<p class="line-clamp-2">{texts.sentence(5, 12)}</p><span class="price">{texts.price()}</span>'
            f'<a href="/p/{k}"><img src="/img/{k}.webp" alt=""></a></section>'
        )

    items = [other(k) if k % 2 else card(texts, k, "div", 'class="row"') for k in range(count)]
    return listing(document(texts, f'<div class="rows">{"".join(items)}</div>'), items)


@hard_to_cut
def empty_advertisement_slots(texts: Texts, count: int) -> Listing:
    items = cards(texts, count)
    box = '<div class="ad-slot" data-ad-unit="/123/list" data-lazy></div>'
    return listing(document(texts, f'<div class="grid gap-4">{interrupted(items, lambda: box)}</div>'), items)


@hard_to_cut
def labelled_advertisement_slots(texts: Texts, count: int) -> Listing:
    items = cards(texts, count, "li", 'class="tile" data-testid="tile"')
    box = f'<li class="tile-ad"><div id="gpt"><span>{texts.say("advertisement")}</span></div></li>'
    return listing(document(texts, f'<ul class="tiles">{interrupted(items, lambda: box)}</ul>'), items)


@hard_to_cut
def banners_between_cards(texts: Texts, count: int) -> Listing:
    items = cards(texts, count)

    def banner() -> str:
        return (
            f'<div class="promo col-span-full"><a href="/sale/{texts.number(1, 99)}"><img src="/banner.jpg" alt="">'
            f"<h2>{texts.say('sale')}</h2><p>{texts.sentence(4, 8)}</p></a></div>"
        )

    return listing(document(texts, f'<div class="grid grid-cols-3">{interrupted(items, banner)}</div>'), items)


@hard_to_cut
def banners_in_cells_of_the_grid(texts: Texts, count: int) -> Listing:
    items = [f'<li class="grid__cell">{item}</li>' for item in cards(texts, count)]

    def banner() -> str:
        return (
            f'<li class="grid__cell"><a href="/campaign/{texts.number(1, 99)}"><picture>'
            f'<img src="/b.jpg" alt=""></picture>'
            f"<span>{texts.title()}</span></a></li>"
        )

    return listing(document(texts, f'<ul class="grid">{interrupted(items, banner)}</ul>'), items)


@hard_to_cut
def sponsored_cards_belong(texts: Texts, count: int) -> Listing:
    label = f'<div class="sponsored"><span>{texts.say("sponsored")}</span><button aria-label="?">{ICON}</button></div>'
    items = [
        card(texts, k, "div", 'class="cell cell--ad" data-ad="1"', label)
        if k % 5 == 1
        else card(texts, k, "div", 'class="cell"')
        for k in range(count)
    ]
    return listing(document(texts, f'<div class="grid">{"".join(items)}</div>'), items)


@hard_to_cut
def search_results_among_boxes(texts: Texts, count: int) -> Listing:
    """Advertisements before them; questions, videos and places in the same wrappers among them."""
    items = [f'<div class="Kq2dPf">{item}</div>' for item in results(texts, count)]
    questions = "".join(f'<div class="q" data-q="{k}"><span>{texts.words(3, 6)}?</span></div>' for k in range(4))
    videos = "".join(
        f'<div class="v"><a href="/watch?v={k}"><img src="/{k}.jpg" alt=""><span>{texts.title()}</span>'
        f"<i>{k}:30</i></a></div>"
        for k in range(4)
    )
    places = "".join(
        f'<div class="pl"><b>{texts.name()}</b><span>4.{k}</span><span>{texts.words(2, 3)}</span></div>'
        for k in range(3)
    )
    boxes = iter(
        f'<div class="Kq2dPf"><div class="box"><h2>{texts.name()}</h2><div class="row">{box}</div></div></div>'
        for box in (questions, videos, places)
    )
    ads = "".join(
        f'<div class="zR7wNo"><span>{texts.say("advertisement")}</span><a href="https://ad{k}.example">'
        f"<h3>{texts.title()}"
        f"</h3></a><p>{texts.sentence(8, 14)}</p></div>"
        for k in range(2)
    )
    among = interrupted(items, lambda: next(boxes, ""))
    return listing(document(texts, f'<div id="found" data-async-context="q">{ads}{among}</div>'), items)


@hard_to_cut
def search_results_and_answers_in_one_list(texts: Texts, count: int) -> Listing:
    items = [
        f'<li class="hit" data-id="{k}"><h2><a href="https://www{k}.example/">{texts.title()}</a></h2>'
        f'<div class="caption"><cite>www{k}.example</cite><p>{texts.sentence(10, 24)}</p></div></li>'
        for k in range(count)
    ]
    news = "".join(
        f'<div class="news-card"><a href="/n/{k}">{texts.title()}</a><span>{texts.date()}</span></div>'
        for k in range(4)
    )
    pictures = "".join(f'<a href="/i/{k}"><img src="/i/{k}.png" alt=""></a>' for k in range(6))
    boxes = iter(
        f'<li class="answer"><h2>{texts.name()}</h2><div class="slide">{box}</div></li>' for box in (news, pictures)
    )
    pages = "".join(f'<a href="?page={k}">{k}</a>' for k in range(1, 5))
    among = interrupted(items, lambda: next(boxes, ""))
    rows = f'{among}<li class="pages"><nav>{pages}<a href="?page=2">{texts.say("next")}</a></nav></li>'
    return listing(document(texts, f'<ol id="hits">{rows}</ol>'), items)


@hard_to_cut
def some_one_wrapper_deeper(texts: Texts, count: int) -> Listing:
    items = [
        f'<div class="featured" data-hveid="{k}">{item}</div>' if k % 4 == 0 else item
        for k, item in enumerate(results(texts, count))
    ]
    return listing(document(texts, f'<div class="results">{"".join(items)}</div>'), items)


@hard_to_cut
def some_without_the_class(texts: Texts, count: int) -> Listing:
    items = [result(texts, k, "div", "" if k % 4 == 1 else 'class="result"') for k in range(count)]
    return listing(document(texts, f'<div class="results">{"".join(items)}</div>'), items)


@hard_to_cut
def groups_of_different_sizes(texts: Texts, count: int) -> Listing:
    """One alone, then some together, a box, and the others together."""
    items = results(texts, count)
    middle = 1 + (count - 1) // 2
    box = f'<div class="uP3sVi"><div class="box"><h2>{texts.name()}</h2><p>{texts.words(3, 5)}</p></div></div>'
    blocks = [f'<div class="uP3sVi">{items[0]}</div>'] + [
        f'<div class="uP3sVi"><div class="group">{"".join(group)}</div></div>'
        for group in (items[1:middle], items[middle:])
    ]
    blocks.insert(2, box)
    return listing(document(texts, f'<div id="found">{"".join(blocks)}</div>'), items)


def in_groups(items: list[str], texts: Texts) -> list[list[str]]:
    groups, start = [], 0
    while start < len(items):
        end = start + texts.number(1, 4)
        groups.append(items[start:end])
        start = end
    return groups


@hard_to_cut
def lists_under_headings(texts: Texts, count: int) -> Listing:
    items = [
        f'<li class="py-1"><a href="/d/{k}">{texts.words(4, 8)}</a> '
        f'<span class="year">({texts.number(1990, 2025)})</span></li>'
        for k in range(count)
    ]
    groups = "".join(
        f'<h2 id="g{k}">{texts.name()}</h2><ul class="items">{"".join(group)}</ul>'
        for k, group in enumerate(in_groups(items, texts))
    )
    return listing(document(texts, groups), items)


@hard_to_cut
def lists_in_items_with_a_heading(texts: Texts, count: int) -> Listing:
    items = [f'<li><a href="/doc/{k}.pdf">{texts.sentence(8, 14)}</a></li>' for k in range(count)]
    groups = "".join(
        f'<li class="unit"><h3>{texts.title()}</h3><ul class="docs">{"".join(group)}</ul></li>'
        for group in in_groups(items, texts)
    )
    return listing(document(texts, f'<ul class="units">{groups}</ul>'), items)


def rows_of_four(cells: list[str]) -> list[str]:
    return [f'<div class="row g-3">{"".join(cells[k : k + 4])}</div>' for k in range(0, len(cells), 4)]


@hard_to_cut
def grid_in_rows(texts: Texts, count: int) -> Listing:
    cells = [f'<div class="col-6 col-lg-3">{item}</div>' for item in cards(texts, count)]
    return listing(document(texts, f'<div class="grid">{"".join(rows_of_four(cells))}</div>'), cells)


@hard_to_cut
def grid_in_rows_with_banners(texts: Texts, count: int) -> Listing:
    cells = [f'<div class="col-6 col-lg-3">{item}</div>' for item in cards(texts, count)]
    banner = (
        f'<div class="row g-3"><div class="col-12"><div class="promo"><a href="/sale"><img src="/wide.jpg" alt="">'
        f"<h2>{texts.say('sale')}</h2></a></div></div></div>"
    )
    rows = [row + (banner if k % 2 == 0 else "") for k, row in enumerate(rows_of_four(cells))]
    return listing(document(texts, f'<div class="grid">{"".join(rows)}</div>'), cells)


@hard_to_cut
def table_with_rows_of_sections(texts: Texts, count: int) -> Listing:
    items = [
        f'<tr class="hover:bg-gray-50"><td><a href="/item/{k}">{texts.title()}</a></td><td>{texts.date()}</td>'
        f'<td class="text-right">{texts.price()}</td></tr>'
        for k in range(count)
    ]
    rows = "".join(
        (f'<tr class="section"><td colspan="3"><b>{texts.name()}</b></td></tr>' if k % 4 == 0 else "") + item
        for k, item in enumerate(items)
    )
    head = "".join(f'<th scope="col">{texts.name()}</th>' for _ in range(3))
    return listing(document(texts, f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"), items)


@hard_to_cut
def terms_with_descriptions(texts: Texts, count: int) -> Listing:
    items = [
        f'<dt><a href="/entry/{k}">{texts.title()}</a></dt><dd>{texts.sentence(8, 16)}</dd>'
        + (f'<dd class="meta">{texts.name()}, {texts.date()}</dd>' if k % 3 else "")
        for k in range(count)
    ]
    return listing(document(texts, f'<dl class="divide-y">{"".join(items)}</dl>'), items)


@hard_to_cut
def custom_elements_in_sections(texts: Texts, count: int) -> Listing:
    """Items of one shape and two names, each in a section of its own."""
    items = [
        f'<x-{"web" if k < count // 2 else "organic"}-result data-k="{k}"><div class="hd">'
        f'<a href="https://www{k}.example/">'
        f"{texts.title()}</a></div><p>{texts.sentence(8, 20)}</p><span>www{k}.example</span>"
        f"</x-{'web' if k < count // 2 else 'organic'}-result>"
        for k in range(count)
    ]
    sections = (items[: count // 2], items[count // 2 :])
    main = "".join(f'<section class="layer-{k}">{"".join(part)}</section>' for k, part in enumerate(sections))
    return listing(document(texts, f'<x-results class="stack">{main}</x-results>'), items)


@hard_to_cut
def cards_in_a_hidden_tab(texts: Texts, count: int) -> Listing:
    items = cards(texts, count, "li", 'class="job-card"')
    middle = (count + 1) // 2
    tabs = "".join(f'<button role="tab">{texts.name()}</button>' for _ in range(2))
    panels = "".join(
        f'<div class="tab-panel"{hidden}><ul class="jobs">{"".join(part)}</ul></div>'
        for part, hidden in ((items[:middle], ""), (items[middle:], " hidden"))
    )
    return listing(document(texts, f'<div role="tablist">{tabs}</div>{panels}'), items)


@hard_to_cut
def cards_that_are_hidden(texts: Texts, count: int) -> Listing:
    items = [
        card(texts, k, "li", 'class="job"' if k < count * 2 / 3 else 'class="job" style="display:none"')
        for k in range(count)
    ]
    return listing(document(texts, f'<ul class="jobs">{"".join(items)}</ul>'), items)


@hard_to_cut
def neighbours_before_and_after(texts: Texts, count: int) -> Listing:
    items = cards(texts, count)
    first = (
        f'<div class="toolbar"><h2>{count} {texts.name()}</h2><select><option>{texts.name()}</option></select></div>'
    )
    last = (
        f'<div class="searches"><h3>{texts.say("related")}</h3>'
        + "".join(f'<a href="/search?q={k}">{texts.name()}</a>' for k in range(3))
        + f"<p>{texts.sentence(4, 8)}</p></div>"
    )
    return listing(document(texts, f'<div class="wrap">{first}{"".join(items)}{last}</div>'), items)


def labelled(texts: Texts, count: int, attribute: str) -> Listing:
    items = [
        f'<div class="decision"><label{attribute.format(k)}>{texts.title()} {k + 1}</label>'
        f'<a href="/files/{k}"><i class="fa">'
        "</i></a></div>"
        for k in range(count)
    ]
    return listing(document(texts, "".join(items)), items)


@hard_to_cut
def items_of_labels(texts: Texts, count: int) -> Listing:
    return labelled(texts, count, "")


@hard_to_cut
def items_of_labels_of_nothing(texts: Texts, count: int) -> Listing:
    """Labels that name a control that the page does not have."""
    return labelled(texts, count, ' for="d{}"')


@hard_to_cut
def article_of_numbered_parts(texts: Texts, count: int) -> Listing:
    items = [
        f'<h2 id="b{k}">{k + 1}. {texts.title()}</h2><p><img src="/cover/{k}.jpg" alt=""></p><p>{texts.prose(4)}</p>'
        f'<p><a class="btn" href="/buy/{k}">{texts.say("buy")}</a> {texts.sentence(6, 12)}</p>'
        for k in range(count)
    ]
    return listing(document(texts, f'<div class="entry-content">{"".join(items)}</div>'), items)


@hard_to_cut
def records_of_two_rows(texts: Texts, count: int) -> Listing:
    items = [
        f'<tr class="entry" id="{k}"><td class="rank">{k + 1}.</td><td>'
        f'<a href="https://www{k}.example/">{texts.words(3, 8)}'
        f'</a></td></tr><tr><td></td><td class="under"><span>{texts.number(1, 900)}</span> <a href="/user/{k}">'
        f'{texts.name()}</a> {texts.date()} <a href="/item/{k}">{texts.number(0, 300)}</a></td></tr>'
        for k in range(count)
    ]
    spacer = '<tr class="spacer" style="height:5px"></tr>'
    return listing(document(texts, f"<table><tbody>{spacer.join(items)}</tbody></table>"), items)


@hard_to_cut
def items_with_lists_of_their_own(texts: Texts, count: int) -> Listing:
    def comments() -> str:
        return "".join(
            f'<div class="comment"><b>{texts.name()}</b><p>{texts.prose(2)}</p><time>{texts.date()}</time></div>'
            for _ in range(texts.number(2, 5))
        )

    items = [
        f'<article class="post" id="post-{k}"><h2><a href="/post/{k}">{texts.title()}</a></h2><p>{texts.sentence()}</p>'
        f'<div class="replies">{comments()}</div></article>'
        for k in range(count)
    ]
    return listing(document(texts, f'<div class="feed" role="feed">{"".join(items)}</div>'), items)


@hard_to_cut
def plain_links(texts: Texts, count: int) -> Listing:
    items = [f'<li><a href="/page/{k}">{texts.words(3, 6)}</a></li>' for k in range(count)]
    return listing(document(texts, f"<ul>{''.join(items)}</ul>"), items)


@hard_to_cut
def few_cards(texts: Texts, count: int) -> Listing:
    """Two of them where three are asked for, three where eight are: lists that are short are lists."""
    items = cards(texts, {3: 2, 8: 3}.get(count, 4))
    help_ = f'<p class="mt-8">{texts.sentence(4, 8)} <a href="/contact">{texts.name()}</a></p>'
    return listing(document(texts, f'<div class="products">{"".join(items)}</div>{help_}'), items)
