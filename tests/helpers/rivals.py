"""Pages of today on which something else repeats beside the main list, and pages that have no main list at all.
The markup is our own. What is beside the point bears a name that says so on some pages, a hashed class on others."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import NamedTuple

from tests.helpers.modern_pages import ICON, Listing, card, cards, document, listing, results
from tests.helpers.modern_texts import Texts

FIVE = range(5)


class Rival(NamedTuple):
    """Pieces of a page around its main list."""

    before: str = ""
    """Before the header."""
    above: str = ""
    """In the content, before the list."""
    below: str = ""
    """In the content, after the list."""
    after: str = ""
    """Before the footer."""


Named = Callable[[str], str]
"""The attribute that names an element, by what it is."""


def telling(name: str) -> str:
    """A class that says it."""
    return f'class="{name}"'


def hashed(name: str) -> str:
    """A class that a tool made of it."""
    return f'class="css-{zlib.crc32(name.encode()):x}"'


NAMED: dict[str, Named] = {"telling": telling, "hashed": hashed}


# Main lists


def short_cards(texts: Texts, count: int) -> list[str]:
    return [
        f'<li class="item" data-key="{k}"><a href="/stay/{k}"><img src="/s/{k}.avif" alt=""><h3>{texts.title()}'
        f"</h3></a>"
        f"<span>{texts.price()}</span></li>"
        for k in range(count)
    ]


def stories(texts: Texts, count: int) -> list[str]:
    return [
        f'<article class="story"><h2><a href="/2025/{k}">{texts.title()}</a></h2><p>{texts.sentence()}</p>'
        f"<time>{texts.date()}</time></article>"
        for k in range(count)
    ]


KINDS: dict[str, Callable[[Texts, int], list[str]]] = {
    "cards": cards, "results": results, "short": short_cards, "stories": stories
}  # fmt: skip


def main_list(texts: Texts, count: int, kind: str, rival: Rival) -> Listing:
    """A page with a main list of one of the KINDS, and its rival."""
    items = KINDS[kind](texts, count)
    content = f'{rival.above}<div class="list" data-testid="list">{"".join(items)}</div>{rival.below}'
    return listing(document(texts, content, rival.before, rival.after), items)


# What stands beside a main list

RIVALS: dict[str, Callable[[Texts, Named], Rival]] = {}


def rival(make: Callable[[Texts, Named], Rival]) -> Callable[[Texts, Named], Rival]:
    RIVALS[make.__name__] = make
    return make


def section(named: Named, name: str, heading: str, items: str) -> str:
    return f'<section {named(name)}><h2>{heading}</h2><div class="track">{items}</div></section>'


@rival
def consent_dialog(texts: Texts, named: Named) -> Rival:
    """Groups of cookies, each with a paragraph and a switch."""
    groups = "".join(
        f'<div class="group"><h3>{texts.name()}</h3><p>{texts.prose(2)}</p>'
        f'<label><input type="checkbox" name="c{k}"> {texts.name()}</label></div>'
        for k in range(6)
    )
    buttons = f"<button>{texts.say('accept')}</button><button>{texts.say('reject')}</button>"
    attributes = texts.random.choice(('role="dialog" aria-modal="true"', 'id="consent"', 'class="cookie-banner"'))
    return Rival(before=f"<div {attributes}><p>{texts.prose(3)}</p><div>{groups}</div>{buttons}</div>")


@rival
def vendors_of_a_consent_dialog(texts: Texts, named: Named) -> Rival:
    """Forty partners, each with its links."""
    partners = "".join(
        f'<li><span>{texts.title()}</span><a href="https://v{k}.example/privacy">{texts.name()}</a>'
        f"<p>{texts.sentence()}</p></li>"
        for k in range(40)
    )
    return Rival(after=f'<div role="dialog" aria-label="cookies"><p>{texts.prose(2)}</p><ul>{partners}</ul></div>')


@rival
def modal(texts: Texts, named: Named) -> Rival:
    """Stores to pick one of, in a dialog that is not shown."""
    stores = "".join(
        f"<li><b>{texts.name()}</b><address>{texts.words(3, 5)} {k}</address><span>9-{texts.number(17, 21)}</span></li>"
        for k in range(8)
    )
    tag, attributes = texts.random.choice((("dialog", ""), ("div", 'class="modal" aria-hidden="true"')))
    return Rival(after=f"<{tag} {attributes}><h2>{texts.name()}</h2><ul>{stores}</ul></{tag}>")


@rival
def promotional_banners(texts: Texts, named: Named) -> Rival:
    banners = "".join(
        f'<a href="/campaign/{k}" class="tile"><img src="/wide/{k}.jpg" width="900" height="300" alt="">'
        f"<h2>{texts.say('sale')}</h2>"
        f"<p>{texts.sentence()}</p><span>{texts.say('more')}</span></a>"
        for k in range(4)
    )
    return Rival(above=f"<div {named('promo-banners')}>{banners}</div>")


@rival
def carousel_before_the_list(texts: Texts, named: Named) -> Rival:
    slides = "".join(f'<div class="swiper-slide">{card(texts, 900 + k)}</div>' for k in range(6))
    return Rival(above=f'<div class="swiper"><div class="swiper-wrapper">{slides}</div></div>')


@rival
def twenty_richer_cards_after_the_list(texts: Texts, named: Named) -> Rival:
    rich = "".join(
        card(texts, 900 + k, "div", 'class="rec"', f"<p>{texts.sentence()}</p><ul><li>{texts.name()}</li></ul>")
        for k in range(20)
    )
    return Rival(after=section(named, "carousel", texts.say("related"), rich))


@rival
def related(texts: Texts, named: Named) -> Rival:
    return Rival(below=section(named, "related", texts.say("related"), "".join(cards(texts, 6))))


@rival
def recently_viewed(texts: Texts, named: Named) -> Rival:
    return Rival(after=section(named, "recently-viewed", texts.say("viewed"), "".join(cards(texts, 8))))


@rival
def trending(texts: Texts, named: Named) -> Rival:
    box = "".join(
        f'<li><span>{k + 1}</span><a href="/trend/{k}">{texts.title()}</a><small>{texts.number(100, 9000)}</small></li>'
        for k in range(10)
    )
    inside = f"<h3>{texts.say('trending')}</h3><ol>{box}</ol>"
    tag = texts.random.choice(("aside", "div"))
    return Rival(above=f"<{tag} {named('trending')}>{inside}</{tag}>")


@rival
def reviews(texts: Texts, named: Named) -> Rival:
    said = "".join(
        f'<div class="r"><b>{texts.name()}</b><span>{texts.number(1, 5)}/5</span><p>{texts.prose(3)}</p>'
        f"<time>{texts.date()}</time></div>"
        for k in range(6)
    )
    return Rival(below=section(named, "reviews", texts.say("reviews"), said))


@rival
def comments(texts: Texts, named: Named) -> Rival:
    said = "".join(
        f'<li id="comment-{k}"><img src="/a/{k}.png" alt=""><cite>{texts.name()}</cite> <time>{texts.date()}</time>'
        f"<p>{texts.prose(2)}</p><button>{texts.say('send')}</button></li>"
        for k in range(7)
    )
    return Rival(below=f"<section {named('comments')}><h2>{texts.say('comments')}</h2><ol>{said}</ol></section>")


@rival
def facets(texts: Texts, named: Named) -> Rival:
    groups = "".join(
        f"<fieldset><legend>{texts.name()}</legend>"
        + "".join(
            f'<label><input type="checkbox" value="{k}"><span>{texts.name()}</span>'
            f"<span>({texts.number(1, 900)})</span></label>"
            for k in range(9)
        )
        + "</fieldset>"
        for _ in FIVE
    )
    return Rival(above=f"<form {named('filters')}>{groups}</form>")


@rival
def facets_of_links(texts: Texts, named: Named) -> Rival:
    groups = "".join(
        f"<div><h4>{texts.name()}</h4><ul>"
        + "".join(
            f'<li><a href="?f={k}" rel="nofollow"><span>{texts.name()}</span> <span>({texts.number(1, 900)})'
            f"</span></a></li>"
            for k in range(12)
        )
        + "</ul></div>"
        for _ in FIVE
    )
    return Rival(above=f"<div {named('facets')}>{groups}</div>")


@rival
def mega_menu(texts: Texts, named: Named) -> Rival:
    columns = "".join(
        f'<li class="top"><a href="/m/{column}">{texts.name()}</a><div class="panel"><ul>'
        + "".join(f'<li><a href="/m/{column}/{k}">{texts.title()}</a></li>' for k in range(15))
        + f'</ul><a href="/promo/{column}"><img src="/m/{column}.jpg" alt="">'
        f"<span>{texts.sentence(4, 8)}</span></a></div></li>"
        for column in range(7)
    )
    tag = texts.random.choice(("nav", "div"))
    return Rival(before=f"<{tag} {named('mega-menu')}><ul>{columns}</ul></{tag}>")


@rival
def columns_before_the_footer(texts: Texts, named: Named) -> Rival:
    """Links for search engines, in columns, outside the footer."""
    columns = "".join(
        f"<div><h5>{texts.name()}</h5>"
        + "".join(f'<a href="/s/{column}-{k}">{texts.title()}</a>' for k in range(12))
        + "</div>"
        for column in range(4)
    )
    return Rival(after=f"<div {named('seo-links')}>{columns}</div>")


@rival
def long_prose(texts: Texts, named: Named) -> Rival:
    """Three long texts under headings, below the list."""
    parts = "".join(
        f'<div class="part"><h2>{texts.title()}</h2><p>{texts.prose(9)}</p><p>{texts.prose(7)}</p></div>'
        for _ in range(3)
    )
    return Rival(below=f"<div {named('seo-text')}>{parts}</div>")


@rival
def questions_and_answers(texts: Texts, named: Named) -> Rival:
    parts = "".join(
        f"<details><summary>{texts.words(4, 8)}?</summary><div><p>{texts.prose(4)}</p></div></details>"
        for _ in range(6)
    )
    return Rival(below=f"<section {named('faq')}><h2>{texts.name()}</h2>{parts}</section>")


@rival
def chapter_markers(texts: Texts, named: Named) -> Rival:
    marks = "".join(
        f'<li><button data-t="{k * 90}"><span>{k}:{texts.number(10, 59)}</span><span>{texts.title()}</span>'
        f"</button></li>"
        for k in range(14)
    )
    player = f'<div class="player"><video src="/v.mp4"></video><ol {named("chapters")}>{marks}</ol></div>'
    return Rival(above=player)


@rival
def descriptions_of_filters(texts: Texts, named: Named) -> Rival:
    """Help for each filter, in a tooltip that is not shown."""
    tips = "".join(
        f'<div id="tip{k}" role="tooltip" hidden><strong>{texts.name()}</strong><p>{texts.prose(3)}</p></div>'
        for k in range(8)
    )
    return Rival(above=f"<div {named('filter-help')}>{tips}</div>")


@rival
def data_in_hidden_code(texts: Texts, named: Named) -> Rival:
    """Hundreds of kilobytes of JSON in elements that are not shown."""
    data = [
        json.dumps([{"id": k, "urn": f"li:{k}", "title": texts.title(), "text": texts.sentence()} for k in range(300)])
        for _ in range(4)
    ]
    return Rival(
        after="".join(f'<code style="display: none" id="d{k}"><!--{k}-->{part}</code>' for k, part in enumerate(data))
    )


@rival
def buttons_twice(texts: Texts, named: Named) -> Rival:
    """ "Previous" and "Next" above and below the list."""
    buttons = (
        f'<div class="pager-row"><a href="?page=1"><span>{ICON}</span>{texts.say("previous")}</a>'
        f'<a href="?page=3">{texts.say("next")}<span>{ICON}</span></a></div>'
    )
    return Rival(above=buttons, below=buttons)


@rival
def tags_and_categories(texts: Texts, named: Named) -> Rival:
    tags = "".join(f'<a class="chip" href="/tag/{k}">{texts.name()}</a>' for k in range(40))
    return Rival(above=f"<div {named('chips')}>{tags}</div>")


# Pages without a main list

WITHOUT: dict[str, Callable[[Texts, int], str]] = {}
"""By name: makes a page, the number says how much there is of what repeats on it."""


def without_list(make: Callable[[Texts, int], str]) -> Callable[[Texts, int], str]:
    WITHOUT[make.__name__] = make
    return make


def paragraphs(texts: Texts, count: int) -> str:
    return "".join(f"<p>{texts.prose(texts.number(2, 6))}</p>" for _ in range(count))


def named_either_way(texts: Texts, name: str) -> str:
    return NAMED[texts.random.choice(sorted(NAMED))](name)


def related_links(texts: Texts, count: int) -> str:
    links = "".join(f'<li><a href="/news/{k}">{texts.title()}</a></li>' for k in range(count))
    return f"<aside {named_either_way(texts, 'related')}><h2>{texts.say('related')}</h2><ul>{links}</ul></aside>"


def data(what: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(what)}</script>'


def article_of(texts: Texts, count: int) -> str:
    by = f'<p class="byline">{texts.name()}, <time>{texts.date()}</time></p>'
    return f"<article>{by}{paragraphs(texts, 6 + count)}</article>{related_links(texts, min(count, 8))}"


@without_list
def article(texts: Texts, count: int) -> str:
    return document(texts, article_of(texts, count))


@without_list
def article_with_data(texts: Texts, count: int) -> str:
    head = data({"@context": "https://schema.org", "@type": "NewsArticle", "headline": texts.title()})
    return document(texts, article_of(texts, count), head=head)


@without_list
def article_with_sections(texts: Texts, count: int) -> str:
    parts = "".join(f"<h2>{texts.title()}</h2>{paragraphs(texts, texts.number(1, 4))}" for _ in range(min(count, 8)))
    return document(texts, f'<div class="post-body">{parts}</div>{related_links(texts, 4)}')


@without_list
def article_with_comments(texts: Texts, count: int) -> str:
    said = "".join(
        f'<li id="comment-{k}"><cite>{texts.name()}</cite> <time>{texts.date()}</time><p>{texts.sentence()}</p></li>'
        for k in range(count)
    )
    below = f'<section id="comments" class="comments"><h2>{texts.say("comments")}</h2><ol>{said}</ol></section>'
    head = '<meta property="og:type" content="article">'
    return document(texts, article_of(texts, count) + below, head=head)


def product_of(texts: Texts, count: int) -> str:
    rows = "".join(f"<tr><th>{texts.name()}</th><td>{texts.words(1, 4)}</td></tr>" for _ in range(count))
    said = "".join(
        f'<div class="review"><b>{texts.name()}</b><span>{texts.number(1, 5)}/5</span><p>{texts.prose(2)}</p></div>'
        for _ in range(min(count, 8))
    )
    others = "".join(cards(texts, min(count, 8)))
    return (
        f'<div class="gallery"><img src="/1.webp" width="600" height="600" alt=""></div>'
        f'<span class="price">{texts.price()}</span>'
        f'<button>{texts.say("buy")}</button><p>{texts.prose(4)}</p><table class="specs">{rows}</table>'
        f'<section class="reviews"><h2>{texts.say("reviews")}</h2>{said}</section>'
        f"<section {named_either_way(texts, 'related-carousel')}><h2>{texts.say('related')}</h2>{others}</section>"
    )


@without_list
def product(texts: Texts, count: int) -> str:
    return document(texts, product_of(texts, count))


@without_list
def product_with_data(texts: Texts, count: int) -> str:
    head = data(
        {"@context": "https://schema.org", "@type": "Product", "name": texts.title(), "offers": {"@type": "Offer"}}
    )
    return document(texts, product_of(texts, count), head=head)


@without_list
def product_with_open_graph(texts: Texts, count: int) -> str:
    return document(texts, product_of(texts, count), head='<meta property="og:type" content="product">')


@without_list
def contact_form(texts: Texts, count: int) -> str:
    fields = "".join(
        f'<div class="field"><label for="f{k}">{texts.name()}</label><input id="f{k}" name="f{k}"></div>'
        for k in range(count)
    )
    return document(
        texts,
        f'<p>{texts.prose(2)}</p><form method="post">{fields}<textarea></textarea><button>{texts.say("send")}'
        f"</button></form>",
    )


@without_list
def login(texts: Texts, count: int) -> str:
    ways = "".join(f'<button class="oauth">{ICON}<span>{texts.name()}</span></button>' for _ in range(count))
    return document(
        texts,
        f'<form><label for="e">{texts.say("email")}</label><input id="e"><label for="p">{texts.say("password")}</label>'
        f'<input id="p" type="password"><button>{texts.say("login")}</button></form><div class="oauths">{ways}</div>',
    )


@without_list
def empty_shell(texts: Texts, count: int) -> str:
    """A single-page application before its script has run: menu, footer, grey boxes."""
    boxes = '<div class="skeleton"><div class="line"></div><div class="line"></div></div>' * count
    return document(texts, f'<div id="root" aria-busy="true">{boxes}</div>')


@without_list
def robot_wall(texts: Texts, count: int) -> str:
    lines = "".join(f"<p>{texts.sentence()}</p>" for _ in range(min(count, 4)))
    return (
        f'<!doctype html><html lang="{texts.language}"><head><title>{texts.say("human")}</title></head><body>'
        f'<div class="main">'
        f'<h1>{texts.say("human")}</h1>{lines}<div id="captcha"></div><ul><li>{texts.sentence()}</li>'
        f"<li>{texts.sentence()}</li></ul>"
        f'<form action="/check"><input type="hidden" name="r"></form>'
        f"<p>Ray ID: 8f{texts.number(10**6, 10**7):x}</p></div></body></html>"
    )


@without_list
def table_of_one_row(texts: Texts, count: int) -> str:
    head = "".join(f"<th>{texts.name()}</th>" for _ in range(min(count, 8)))
    row = "".join(f"<td>{texts.name()}</td>" for _ in range(min(count, 8)))
    return document(texts, f"<table><thead><tr>{head}</tr></thead><tbody><tr>{row}</tr></tbody></table>")


@without_list
def cookie_wall(texts: Texts, count: int) -> str:
    groups = "".join(
        f'<div class="purpose"><h3>{texts.name()}</h3><p>{texts.sentence()}</p></div>' for _ in range(min(count, 10))
    )
    return (
        f'<!doctype html><html lang="{texts.language}"><head><title>{texts.name()}</title></head><body>'
        f'<div role="dialog" '
        f'class="consent-wall"><h1>{texts.title()}</h1><p>{texts.prose(3)}</p>{groups}'
        f"<button>{texts.say('accept')}</button>"
        f"<button>{texts.say('reject')}</button></div></body></html>"
    )


@without_list
def not_found(texts: Texts, count: int) -> str:
    links = "".join(f'<li><a href="/{k}">{texts.name()}</a></li>' for k in range(count))
    return document(texts, f'<p>{texts.say("missing")}: 404</p><nav class="sitemap"><ul>{links}</ul></nav>')


@without_list
def no_results(texts: Texts, count: int) -> str:
    tips = "".join(f"<li>{texts.words(3, 6)}</li>" for _ in range(min(count, 5)))
    return document(
        texts, f'<div class="empty"><h2>{texts.say("nothing")}</h2><ul>{tips}</ul></div>{related_links(texts, 4)}'
    )
