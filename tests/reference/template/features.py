"""What nodes are told apart by in plain Python: the oracle of `fastwrap._core.template.features`."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import NodeArrays
from fastwrap.page.names import ATTRIBUTE_NUMBER, TEXT
from fastwrap.wrapper.hashes import ALL_BITS, class_hash, mixed

LONGEST_LABEL = 80
LONGEST_PREFIX = 50
LONGEST_RAW = 40
CONNECTORS = "and und et y e og och en i or ou oder with mit avec con feat featuring".split()
"""Words between the values of a list, which are no labels."""
NAMING = [ATTRIBUTE_NUMBER[name] for name in ("id", "name", "property", "itemprop", "rel")]
LETTER = re.compile(rb"[A-Za-z\x80-\xff]")
EDGE = re.compile(rb"\A[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+|[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+\Z")


def hashed(text: bytes) -> int:
    """FNV-1a."""
    value = 0xCBF29CE484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001B3 & ALL_BITS
    return value


def label_hash(text: bytes) -> int:
    """The hash of what may be a label, without the marks at its ends; 0 for what is none."""
    text = EDGE.sub(b"", text)
    return hashed(text) | 1 if len(LETTER.findall(text)) >= 2 and len(text) <= LONGEST_LABEL else 0


CONNECTOR_HASHES = frozenset(label_hash(word.encode()) for word in CONNECTORS)


def prefix_hash(text: bytes) -> int:
    """The hash of what stands before the first colon, if a value stands behind it."""
    colon = text.find(b":", 0, LONGEST_PREFIX)
    if colon < 1 or text[colon + 1 : colon + 3] == b"//" or not text[colon + 1 :].strip(b" "):
        return 0
    return label_hash(text[:colon])


def features(arrays: NodeArrays) -> tuple[npt.NDArray[np.uint64], ...]:
    """[n] each: the hash of the class, that of the names, of a text, of what stands before its
    colon, and of what may be a label where its siblings are."""
    found = np.zeros((5, len(arrays.tag)), dtype=np.uint64)
    values, bounds = arrays.values, arrays.value_start.tolist()
    for node, tag in enumerate(arrays.tag.tolist()):
        if tag == TEXT:
            text = arrays.text[arrays.text_start[node] : arrays.text_start[node + 1] - 1]
            whole, prefix = label_hash(text), prefix_hash(text)
            whole = 0 if whole in CONNECTOR_HASHES else whole
            found[2, node], found[3, node] = whole, prefix
            found[4, node] = prefix or (whole if len(text) <= LONGEST_RAW else 0)
            continue
        names = 0
        for entry in range(arrays.attribute_start[node], arrays.attribute_start[node + 1]):
            name, value = int(arrays.attribute_name[entry]), values[bounds[entry] : bounds[entry + 1]]
            if name == ATTRIBUTE_NUMBER["class"]:
                found[0, node] = class_hash(value)
            elif name in NAMING and value and not re.search(rb"[0-9]", value):
                names = mixed(names, hashed(value) + name & ALL_BITS)
        found[1, node] = names
    return tuple(found)
