"""Writing: passages of a page's data as a small HTML document, so that all that reads pages reads them, too.
Each object that says who wrote it and when is an article; strings that are HTML stay it, but for what takes in more."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from fastwrap._core.structured.strings import Spot
from fastwrap.structured.passages import Passage
from fastwrap.structured.posts import byline, head_of
from fastwrap.structured.sentences import markup_of, plain

SWALLOWS = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(script|style|template|noscript|iframe|noembed|noframes|textarea|xmp|title|select|svg|math)\b"
    r".*?(?:</\1\s*>|\Z)"
    r"|</?(?:html|head|body|main|article|frameset|plaintext|meta|base|link)\b[^<>]*>?",
    re.DOTALL | re.IGNORECASE,
)
"""What is no part of a text, or would take what is behind it into itself."""
PARAGRAPH = re.compile(r"\n\s*\n")
FAR = 3
"""Objects that are looked at around a passage, for who wrote it."""


@dataclass(slots=True)
class Unit:
    """What belongs to one object that is signed, dated or called something: a post, an answer, an article."""

    head: str = ""
    author: str = ""
    date: str = ""
    passages: list[Passage] = field(default_factory=list)


def units_of(passages: Sequence[Passage]) -> list[Unit]:
    """Passages by the objects that they belong to, each text once.

    >>> said = [({"by": f"Ann {k}", "body": f"Tea {k}"}, f"Tea {k}") for k in range(2)]
    >>> units = units_of([Passage(text, Spot(value, None, k), 1) for k, (value, text) in enumerate(said)])
    >>> [(unit.author, len(unit.passages)) for unit in units]
    [('Ann 0', 1), ('Ann 1', 1)]
    """
    owners = [owner_of(passage.spot) for passage in passages]
    units: dict[int, Unit] = {}
    seen: set[str] = set()
    for passage, owner in zip(passages, owners, strict=True):
        if passage.weight and passage.text in seen:
            continue
        seen.add(passage.text)
        key = -1 if owner is None else owner.number
        if key not in units:
            units[key] = Unit() if owner is None else Unit(head_of(owner.value), *byline(owner.value))
        units[key].passages.append(passage)
    return list(units.values())


def owner_of(spot: Spot) -> Spot | None:
    """The object near a passage that is signed, dated or called something."""
    for each in spot.chain(FAR):
        if any(byline(each.value)) or head_of(each.value):
            return each
    return None


def is_of_spans(passages: Sequence[Passage]) -> bool:
    """Whether passages are pieces of lines: some begin or end with the white space between them."""
    return len(passages) > 1 and any(text != text.strip(" ") for text, _, _ in passages)


def body_of(passages: Sequence[Passage], as_text: bool = False) -> str:
    """The HTML of what belongs to one object; with `as_text` without that of its strings.

    >>> body_of([Passage("<p>Tea<script>f()</script>", Spot({}, None, 1), 1)])
    '<div><p>Tea</div>'
    >>> body_of([Passage("One.\\n\\nTwo < 3", Spot({}, None, 1), 1)])
    '<p>One.</p><p>Two &lt; 3</p>'
    """
    if is_of_spans(passages):
        lines: dict[int, str] = {}
        for text, spot, _ in passages:
            block = spot.above.number if spot.above is not None else 0
            lines[block] = lines.get(block, "") + text
        return "".join(f"<p>{html.escape(line)}</p>" for line in lines.values() if line.strip())
    return "".join(written(passage, as_text) for passage in passages)


def written(passage: Passage, as_text: bool) -> str:
    """One string as HTML."""
    if markup := markup_of(passage.text):
        return f"<p>{html.escape(plain(markup))}</p>" if as_text else f"<div>{SWALLOWS.sub('', markup)}</div>"
    paragraphs = PARAGRAPH.split(html.unescape(passage.text) if "&" in passage.text else passage.text)
    return "".join(
        f"<p>{'<br>'.join(html.escape(line.strip()) for line in part.splitlines())}</p>"
        for part in paragraphs
        if part.strip()
    )


def document(title: str, units: Sequence[Unit], as_text: bool = False) -> str:
    """A page of these texts; with `as_text` without the markup that they have.

    >>> unit = Unit("", "Ann", "", [Passage("Boil it.", Spot({}, None, 1), 1)])
    >>> document("Tea", [unit])[39:]
    '<h1>Tea</h1><article><p><span class="author">Ann</span></p><p>Boil it.</p></article></main>'
    """
    parts = [f"<!doctype html><title>{html.escape(title)}</title><main>"]
    if title:
        parts.append(f"<h1>{html.escape(title)}</h1>")
    for unit in units:
        parts.append("<article>")
        if unit.head and unit.head != title:
            parts.append(f"<h2>{html.escape(unit.head)}</h2>")
        signed = f'<span class="author">{html.escape(unit.author)}</span>' if unit.author else ""
        when = f"{unit.date[:10]} {unit.date[11:16]}".strip()
        dated = f'<time datetime="{html.escape(unit.date)}">{html.escape(when)}</time>' if when else ""
        if signed or dated:
            parts.append(f"<p>{signed}{' ' if signed and dated else ''}{dated}</p>")
        parts += [body_of(unit.passages, as_text), "</article>"]
    return "".join([*parts, "</main>"])
