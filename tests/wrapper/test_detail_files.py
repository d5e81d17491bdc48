"""Wrapper files with a record that are wrong or made to take long: FastwrapError says what is wrong with them."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap import FastwrapError, Wrapper, learn
from tests.helpers.detail_sites import Site

SITE = Site(5)
FILE = json.loads(learn([SITE.page(number).html for number in range(3)], kind="detail").dumps())


def change(edit: Callable[[dict[str, Any]], Any]) -> str:
    document = copy.deepcopy(FILE)
    edit(document["detail"])
    return json.dumps(document)


WRONG: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a column without a slot": lambda detail: detail["columns"][0].update(slot=19_999),
    "a column twice": lambda detail: detail["columns"].append(detail["columns"][0]),
    "no slots": lambda detail: detail["slots"].clear(),
    "no columns": lambda detail: detail["columns"].clear(),
    "a slot before its parent": lambda detail: detail["slots"][1].__setitem__(1, 5),
    "two roots": lambda detail: detail["slots"][1].__setitem__(1, -1),
    "a hash that is none": lambda detail: detail["slots"][0].__setitem__(4, "xyz"),
    "a hash that is too long": lambda detail: detail["slots"][0].__setitem__(4, "f" * 17),
    "flags that are none": lambda detail: detail["slots"][0].__setitem__(2, 128),
    "labels out of order": lambda detail: detail["labels"].reverse(),
    "a part without a rule": lambda detail: detail["columns"][0].update(part=3),
    "pages that are none": lambda detail: detail["columns"][0].update(occurs="2"),
    "a field too many": lambda detail: detail.update(more=1),
    "too many slots": lambda detail: detail["slots"].extend(detail["slots"][-1:] * 20_000),
}


@pytest.mark.parametrize("edit", WRONG.values(), ids=WRONG)
def test_a_wrong_record_is_refused(edit: Callable[[dict[str, Any]], Any]) -> None:
    with pytest.raises(FastwrapError, match="not a wrapper"):
        Wrapper.loads(change(edit))


def test_the_file_is_right_as_it_is() -> None:
    assert Wrapper.loads(json.dumps(FILE)).detail is not None


@given(st.integers(0, 10**9))
def test_a_changed_number_is_refused_or_harmless(seed: int) -> None:
    """Whatever numbers stand in the slots: an error, or a wrapper that reads a page."""
    rng = random.Random(seed)

    def edit(detail: dict[str, Any]) -> None:
        for _ in range(rng.randrange(1, 6)):
            slot = rng.choice(detail["slots"])
            slot[rng.choice([1, 2, 3])] = rng.choice([-1, 0, 1, 2, 7, 127, 500])

    try:
        wrapper = Wrapper.loads(change(edit))
    except FastwrapError:
        return
    record = wrapper.extract(SITE.page(9).html).record
    assert record is not None
    assert len(record.texts) == len(record.columns)
    assert wrapper.schema is not None
