"""Reversed enhanced tag paths (reTPS): what tells a classifier where each text of a page stands, without rendering it.
The representation of EDREW (Nunes & Dorneles 2023), over the HTML5 tree."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fastwrap._core.page.reversed_paths import TokenRules
from fastwrap._core.page.reversed_paths import reversed_paths as native_paths
from fastwrap.common.arguments import expect
from fastwrap.common.lazy import lazy_property
from fastwrap.errors import FastwrapError
from fastwrap.page.names import ATTRIBUTES, TAGS

if TYPE_CHECKING:
    from fastwrap.page.arrays import Int32Array
    from fastwrap.page.page import Page

WRAPPERS = frozenset("span a b strong i em mark small del ins sub sup".split())
"""Tags around others, to style them or to make something happen. Without a text of its own at its start such a tag gets
the prefix #WT, and does not count."""

REPEATING = frozenset("li ol ul option p dd dl dt br th tr td menuitem".split())
"""Tags of lists and tables: they do not count, since how many there are would move all that follows."""

FORMATTERS = frozenset("b strong i em mark small del ins sub sup".split())
"""Tags that join their text with the texts around them."""

SKIPPED = frozenset("script link meta noscript base style input area".split())
"""Tags that are no part of a path, and do not count."""

FIBONACCI = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 100)
"""How far down the page an element stands: the largest of these that is no more than the tags up to it, in percent of
all tags that count."""

SEPARATOR = "<#SEP>"

WRAPPER_PREFIX = "#WT"

VALUES = {
    "price": "<#PRICE>",
    "value": "<#VAL>",
    "description": "<#DESC>",
    "name": "<#NAME>",
    "date": "<#DATE>",
    "content": "<#CONT>",
    "detail": "<#DET>",
}
"""What is searched in the classes and properties of an element, and the token that stands for it."""

SPECIAL = ("<#CNT>", "<#$>", "<#ID>", "<#CLSS>", "<#PROP>", "<#HIDE>", *VALUES.values())
"""The special tokens by their numbers, from 1. A saved model holds these: append, never reorder."""

OWN = 1 << 40
"""Tokens from here on are hashes of the special tokens that a caller has added."""

LEAST_BYTES, MOST_BYTES = 3, 64
"""Of a value that is searched."""

MOST_VALUES, MOST_TOKENS = 64, 24
"""That can be searched, and that can stand for them."""


class ReversedPaths(Mapping[int, str]):
    """The reversed enhanced tag path (reTPS) of every text of a page: a mapping of text nodes to paths.

    >>> from fastwrap import Page
    >>> paths = Page("<h1 id=top>Tea</h1><p class=price>$3 <b>only</b>").retps()
    >>> paths[4]
    '<#CNT><#SEP><#ID><#SEP>h1|55<#SEP>body|55<#SEP>html|13'
    >>> paths[6]
    '<#$><#SEP><#CNT><#SEP><#PRICE><#SEP><#CLSS><#SEP>p|55<#SEP>body|55<#SEP>html|13'
    >>> list(paths), paths.content.tolist()
    ([4, 6, 8], [0, 1, 1])

    Equal paths have one number, so that a classifier looks at each once. Tokens are integers that mean the same on
    every page and in every process. Special tokens are those of `SPECIAL`, from 1. A tag is its number in `page.names`
    times 32, plus 16 if it has the wrapper prefix, plus its place in `FIBONACCI`, from 1. Tokens of the caller are from
    `OWN` on.
    """

    def __init__(self, page: Page, tokens: Mapping[str, str] | None) -> None:
        rules, self._own = rules_of(() if tokens is None else checked(tokens))
        found = native_paths(page.native, rules, page.custom_names)
        self._custom_names = page.custom_names
        self.nodes: Int32Array = found[0]
        """[t] The text nodes."""
        self.path: Int32Array = found[1]
        """[t] The number of the path of each, in order of first appearance."""
        self.content: Int32Array = found[2]
        """[t] The number of the content of each: texts with nothing but formatting between them are one."""
        self.starts: npt.NDArray[np.int64] = found[3]
        """[p + 1] Path k is `tokens[starts[k]:starts[k + 1]]`, from the text up."""
        self.tokens: npt.NDArray[np.int64] = found[4]
        """The tokens of all different paths."""

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[int]:
        return iter(self.nodes.tolist())

    def __getitem__(self, node: int) -> str:
        place = int(np.searchsorted(self.nodes, node))
        if place == len(self.nodes) or self.nodes[place] != node:
            raise KeyError(f"{node} is no text of the page")
        path: str = self.paths[self.path.item(place)]
        return path

    def __repr__(self) -> str:
        return f"<ReversedPaths: {len(self):,} texts, {len(self.starts) - 1:,} different paths>"

    @lazy_property
    def paths(self) -> list[str]:
        """The different paths as EDREW writes them.

        >>> from fastwrap import Page
        >>> Page("<ul><li><a><span>1</span></a></li><li><a><span>2</span></a></li></ul>").retps().paths
        ['<#CNT><#SEP>span|55<#SEP>#WTa|55<#SEP>li|55<#SEP>ul|55<#SEP>body|55<#SEP>html|13',
         '<#CNT><#SEP>span|100<#SEP>#WTa|55<#SEP>li|55<#SEP>ul|55<#SEP>body|55<#SEP>html|13']
        """
        written = {token: self._written(token) for token in np.unique(self.tokens).tolist()}
        words = [written[token] for token in self.tokens.tolist()]
        starts = self.starts.tolist()
        return [SEPARATOR.join(words[start:end]) for start, end in itertools.pairwise(starts)]

    def _written(self, token: int) -> str:
        """A token as EDREW writes it."""
        if token >= OWN:
            return self._own[token]
        if token <= len(SPECIAL):
            return SPECIAL[token - 1]
        number, place = token >> 5, token & 15
        name = TAGS[number] if number < len(TAGS) else self._custom_names[number]
        return (WRAPPER_PREFIX if token & 16 else "") + name + (f"|{FIBONACCI[place - 1]}" if place else "")


