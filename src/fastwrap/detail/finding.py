"""The record of a page about one thing: all facts about it, in the order in which a person would want them.
Each is looked for by a module of its own; here they come together, and none is said twice."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap.columns.given import GivenColumn
from fastwrap.columns.naming import Name, unique
from fastwrap.detail import lines as page_lines
from fastwrap.detail import marks, merging, pairs, sections, things
from fastwrap.detail.confidence import Evidence, chance, scaled
from fastwrap.detail.facts import Fact
from fastwrap.detail.lines import ClassNames, Lines
from fastwrap.detail.titles import dice, find_title, page_title, title_and_format, title_elsewhere, words_of
from fastwrap.detail.words import INGREDIENTS, INSTRUCTIONS, says_nothing
from fastwrap.limits import union
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, TAGS, TEXT
from fastwrap.structured import Thing
from fastwrap.structured import read as read_structured

PROSE = 60
"""Characters from which on a line is prose."""
MOST_PROSE = 500
"""Lines of prose that are kept."""
MOST_COLUMNS = 150
THREADS = frozenset(("Question", "QAPage", "DiscussionForumPosting", "SocialMediaPosting"))
"""Types of things that are as much lists of what people say."""
SAME_TITLE = 0.9
"""How alike two titles must be that are the same."""
LONGEST_PATH = 60
"""Tag names of where something stands."""
MOST_LABELS = 20
"""Labels that one thing may have, short ones, each once: what has more of them may be a list."""
ENOUGH_PROSE, ENOUGH_PAIRS = 150, 2
"""Letters of prose, and labels with values, that are enough to be about something."""
LITTLE_PROSE = 1200
"""Letters of prose up to which a page that says that something went wrong is believed."""


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
    others: npt.NDArray[np.bool_]
    """[n] Whether a node is of something that is about other things of its kind."""
    own: npt.NDArray[np.bool_]
    """[n] Whether it is of a label that stands once on the page, or of its value."""
    limits: tuple[str, ...]


def read_visible(page: Page) -> Visible:
    """All facts that a page shows."""
    lines = page_lines.read(page)
    title, agreed = find_title(lines)
    found, beside, related, headings, limits = sections.read_sections(lines, title)
    best = sections.chosen(found)
    names = ClassNames(page)
    used = set(beside)
    facts: list[Fact] = []
    if title != NO_NODE:
        used.add(title)
    if fact := title_fact(lines, title, agreed):
        facts.append(fact)
        fact.text, form = title_and_format(str(fact.text))
        if form:
            facts.append(Fact("format", form, 24.5, "format", {"relation": "title"}, fact.node, fact.end))
    known = [section for section in best if section.kind in (INGREDIENTS, INSTRUCTIONS)]
    for above in (sections.name_above(headings, section) for section in known):
        if above is not None and facts and 0.25 < dice(words_of(above.text), words_of(str(facts[0].text))) < 1:
            facts.append(Fact("name", above.text, 1.0, "", {"header": above.text}, above.first, above.end))
            break
    facts += sections.facts_of(known, headings, used)
    labelled, met = pairs.read_pairs(lines, headings, used, names)
    by_label = pairs.facts_of(labelled)
    marked = marks.read_marks(lines, title, {*beside, title, *(n for section in known for n in section.own)}, names)
    facts += [fact for fact in marked if not is_said(fact, by_label)]
    facts += by_label
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
    used.update(line.number for line in prose)
    facts += marks.read_lines_below(lines, title, used, {item for fact in facts for item in fact.items})
    picture = marks.read_picture(page, lines, title)
    if picture is not None:
        facts.append(picture)
    letters = sum(len(line.text) for line in prose)
    away = lines.others
    own = np.zeros(len(page), dtype=bool)
    labels = Counter(pair.label for pair in labelled)
    words = sum(len(pair.label.split()) for pair in labelled)
    letters_of_values = sum(len(pair.value) for pair in labelled)
    if len(labelled) <= MOST_LABELS and words <= 2.5 * len(labelled) and letters_of_values <= 40 * len(labelled):
        for pair in labelled:
            if pair.sure and labels[pair.label] == 1:
                own[pair.node : pair.end] = True
    for number in related:
        away[lines.lines[number].first : lines.lines[number].end] = True
    return Visible(lines, title, agreed, facts, letters, len(labelled), away, own, union(lines.limits, limits, met))


def is_said(fact: Fact, others: list[Fact]) -> bool:
    """Whether others say what a fact says, and call it by a name of its own."""
    return any(other.role == fact.role and fact.text in other.items for other in others)


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
    evidence: Evidence
    """What speaks for and against a page about that thing."""
    substance: float
    """How much there is to say of the thing, from 0 to 1."""
    is_text: npt.NDArray[np.bool_]
    """[n] Whether a node is a text."""
    others: npt.NDArray[np.bool_]
    """[n] Whether a node is of something that is about other things of its kind."""
    own: npt.NDArray[np.bool_]
    """[n] Whether it is of a label that stands once on the page, or of its value."""
    span: tuple[int, int]
    """The first node of the record on the page, and the one after its last; NO_NODE where it shows nothing of it."""
    limits: tuple[str, ...] = ()

    def confidence(self, list_confidence: float, spans: Int32Array) -> tuple[float, float]:
        """In [0, 1], that the page is about this thing, and that it exists for its main list, given how sure that list
        looks by itself. A list of other things of its kind is none that a page exists for."""
        of_list = list_confidence * (1 - self.share_beside(spans))
        return chance(self.evidence, of_list) * self.substance, of_list

    def share_beside(self, spans: Int32Array) -> float:
        """The share of some records that are no list of their own: related items, or labels of the thing."""
        spans = spans[spans[:, 0] >= 0]  # others are data that the page does not show
        first, last = spans[:, 0], spans[:, 1]
        texts, others, own = (
            counts[last] - counts[first]
            for nodes in (self.is_text, self.is_text & self.others, self.is_text & self.own)
            for counts in [np.concatenate([[0], np.cumsum(nodes)])]
        )
        return float(np.mean((2 * others > texts) | (own == texts))) if len(spans) else 0.0


def find(page: Page, structured: bool = True) -> Detail:
    """The thing that a page is about, by what it shows, and, with `structured`, by its data.

    >>> found = find(Page("<title>Oak table</title><h1>Oak table</h1><p>Price: 120 EUR<p>Width: 80 cm"))
    >>> [column.name for column in found.columns]
    ['title', 'Price', 'Width']
    """
    visible = read_visible(page)
    facts = visible.facts
    met: tuple[str, ...] = ()
    title = next((str(fact.text) for fact in facts if fact.name == "title"), "")
    thing, meta = None, 0.0
    if structured:
        data = read_structured(page)
        thing, _ = things.main_thing(data.things, title)
        meta = things.meta_says(data.meta)
        told = titled(things.facts_of(thing, data.by_id), facts, thing) if thing is not None else []
        facts = merging.merged(facts, [*told, *further(told, facts, things.meta_facts(data.meta))], visible.lines)
        met = union(data.limits, ["detail.items"] if any(len(fact.items) >= things.MOST_ITEMS for fact in told) else [])
    evidence = evidence_of(visible, thing, title)._replace(meta=meta)
    substance = substance_of(visible, evidence)
    if is_nothing(title, page_title(page), substance, evidence):
        facts = []
    columns, limits = columns_of(visible.lines, facts)
    shown = [fact for fact in facts if fact.node != NO_NODE]
    span = (min(fact.node for fact in shown), max(fact.end for fact in shown)) if shown else (NO_NODE, NO_NODE)
    return Detail(
        columns,
        evidence,
        substance,
        page.tag == TEXT,
        visible.others,
        visible.own,
        span,
        union(visible.limits, met, limits),
    )


def titled(told: list[Fact], visible: list[Fact], thing: Thing) -> list[Fact]:
    """What the data says, without its title where the page shows a better one: titles of articles are written for
    search engines there. Where both differ, what the page shows is the heading."""
    shown = next((fact for fact in visible if fact.name == "title"), None)
    named = next((fact for fact in told if fact.name == "title"), None)
    if shown is None or named is None or dice(words_of(str(shown.text)), words_of(str(named.text))) >= SAME_TITLE:
        return told
    if things.points_of(thing) <= things.ARTICLE and shown.why.get("markup") == "h1":
        return [fact for fact in told if fact is not named]
    shown.name, shown.role, shown.rank = "heading", "", 1.5
    return told


def evidence_of(visible: Visible, thing: Thing | None, title: str) -> Evidence:
    """What speaks for and against a page about one thing, but for its `meta` elements and its list."""
    lines = visible.lines
    heads = sum(line.heading == 1 for line in lines.lines)
    is_main = visible.title != NO_NODE and lines.lines[visible.title].heading == 1
    roles = {fact.role for fact in visible.facts}
    names = {fact.name for fact in visible.facts}
    of_type, named = 0.0, 0.0
    if thing is not None:
        name = things.plain(thing.text("name") or thing.text("headline"))
        named = dice(words_of(name), words_of(title))
        of_type = named * things.points_of(thing) / 6 if THREADS.isdisjoint(thing.types) else 0.0
    return Evidence(
        thing=of_type,
        named=named,
        meta=0.0,
        heading=float(is_main and heads <= 2),
        agreement=visible.agreement,
        prose=scaled(visible.prose, 10_000),
        prose_share=visible.prose / max(lines.letters, 1),
        linked=lines.linked / max(lines.letters, 1),
        pairs=scaled(visible.pairs, 30),
        price=float("price" in roles),
        byline=float("author" in roles) + float("date" in roles),
        sections=float(min(len(names & {"ingredients", "instructions", "features", "description"}), 2)),
        lines=scaled(len(lines.lines), 2000),
        list=0.0,
    )


def substance_of(visible: Visible, evidence: Evidence) -> float:
    """How much there is to say of a thing, from 0 to 1: some prose, labels with values, known sections or a price."""
    parts = visible.prose / ENOUGH_PROSE + visible.pairs / ENOUGH_PAIRS + evidence.sections + evidence.price
    return min(1.0, parts + (1.0 if evidence.named >= 0.5 else 0.0))


def is_nothing(title: str, page_title: str, substance: float, evidence: Evidence) -> bool:
    """Whether a page is about nothing: it says next to nothing, or that something went wrong, or who may come in."""
    if not title or substance <= 0:
        return True
    if evidence.named or evidence.sections or evidence.prose >= scaled(LITTLE_PROSE, 10_000):
        return False
    return says_nothing(title) or says_nothing(page_title)


def further(told: list[Fact], visible: list[Fact], meta: list[Fact]) -> list[Fact]:
    """What `meta` elements say that neither the data of the thing nor the page does."""
    known = {fact.name for fact in (*told, *visible)} | {fact.role for fact in (*told, *visible)}
    return [
        fact
        for fact in meta
        if fact.name not in known or (fact.name == "image" and not any(other.name == "image" for other in told))
    ]


def columns_of(lines: Lines, facts: list[Fact]) -> tuple[list[GivenColumn], tuple[str, ...]]:
    """Facts as columns, what a person would want first in front, and the limits that were met."""
    ordered = sorted(facts, key=lambda fact: fact.rank)
    limits: tuple[str, ...] = ("detail.columns",) if len(ordered) > MOST_COLUMNS else ()
    ordered = ordered[:MOST_COLUMNS]
    names = unique(Name(fact.name, fact.why, fact.role) for fact in ordered)
    paths = {node: path_of(lines, node) for node in {fact.node for fact in ordered}}
    return [
        GivenColumn(
            name.name, [fact.text], fact.why, fact.role, paths[fact.node], fact.kind, fact.type,
            [fact.value] if fact.type else None,
        )
        for name, fact in zip(names, ordered, strict=True)
    ], limits  # fmt: skip


def path_of(lines: Lines, node: int) -> str:
    """Where a fact stands: the tag names from the body on, or the last of them."""
    if node == NO_NODE:
        return ""
    tag, parent, page = lines.tag, lines.parent, lines.page
    body, above = page.body, parent[node]
    numbers: list[int] = []
    while above > body and len(numbers) < LONGEST_PATH:
        numbers.append(tag[above])
        above = parent[above]
    return "/".join([TAGS[number] if number < len(TAGS) else page.tag_name_of(number) for number in reversed(numbers)])
