"""Models as files: what is written is read again, and what is no model is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page
from fastwrap._core.noise.labelling import Classifier
from fastwrap.noise import model as face
from fastwrap.noise.features import NAMES
from fastwrap.noise.labelling import label
from fastwrap.noise.model import Model, Trees
from fastwrap.noise.vocabulary import AS_FLAG, BUCKETS, FLAGS, OWNERS, ROLES, bucket_of, hash_of, vocabulary
from fastwrap.page.names import TAGS
from tests.helpers.models import no_trees, random_trees, random_weights

SHIPPED = Path(face.__file__).with_name("content.model")
PAGE = Page("<nav><a href=/>Home</a></nav><h1>Domes</h1><p>A dome of stone keeps the rain out.</p><p>b")
MODEL = Model(random_weights(1), random_trees(1), "made of chance")
FILE = MODEL.dumps()
FIELDS: dict[str, Any] = msgspec.msgpack.decode(FILE)


def probability(model: Model) -> list[float]:
    found: list[float] = label(PAGE, model).probability.tolist()
    return found


def file_of(**changed: object) -> bytes:
    """The file of a model in which some fields are others."""
    return msgspec.msgpack.encode({**FIELDS, **changed})


def of_tree(
    features: list[int], thresholds: Sequence[float], lefts: list[int], roots: list[int] | None = None
) -> dict[str, bytes]:
    """The fields of one tree."""
    return {
        "roots": np.array(roots or [0, len(features)], "<i4").tobytes(),
        "features": np.array(features, "<i2").tobytes(),
        "thresholds": np.array(thresholds, "<f4").tobytes(),
        "lefts": np.array(lefts, "<i2").tobytes(),
    }


# What is written is read again


@pytest.mark.parametrize("seed", range(5))
def test_round_trip(seed: int, tmp_path: Path) -> None:
    model = Model(random_weights(seed), random_trees(seed), f"seed {seed}, é")
    again = Model.loads(model.dumps())
    assert (again.about, again.dumps()) == (model.about, model.dumps())
    assert probability(again) == probability(model)
    model.save(tmp_path / "own.model")
    assert Model.load(tmp_path / "own.model").dumps() == model.dumps()
    assert Model.load(str(tmp_path / "own.model")).about == model.about


def test_a_model_without_trees() -> None:
    model = Model.loads(Model(random_weights(0), no_trees(), "linear").dumps())
    assert probability(model) == [0.5] * 4


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Model.load(tmp_path / "none.model")


def test_what_is_not_bytes_is_told() -> None:
    given: Any = None
    with pytest.raises(TypeError, match="a model is the bytes of its file, not NoneType"):
        Model.loads(given)


def test_the_shipped_model() -> None:
    if not SHIPPED.exists():
        pytest.skip("the shipped model is not in this clone")
    model = Model.load(SHIPPED)
    assert model.about == Model.shipped().about
    assert Model.shipped() is Model.shipped()
    assert model.dumps() == SHIPPED.read_bytes()
    fields = msgspec.msgpack.decode(SHIPPED.read_bytes())
    features = np.frombuffer(fields["features"], "<i2")
    assert features.max() < len(NAMES)
    assert all(0 <= each <= 1 for each in probability(model))


# What is no model is refused


HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "text": lambda: b"no model",
    "html": lambda: b"<!doctype html><p>Not found",
    "another thing": lambda: msgspec.msgpack.encode([1, 2, 3]),
    "no fields": lambda: msgspec.msgpack.encode({}),
    "one field more": lambda: file_of(more=1),
    "one field less": lambda: msgspec.msgpack.encode({name: FIELDS[name] for name in FIELDS if name != "base"}),
    "trailing bytes": lambda: FILE + b"x",
    "nested": lambda: b"\x91" * 1_000_000,
    "too large": lambda: b"\0" * 20_000_000,
    "another format": lambda: file_of(format=2),
    "format of text": lambda: file_of(format="1"),
    "about of bytes": lambda: file_of(about=b"\xff"),
    "about not in UTF-8": lambda: FILE.replace(b"made of", b"made\xff\xfe\xff"),
    "names of text": lambda: file_of(names="a"),
    "names too short": lambda: file_of(names=FIELDS["names"][:-1]),
    "words too long": lambda: file_of(words=FIELDS["words"] + b"\0"),
    "heads missing": lambda: file_of(heads=b""),
    "three scales": lambda: file_of(scales=[0.0] * 3),
    "scale not a number": lambda: file_of(scales=[0.0, 0.0, 0.0, float("nan")]),
    "intercept infinite": lambda: file_of(intercepts=[float("inf"), 0.0, 0.0, 0.0]),
    "base not a number": lambda: file_of(base=float("nan")),
    "base infinite": lambda: file_of(base=float("-inf")),
    "base nothing": lambda: file_of(base=None),
    "base beyond a float": lambda: file_of(base="1e999"),
    "no roots": lambda: file_of(roots=b""),
    "roots cut short": lambda: file_of(roots=FIELDS["roots"][:-1]),
    "one root less": lambda: file_of(roots=FIELDS["roots"][:-4]),
    "features cut short": lambda: file_of(features=FIELDS["features"][:-1]),
    "one feature less": lambda: file_of(features=FIELDS["features"][:-2]),
    "thresholds cut short": lambda: file_of(thresholds=FIELDS["thresholds"][:-1]),
    "one threshold more": lambda: file_of(thresholds=FIELDS["thresholds"] + b"\0" * 4),
    "one left less": lambda: file_of(lefts=FIELDS["lefts"][:-2]),
    "threshold not a number": lambda: file_of(**of_tree([0, -1, -1], [float("nan"), 0, 0], [1, 0, 0])),
    "leaf infinite": lambda: file_of(**of_tree([0, -1, -1], [0, float("inf"), 0], [1, 0, 0])),
    "feature out of range": lambda: file_of(**of_tree([len(NAMES), -1, -1], [0, 0, 0], [1, 0, 0])),
    "feature far out of range": lambda: file_of(**of_tree([32767, -1, -1], [0, 0, 0], [1, 0, 0])),
    "branch to itself": lambda: file_of(**of_tree([0, -1, -1], [0, 0, 0], [0, 0, 0])),
    "branch back": lambda: file_of(**of_tree([0, 0, -1, -1], [0] * 4, [1, 0, 0, 0])),
    "branch before the tree": lambda: file_of(**of_tree([0, -1, -1], [0, 0, 0], [-1, 0, 0])),
    "right child beyond the tree": lambda: file_of(**of_tree([0, -1, -1], [0, 0, 0], [2, 0, 0])),
    "branch into the next tree": lambda: file_of(**of_tree([0, -1, -1, -1, -1], [0] * 5, [3, 0, 0, 0, 0], [0, 3, 5])),
    "a lone branch": lambda: file_of(**of_tree([0], [0], [1])),
    "a tree without nodes": lambda: file_of(**of_tree([-1], [0], [0], [0, 0, 1])),
    "roots that go back": lambda: file_of(**of_tree([-1] * 3, [0] * 3, [0] * 3, [0, 2, 1, 3])),
    "roots beyond the nodes": lambda: file_of(**of_tree([-1] * 3, [0] * 3, [0] * 3, [0, 99, 3])),
    "roots that do not begin at 0": lambda: file_of(**of_tree([-1] * 3, [0] * 3, [0] * 3, [1, 3])),
    "negative roots": lambda: file_of(**of_tree([-1] * 3, [0] * 3, [0] * 3, [0, -2, 3])),
    "roots that leave nodes": lambda: file_of(**of_tree([-1] * 3, [0] * 3, [0] * 3, [0, 2])),
    # Seven steps down: each node goes to the two after it.
    "too deep": lambda: file_of(
        **of_tree(
            [0, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, -1, -1], [0] * 15,
            [1, 3, 0, 5, 0, 7, 0, 9, 0, 11, 0, 13, 0, 0, 0],
        )
    ),
    "too many nodes": lambda: file_of(**of_tree([-1] * 128, [0] * 128, [0] * 128)),
    # Its right child is the node 32,768, a number that a child does not have.
    "a child beyond all numbers": lambda: file_of(
        **of_tree([0] + [-1] * 32_768, [0] * 32_769, [32_767] + [0] * 32_768)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_model_is_refused(name: str, tmp_path: Path) -> None:
    data = HOSTILE[name]()
    with pytest.raises(FastwrapError, match="model"):
        Model.loads(data)
    path = tmp_path / "hostile.model"
    path.write_bytes(data)
    with pytest.raises(FastwrapError, match="model"):
        Model.load(path)


def test_six_levels_are_read() -> None:
    fields = of_tree([0, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, -1, -1], [0] * 13, [1, 3, 0, 5, 0, 7, 0, 9, 0, 11, 0, 0, 0])
    features = np.frombuffer(fields["features"], "<i2")
    assert (len(features), (features >= 0).sum()) == (13, 6)
    assert len(probability(Model.loads(file_of(**fields)))) == 4


def test_a_file_that_is_cut_is_refused() -> None:
    for length in [*range(300), *range(300, len(FILE), 997), len(FILE) - 1]:
        with pytest.raises(FastwrapError):
            Model.loads(FILE[:length])


@given(st.binary(max_size=300))
def test_any_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(FastwrapError):
        Model.loads(data)


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, len(FILE) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_a_file_with_other_bytes_is_refused_or_applied(changes: list[tuple[int, int]]) -> None:
    data = bytearray(FILE)
    for at, byte in changes:
        data[at] = byte
    applied_or_refused(bytes(data))


nodes = st.lists(
    st.tuples(st.integers(-2, len(NAMES) + 1), st.floats(width=32), st.integers(-3, 12)), min_size=1, max_size=12
)


@settings(max_examples=1000)
@given(nodes, st.lists(st.integers(-1, 13), max_size=4), st.booleans())
def test_any_trees_are_refused_or_applied(drawn: list[tuple[int, float, int]], roots: list[int], plain: bool) -> None:
    features, thresholds, lefts = (list(part) for part in zip(*drawn, strict=True))
    between = [] if plain else sorted(roots)
    applied_or_refused(file_of(**of_tree(features, thresholds, lefts, [0, *between, len(drawn)])))


def applied_or_refused(data: bytes) -> None:
    try:
        model = Model.loads(data)
    except FastwrapError:
        return
    assert all(0 <= each <= 1 for each in probability(model))


# The classifier by itself


def test_a_classifier_is_never_without_its_tables() -> None:
    with pytest.raises(TypeError):
        Classifier.__new__(Classifier)
    before = probability(MODEL)
    MODEL.classifier.__init__(vocabulary(), MODEL_PARTS[0], None)  # type: ignore[misc]
    assert probability(MODEL) == before


MODEL_PARTS = random_weights(1), random_trees(1)


def test_a_tag_without_a_place_is_refused() -> None:
    words = vocabulary()
    for bucket in (-1, BUCKETS):
        buckets = words.tag_buckets.copy()
        buckets[3] = bucket
        with pytest.raises(ValueError, match="a tag has no place"):
            Classifier(words._replace(tag_buckets=buckets), *MODEL_PARTS)


def test_tables_of_another_length_are_refused() -> None:
    weights, trees = MODEL_PARTS
    for shorter in (
        weights._replace(names=weights.names[1:]),
        weights._replace(words=weights.words[1:]),
        weights._replace(heads=weights.heads[1:]),
    ):
        with pytest.raises(ValueError, match="differ in length"):
            Classifier(vocabulary(), shorter, trees)
    for name in ("begins", "flags", "owners", "tag_buckets", "role_flags"):
        table = getattr(vocabulary(), name)
        with pytest.raises(ValueError, match="differ in length"):
            Classifier(vocabulary()._replace(**{name: table[1:]}), weights, trees)
    with pytest.raises(ValueError, match="do not cover"):
        Classifier(vocabulary(), weights, Trees(np.zeros(0, np.int32), *trees[1:]))


# The vocabulary


def test_features_have_names_of_their_own() -> None:
    assert len(set(NAMES)) == len(NAMES) == 179


def test_vocabulary_names_what_there_is() -> None:
    words = vocabulary()
    known = {*TAGS}
    assert {*FLAGS} - {"heading"} <= known
    assert known.issuperset(AS_FLAG)
    assert {*AS_FLAG.values(), *ROLES.values()} <= {*FLAGS}
    assert {*OWNERS} <= known
    assert len(set(OWNERS)) == len(OWNERS)
    assert {len(table) for table in words[:4]} == {len(TAGS) + 1}
    assert len(words.role) == len(words.role_flags) == len(ROLES)
    assert words.owners[-1] == len(OWNERS) + 1 == words.owners.max()


def test_words_fall_into_all_places() -> None:
    """As evenly as chance has it: two thirds of as many places as there are words."""
    places = [bucket_of(hash_of(b"%d" % number), kind) for number in range(BUCKETS // 4) for kind in range(4)]
    assert all(0 <= place < BUCKETS for place in places)
    assert 0.6 < len(set(places)) / BUCKETS < 0.66