def checked(tokens: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What a caller searches, with the token for each, if that can be done."""
    expect(tokens, Mapping, "tokens is a mapping of what is searched to its token, or None")
    for value, token in tokens.items():
        expect(value, str, "what is searched is a str")
        expect(token, str, "a token is a str")
        if not LEAST_BYTES <= len(encoded(value)) <= MOST_BYTES:
            raise FastwrapError(f"{value!r} cannot be searched: it must have {LEAST_BYTES} to {MOST_BYTES} bytes")
        if not (token.startswith("<#") and token.endswith(">") and len(token) > len("<#>")):
            raise FastwrapError(f"{token!r} is no token: tokens look like '<#AUTHOR>'")
        if token == SEPARATOR or token in SPECIAL[: -len(VALUES)]:
            raise FastwrapError(f"the token {token!r} has a meaning of its own")
    return tuple(tokens.items())


def encoded(value: str) -> bytes:
    """A value as it is searched: with the letters of ASCII in lower case."""
    return value.encode("utf-8", "replace").lower()


def number_of_token(token: str) -> int:
    """The number of a special token, the same in every process.

    >>> number_of_token("<#CNT>"), number_of_token("<#AUTHOR>") > OWN
    (1, True)
    """
    return SPECIAL.index(token) + 1 if token in SPECIAL else OWN | zlib.crc32(token.encode("utf-8", "replace"))


@lru_cache(64)
def rules_of(added: tuple[tuple[str, str], ...]) -> tuple[TokenRules, dict[int, str]]:
    """The rules by which the kernel searches what EDREW does and what a caller adds or changes, and the caller's tokens
    by their numbers."""
    values = {encoded(value): token for value, token in (*VALUES.items(), *added)}
    tokens = list(dict.fromkeys(values.values()))
    numbers = [number_of_token(token) for token in tokens]
    if len(values) > MOST_VALUES or len(tokens) > MOST_TOKENS:
        raise FastwrapError(
            f"no more than {MOST_VALUES} values can be searched, nor {MOST_TOKENS} tokens stand for them"
        )
    if len(set(numbers)) < len(tokens):
        raise FastwrapError(f"two of these tokens have the same hash: {', '.join(tokens)}")
    rules = TokenRules(
        bytes(map(kind_of, [*TAGS, ""])),
        [name.encode() for name in ATTRIBUTES],
        list(values),
        [tokens.index(token) for token in values.values()],
        numbers,
    )
    return rules, {number: token for number, token in zip(numbers, tokens, strict=True) if number >= OWN}


def kind_of(tag: str) -> int:
    """What a tag is, as the kernel has it."""
    sets = (WRAPPERS, REPEATING, FORMATTERS, SKIPPED, frozenset({"br"}))
    return sum(1 << bit for bit, names in enumerate(sets) if tag in names)
