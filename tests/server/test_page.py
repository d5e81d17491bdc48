"""What the page at `/` asks for: the view of a page, files, wrappers and code, and its own files."""

from __future__ import annotations

import ast
import base64
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

import fastwrap
from fastwrap.page.names import TEXT
from fastwrap.server.page.lines import Asked, Place, curl, python
from fastwrap.server.page.routes import POLICY
from fastwrap.show.offering import MOST_OFFERED, with_left_out, wrapper_of
from fastwrap.show.regions import RECORD, shown_regions
from tests.helpers.paths import EXAMPLES
from tests.helpers.problems import problem
from tests.helpers.serving import Caller, calling

WORDS = "amber birch cedar dune ember fern grove heath iris jade".split()
URL = "https://bowls.example/all"


def bowls(words: list[str] = WORDS, more: str = "") -> str:
    items = "".join(
        f'<li class=bowl><a href="/item/{word}">{word} bowl</a> <b>{5 + number}.50 EUR</b>'
        f" <i>made in {word.title()}ton</i><u>in stock</u><button>Add to basket</button></li>"
        for number, word in enumerate(words)
    )
    return f"<title>Bowls</title><h1>Bowls</h1><ul>{items}</ul>{more}"


MENU = "<ul class=menu>" + "".join(f"<li><a href=/{word}>All about {word}</a></li>" for word in WORDS[:4]) + "</ul>"
DETAIL = "<title>Oak table</title><h1>Oak table</h1><p>Price: 120 EUR<p>Width: 80 cm"


STATUS = {"bad-request": 400, "fetching-not-allowed": 403, "not-found": 404, "not-acceptable": 406}


def refused(answer: Any, name: str) -> bool:
    """Whether an answer is this problem."""
    return bool(problem(answer, name, STATUS.get(name, 422)))


def asked(app: Caller, what: str, **fields: Any) -> Any:
    answer = app.post(f"/page/{what}", json=fields)
    assert answer.status_code == 200, answer.text
    return answer


# The page itself


def test_the_page_and_its_files_load_nothing_from_elsewhere(app: Caller) -> None:
    answer = app.get("/")
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    tree = LexborHTMLParser(answer.text)
    assert tree.css("script:not([src]), style, [style]") == []
    loaded = [element.attributes.get("src") or element.attributes["href"] or "" for element in tree.css("[src], link")]
    assert loaded
    seen = set()
    while loaded:
        path = loaded.pop()
        if path in seen or path.startswith("data:"):
            continue
        seen.add(path)
        assert re.fullmatch(r"/page/[a-z]+\.(js|css)", path)
        file = app.get(path)
        assert file.status_code == 200
        assert file.headers["content-type"].partition(";")[0] == (
            "text/javascript" if path.endswith(".js") else "text/css"
        )
        assert re.findall(r"https?://(?!\S*\.example)|url\(|@import|\beval\(|new Function", file.text) == []
        loaded += [f"/page/{name}" for name in re.findall(r'^import .* from "\./(\S+)";', file.text, re.MULTILINE)]
    assert {"/page/app.js", "/page/view.js", "/page/marked.js", "/page/view.css"} <= seen
    assert refused(app.get("/page/nothing.js"), "not-found")
    assert refused(app.get("/page/..%2freading.py"), "not-found")


# The view


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.html")))
def test_the_view_is_that_of_the_library(app: Caller, name: str) -> None:
    html = (EXAMPLES / name).read_bytes()
    found = asked(app, "look", file=base64.b64encode(html).decode(), name=name, url=URL).json()
    extraction = fastwrap.extract(html, URL)
    tree = LexborHTMLParser(found["view"])
    shown = found["lists"]
    records = [len(tree.css(f"#list-{each['number']} tr[data-record]")) for each in shown]
    assert records == [each["records"] for each in shown]
    detail = extraction.kind == "detail"
    assert records[detail:] == [len(region) for region in extraction.regions][: 8 - detail]
    for each, region in zip(shown[detail:], extraction.regions, strict=False):
        names = [column["name"] for column in each["columns"] if not column["left_out"]]
        assert sorted(names) == sorted(column.name for column in region.columns)
        assert len({column["name"] for column in each["columns"]}) == len(each["columns"])
        why = {column["left_out"] for column in each["columns"]} - {""}
        assert why == {item.why for item in region.table.left_out[:MOST_OFFERED]}
        heads = tree.css(f"#list-{each['number']} thead th[data-column]")
        assert ["hidden" in head.attributes for head in heads] == [bool(c["left_out"]) for c in each["columns"]]
    assert tree.css_first("iframe").attributes["sandbox"] == "allow-same-origin"  # type: ignore[union-attr]


