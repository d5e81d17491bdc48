"""Verifies that Lexbor's nodes lie in memory as `lexbor.pxd` says, and learns its numbers of names.
No pointer is followed before the words around it agree with what selectolax's public API says."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterator
from functools import cache

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode, create_tag

from fastwrap._core.page.walk import OFFSETS
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTES, CUSTOM, TAGS

STATIC_NAMES = 4096
UNSEEN, LEFT_OUT, SCRIPT, NO_SCRIPT, RAW_TEXT = -1, -2, -3, -4, 1 << 29
SPECIAL = {"style": LEFT_OUT, "template": LEFT_OUT, "script": SCRIPT, "noscript": NO_SCRIPT}
RAW_TEXT_TAGS = ("iframe", "noframes", "noembed")

ELEMENT_TYPE, TEXT_TYPE = 1, 3
SHORT_NAME = 16

# Texts, names and values of different lengths, so that no length matches another field by chance.
KNOWN = (
    '<div id="one" lang="en-GB" data-an-attribute-with-a-name="1"><x-card data-part="second value">first text</x-card>'
    '<p title="a title">another one</p>'
    "<p>x</p><custom-element-with-a-name hidden></custom-element-with-a-name></div>"
    '<svg viewBox="0 0 10 20"></svg>'
)


class LayoutError(Exception):
    """Something is not where `lexbor.pxd` says it is."""


class Memory:
    """Reads this process's memory through a pipe.

    The kernel copies the bytes, so an address that is not mapped is an OSError, not a crash.
    """

    def __init__(self) -> None:
        self.out, self.into = os.pipe()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.out)
        os.close(self.into)

    def read(self, address: int, length: int) -> bytes:
        """`length` bytes (less than a pipe holds) from `address`."""
        if not 0 < address < 1 << 48:
            raise LayoutError(f"{address:#x} is not an address")
        os.write(self.into, (ctypes.c_char * length).from_address(address))
        return os.read(self.out, length)

    def word(self, address: int) -> int:
        """The machine word at `address`."""
        return int(struct.unpack("@N", self.read(address, struct.calcsize("@N")))[0])


def expect(found: object, wanted: object, what: str) -> None:
    """Raise LayoutError unless the two are equal."""
    if found != wanted:
        raise LayoutError(f"{what}: found {found!r}, expected {wanted!r}")


def address_of(node: LexborNode | None) -> int:
    """Where a node is; 0 for none, as in a NULL pointer."""
    return 0 if node is None else int(node.mem_id)


def check_node(memory: Memory, node: LexborNode) -> None:
    """Compare a node's links with those of the public API."""
    at = address_of(node)
    for field in ("next", "prev", "parent", "first_child", "last_child"):
        expect(memory.word(at + OFFSETS[field]), address_of(getattr(node, field)), field)
    expect(memory.word(at + OFFSETS["local_name"]), node.tag_id, "local_name")
    kind = int.from_bytes(memory.read(at + OFFSETS["type"], 4), "little")
    expect(kind, TEXT_TYPE if node.tag == "-text" else ELEMENT_TYPE, "type")


def check_text(memory: Memory, node: LexborNode) -> None:
    """Compare a text: first its length, then, through the pointer next to it, its bytes."""
    wanted = (node.text_content or "").encode()
    at = address_of(node)
    expect(memory.word(at + OFFSETS["text_length"]), len(wanted), "text_length")
    expect(memory.read(memory.word(at + OFFSETS["text_data"]), len(wanted)), wanted, "text_data")


def read_name(memory: Memory, name: int) -> str:
    """The letters of a name outside Lexbor's static tables."""
    length = memory.word(name + OFFSETS["name_length"])
    if not 0 < length < 256:
        raise LayoutError(f"name_length: {length}")
    letters = name if length <= SHORT_NAME else memory.word(name)
    return memory.read(letters, length).decode()


def attribute_addresses(memory: Memory, node: LexborNode) -> Iterator[int]:
    """The addresses of an element's attributes, each checked to be owned by the element."""
    attribute = memory.word(address_of(node) + OFFSETS["first_attribute"])
    while attribute:
        expect(memory.word(attribute + OFFSETS["owner"]), address_of(node), "owner")
        yield attribute
        last, attribute = attribute, memory.word(attribute + OFFSETS["attribute_next"])
        if not attribute:
            expect(memory.word(address_of(node) + OFFSETS["last_attribute"]), last, "last_attribute")


