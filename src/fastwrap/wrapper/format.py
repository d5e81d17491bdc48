"""The format of wrapper files as structs: every field with its type, its bounds and what it means.
`fastwrap/schema/wrapper.schema.json` is generated from them; `fastwrap.wrapper.files` reads and writes the files.

    python -c "from fastwrap.wrapper import format; print(format.schema())" > src/fastwrap/schema/wrapper.schema.json
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from fastwrap.columns import headings, splitting
from fastwrap.columns.choice import OPERATIONS
from fastwrap.columns.roles import ROLES
from fastwrap.columns.template import MAX_NAME as LONGEST_TEMPLATE_NAME
from fastwrap.columns.template import MAX_SLOTS, SYMBOLS
from fastwrap.wrapper.location import LONGEST_PATH, MAX_COUNT, Name, Step, Tokens
from fastwrap.wrapper.pattern import MOST_PATHS
from fastwrap.wrapper.profile import Count, Profile, Share

FORMAT: Literal["fastwrap wrapper"] = "fastwrap wrapper"
VERSION: Literal[1] = 1

MAX_TEXT = 200_000

MAX_COLUMNS = 10_000
"""Columns of a list: more than any has."""

MAX_CHILDREN = 1_000
"""Kinds of children of a list: three times what is learned."""

MAX_LISTS = 100

MAX_DETAIL_SLOTS = 20_000
"""Places of the template of pages about one thing, and its labels: three times what is learned."""

MAX_DETAIL_COLUMNS = 1_000

Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
Size: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_COUNT)]
Level: TypeAlias = Literal["tag", "class", "shape", "text"]
Role: TypeAlias = Literal["outside", "head", "inside"]
Roles: TypeAlias = Annotated[tuple[Role, ...], Meta(max_length=MAX_TEXT)]
Path: TypeAlias = Annotated[tuple[Step, ...], Meta(min_length=1, max_length=LONGEST_PATH)]
TagPaths: TypeAlias = Annotated[tuple[Text, ...], Meta(max_length=MOST_PATHS)]
Profiles: TypeAlias = Annotated[tuple[Profile, ...], Meta(max_length=MAX_COLUMNS)]
TemplateName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_TEMPLATE_NAME)]
Slot: TypeAlias = Annotated[int, Meta(ge=0, lt=MAX_SLOTS)]
SlotOrNone: TypeAlias = Annotated[int, Meta(ge=-1, lt=MAX_SLOTS)]
RuleText: TypeAlias = Annotated[str, Meta(max_length=splitting.LONGEST)]
Items: TypeAlias = Annotated[list[Slot], Meta(min_length=1, max_length=MAX_COLUMNS)]
DetailSlot: TypeAlias = Annotated[int, Meta(ge=0, lt=MAX_DETAIL_SLOTS)]
Flags: TypeAlias = Annotated[int, Meta(ge=0, lt=128)]
Hash: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{1,16}$")]
HeadingText: TypeAlias = Annotated[str, Meta(max_length=headings.LONGEST)]


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a file: it has no fields but its own, and is written without those that have their default value."""


class Child(Part, frozen=True, kw_only=True):
    """A kind of children: the tag and, as the level says, class, shape and text."""

    tag: Name
    tokens: Tokens | UnsetType = msgspec.field(name="class", default=UNSET)
    shape: Annotated[str, Meta(max_length=MAX_TEXT)] | UnsetType = UNSET
    text: bool | UnsetType = UNSET
    role: Role


class Rule(Part, frozen=True, kw_only=True):
    """How the text of an item is split: see fastwrap.columns.splitting."""

    prefix: RuleText = ""
    suffix: RuleText = ""
    separator: RuleText = ""
    label: RuleText = ""
    parts: Annotated[list[Rule], Meta(max_length=splitting.MAX_PARTS)] = []


class Item(Part, frozen=True, kw_only=True):
    """An item of the records: the text of a slot, or an attribute."""

    slot: Slot
    kind: TemplateName
    list: Slot | UnsetType = UNSET
    rule: Rule | UnsetType = UNSET


class ColumnName(Part, frozen=True, kw_only=True):
    """The name of a column, and what it rests on."""

    name: TemplateName
    why: Annotated[dict[str, str], Meta(max_length=9)] = {}
    role: Literal["", *ROLES] = ""  # type: ignore[valid-type]


class Source(Part, frozen=True, kw_only=True):
    """A column that is shown: the items it is made of, and how; see fastwrap.columns.choice.Source."""

    operation: Literal[OPERATIONS]  # type: ignore[valid-type]
    items: Annotated[list[Items], Meta(min_length=1, max_length=MAX_COLUMNS)]
    where: Items | UnsetType = UNSET
    part: Slot | UnsetType = UNSET
    trim: bool = False


class Heading(Part, frozen=True, kw_only=True):
    """What the headings above groups of records look like."""

    tags: Annotated[list[HeadingText], Meta(min_length=1, max_length=headings.LEVELS)]
    prefix: HeadingText
    suffix: HeadingText