def test_all_columns_are_those_of_the_library(app: Caller) -> None:
    for path in EXAMPLES.glob("*.html"):
        for region in fastwrap.extract(path.read_bytes()).regions:
            full, left_out, _ = with_left_out(region)
            width = len(region.columns)
            assert [column.name for column in full.columns][:width] == [column.name for column in region.columns]
            assert [texts[:width] for texts in full.texts] == region.texts
            assert len(full.columns) == width + len(left_out)


def test_a_column_that_is_left_out_is_marked_but_has_no_colour() -> None:
    [shown] = shown_regions(fastwrap.extract(bowls()), offering=True)
    assert set(shown.left_out.values()) == {
        "all records have the same",
        "it is a button or a link that says what to do",
    }
    page = fastwrap.extract(bowls()).page
    buttons = [place.node for place in shown.places if shown.columns[place.column].name in shown.left_out]
    assert {page.text(node) for node in buttons} == {"in stock", "Add to basket"}
    assert all(page.tag[node] == TEXT for node in buttons)


def test_a_page_that_is_fetched_comes_with_its_view(monkeypatch: pytest.MonkeyPatch) -> None:
    html = bowls(["café", "thé", "maté"]).encode("windows-1252")
    fetched: list[str] = []

    def fetch(url: str, **_: Any) -> SimpleNamespace:
        fetched.append(url)
        headers = {"content-type": "text/html; charset=windows-1252"}
        return SimpleNamespace(content=html, url="https://bowls.example/all?page=1", headers=headers)

    monkeypatch.setattr("fastwrap.fetching.fetch", fetch)
    with calling(allow_fetch=True) as app:
        found = asked(app, "look", url=URL).json()
        assert found["page"]["url"] == found["url"] == "https://bowls.example/all?page=1"
        assert base64.b64decode(found["page"]["file"]) == html
        assert "café bowl" in found["view"]
        rows = asked(app, "table?format=json", **found["page"]).json()
        assert rows[0]["link"] == "https://bowls.example/item/café"
        code = asked(app, "code", **found["page"]).json()
    assert "fastwrap.fetch('https://bowls.example/all?page=1')" in code["python"]
    assert '--json \'{"url": "https://bowls.example/all?page=1"}\'' in code["curl"]
    assert fetched == [URL]  # the calls that follow have the page itself


# Files


def test_files_are_those_of_the_library(app: Caller) -> None:
    found = fastwrap.extract(bowls(), URL)
    page = {"html": bowls(), "url": URL}
    assert asked(app, "table?format=csv", **page).text == found.to_csv()
    answer = asked(app, "table?format=json", **page)
    assert answer.json() == found.to_dicts(json=True)
    assert answer.headers["content-type"] == "application/json"
    for kind, magic in (("parquet", b"PAR1"), ("xlsx", b"PK"), ("jsonl", b"{")):
        assert asked(app, f"table?format={kind}", **page).content.startswith(magic)
    assert refused(app.post("/page/table?format=exe", json=page), "not-acceptable")


def columns_of(app: Caller, **page: Any) -> dict[str, int]:
    lists = asked(app, "look", **page).json()["lists"]
    return {column["name"]: number for number, column in enumerate(lists[page.get("number", 0)]["columns"])}


