"""Arguments of a wrong type or value: every public function says so, by TypeError, ValueError or FastwrapError."""

from __future__ import annotations

import importlib
import inspect
import io
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fastwrap import (
    Extraction,
    FastwrapError,
    Page,
    Wrapper,
    WrapperSet,
    clean,
    content,
    extract,
    fetch,
    join,
    learn,
    match,
    output,
    similarity,
)
from fastwrap.cli import main
from fastwrap.regions import METHODS
from fastwrap.show import view

HTML = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5)) + "</ul>"
URL = "https://a.example/"
PAGE = Page(HTML, URL)
FOUND = extract(PAGE)
WRAPPER = learn(PAGE)


class Odd:
    """Like nothing: whatever is asked of it fails in its own way."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no {name}")


WRONG: dict[str, Any] = {
    "None": None, "True": True, "an object": object(), "odd": Odd(), "a class": int, "a function": len,
    "bytes": b"x", "empty bytes": b"", "a bytearray": bytearray(b"<p>x"), "a memoryview": memoryview(b"<p>x"),
    "a str": "x", "an empty str": "", "a surrogate": "\ud800", "a NUL": "a\0b", "a long str": "x" * 5_000,
    "0": 0, "-1": -1, "3": 3, "10**30": 10**30, "-10**30": -(10**30), "2**31": 2**31, "2**63": 2**63,
    "1.5": 1.5, "inf": math.inf, "-inf": -math.inf, "nan": math.nan, "1e400": float("1e400"), "complex": 1j,
    "a Decimal": Decimal("NaN"), "a Fraction": Fraction(1, 3), "a list": [], "a list of None": [None],
    "a list of lists": [[[[]]]], "a list of str": ["x", 3], "a tuple": (1, 2, 3), "a set": {1}, "a dict": {},
    "a dict of junk": {"x": object()}, "a generator": (k for k in "ab"),
    "int64": np.int64(3), "int64 of -1": np.int64(-1), "uint64": np.uint64(2**64 - 1),
    "float64": np.float64("nan"), "float32": np.float32(0.5), "bool_": np.bool_(True), "str_": np.str_("x"),
    "bytes_": np.bytes_(b"x"), "an array": np.arange(3), "an array of floats": np.array([0.5, np.nan]),
    "an array of objects": np.array([None, "x"]), "an empty array": np.empty((0, 2)),
    "a 3-d array": np.zeros((2, 2, 2), dtype=np.int64), "a path": Path("/nowhere/at/all"), "a folder": Path("/"),
    "a path with NUL": Path("a\0b"), "a stream": io.BytesIO(b"x"), "a text stream": io.StringIO("x"),
    "a response": SimpleNamespace(content=None, url=None, headers=None),
    "a bad response": SimpleNamespace(content=b"<p>x", url=3, headers=5),
    "a response without headers": SimpleNamespace(text="<p>x", url=object(), headers=[("content-type", "text/html")]),
    "a page": PAGE, "an extraction": FOUND, "a wrapper": WRAPPER, "a region": FOUND.regions[0],
}  # fmt: skip
"""What may come in place of anything. Some are right for some arguments: what is right is no failure."""

OPTIONS = [
    (method, option)
    for method in METHODS
    for option in list(inspect.signature(importlib.import_module(f"fastwrap.regions.{method}").find).parameters)[1:]
]
"""The options of all methods, each with its method."""

Call = Callable[[Any], Any]


def used(found: Extraction) -> None:
    """All that may be asked of what was found."""
    assert 0 <= found.confidence <= 1
    assert len(found.records) == len(found.to_dicts())
    assert found.to_json()
    assert found.next_page is None


def compare(measure: str, place: str, wrong: Any) -> Any:
    """A measure of similarity with something wrong in one place."""
    return getattr(similarity, measure)(**{"page": PAGE, "left": 3, "right": 4, place: wrong})


def with_option(method: str, option: str, wrong: Any) -> Extraction:
    """A method with something wrong for an option."""
    return extract(PAGE, method=method, **{option: wrong})


def calls() -> dict[str, Call]:
    """Each argument of each public function and method."""
    table: dict[str, Call] = {
        "Page html": lambda x: Page(x),
        "Page url": lambda x: extract(Page(HTML, x)).to_json(),
        "Page.of source": lambda x: Page.of(x),
        "Page.of url of a page": lambda x: Page.of(PAGE, x),
        "Page encoding": lambda x: Page(b"<p>x", encoding=x),
        "extract html": lambda x: used(extract(x)),
        "extract url": lambda x: used(extract(HTML, x)),
        "extract url of a page": lambda x: extract(PAGE, x),
        "extract method": lambda x: extract(PAGE, method=x),
        "extract clean": lambda x: extract(PAGE, clean=x),
        "extract main": lambda x: extract(PAGE, main=x),
        "extract min_confidence": lambda x: used(extract(PAGE, min_confidence=x)),
        "extract encoding": lambda x: extract(HTML.encode(), encoding=x),
        "extract unknown option": lambda x: extract(PAGE, nothing=x),
        "clean html": lambda x: clean(x),
        "clean url": lambda x: extract(clean(HTML, url=x)).next_page,
        "clean encoding": lambda x: clean(HTML.encode(), encoding=x),
        "clean mode": lambda x: clean(PAGE, mode=x),
        "content html": lambda x: content(x).to_dict(),
        "content url": lambda x: content(HTML, url=x).to_dict(),
        "content encoding": lambda x: content(HTML.encode(), encoding=x),
        "content builder": lambda x: content(HTML, builder=x),
        "learn pages": lambda x: learn(x).dumps(),
        "learn several": lambda x: learn([HTML, x]).dumps(),
        "learn url": lambda x: Wrapper.loads(learn(HTML, url=x).dumps()),
        "learn encoding": lambda x: learn(HTML.encode(), encoding=x).dumps(),
        "learn previous": lambda x: learn(HTML, previous=x).dumps(),
        "join listing": lambda x: join(x, [HTML]).to_json(),
        "join detail_pages": lambda x: join(FOUND, x).to_json(),
        "join one of the pages": lambda x: join(FOUND, [HTML, x]).to_json(),
        "join wrapper": lambda x: join(FOUND, [HTML], wrapper=x).to_json(),
        "match tables": lambda x: match(x).to_json(),
        "match one of the tables": lambda x: match([FOUND, x]).to_json(),
        "match a mapping": lambda x: match({"a": FOUND, "b": x}).to_json(),
        "Wrapper.extract html": lambda x: used(WRAPPER.extract(x)),
        "Wrapper.extract url": lambda x: used(WRAPPER.extract(HTML, x)),
        "Wrapper.check html": lambda x: WRAPPER.check(x),
        "Wrapper.check url": lambda x: WRAPPER.check(HTML, x),
        "Wrapper.save": lambda x: WRAPPER.save(x),
        "Wrapper.loads": lambda x: Wrapper.loads(x),
        "Wrapper.load": lambda x: Wrapper.load(x),
        "Wrapper.to_css": lambda x: WRAPPER.to_css(x),
        "Wrapper.to_xpath": lambda x: WRAPPER.to_xpath(x),
        "Wrapper.to_scrapy": lambda x: WRAPPER.to_scrapy(x),
        "WrapperSet": lambda x: WrapperSet(x),
        "WrapperSet of one": lambda x: WrapperSet([WRAPPER, x]),
        "WrapperSet.add": lambda x: WrapperSet().add(x),
        "WrapperSet.choose": lambda x: WrapperSet([WRAPPER]).choose(x),
        "WrapperSet.extract html": lambda x: used(WrapperSet([WRAPPER]).extract(x)),
        "WrapperSet.extract url": lambda x: used(WrapperSet([WRAPPER]).extract(HTML, x)),
        "Page.tag_name": lambda x: PAGE.tag_name(x),
        "Page.tag_name_of": lambda x: PAGE.tag_name_of(x),
        "Page.text": lambda x: PAGE.text(x),
        "Page.span_text start": lambda x: PAGE.span_text(x, 3),
        "Page.span_text end": lambda x: PAGE.span_text(0, x),
        "Page.text_count start": lambda x: PAGE.text_count(x, 3),
        "Page.text_count end": lambda x: PAGE.text_count(0, x),
        "Page.attributes": lambda x: PAGE.attributes(x),
        "Page.children": lambda x: list(PAGE.children(x)),
        "Page.ancestors": lambda x: list(PAGE.ancestors(x)),
        "Page.verbatim": lambda x: PAGE.verbatim(x),
        "Page.css_path": lambda x: PAGE.css_path(x),
        "Page.xpath": lambda x: PAGE.xpath(x),
        "Page.of encoding": lambda x: Page.of(HTML.encode(), encoding=x),
        "fetch url": lambda x: fetch(x),
        "fetch limits": lambda x: fetch("http://127.0.0.1:9/", limits=x),
        "Extraction.write where": lambda x: FOUND.write(x, "csv"),
        "Extraction.write format": lambda x: FOUND.write(io.BytesIO(), x),
        "Extraction[]": lambda x: FOUND[x],
        "Region.write where": lambda x: FOUND.regions[0].write(x, "csv"),
        "Record[]": lambda x: FOUND[0][x],
        "output.write extraction": lambda x: output.write(x, io.BytesIO(), "json"),
        "output.write extraction as csv": lambda x: output.write(x, io.BytesIO(), "csv"),
        "output.write where": lambda x: output.write(FOUND, x, "csv"),
        "output.write format": lambda x: output.write(FOUND, io.BytesIO(), x),
        "output.to_json": lambda x: output.to_json(x),
        "output.to_dicts": lambda x: output.to_dicts(x),
        "output.to_arrow": lambda x: output.to_arrow(x),
        "output.to_pandas": lambda x: output.to_pandas(x),
        "output.to_polars": lambda x: output.to_polars(x),
        "view html": lambda x: view(x, FOUND),
        "view extraction": lambda x: view(HTML, x),
        "view name": lambda x: view(HTML, FOUND, name=x),
        "view online": lambda x: view(HTML, FOUND, online=x),
    }
    for measure in MEASURES:
        for place in ("page", "left", "right", "budget"):
            table[f"similarity.{measure} {place}"] = partial(compare, measure, place)
    for method, option in OPTIONS:
        table[f"extract {method} {option}"] = partial(with_option, method, option)
    return table


MEASURES = "tree_matching tree_distance tree_mapping tag_edits tag_distance name_edits name_distance".split()
CALLS = calls()
FILES = ("output.write where", "Wrapper.save", "Extraction.write where", "Region.write where")
"""These also say what the system says of a file."""
LOOKED_UP = ("Extraction[]", "Record[]")
"""These also say that there is no such thing, as lists and dicts do."""


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is taken for the name of a file is one of an empty folder."""
    monkeypatch.chdir(tmp_path)


