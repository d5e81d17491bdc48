"""Buttons that load more of a list: the address of the next part, where it stands in the page, or that it does not.
For those who follow a listing whose page has no link to a next page; most pages are never looked at in this way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np

from fastwrap.page import Page
from fastwrap.page.names import TAG_NUMBER
from fastwrap.paging.addresses import Relation
from fastwrap.paging.labels import MARK, WEAK, parts, saying
from fastwrap.paging.links import Links
from fastwrap.paging.marks import surroundings
from fastwrap.paging.words import DISABLED_PARTS, ITEM_PARTS

MAX_BUTTONS = 500
"""Buttons that are looked at: the last ones, since more of a list is loaded from below it."""

MAX_TEXT = 60

HOLDERS = re.compile(
    r"(?:data-)?(?:hx-get|url|href|src|next|action|target|endpoint|link|path|uri|ajax|load|more|source)|"
    r"data-(?:[a-z]+-)*(?:url|href|path|uri|link|endpoint|action)|data-(?:[a-z]+-)*next(?:-[a-z]+)*|"
    r"data-(?:turbo|wp|infinite|ajax|load|more)(?:-[a-z]+)*|(?:up|ic|ng|v|x|w)-(?:href|get|get-from|load|next)|formaction"
)
"""Names of attributes that hold the address of what a button loads."""

PARTS = frozenset(("loadmore", "showmore", "viewmore", "infinitescroll", "nextpage", "loadnext"))
PAIRS = frozenset((("load", "more"), ("show", "more"), ("view", "more"), ("infinite", "scroll"), ("load", "next")))
"""What buttons and the ends of lists that grow are called."""

KEYS = re.compile(
    r'"(?:next_?page_?(?:url|link|href|path)?|next_?(?:url|link|href)|load_?more_?(?:url|link|href)|next)"\s*:\s*'
    r'"((?:https?:)?(?:\\?/)[^"\s]{1,1500})"',
    re.IGNORECASE,
)
"""In data: the address of the next part."""

MAX_SCRIPT = 2_000_000
MAX_NAME = 60
"""Characters of the name of an attribute."""

MAX_FIELDS = 20

BUTTON, LINK, INPUT, FORM = (TAG_NUMBER[name] for name in ("button", "a", "input", "form"))

NEARNESS = (Relation.STEP, Relation.PAGED, Relation.LIKELY)


class More(NamedTuple):
    """A button, or the end of a list that grows."""

    address: str | None
    """Of the next part; None where the page does not have it."""
    label: str
    """What the button says."""


def more(page: Page) -> More | None:
    """What loads more of the list of a page: its address is given only if it pages on from that of the page.

    >>> more(Page("<ul><li>a<li>b</ul><button data-url='/list?page=2'>Load more</button>", "http://a.org/list"))
    More(address='http://a.org/list?page=2', label='Load more')
    >>> more(Page("<ul><li>a<li>b</ul><button onclick=go()>Load more</button>"))
    More(address=None, label='Load more')
    >>> more(Page("<ul><li>a<li>b</ul>")) is None
    True
    """
    links = Links(page)
    found: More | None = None
    for node, label, points in buttons(page):
        for address, is_named in addresses(links, node):
            relation = links.relation(address)
            # An attribute that is called after its address may hold one that no number tells to be a later part.
            near = relation in NEARNESS or (relation is Relation.KIN and is_named and points >= MARK)
            if near and (whole := links.absolute(address)):
                return More(whole, label)
        if found is None and points >= MARK and is_of_a_list(page, node, label):
            found = More(None, label)
    if (told := in_data(links)) is not None:
        return More(told, "" if found is None else found.label)
    return found


def is_of_a_list(page: Page, node: int, label: str) -> bool:
    """Whether a button may be that of a list: arrows alone, and what is in a show of pictures, turn something else."""
    says_more = not label or any(letter.isalpha() for letter in label)
    return says_more and surroundings(page, node) >= 0


def buttons(page: Page) -> Iterator[tuple[int, str, int]]:
    """What may be pressed to have more, the last first: its node, what it says, and the points for that."""
    tags = page.tag
    candidates = np.flatnonzero((tags == BUTTON) | (tags == LINK) | (tags == INPUT))
    has_role = [node for node in links_with_names(page) if tags[node] not in (BUTTON, LINK, INPUT)]
    seen = 0
    for node in sorted({*candidates[-4 * MAX_BUTTONS :].tolist(), *has_role}, reverse=True):
        attributes = page.attributes(node)
        if tags[node] == LINK and leads_on(attributes.get("href", "")):
            continue  # a link to a page, which `choosing` has judged
        if tags[node] == INPUT and attributes.get("type", "").lower() not in ("button", "submit"):
            continue
        seen += 1
        if seen > MAX_BUTTONS:
            return
        named = [attributes.get("class", ""), attributes.get("id", "")]
        if "disabled" in attributes or not DISABLED_PARTS.isdisjoint(parts(named)):
            continue
        text = attributes.get("value", "") if tags[node] == INPUT else page.text(node)
        label = text if 0 < len(text) <= MAX_TEXT else attributes.get("aria-label", "")[:MAX_TEXT]
        points = max(saying(label), MARK if grows(named) else 0)
        if points == WEAK and grows_by_itself(attributes):
            points = MARK
        if points < WEAK or not ITEM_PARTS.isdisjoint(parts(named)):
            continue
        yield node, label, points


def links_with_names(page: Page) -> list[int]:
    """Elements that are no buttons, and are called as what grows is: found in the values of all attributes at once."""
    arrays = page.arrays
    found: list[int] = []
    for word in (b"load-more", b"loadmore", b"load_more", b"infinite-scroll", b"infinitescroll", b"show-more"):
        place = arrays.values.find(word)
        while place >= 0 and len(found) < MAX_BUTTONS:
            attribute = int(np.searchsorted(arrays.value_start, place, side="right")) - 1
            if attribute >= arrays.attribute_start[-1]:
                break  # what follows the attributes is the text of scripts
            found.append(int(np.searchsorted(arrays.attribute_start, attribute, side="right")) - 1)
            place = arrays.values.find(word, place + 1)
    return found


def leads_on(href: str) -> bool:
    """Whether a link leads to another page, by itself.

    >>> leads_on("/list"), leads_on("#more"), leads_on("javascript:more()"), leads_on("")
    (True, False, False, False)
    """
    return bool(href) and not href.startswith("#") and not href.lower().startswith("javascript:")


def grows(names: list[str]) -> bool:
    """Whether something is called as what loads more is.

    >>> grows(["btn btn-load-more"]), grows(["LoadMore"]), grows(["more"]), grows(["show-all more"])
    (True, True, False, False)
    """
    words = [part.lower() for name in names for part in re.findall("[A-Z]?[a-z]+|[A-Z]+", name)]
    return not PARTS.isdisjoint(words) or not PAIRS.isdisjoint(pairwise(words))


def holds(name: str) -> bool:
    """Whether an attribute of this name may hold an address to load.

    >>> holds("hx-get"), holds("data-next-page-url"), holds("data-id")
    (True, True, False)
    """
    return len(name) <= MAX_NAME and HOLDERS.fullmatch(name) is not None


def grows_by_itself(attributes: dict[str, str]) -> bool:
    """Whether an element has an attribute that holds an address to load."""
    return any(holds(name) and "/" in value for name, value in attributes.items() if name != "href")


def addresses(links: Links, node: int) -> Iterator[tuple[str, bool]]:
    """The addresses that a button, the elements right around it, or its form hold; and whether the name of the
    attribute says that this is what is loaded."""
    page = links.page
    around = [node, *(above for above in page.ancestors(node) if page.size[above] <= page.size[node] + 12)][:3]
    for each in around:
        for name, value in page.attributes(each).items():
            if holds(name) and looks_like_an_address(value) and not (name == "href" and each != node):
                yield value.strip(), name not in ("href", "src", "action", "data-src")
    form = next((above for above in page.ancestors(node) if page.tag[above] == FORM), None)
    if form is not None and page.attributes(form).get("method", "get").lower() == "get":
        yield form_address(page, form, node), False


def looks_like_an_address(value: str) -> bool:
    """Whether the value of an attribute may be an address.

    >>> looks_like_an_address("/list?page=2"), looks_like_an_address("?after=x"), looks_like_an_address("#list")
    (True, True, False)
    """
    value = value.strip()
    return value.startswith(("/", "?", "http://", "https://")) or (
        "/" in value and " " not in value and "{" not in value
    )


def form_address(page: Page, form: int, button: int) -> str:
    """Where a form leads if a button of it is pressed, by the fields that are filled already."""
    fields: list[tuple[str, str]] = []
    inside = np.flatnonzero(page.tag[form : form + page.size[form]] == INPUT) + form
    for node in inside[:MAX_FIELDS].tolist():
        attributes = page.attributes(node)
        if attributes.get("type", "").lower() == "hidden" and attributes.get("name"):
            fields.append((attributes["name"], attributes.get("value", "")))
    pressed = page.attributes(button)
    if pressed.get("name"):
        fields.append((pressed["name"], pressed.get("value", "")))
    action = page.attributes(form).get("action", "").partition("?")[0]
    return f"{action}?{urlencode(fields)}" if fields else ""


def in_data(links: Links) -> str | None:
    """The address of the next part, as the data of the page has it: only one that pages on from that of the page."""
    for script in links.page.data_scripts:
        for found in KEYS.finditer(script[:MAX_SCRIPT]):
            address = found[1].replace("\\/", "/").replace("\\u0026", "&")
            if links.relation(address) is Relation.STEP:
                return links.absolute(address) or None
    return None