def test_columns_are_chosen_and_renamed(app: Caller) -> None:
    places = columns_of(app, html=bowls())
    [state] = [name for name in places if "avail" in name]
    chosen = [[places[state], "state"], [places["price"], "cost"]]
    rows = asked(app, "table?format=json", html=bowls(), columns=chosen).json()
    assert rows[1] == {"cost": {"amount": "6.50", "currency": "EUR"}, "state": True}  # as the page has them
    wrapper = fastwrap.Wrapper.loads(asked(app, "wrapper", html=bowls(), columns=chosen).text)
    other = bowls(["oak", "elm", "ash"])
    assert wrapper.extract(other).to_dicts(json=True) == [
        {"cost": {"amount": f"{k}.50", "currency": "EUR"}, "state": True} for k in (5, 6, 7)
    ]
    # The same wrapper again, as the page has it when it is applied.
    file = json.loads(wrapper.dumps())
    found = asked(app, "look", html=other, wrapper=file).json()
    assert found["wrapper"]["fit"] == 1.0
    assert not found["wrapper"]["alarm"]
    assert [column["state"] for column in found["wrapper"]["columns"]] == ["ok", "ok"]
    assert asked(app, "table?format=csv", html=other, wrapper=file).text == wrapper.extract(other).to_csv()
    # And changed once more, with what it knows of its columns.
    fewer = asked(app, "wrapper", html=other, wrapper=file, columns=[[0, "price of it"]]).text
    again = fastwrap.Wrapper.loads(fewer)
    assert again.extract(other).to_dicts(json=True)[0] == {"price of it": {"amount": "5.50", "currency": "EUR"}}
    assert again.check(other).fit == 1.0
    assert again.check(re.sub("<b>.*?</b>", "", other)).alarm
    assert asked(app, "wrapper", html=other, wrapper=file).text == wrapper.dumps()
    drifted = asked(app, "look", html=re.sub("<b>.*?</b>", "", other), wrapper=file).json()["wrapper"]
    assert drifted["alarm"]
    assert {column["state"] for column in drifted["columns"]} == {"ok", "emptied"}


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"columns": []}, "bad-request"),
        ({"columns": [[99, "a"]]}, "bad-request"),
        ({"columns": [[0, "a"], [1, "a"]]}, "bad-request"),
        ({"columns": [[0, "a"], [0, "b"]]}, "bad-request"),
        ({"columns": [[0, ""]]}, "bad-request"),
        ({"columns": [[0, "a" * 101]]}, "bad-request"),
        ({"number": 7}, "bad-request"),
        ({"number": -1}, "bad-request"),
        ({"unknown": 1}, "bad-request"),
        ({"html": None}, "bad-request"),
        ({"html": None, "url": "https://bowls.example/"}, "fetching-not-allowed"),
        ({"file": "!"}, "bad-request"),
        ({"file": "PHA+"}, "bad-request"),
        ({"wrapper": {"format": "no"}}, "unusable"),
        ({"wrapper": 5}, "unusable"),
        ({"html": None, "file": base64.b64encode(b"%PDF-1.7").decode()}, "not-a-page"),
        ({"saved_as": "a\nb"}, "bad-request"),
    ],
)
def test_requests_that_make_no_sense(app: Caller, fields: dict[str, Any], name: str) -> None:
    for path in ("table", "wrapper", "code"):
        assert refused(app.post(f"/page/{path}", json={"html": bowls(), **fields}), name)


def test_what_cannot_have_a_wrapper_says_why(app: Caller) -> None:
    found = asked(app, "look", html=DETAIL).json()
    assert found["kind"] == "detail"
    assert "two or more" in found["lists"][0]["why_no_wrapper"]
    assert refused(app.post("/page/wrapper", json={"html": DETAIL}), "unusable")
    assert asked(app, "table?format=json", html=DETAIL).json()[0]["Width"] == 80
    teas = ",".join(f'{{"name": "Tea number {k}", "price": {k}.5, "url": "/tea/{k}"}}' for k in range(9))
    data = f'<p>Loading...<script>let state = {{"items": [{teas}]}}</script>'
    assert "data alone" in asked(app, "look", html=data).json()["lists"][0]["why_no_wrapper"]
    assert refused(app.post("/page/wrapper", json={"html": data}), "unusable")
    assert asked(app, "table?format=csv", html=data).text == fastwrap.extract(data).to_csv()
    code = asked(app, "code", html=data).json()
    assert code["scrapy"] is None
    assert "data alone" in code["why_no_scrapy"]


