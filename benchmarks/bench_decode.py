"""Decoding as a fraction of the bare parse of the same page, which the saved JSON has as extra information.
The pages are generated, some 200 KB each."""

import timeit

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from selectolax.lexbor import LexborHTMLParser

from fastwrap.page.decode import decode

ENGLISH = "A quiet hotel by the sea"
MIXED = "Ein ruhiges Hotel am Meer für Gäste, die schöne Nächte mögen, 東京"
FRENCH = "Un hôtel très calme près de la mer, à côté du café"
JAPANESE = "海の近くの静かなホテルです。朝食は無料です。"


def page_of(text: str, head: str = "") -> str:
    records = "".join(
        f'<li class="item"><a href="/item/{n}">{text}</a> <span class="price">{n}.99</span></li>' for n in range(2000)
    )
    return f"<!DOCTYPE html><html><head>{head}<title>{text}</title></head><body><ul>{records}</ul></body></html>"


# what the page is, its bytes, the encoding that is found
PAGES = {
    "ascii": (page_of(ENGLISH).encode(), "utf-8"),
    "utf-8, a tenth not ascii": (page_of(MIXED).encode(), "utf-8"),
    "windows-1252, declared": (page_of(FRENCH, "<meta charset=latin1>").encode("cp1252"), "windows-1252"),
    "shift_jis, undeclared": (page_of(JAPANESE).encode("cp932"), "shift_jis"),
}


@pytest.mark.parametrize("kind", PAGES)
def test_decode(benchmark: BenchmarkFixture, kind: str) -> None:
    page, encoding = PAGES[kind]
    decoded = benchmark(decode, page)
    assert decoded.encoding == encoding
    # by turns and by the fastest of each: the machine may be busy at times
    times = [
        (timeit.timeit(lambda: decode(page), number=1), timeit.timeit(lambda: LexborHTMLParser(decoded.html), number=1))
        for _ in range(100)
    ]
    decoding, parse = map(min, zip(*times, strict=True))
    benchmark.extra_info["fraction of the parse"] = round(decoding / parse, 4)
