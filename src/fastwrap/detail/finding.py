"""The record of a page about one thing: all facts about it, in the order in which a person would want them.
Each is looked for by a module of its own; here they come together, and none is said twice."""

from __future__ import annotations

from typing import NamedTuple

from fastwrap.columns.given import GivenColumn
from fastwrap.columns.naming import Name, unique
from fastwrap.detail import marks, pairs, sections
from fastwrap.detail import lines as page_lines
from fastwrap.detail.facts import Fact
from fastwrap.detail.lines import Lines
from fastwrap.detail.titles import dice, find_title, title_elsewhere, words_of
from fastwrap.limits import union
from fastwrap.page import Page
from fastwrap.page.names import NO_NODE

PROSE = 60
"""Characters from which on a line is prose."""
MOST_PROSE = 500
"""Lines of prose that are kept."""
MOST_COLUMNS = 150


class Visible(NamedTuple):
    """What the page shows."""

    lines: Lines
    title: int
    """The line of the title; NO_NODE where there is none."""
    agreement: float
    """How well it agrees with what the page calls itself."""
    facts: list[Fact]
    prose: int
    """Bytes of prose."""
    pairs: int
    """How many labels with values there are."""
    limits: tuple[str, ...]


def read_visible(page: Page) -> Visible:
    """All facts that a page shows."""
    lines = page_lines.read(page)
    title, agreed = find_title(lines)
    found, beside, headings, limits = sections.read_sections(lines, title)
    best = sections.chosen(found)
    used = set(beside)
    facts: list[Fact] = []
    if title != NO_NODE:
        used.add(title)
    if fact := title_fact(lines, title, agreed):
        facts.append(fact)
    known = [section for section in best if section.kind in (sections.INGREDIENTS, sections.INSTRUCTIONS)]
    for section in known[:1]:
        above = sections.name_above(headings, section)
        if above is not None and facts and dice(words_of(above.text), words_of(str(facts[0].text))) < 1:
            facts.append(Fact("name", above.text, 1.0, "", {"header": above.text}, above.first, above.end))
    facts += sections.facts_of(known, headings, used)
    facts += marks.read_marks(lines, title, used)
    labelled, met = pairs.read_pairs(lines, headings, used)
    facts += pairs.facts_of(labelled)
    facts += sections.facts_of([section for section in best if section not in known], headings, used)
    prose = [
        line for line in lines.lines
        if line.number not in used and len(line.text) >= PROSE and line.linked < 0.5 and line.number > title
        and not line.heading and not (facts and line.text == facts[0].text)
    ]  # fmt: skip
    if prose:
        texts = [line.text for line in prose[:MOST_PROSE]]
        why = {"relation": "prose"}
        text: str | list[str] = texts if len(texts) > 1 else texts[0]
        facts.append(Fact("text", text, 55.0, "description", why, prose[0].first, prose[-1].end))
        if len(prose) > MOST_PROSE:
            met = (*met, "detail.prose")
    picture = marks.read_picture(page, lines, title)
    if picture is not None:
        facts.append(picture)
    letters = sum(len(line.text) for line in prose)
    return Visible(lines, title, agreed, facts, letters, len(labelled), union(lines.limits, limits, met))


def title_fact(lines: Lines, title: int, agreed: float) -> Fact | None:
    """The title of the thing: the line that was found, unless it does not agree with the page's own title and is no
    main heading."""
    line = lines.lines[title] if title != NO_NODE else None
    if line is None or (agreed < 0.4 and line.heading != 1):
        elsewhere = title_elsewhere(lines.page)
        if elsewhere is not None and (line is None or elsewhere[1] != NO_NODE):
            return Fact("title", elsewhere[0], 0.0, "title", {"relation": "title"}, *elsewhere[1:])
    if line is None:
        return None
    why = {"markup": f"h{line.heading}"} if line.heading else {"relation": "title"}
    return Fact("title", line.text, 0.0, "title", why, line.first, line.end)


class Detail(NamedTuple):
    """What a page says of the one thing that it may be about."""

    columns: list[GivenColumn]
    """Of its one record; none where the page is about nothing."""
    confidence: float
    """In [0, 1], that the page is about that thing."""
    span: tuple[int, int]
    """The first node of the record on the page, and the one after its last; NO_NODE where it shows nothing of it."""
    limits: tuple[str, ...] = ()


def find(page: Page, structured: bool = True) -> Detail:
    """The thing that a page is about, by what it shows, and, with `structured`, by its data.

    >>> found = find(Page("<title>Oak table</title><h1>Oak table</h1><p>Price: 120 EUR<p>Width: 80 cm"))
    >>> [column.name for column in found.columns]
    ['title', 'Price', 'Width']
    """
    visible = read_visible(page)
    facts = visible.facts
    columns, limits = columns_of(page, facts)
    shown = [fact for fact in facts if fact.node != NO_NODE]
    span = (min(fact.node for fact in shown), max(fact.end for fact in shown)) if shown else (NO_NODE, NO_NODE)
    return Detail(columns, 0.0, span, union(visible.limits, limits))


def columns_of(page: Page, facts: list[Fact]) -> tuple[list[GivenColumn], tuple[str, ...]]:
    """Facts as columns, what a person would want first in front, and the limits that were met."""
    ordered = sorted(facts, key=lambda fact: fact.rank)
    limits: tuple[str, ...] = ("detail.columns",) if len(ordered) > MOST_COLUMNS else ()
    ordered = ordered[:MOST_COLUMNS]
    names = unique(Name(fact.name, fact.why, fact.role) for fact in ordered)
    return [
        GivenColumn(
            name.name, [fact.text], fact.why, fact.role, path_of(page, fact.node), fact.kind, fact.type,
            [fact.value] if fact.type else None,
        )
        for name, fact in zip(names, ordered, strict=True)
    ], limits  # fmt: skip


def path_of(page: Page, node: int) -> str:
    """Where a fact stands: the tag names from the body on."""
    if node == NO_NODE:
        return ""
    tags = [page.tag_name(above) for above in page.ancestors(node) if above > page.body]
    return "/".join(reversed(tags))