# Code


def ran(code: str, folder: Path) -> Any:
    shown = f"{code}\nimport json\nfrom fastwrap.output.values import json_value\nprint(json.dumps(json_value(rows)))"
    done = subprocess.run([sys.executable, "-c", shown], cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("html", [bowls(), bowls(more=MENU), DETAIL], ids=["list", "two lists", "detail"])
def test_the_python_lines_give_what_is_shown(app: Caller, html: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(html)
    lists = asked(app, "look", html=html).json()["lists"]
    for shown in lists:
        every = [[number, f"'{number}\" {{x}} \\"] for number in range(len(shown["columns"]))]
        for columns in (None, every[:1], every)[: 3 if shown["number"] == 0 else 1]:
            chosen = {"html": html, "number": shown["number"], "columns": columns, "saved_as": "it"}
            code = asked(app, "code", **chosen).json()["python"]
            if "Wrapper.load" in code:
                (tmp_path / "it.json").write_text(asked(app, "wrapper", **chosen).text)
            assert ran(code, tmp_path) == asked(app, "table?format=json", **chosen).json()


def test_the_spider_is_that_of_the_wrapper(app: Caller) -> None:
    places = columns_of(app, html=bowls(), url=URL)
    chosen = {"html": bowls(), "url": URL, "columns": [[places["price"], "cost"]]}
    spider = asked(app, "code", **chosen).json()["scrapy"]
    ast.parse(spider)
    assert "'cost': clean(record.xpath('./b/text()')" in spider
    assert URL in spider


HARD = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20
) | st.sampled_from(
    ["'", '"', "\\", "$(id)", "`id`", "a\nb", "'; import os #", "{x}", "%s", "-rf", "\u2028", "'''", '"""']
)


@given(file=HARD, url=st.none() | HARD, old=HARD, new=HARD, rank=st.sampled_from([RECORD, 0, 3]), main=st.booleans())
def test_what_a_page_says_is_never_code(file: str, url: str | None, old: str, new: str, rank: int, main: bool) -> None:
    """Names and addresses come from strangers: in Python they are literals, in a shell single words."""
    fetched = Asked("", url or "x", "it", "http://127.0.0.1:1", True)
    for about in (Asked(file, url, "it", "http://127.0.0.1:1", False), fetched):
        for place in (Place(rank, main, None), Place(rank, main, {old: new}), Place(rank, main, {old: new}, True)):
            tree = ast.parse(python(about, place))
            called = {
                node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call) if hasattr(node.func, "attr")
            }
            assert called <= {"extract", "fetch", "load", "to_dicts", "to_dict"}
            literals = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
            if place.names and not place.by_wrapper:
                assert {old, new} <= literals
            assert not url or url in literals
            for line in split_commands(curl(about, place)):
                assert line[0] == "curl"
                assert sum(word.startswith("http://127.0.0.1:1/v1/") for word in line) == 1
                assert not [word for word in line if word.startswith("-") and word not in CURL_OPTIONS]


CURL_OPTIONS = {"--data-binary", "-H", "--json", "-T"}


def split_commands(text: str) -> list[list[str]]:
    """The commands of lines for a shell; comments are left out."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";&|()<>")
    lexer.commenters = "#"
    lexer.whitespace_split = True
    words = list(lexer)
    starts = [place for place, word in enumerate(words) if word == "curl"]
    return [words[start:end] for start, end in zip(starts, [*starts[1:], len(words)], strict=True)]


def test_a_wrapper_of_one_list_reads_it_alone() -> None:
    html = bowls(more=MENU)
    for rank, region in enumerate(fastwrap.extract(html).regions):
        full = with_left_out(region).region
        every = [(place, column.name) for place, column in enumerate(full.columns)]
        wrapper = wrapper_of(full, every, 0.5)
        read = fastwrap.Wrapper.loads(wrapper.dumps()).extract(html)
        assert len(read.regions) == 1, rank
        assert read.regions[0].texts == full.texts
        assert read.fit == 1.0
