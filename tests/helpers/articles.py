"""Articles of made-up sites, whose content is known: a menu, a title with paragraphs, links below them, a footer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

WORDS = """the a of stone river roof rain light market tower bridge garden wall harbour mill street old was built is
kept by from with for in and they people year town house door window iron water bread field winter summer""".split()


class Article(NamedTuple):
    """A page and its content."""

    url: str
    html: str
    content: str
    menu: str


def sentence(random: Random) -> str:
    words = random.choices(WORDS, k=random.randint(8, 16))
    return " ".join(words).capitalize() + "."


def article(site: int, number: int) -> Article:
    """One page of a site, the same on every machine."""
    random, of_site = Random(f"{site} {number}"), Random(site)
    title = " ".join(random.choices(WORDS, k=4)).title()
    paragraphs = [" ".join(sentence(random) for _ in range(random.randint(1, 4))) for _ in range(random.randint(3, 7))]
    menu = [word.title() for word in of_site.sample(WORDS, 6)]
    links = [" ".join(random.choices(WORDS, k=3)).title() for _ in range(8)]
    box, nav = of_site.choice(["article", "div class=post-body", "main"]), of_site.choice(["nav", "div class=menu"])
    html = (
        f"<!doctype html><title>{title}</title><body><{nav}><ul>"
        + "".join(f"<li><a href=/{k}>{item}</a>" for k, item in enumerate(menu))
        + f"</ul></{nav.split()[0]}><{box}><h1>{title}</h1>"
        + "".join(f"<p>{text}" for text in paragraphs)
        + f"</{box.split()[0]}><div class='related links'>"
        + "".join(f"<a href=/n/{k}>{link}</a><br>" for k, link in enumerate(links))
        + f"</div><footer><p>Imprint<p>All rights reserved {site}</footer>"
    )
    return Article(f"https://www.site{site}.example/{number}", html, "\n".join([title, *paragraphs]), " ".join(menu))


def articles(sites: int, each: int) -> Iterator[Article]:
    """Pages of several sites."""
    for site in range(sites):
        for number in range(each):
            yield article(site, number)


def write_truth(path: Path, pages: Iterator[Article]) -> None:
    """A file of pages with their content, the HTML in its lines."""
    lines = (json.dumps({"html": page.html, "content": page.content, "url": page.url}) for page in pages)
    path.write_text("\n".join(lines), encoding="utf-8")
