"""Labelling: the blocks of a page, their features, and how likely each is content."""

from typing import Any

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.noise.model import Trees, Weights
from fastwrap.noise.vocabulary import Vocabulary
from fastwrap.page.arrays import Int32Array

Address = tuple[float, float, float, float]
"""What the address of a page is like: parts of its path, letters and hyphens of the last, whether it has a query."""

class Classifier:
    """A model, checked once, as the kernels take it.

    Raises ValueError for tables whose lengths differ from what the kernels read, trees with a branch that leads to an
    earlier node or out of the tree, features that there are not, and numbers that are not finite.
    """

    parts: tuple[Any, ...]
    def __init__(self, vocabulary: Vocabulary, weights: Weights, trees: Trees) -> None: ...

def label(
    native: NativePage, model: Classifier, address: Address
) -> tuple[Int32Array, Int32Array, npt.NDArray[np.bool_], npt.NDArray[np.float32], tuple[int, int, int]]:
    """The first text of each block of the body, the node after its last one, whether it is content, and how likely; and
    the words of all blocks, of those that are content, and of those of them that are prose: with the end of a sentence,
    of six words or more, and not mostly links.

    A block is a run of texts with the same nearest element that is not inline, between which no such element begins or
    ends. Blocks are content from a probability on that makes the F1 over words to be expected highest: half of it, and
    one half at most (Lipton et al. 2014). Of content of six words and more that comes again, the first one is kept.
    """

def features(
    native: NativePage, model: Classifier, address: Address
) -> tuple[Int32Array, Int32Array, npt.NDArray[np.float32]]:
    """The blocks, and the features of each [blocks, features], in the order of `fastwrap.noise.features.NAMES`."""

def evidence(
    native: NativePage, model: Classifier
) -> tuple[Int32Array, Int32Array, list[int], list[list[int]], list[list[int]], list[list[int]]]:
    """What the linear part is fitted on: the blocks, the owner of each, where the weights of its words are, those of
    its words as a heading; and for each node of the page, where the weights of its names are."""