DOCUMENTED = (TypeError, ValueError, FastwrapError)


def told(call: Call, wrong: Any, kinds: tuple[type[Exception], ...] = DOCUMENTED) -> Exception | None:
    """What is said of an argument, if it is wrong. Any other exception is not caught."""
    try:
        call(wrong)
    except kinds as error:
        return error
    return None


@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments_are_told(name: str) -> None:
    kinds = (*DOCUMENTED, *([OSError] if name in FILES else [LookupError] if name in LOOKED_UP else []))
    said = [told(CALLS[name], wrong, kinds) for wrong in WRONG.values()]
    assert any(said) or name == "view online"  # which is a truth value, and everything has one
    assert all(str(error) for error in said if error is not None)


OTHERWISE = {"view online", "extract unknown option"}
"""Where anything has a truth value, or a FastwrapError says what is expected."""
TYPE_ERRORS = {
    "an object": CALLS.keys() - OTHERWISE,
    "1.5": [name for name in CALLS if name.startswith("Page.") or name.endswith(("siblings", "min_size", "budget"))],
    "3": [
        "Page html", "Page url", "Page encoding", "extract html", "extract url", "extract method", "extract main",
        "clean html", "clean url", "clean mode", "content html", "content url", "content builder", "learn pages",
        "learn url", "learn previous", "Wrapper.extract url",
        "WrapperSet", "WrapperSet.add", "output.write where", "output.write format", "output.to_json", "view name",
    ],
    "a str": ["content builder", "learn previous", "WrapperSet.add", "output.to_dicts", "view extraction"],
    "bytes": ["Page url", "extract url", "extract method", "output.write where", "output.write format", "view name"],
}  # fmt: skip


