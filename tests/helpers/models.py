"""Models made of chance, for tests of the kernels that apply them."""

from __future__ import annotations

import numpy as np

from fastwrap.noise.features import NAMES
from fastwrap.noise.model import NAME_KINDS, Trees, Weights
from fastwrap.noise.vocabulary import BUCKETS

DEPTH = 6
THRESHOLDS = (-1.0, 0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 12.0, 60.0)


def random_weights(seed: int) -> Weights:
    random = np.random.default_rng(seed)
    names, words, heads = (
        random.integers(-128, 128, size, dtype=np.int8) for size in ((BUCKETS, NAME_KINDS), BUCKETS, BUCKETS)
    )
    one, two, three, four, *intercepts = random.normal(0, 0.02, 8).tolist()
    return Weights(names, words, heads, (one, two, three, four), tuple(intercepts))


def random_trees(seed: int, count: int = 70) -> Trees:
    """Trees of up to six levels, most of which ask for few things, and whose leaves say little or much."""
    random = np.random.default_rng(seed)
    roots, features, thresholds, lefts = [0], [], [], []
    strength = random.choice([0.02, 0.3, 2.0])
    for _ in range(count):
        levels = [0]
        for level in levels:
            if level < DEPTH and random.random() < 0.7:
                features.append(int(random.integers(len(NAMES))))
                thresholds.append(float(random.choice(THRESHOLDS)))
                lefts.append(len(levels))
                levels += [level + 1, level + 1]
            else:
                features.append(-1)
                thresholds.append(random.normal(0, strength))
                lefts.append(0)
        roots.append(roots[-1] + len(levels))
    return Trees(
        np.array(roots, np.int32), np.array(features, np.int16), np.array(thresholds, np.float32),
        np.array(lefts, np.int16), float(random.normal(0, 0.5)),
    )  # fmt: skip


def no_trees(base: float = 0.0) -> Trees:
    nothing = np.zeros(0, np.int16)
    return Trees(np.zeros(1, np.int32), nothing, np.zeros(0, np.float32), nothing, base)