def attribute_number(memory: Memory, attribute: int) -> int:
    """Lexbor's number (or the address) of an attribute's name."""
    return memory.word(attribute + OFFSETS["qualified_name"]) or memory.word(attribute + OFFSETS["local_name"])


def check_attributes(memory: Memory, node: LexborNode) -> None:
    """Compare an element's attributes: how many, their names where these are not static, their values."""
    wanted = list(node.attributes.items())
    found = list(attribute_addresses(memory, node))
    expect(len(found), len(wanted), "attributes")
    for attribute, (name, value) in zip(found, wanted, strict=True):
        number = attribute_number(memory, attribute)
        if number >= STATIC_NAMES:
            expect(read_name(memory, number), name, "attribute name")
        string = memory.word(attribute + OFFSETS["value"])
        expect(bool(string), value is not None, "value")
        if value is not None:
            expect(memory.word(string + struct.calcsize("@P")), len(value), "length of a value")
            expect(memory.read(memory.word(string), len(value)), value.encode(), "value")


def verify(memory: Memory) -> None:
    """Raise LayoutError or OSError unless every offset holds for every node of a known document."""
    if struct.calcsize("@P") != 8:
        raise LayoutError("only 64-bit layouts are known")
    parser = LexborHTMLParser(KNOWN)
    if parser.body is None:
        raise LayoutError("no body")
    names = 0
    for node in parser.body.traverse(include_text=True):
        check_node(memory, node)
        if node.tag == "-text":
            check_text(memory, node)
            continue
        if node.tag_id >= STATIC_NAMES:
            names += 1
            expect(read_name(memory, node.tag_id), node.tag, "tag name")
        check_attributes(memory, node)
    expect(names, 2, "names outside the static tables")


def tag_table() -> tuple[Int32Array, dict[str, int]]:
    """Our number of each of Lexbor's static tag numbers, or what else the walk is to do with it; and its numbers by
    name."""
    table = np.full(STATIC_NAMES, UNSEEN, dtype=np.int32)
    numbers: dict[str, int] = {}
    for number, name in enumerate(TAGS):
        if name == "#text":
            continue
        foreign = create_tag(name).tag_id
        if foreign < STATIC_NAMES:
            table[foreign] = SPECIAL.get(name, number | (RAW_TEXT if name in RAW_TEXT_TAGS else 0))
            numbers[name] = foreign
    return table, numbers


def attribute_table(memory: Memory) -> tuple[Int32Array, int]:
    """Our number of each of Lexbor's static attribute numbers, and its number of `type`."""
    table = np.full(STATIC_NAMES, UNSEEN, dtype=np.int32)
    parser = LexborHTMLParser("<p " + " ".join(f'{name}=""' for name in ATTRIBUTES) + ">")
    node = parser.css_first("p")
    if node is None:
        raise LayoutError("no element")
    type_number = 0
    attributes = list(attribute_addresses(memory, node))
    expect(len(attributes), len(ATTRIBUTES), "attributes")
    for number, attribute in enumerate(attributes):
        foreign = attribute_number(memory, attribute)
        if foreign < STATIC_NAMES:
            table[foreign] = number
        if ATTRIBUTES[number] == "type":
            type_number = foreign
    expect(0 < type_number < STATIC_NAMES, True, "number of the attribute `type`")
    return table, type_number


class Layout:
    """The verified layout: the tables that the native walk needs."""

    def __init__(self) -> None:
        with Memory() as memory:
            verify(memory)
            self.tags, self.tag_numbers = tag_table()
            self.attributes, self.type_name = attribute_table(memory)
        if self.tags.max() >= CUSTOM or self.attributes.max() >= CUSTOM:
            raise LayoutError("a table number runs into the custom ones")


@cache
def verified() -> Layout | LayoutError:
    """The layout, verified once a process; the reason where it does not hold."""
    try:
        return Layout()
    except (LayoutError, OSError, struct.error, UnicodeDecodeError) as error:
        return LayoutError(str(error))
