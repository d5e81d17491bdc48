"""Models: what tells content from noise, as a file of numbers. A file is data: it is checked, and nothing in it is run.
Files are MessagePack (msgspec)."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from fastwrap._core.noise.labelling import Classifier
from fastwrap.common.arguments import expect
from fastwrap.common.files import write_beside
from fastwrap.errors import FastwrapError
from fastwrap.noise.vocabulary import BUCKETS, vocabulary
from fastwrap.page.arrays import Int32Array

FORMAT = 1
NAME_KINDS = 5
MOST_BYTES = 16_000_000
"""Of a file that is read."""

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.int8]


class Weights(NamedTuple):
    """The linear part of a model, in eight bits for each weight, as the kernels take it."""

    names: Bytes
    """[BUCKETS, NAME_KINDS] By how a name is used: anywhere above a block, inside it, by its owner, the two above."""
    words: Bytes
    """[BUCKETS] Of the words of a block."""
    heads: Bytes
    """[BUCKETS] Of the words of the heading before a block."""
    scales: tuple[float, float, float, float]
    """What one is worth: of names above, names near by, words, words of the heading."""
    intercepts: tuple[float, float, float, float]
    """What is added, in the same order."""


class Trees(NamedTuple):
    """The regression trees of a model, one after the other. Each begins with its root."""

    roots: Int32Array
    """[trees + 1] Where each begins; the last entry is the number of nodes."""
    features: npt.NDArray[np.int16]
    """[nodes] What a node asks for; -1 for a leaf."""
    thresholds: Floats
    """[nodes] Up to which it goes on to the left; of a leaf, what it adds to the odds."""
    lefts: npt.NDArray[np.int16]
    """[nodes] The node to the left, counted from the root; the one to the right is behind it."""
    base: float
    """The odds (their logarithm) before all trees."""


class ModelFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a model."""

    format: int
    about: str
    names: bytes
    words: bytes
    heads: bytes
    scales: tuple[float, float, float, float]
    intercepts: tuple[float, float, float, float]
    roots: bytes
    features: bytes
    thresholds: bytes
    lefts: bytes
    base: float


def dumps(weights: Weights, trees: Trees, about: str) -> bytes:
    """A model as the bytes of a file."""
    return msgspec.msgpack.encode(
        ModelFile(
            FORMAT, about, weights.names.tobytes(), weights.words.tobytes(), weights.heads.tobytes(), weights.scales,
            weights.intercepts, trees.roots.astype("<i4").tobytes(), trees.features.astype("<i2").tobytes(),
            trees.thresholds.astype("<f4").tobytes(), trees.lefts.astype("<i2").tobytes(), trees.base,
        )
    )  # fmt: skip


class Model:
    """What tells content from noise: one that is shipped, or one of your own (`fastwrap train`).

    >>> Model.shipped().about[:8]
    'fastwrap'
    """

    about: str
    """What it was trained on."""

    def __init__(self, weights: Weights, trees: Trees, about: str) -> None:
        self.about = about
        self.classifier = Classifier(vocabulary(), weights, trees)
        self._file = weights, trees

    def __reduce__(self) -> tuple[Callable[[bytes], Model], tuple[bytes]]:
        return Model.loads, (self.dumps(),)

    @classmethod
    def loads(cls, data: bytes) -> Model:
        """The model of the bytes of a file; FastwrapError for what is none."""
        expect(data, (bytes, bytearray, memoryview), "a model is the bytes of its file")
        if len(data) > MOST_BYTES:
            raise FastwrapError(f"a model has at most {MOST_BYTES:,} bytes, not {len(data):,}")
        try:
            file = msgspec.msgpack.decode(data, type=ModelFile)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise FastwrapError(f"no model of fastwrap: {error}") from None
        if file.format != FORMAT:
            raise FastwrapError(f"a model of format {file.format}, which this version does not read")
        tables = (file.names, BUCKETS * NAME_KINDS), (file.words, BUCKETS), (file.heads, BUCKETS)
        for table, length in tables:
            if len(table) != length:
                raise FastwrapError(f"no model of fastwrap: a table has {len(table):,} weights, not {length:,}")
        widths = ((file.roots, 4), (file.features, 2), (file.thresholds, 4), (file.lefts, 2))
        if any(len(array) % width for array, width in widths) or not file.roots:
            raise FastwrapError("no model of fastwrap: its trees are cut short")
        names, words, heads = (np.frombuffer(table, np.int8) for table, _ in tables)
        trees = Trees(
            np.frombuffer(file.roots, "<i4").astype(np.int32),
            np.frombuffer(file.features, "<i2").astype(np.int16),
            np.frombuffer(file.thresholds, "<f4").astype(np.float32),
            np.frombuffer(file.lefts, "<i2").astype(np.int16),
            file.base,
        )
        try:
            return cls(Weights(names, words, heads, file.scales, file.intercepts), trees, file.about)
        except ValueError as error:
            raise FastwrapError(f"no model of fastwrap: {error}") from None

    @classmethod
    def load(cls, path: str | Path) -> Model:
        """The model of a file; FastwrapError for a file that is none, OSError for one that cannot be read."""
        with Path(path).open("rb") as file:
            return cls.loads(file.read(MOST_BYTES + 1))

    @classmethod
    def shipped(cls) -> Model:
        """The model that comes with fastwrap."""
        return shipped()

    def dumps(self) -> bytes:
        """The model as the bytes of a file."""
        return dumps(*self._file, self.about)

    def save(self, path: str | Path) -> None:
        """Write the model to a file, whole or not at all."""
        write_beside(path, self.dumps())


@cache
def shipped() -> Model:
    """The model that comes with fastwrap, read once."""
    return Model.load(Path(__file__).with_name("content.model"))


def model_of(given: Model | str | os.PathLike[str]) -> Model:
    """A model, or that of a file.

    >>> model_of(5)
    Traceback (most recent call last):
    TypeError: a model is a fastwrap.Model or the path of its file, not int
    """
    if isinstance(given, Model):
        return given
    if not isinstance(given, str | os.PathLike):
        raise TypeError(f"a model is a fastwrap.Model or the path of its file, not {type(given).__name__}")
    return Model.load(Path(given))
