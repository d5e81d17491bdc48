"""Reversed enhanced tag paths in plain Python: the twin of `fastwrap._core.page.reversed_paths`.
With strings, as EDREW's algorithms 3 to 12 have it (Nunes & Dorneles 2023), each path by itself."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping

from fastwrap import Page
from fastwrap.page.arrays import TOUCHES
from fastwrap.page.names import CUSTOM, TAG_NUMBER
from tests.reference.page.symbols import hides

WRAPPER_TAGS = "span a b strong i em mark small del ins sub sup".split()
REPEATING_TAGS = "li ol ul option p dd dl dt br th tr td menuitem".split()
FORMATTER_TAGS = "b strong i em mark small del ins sub sup".split()
SKIP_TAGS = "script link meta noscript base style input area".split()

SEARCHED = {
    "price": "<#PRICE>", "value": "<#VAL>", "description": "<#DESC>", "name": "<#NAME>", "date": "<#DATE>",
    "content": "<#CONT>", "detail": "<#DET>",
}  # fmt: skip
NUMBERS = {
    "<#CNT>": 1, "<#$>": 2, "<#ID>": 3, "<#CLSS>": 4, "<#PROP>": 5, "<#HIDE>": 6, "<#PRICE>": 7, "<#VAL>": 8,
    "<#DESC>": 9, "<#NAME>": 10, "<#DATE>": 11, "<#CONT>": 12, "<#DET>": 13,
}  # fmt: skip
FIBONACCI = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 100]
MAX_TAGS = 20


def is_text(page: Page, node: int) -> bool:
    return page.tag_name(node) == "#text"


def is_wrapper(page: Page, node: int) -> bool:
    """Algorithm 5: a wrapper tag without content."""
    first = next(page.children(node), None)
    return page.tag_name(node) in WRAPPER_TAGS and (first is None or not is_text(page, first))


def places(page: Page) -> list[int]:
    """countTags at every node (algorithms 3 to 6); the last one is that of the page."""
    count, found = 0, []
    for node in range(len(page)):
        name = page.tag_name(node)
        count += not (name == "#text" or name in REPEATING_TAGS or name in SKIP_TAGS or is_wrapper(page, node))
        found.append(count)
    return found


def get_fibonacci(number: int, maximum: int) -> int:
    """Algorithm 12, in whole numbers."""
    nearest = 1
    for fibonacci in FIBONACCI:
        if maximum and number * 100 < fibonacci * maximum:
            break
        nearest = fibonacci if maximum else 1
    return nearest


def lower(text: str) -> str:
    """Letters of ASCII alone in lower case."""
    return text.encode().lower().decode()


def found_in(texts: list[str], searched: Mapping[str, str]) -> list[str]:
    """The tokens of the values that stand in any of the texts, in their order."""
    there = {token for value, token in searched.items() for text in texts if value in lower(text)}
    return [token for token in dict.fromkeys(searched.values()) if token in there]


def tokens_of(page: Page, node: int, place: str, searched: Mapping[str, str]) -> list[str]:
    """What an element adds to the path, in the order of section 4.3: tag, id, classes, properties, style."""
    attributes = page.attributes(node)
    name = page.tag_name(node)
    if name in SKIP_TAGS:
        return []
    tokens = ["#WT" * is_wrapper(page, node) + name + ("" if name == "br" else f"|{place}")]
    if "id" in attributes:
        tokens.append("<#ID>")
    if "class" in attributes:
        tokens += ["<#CLSS>", *found_in([attributes["class"]], searched)]
    properties = [
        text for name in {*attributes} - {"id", "class", "style", "hidden"} for text in (name, attributes[name])
    ]
    if properties:
        tokens += ["<#PROP>", *found_in(properties, searched)]
    return tokens + ["<#HIDE>"] * hides(attributes)


def reversed_paths(page: Page, added: Mapping[str, str] | None = None) -> dict[int, list[str]]:
    """The path of every text (algorithms 8 to 11)."""
    searched = {**SEARCHED, **{lower(value): token for value, token in (added or {}).items()}}
    at = places(page)
    found: dict[int, list[str]] = {}
    for node in range(len(page)):
        if is_text(page, node):
            path = [
                token
                for above in [*page.ancestors(node)][::-1]
                for token in tokens_of(page, above, str(get_fibonacci(at[above], at[-1])), searched)
            ]
            path += ["<#CNT>", "<#$>"] if page.text(node).startswith("$") else ["<#CNT>"]
            found[node] = path[::-1][:MAX_TAGS]
    return found


def number_of(token: str) -> int:
    """The number that stands for a token on every page."""
    if token.startswith("<#"):
        return NUMBERS[token] if token in NUMBERS else 1 << 40 | zlib.crc32(token.encode())
    name, _, place = token.removeprefix("#WT").partition("|")
    number = TAG_NUMBER.get(name, CUSTOM | zlib.crc32(name.encode()) & (CUSTOM - 1))
    return number << 5 | token.startswith("#WT") << 4 | (FIBONACCI.index(int(place)) + 1 if place else 0)


def changes(page: Page, node: int, following: int) -> Iterator[tuple[str, int]]:
    """The elements that end and begin between two nodes, in order."""
    for after in range(node + 1, following + 1):
        open_elements = set(page.ancestors(after))
        for ended in [after - 1, *page.ancestors(after - 1)]:
            if ended not in open_elements and not is_text(page, ended):
                yield "end", ended
        if after < following:
            yield "begin", after


def contents(page: Page) -> list[int]:
    """The number of the content of each text: formatter tags join theirs with the texts around them (algorithm 7)."""
    found: list[int] = []
    texts = [node for node in range(len(page)) if is_text(page, node)]
    for before, node in zip([-1, *texts], texts, strict=False):
        if before < 0:
            found.append(0)
            continue
        between = [*changes(page, before, node)]
        kinds = [kind for kind, _ in between]
        only = all(page.tag_name(element) in FORMATTER_TAGS for _, element in between)
        beside = "end" in kinds and "begin" in kinds[kinds.index("end") :]
        touches = page.arrays.text[page.text_start[before + 1] - 1 :][:1] == TOUCHES
        found.append(found[-1] + (not touches and (not only or beside)))
    return found