class Template(Part, frozen=True, kw_only=True):
    """How the nodes of a record are given to columns: see fastwrap.columns.Template."""

    slots: Annotated[
        list[tuple[TemplateName, SlotOrNone, Annotated[int, Meta(ge=0, lt=SYMBOLS)], Slot, SlotOrNone, SlotOrNone]],
        Meta(max_length=MAX_SLOTS),
        Meta(description="The tree that records are matched with: tag, parent, symbol, then where its items go."),
    ]
    items: Annotated[list[Item], Meta(max_length=MAX_COLUMNS)]
    names: Annotated[list[ColumnName], Meta(max_length=MAX_COLUMNS)]
    link: Annotated[SlotOrNone, Meta(description="The column of links to records' own pages, or -1.")]
    heading: Heading | None
    choice: (
        Annotated[
            list[Source],
            Meta(max_length=MAX_COLUMNS),
            Meta(description="The columns that are shown; without it, there is one for each item, or part of one."),
        ]
        | UnsetType
    ) = UNSET


class RecordList(Part, frozen=True, kw_only=True):
    """A list of the site."""

    confidence: Annotated[Share, Meta(description="That it is the list that the pages exist for.")]
    records: Annotated[Size, Meta(description="How many records it was learned from.")]
    several: Annotated[bool, Meta(description="Whether more than one element of a page holds records.")]
    path: Annotated[Path, Meta(description="From the root to the elements whose children the records are.")]
    level: Annotated[Level, Meta(description="What children are told apart by; each level adds to those before it.")]
    children: Annotated[
        tuple[Child, ...],
        Meta(max_length=MAX_CHILDREN),
        Meta(description="Kinds of children of these elements. A record is a head and the inside children after it."),
    ]
    expression: Annotated[
        Text | None, Meta(description="What an element's children are, by places in `children`, such as 0 (1 2?)+.")
    ]
    expression_roles: Annotated[
        Roles | None, Meta(description="Role of each number in the expression, if children of one kind have several.")
    ]
    expression_repeat: Annotated[Count, Meta(description="Which repeat of the expression is that of the records.")]
    tag_paths: Annotated[TagPaths, Meta(description="Tag paths of the nodes of records.")]
    columns: Annotated[Profiles, Meta(description="What the values of each column were like, in the template's order.")]
    template: Template


class DetailColumn(Part, frozen=True, kw_only=True):
    """A column of the record of a page: see fastwrap.template.DetailColumn."""

    name: TemplateName
    slot: DetailSlot
    kind: TemplateName = "text"
    label: RuleText = ""
    rule: Rule | UnsetType = UNSET
    part: DetailSlot = 0
    why: Annotated[dict[str, str], Meta(max_length=9)] = {}
    role: Literal["", *ROLES] = ""  # type: ignore[valid-type]
    occurs: Annotated[str, Meta(pattern="^[01]{1,50}$")]
    type: RuleText = "text"
    samples: Annotated[list[RuleText], Meta(max_length=9)] = []


class Detail(Part, frozen=True, kw_only=True):
    """The template of pages about one thing: see fastwrap.template.DetailTemplate."""

    pages: Size
    confidence: Annotated[Share, Meta(description="How much the pages have in common.")]
    labels: Annotated[list[Hash], Meta(max_length=MAX_DETAIL_SLOTS, description="Hashes of the labels, in order.")]
    slots: Annotated[
        list[tuple[TemplateName, SlotOrNone, Flags, SlotOrNone, Hash, Hash, Hash, Hash, Hash, Hash]],
        Meta(min_length=1, max_length=MAX_DETAIL_SLOTS),
        Meta(
            description="The tree that pages are matched with: tag, parent, flags, unit, then what tells nodes apart."
        ),
    ]
    columns: Annotated[list[DetailColumn], Meta(min_length=1, max_length=MAX_DETAIL_COLUMNS)]


class WrapperFile(Part, frozen=True, kw_only=True):
    """A wrapper of fastwrap: the lists of a site."""

    format: Literal["fastwrap wrapper"]
    version: Literal[1]
    url: Annotated[Text | None, Meta(description="The address of the first page that it was learned from.")]
    pages: Annotated[Size, Meta(description="How many pages it was learned from.")]
    limits: Annotated[tuple[Name, ...], Meta(max_length=100, description="Budgets of learning that were met.")] = ()
    lists: Annotated[tuple[RecordList, ...], Meta(max_length=MAX_LISTS, description="The main list first.")]
    detail: Annotated[Detail, Meta(description="The record, where pages are about one thing.")] | UnsetType = UNSET


def schema() -> str:
    """The JSON Schema of wrapper files."""
    written = msgspec.json.schema(WrapperFile)
    for part in written["$defs"].values():
        del part["title"]  # which is its name there
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:fastwrap:schema:wrapper"}
    return readable(about | written, 240)


_encode = json.JSONEncoder(ensure_ascii=False).encode


def readable(value: Any, width: int = 120, indent: str = "") -> str:
    """JSON that people can read and versions of which can be compared: an entry that fits into a line is one line."""
    if not isinstance(value, (dict, list, tuple)):
        return _encode(value)
    begin, end = "{}" if isinstance(value, dict) else "[]"
    entries = list(value.values() if isinstance(value, dict) else value)
    inner = indent + "  "
    if not any(isinstance(entry, (dict, list, tuple)) for entry in entries):
        line = _encode(value)
        if len(line) + len(indent) <= width:
            return line
    parts = [readable(entry, width, inner) for entry in entries]
    if isinstance(value, dict):
        parts = [f"{_encode(key)}: {part}" for key, part in zip(value, parts, strict=True)]
    # If it is one line, so are its parts: nothing is written twice to find out.
    if not any("\n" in part for part in parts):
        line = begin + ", ".join(parts) + end
        if len(line) + len(indent) <= width:
            return line
    return f"{begin}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{end}"