@pytest.mark.parametrize("wrong", TYPE_ERRORS)
def test_wrong_types_are_type_errors(wrong: str) -> None:
    """As documented, and not what Python says when an attribute is missing."""
    for name in sorted(TYPE_ERRORS[wrong]):
        error = told(CALLS[name], WRONG[wrong])
        assert isinstance(error, TypeError), (name, error)
        assert "attribute" not in str(error)


def test_numbers_of_numpy_are_numbers() -> None:
    kinds: tuple[Any, ...] = (np.int8, np.int32, np.uint8, np.uint64)
    for kind in kinds:
        assert PAGE.text(kind(4)) == PAGE.text(4)
        assert list(PAGE.children(kind(3))) == list(PAGE.children(3))
        assert PAGE.attributes(kind(3)) == PAGE.attributes(3)
    assert extract(PAGE, min_confidence=np.float64(0.9)).min_confidence == 0.9
    with pytest.raises(FastwrapError, match="no tag of the page has the number -1"):
        PAGE.tag_name_of(-1)
    with pytest.raises(FastwrapError, match="not those from 5 up to 3"):
        PAGE.text_count(5, 3)


NUMBERS = ["", "x", "nan", "inf", "-inf", "1e400", "-1", "9" * 5_000, "0x10", " "]
OPTIONS_OF_NUMBERS = ["--min-confidence", "--timeout", "--region"]
COMMANDS = [
    *(["extract", "a.html", option, number] for number in NUMBERS for option in OPTIONS_OF_NUMBERS),
    *(["eval", "folder", "--method", "auto", "--repeat", number] for number in NUMBERS),
    *(["bench", "--corpus", "folder", "--repeat", number] for number in NUMBERS),
    *(["extract", "a.html", option, ""] for option in ("--method", "--format", "--output")),
    *([verb, ""] for verb in ("extract", "learn", "show")),
    *([verb, "a\0b"] for verb in ("extract", "learn", "show", "eval")),
    ["extract", "http://"], ["extract", "http://["], ["extract", "http://a\0b/"], ["bench", "--html", "a\0b"],
    ["extract", "a.html", "-o", "a\0b.csv"], ["extract", "a.html", "-o", "x" * 5_000 + ".csv"],
    ["show", "a.html", "-o", "folder"], ["learn", "a.html", "-o", "folder"], ["apply", "a.html", "a.html"],
    ["apply", "folder", "a.html"], ["apply", "", "a.html"], ["extract", "folder"], ["eval", "a.html"],
    ["content", "a.html", "-o", "a.csv"], ["content", "a.html", "-f", "xlsx"], ["content", "a.html", "-o", "a.html"],
    ["content", ""], ["content", "a\0b"], ["content", "a.html", "-o", "folder", "-f", "md"],
    ["learn", "a.html", "--previous", "a.html"], ["bench", "--corpus", "a.html"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: " ".join(arguments)[:60].replace("\0", "NUL"))
def test_bad_use_of_the_command_line_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.html").write_text(HTML)
    Path("folder").mkdir()
    try:
        code: Any = main(arguments)
    except SystemExit as exit:  # of argparse
        code = exit.code
    assert code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "fastwrap" in captured.err
    assert Path("a.html").read_text() == HTML
    assert sorted(path.name for path in Path().iterdir()) == ["a.html", "folder"]
