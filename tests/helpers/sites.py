"""Small sites for the tests of wrappers: templates that this project wrote, each with several pages."""

from __future__ import annotations

import random

WORDS = "amber birch cedar delta ember fjord grove heron inlet jetty knoll larch maple north ocean pearl quill".split()


def words(source: random.Random, least: int, most: int) -> str:
    return " ".join(source.choice(WORDS) for _ in range(source.randint(least, most)))


def shop(page: int) -> str:
    """Cards in a grid: an optional old price, one to three tags, an advertisement among them, links before them."""
    source = random.Random(f"shop {page}")
    cards = []
    for k in range(source.randint(6, 14)):
        price = source.randint(5, 99)
        old = f'<s class="was">{price + 7}.00 EUR</s>' if source.random() < 0.5 else ""
        tags = "".join(f"<li>{source.choice(WORDS)}</li>" for _ in range(source.randint(1, 3)))
        cards.append(
            f'<div class="card card-{page}{k}">'
            f'<a href="/item/{page}-{k}"><img src="/img/{page}-{k}.png" alt="photo"></a>'
            f"<h3><a href='/item/{page}-{k}'>{words(source, 2, 4).title()} {page}{k}</a></h3>"
            f'<p class="price">{old}<b>{price}.50 EUR</b></p><ul class="tags">{tags}</ul></div>'
        )
        if k == 3:
            cards.append('<div class="banner"><span>Free delivery this week</span></div>')
    links = "".join(f'<a href="/c/{word}">{word}</a> ' for word in WORDS[:6])
    return (
        f"<html><head><title>Shop {page}</title></head><body><div class='top'><nav>{links}</nav></div>"
        f"<div class='main'><h1>Results for {source.choice(WORDS)}</h1><div class='grid'>{''.join(cards)}</div></div>"
        "<div class='foot'><p>About us</p><p>Contact</p></div></body></html>"
    )


def forum(page: int) -> str:
    """Two rows per thread, a spacer after each, no class on the second row; a heading row; a row of links last."""
    source = random.Random(f"forum {page}")
    rows = ["<tr><td></td><td><b>Threads</b></td></tr>"]
    for k in range(source.randint(5, 20)):
        rows.append(
            f"<tr class='thing'><td>{k + 1}.</td><td><a href='/t/{page}{k}'>{words(source, 3, 7)}</a> "
            f"<span class='site'>({source.choice(WORDS)}.example)</span></td></tr>"
        )
        comments = f" | <a href='/c/{page}{k}'>{source.randint(1, 300)} comments</a>" if source.random() < 0.8 else ""
        rows.append(
            f"<tr><td></td><td class='sub'><span class='score'>{source.randint(1, 900)} points</span> by "
            f"<a href='/u/{source.choice(WORDS)}'>{source.choice(WORDS)}</a>{comments}</td></tr>"
        )
        rows.append("<tr class='spacer'></tr>")
    rows.append("<tr class='more'><td></td><td><a href='?p=2'>More</a></td></tr>")
    return (
        "<html><body><center><table><tr><td><b>Forum</b> <a href='/new'>new</a> <a href='/ask'>ask</a></td></tr>"
        f"<tr><td><table>{''.join(rows)}</table></td></tr></table></center></body></html>"
    )


def catalogue(page: int) -> str:
    """A table without any class, in one of several tables; sections with a heading row each; empty cells."""
    source = random.Random(f"catalogue {page}")
    sections = []
    for k in range(source.randint(2, 4)):
        rows = "".join(
            f"<tr><td>{words(source, 1, 3).title()} {n}</td><td>{source.randint(1990, 2020)}</td>"
            f"<td>{source.choice(['', f'{source.randint(1, 40)} kg'])}</td>"
            f"<td><a href='/d/{page}-{k}-{n}'>details</a></td></tr>"
            for n in range(source.randint(3, 8))
        )
        sections.append(f"<h2>{WORDS[k].title()} {page}</h2><table border=1>{rows}</table>")
    menu = "<table><tr><td><a href=/>Home</a></td><td><a href=/l>List</a></td><td><a href=/m>Mail</a></td></tr></table>"
    return f"<html><body>{menu}<hr>{''.join(sections)}<hr><p>Last change: {page}.1.2004</p></body></html>"


def separated(count: int) -> str:
    """Records of texts, links and line breaks without any element around them: only an expression can tell them."""
    records = (
        f"<a href=/{k}>Name {k}</a><br>Text about thing {k}<br>"
        + ("<i>only today</i><br>" if k % 3 == 1 else "")
        + f"{k}.50 EUR<br><br>"
        for k in range(count)
    )
    return "<body><h1>List</h1>" + "".join(records)


SITES = {"shop": shop, "forum": forum, "catalogue": catalogue}
