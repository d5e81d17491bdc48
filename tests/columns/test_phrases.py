"""What texts say of themselves: the kernel that tells what they cannot be, and the regular expressions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap._core.columns import phrases as kernel
from fastwrap.columns.phrases import PHRASES, SHARE, kinds, phrase_of, tables
from tests.reference.columns import phrases as reference

WORDS = [word.strip() for phrase in PHRASES for word in phrase.words.split("/") if word]
PIECES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from([*" ,-_.7/mQfs", "\u0663", "\u0131", "\u017f", "\u1e9e", "\u9001\u6599", "İ", "📱"]),
    st.sampled_from(["㎡", "К", "\u2003", "1.2", "-7/"]),
    st.text(max_size=3),
)  # fmt: skip
TEXTS = st.lists(st.one_of(PIECES, PIECES.map(str.upper)), max_size=6).map("".join)


@given(st.lists(TEXTS, max_size=6), st.integers(0, 3))
def test_the_kernel_tells_as_its_twin(texts: list[str], misses: int) -> None:
    grams, bits, needs = tables()
    table = dict(zip(grams.tolist(), bits.tolist(), strict=True))
    assert kernel.Kinds(grams, bits, needs).may_be(texts, misses) == reference.may_be(
        texts, table, needs.tolist(), misses
    )


@pytest.mark.parametrize("phrase", PHRASES, ids=lambda phrase: phrase.name)
@given(data=st.data())
def test_what_is_of_a_kind_may_be_of_it(phrase: object, data: st.DataObject) -> None:
    number = next(number for number, each in enumerate(PHRASES) if each is phrase)
    text = data.draw(st.from_regex(PHRASES[number].pattern))
    assert kinds().may_be([text], 0) >> number & 1


@given(st.lists(TEXTS, max_size=20))
def test_the_kind_is_that_of_the_expressions(texts: list[str]) -> None:
    sample = texts[:: max(1, len(texts) // 15)][:15]
    length = sum(map(len, sample)) / max(1, len(sample))
    kinds = [
        phrase
        for phrase in PHRASES
        if sample
        and length <= phrase.longest
        and sum(phrase.pattern.search(text) is None for text in sample) <= int((1 - SHARE) * len(sample))
    ]
    assert phrase_of(texts) is (kinds[0] if kinds else None)


def test_tables_are_checked() -> None:
    grams, bits, needs = tables()
    with pytest.raises(ValueError, match="as many"):
        kernel.Kinds(grams[1:], bits, needs)
    with pytest.raises(ValueError, match="at most"):
        kernel.Kinds(grams, bits, np.zeros((33, 2), dtype=np.uint32))
    with pytest.raises(TypeError, match="strings"):
        kernel.Kinds(grams, bits, needs).may_be([b"a"], 0)  # type: ignore[list-item]
