"""Hashes of what data lists: the kernel against its twin, and which addresses count as the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap._core.structured.listed import gather, sorted_hashes
from fastwrap.structured.jsonld import TRAILS
from tests.reference.structured import listed as plain

ADDRESSES = st.text(st.sampled_from("ab/:?#=&.é"), max_size=24).map(str.encode)
NAMES = st.one_of(st.binary(max_size=40), st.sampled_from([b"", b"a", b"abcdefg", b"abcdefgh", b"abcdefghi"]))


@given(st.lists(NAMES, max_size=5), st.lists(st.one_of(ADDRESSES, NAMES), max_size=5))
@settings(max_examples=2000)
def test_both_hash_the_same(names: list[bytes], addresses: list[bytes]) -> None:
    assert sorted_hashes(names, addresses) == plain.sorted_hashes(names, addresses)


@given(st.lists(st.one_of(ADDRESSES, NAMES), max_size=8))
def test_different_strings_have_different_hashes(strings: list[bytes]) -> None:
    assert len(sorted_hashes(strings, [])) == len(set(strings) - {b""}) + (b"" in strings) * bool(plain.hashed(b"", 0))
    assert len(sorted_hashes([], strings)) == len({plain.essence(address) for address in strings} - {b""})


@pytest.mark.parametrize(
    "address",
    ["/a/b?c=1", "https://shop.example/a/b?c=1", "//shop.example/a/b?c=1", "HTTP://x/a/b?c=1#top", "/a/b?c=1#"],
)  # fmt: skip
def test_an_address_counts_from_its_path_on(address: str) -> None:
    assert sorted_hashes([], [address.encode()]) == sorted_hashes([], [b"/a/b?c=1"])


@pytest.mark.parametrize("address", ["/a/b", "/a/b?c=2", "a/b?c=1", "/A/b?c=1", "x:/a/b?c=1", "/a//b?c=1"])
def test_others_are_others(address: str) -> None:
    assert sorted_hashes([], [address.encode()]) != sorted_hashes([], [b"/a/b?c=1"])


@pytest.mark.parametrize("address", ["", "/", "#top", "https://shop.example", "https://shop.example/", "//x/#a"])
def test_the_first_page_of_a_site_is_no_item(address: str) -> None:
    assert sorted_hashes([], [address.encode()]) == []


def test_names_and_addresses_are_kept_apart() -> None:
    assert sorted_hashes([b"/tea"], []) != sorted_hashes([], [b"/tea"])


@pytest.mark.parametrize("given", [(None, []), ([], None), (["text"], []), ([], [1])])
def test_only_bytes_are_taken(given: tuple[object, object]) -> None:
    with pytest.raises(TypeError):
        sorted_hashes(*given)  # type: ignore[arg-type]


TYPES = st.sampled_from(["Product", "https://schema.org/Product", "x:Event", "a#b/c:", "BreadcrumbList", "", "é/Ü"])
KEYS = st.sampled_from(["@type", "@id", "url", "name", "headline", "title", "itemListElement", "item", "other"])
VALUES = st.recursive(
    TYPES | st.integers() | st.none() | st.sampled_from(["/a", "Tea", "T", ""]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=40,
)


@given(VALUES, st.integers(-1, 20), st.integers(1, 3))
@settings(max_examples=2000)
def test_both_gather_the_same(root: object, left: int, least: int) -> None:
    found: list[tuple[int, set[str], set[str]]] = []
    for read in (gather, plain.gather):
        names, addresses = {"known"}, {"/known"}
        found.append((read(root, left, names, addresses, TRAILS, least), names, addresses))
    assert found[0] == found[1]
