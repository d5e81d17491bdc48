"""Writes CSS selectors and XPaths that find one node of a page again, in browsers and in other libraries.
What CSS and XPath ask for (escapes, strings, names in svg and math) is here, for wrappers to write selectors too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from fastwrap.page.names import NO_NODE, SVG_CASE, TEXT

if TYPE_CHECKING:
    from fastwrap.page.page import Page

SPACES = "\t\n\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
"""White space that XML allows: what makes a text blank, spelled out for XPath."""

FILLED_TEXT = f"text()[normalize-space(translate(., '{SPACES}', '{' ' * len(SPACES)}'))]"
"""The step of an XPath to the texts that are nodes of a page: blank ones are not, and must not be counted."""

PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_-]*", re.ASCII)
"""A tag name that stands in a selector as it is."""


def css_path(page: Page, node: int) -> str:
    """A CSS selector for this element alone; for a text, the one of its parent."""
    if page.tag[node] == TEXT:
        node = int(page.parent[node])
    steps = []
    for step in [node, *page.ancestors(node)]:
        if step == 0:
            steps.append(":root")  # svg may hold an element called html
            break
        name = page.tag_name(step)
        place, alone = place_among_alike(page, step)
        escaped = re.sub(r"[^\w-]|^\d", lambda match: f"\\{ord(match[0]):x} ", SVG_CASE.get(name, name))
        steps.append(escaped if alone else f"{escaped}:nth-of-type({place})")
    return " > ".join(reversed(steps))


def xpath(page: Page, node: int) -> str:
    """An XPath for this node alone, an element or a text."""
    steps = [""]
    foreign = False
    for step in [*reversed([*page.ancestors(node)]), node]:
        place, alone = place_among_alike(page, step)
        name = page.tag_name(step)
        # Names inside svg and math are in other namespaces, which a bare name does not match.
        foreign = foreign or name in ("svg", "math")
        if page.tag[step] == TEXT:
            name, alone = FILLED_TEXT, False
        elif foreign or not PLAIN_NAME.fullmatch(name):
            name = f"*[local-name()={xpath_string(SVG_CASE.get(name, name))}]"
        steps.append(name if alone else f"{name}[{place}]")
    return "/".join(steps)


def place_among_alike(page: Page, node: int) -> tuple[int, bool]:
    """Which one of its parent's children of this tag a node is (from 1), and whether it is the only one."""
    up = int(page.parent[node])
    if up == NO_NODE:
        return 1, True
    below = slice(up + 1, up + int(page.size[up]))
    alike = (page.parent[below] == up) & (page.tag[below] == page.tag[node])
    return int(np.count_nonzero(alike[: node - up])), int(np.count_nonzero(alike)) == 1


def xpath_string(text: str) -> str:
    r"""A text as a string of XPath 1.0, which has no escapes.

    >>> print(xpath_string("x-a"), xpath_string("it's"), xpath_string("'\""))
    'x-a' "it's" concat('', "'", '"')
    """
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    return "concat(" + ', "\'", '.join(f"'{part}'" for part in text.split("'")) + ")"
