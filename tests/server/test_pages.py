"""Routes that read one page: what they answer, in which formats, and what they say of requests that make no sense."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from jsonschema import Draft202012Validator

import fastwrap
from fastwrap.common.packing import packed, unpacked
from tests.helpers.paths import ROOT
from tests.helpers.problems import problem
from tests.helpers.serving import Caller, shop

SCHEMA = json.loads((ROOT / "src/fastwrap/schema/extraction.schema.json").read_text())
PAGE = shop()
URL = "https://shop.example/tables?page=1"


def test_the_answer_is_that_of_the_library(app: Caller, example: bytes) -> None:
    answer = app.post("/v1/extract", params={"url": URL}, content=example)
    assert answer.status_code == 200
    assert answer.content.decode() == fastwrap.extract(example, URL).to_json()
    Draft202012Validator(SCHEMA).validate(answer.json())


def test_json_and_html_bodies_say_the_same(app: Caller) -> None:
    plain = app.post("/v1/extract", params={"url": URL, "want": "price,name"}, content=PAGE)
    as_json = app.post("/v1/extract", json={"html": PAGE, "url": URL, "want": ["price", "name"]})
    assert plain.content == as_json.content
    assert [column["name"] for column in plain.json()["regions"][0]["columns"]] == ["price", "name"]


def test_every_option_does_what_it_does_in_the_library(app: Caller) -> None:
    options: list[dict[str, Any]] = [
        {"method": "mdr"},
        {"min_confidence": 1.0},
        {"columns": "all"},
        {"clean": True},
        {"clean": "joined"},
        {"main": "longest"},
        {"structured": False},
        {"want": {"price": "money", "name": None}},
    ]
    for each in options:
        expected = dict(each)
        if "want" in expected:
            expected["want"] = {"price": float, "name": str}
        told = app.post("/v1/extract", json={"html": PAGE, **each})
        assert told.content.decode() == fastwrap.extract(PAGE, **expected).to_json(), each


def test_a_query_says_what_json_says(app: Caller) -> None:
    query = {"clean": "true", "min_confidence": "0.25", "structured": "false", "columns": "all", "want": "a, b:money"}
    body = {
        "clean": True,
        "min_confidence": 0.25,
        "structured": False,
        "columns": "all",
        "want": {"a": None, "b": "money"},
    }
    one = app.post("/v1/extract", params=query, content=PAGE)
    other = app.post("/v1/extract", json={"html": PAGE, **body})
    assert one.status_code == 200
    assert one.content == other.content


def test_the_charset_of_the_header_counts_and_the_encoding_more(app: Caller) -> None:
    page = shop().replace("Ash", "Äsche").encode("latin-1")
    for keywords in (
        {"headers": {"content-type": "text/html; charset=ISO-8859-1"}},
        {"headers": {"content-type": "text/html; charset=utf-8"}, "params": {"encoding": "latin-1"}},
        {"params": {"encoding": "text/html; charset=latin-1"}},
    ):
        assert "Äsche table no. 0" in app.post("/v1/extract", content=page, **keywords).text


def test_formats(app: Caller) -> None:
    def as_(accept: str, **params: str) -> Any:
        return app.post("/v1/extract", content=PAGE, headers={"accept": accept}, params=params)

    x = fastwrap.extract(PAGE)
    assert as_("text/csv").text == x.to_csv()
    assert as_("text/csv").headers["content-type"] == "text/csv; charset=utf-8"
    lines = as_("application/x-ndjson").text.splitlines()
    assert [json.loads(line)["title"] for line in lines] == [record["title"] for record in x]
    assert as_("text/markdown").text.startswith("| ")
    table = pyarrow.ipc.open_stream(io.BytesIO(as_("application/vnd.apache.arrow.stream").content)).read_all()
    assert table.to_pylist() == x.to_arrow().to_pylist()
    assert as_("text/csv;q=0.5, application/*;q=0.4").headers["content-type"].startswith("text/csv")
    assert as_("text/html, */*;q=0.1").json() == json.loads(x.to_json())
    assert as_("application/json", format="csv").text == x.to_csv()
    assert as_("text/csv").headers["fastwrap-records"] == "6"
    problem(as_("image/png"), "not-acceptable", 406)
    problem(as_("*/*", format="xlsx"), "not-acceptable", 406)


def test_no_cell_is_a_formula(app: Caller) -> None:
    page = shop().replace("Ash table no. 0", "=HYPERLINK(1)").replace("Beech table no. 1", "@SUM(1)")
    told = app.post("/v1/extract", content=page, headers={"accept": "text/csv"}).text
    assert "'=HYPERLINK" in told
    assert "'@SUM" in told


@pytest.mark.parametrize("packing", ["gzip", "br", "zstd"])
def test_bodies_and_answers_are_packed(app: Caller, packing: str) -> None:
    page = shop(0, 50)
    answer = app.post(
        "/v1/extract",
        content=packed(page.encode(), packing),
        headers={"content-encoding": packing, "accept-encoding": packing},
    )
    assert answer.headers["content-encoding"] == packing
    assert "accept-encoding" in answer.headers["vary"].lower()
    assert answer.text == fastwrap.extract(page).to_json()
    plain = app.post("/v1/extract", content=page, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert int(answer.headers["content-length"]) < int(plain.headers["content-length"]) / 4
    assert b"".join(unpacked([packed(b"a", packing)], packing, 10)) == b"a"


def test_content(app: Caller) -> None:
    page = (ROOT / "examples" / "article.html").read_bytes() if (ROOT / "examples" / "article.html").exists() else None
    html = page or (
        "<title>Tea</title><nav><a href=/>Home</a></nav><article><h1>Tea</h1>" + "<p>Boil <b>water</b>. " * 30
    )
    said = fastwrap.content(html)
    assert app.post("/v1/content", content=html).json() == said.to_dict()
    assert app.post("/v1/content", content=html, headers={"accept": "text/plain"}).text == said.text
    assert app.post("/v1/content", content=html, headers={"accept": "text/markdown"}).text == said.markdown
    problem(app.post("/v1/content", content=html, params={"want": "a"}), "bad-request", 400)


def test_methods(app: Caller) -> None:
    assert list(app.get("/v1/methods").json()["methods"]) == list(fastwrap.methods())


def test_requests_that_make_no_sense(app: Caller) -> None:
    def post(**keywords: Any) -> Any:
        return app.post("/v1/extract", **keywords)

    as_json = {"content-type": "application/json"}
    assert "method" in problem(post(content=PAGE, params={"method": "best"}), "bad-request", 400)
    assert "wants" in problem(post(json={"html": PAGE, "wants": []}), "bad-request", 400)
    problem(post(json={"html": PAGE, "want": []}), "bad-request", 400)
    problem(post(json={"html": PAGE, "min_confidence": 2}), "bad-request", 400)
    problem(post(json={"html": PAGE}, params={"url": "a"}), "bad-request", 400)
    problem(post(content="{", headers=as_json), "bad-request", 400)
    problem(post(content="[" * 100_000, headers=as_json), "bad-request", 400)
    problem(post(content=b'{"html": "\xff"}', headers=as_json), "bad-request", 400)
    problem(post(content=PAGE, params=[("url", "a"), ("url", "b")]), "bad-request", 400)
    problem(post(content=b""), "bad-request", 400)
    problem(post(json={}), "bad-request", 400)
    problem(post(json={"url": "http://127.0.0.1/"}), "fetching-not-allowed", 403)
    problem(post(content=PAGE, headers={"content-type": "image/png"}), "unsupported-media-type", 415)
    problem(post(content=PAGE, headers={"content-encoding": "lzma"}), "unsupported-media-type", 415)
    problem(post(content=b"no gzip", headers={"content-encoding": "gzip"}), "bad-request", 400)
    problem(post(content=packed(PAGE.encode(), "gzip")[:-9], headers={"content-encoding": "gzip"}), "bad-request", 400)
    problem(post(content=b"%PDF-1.4 and more"), "not-a-page", 422)
    problem(post(content=PAGE, params={"encoding": "klingon"}), "not-a-page", 422)
    problem(post(content=PAGE, params={"want": "a", "main": "x"}), "bad-request", 400)
    problem(app.get("/v1/extract"), "method-not-allowed", 405)
    problem(app.get("/v1/nothing"), "not-found", 404)
    assert app.get("/v1/extract").headers["allow"] == "POST"


def test_request_ids(app: Caller) -> None:
    assert app.get("/health", headers={"x-request-id": "abc-1"}).headers["x-request-id"] == "abc-1"
    for bad in ("a b", "x" * 65, "<script>"):
        given = app.get("/health", headers={"x-request-id": bad}).headers["x-request-id"]
        assert given != bad
        assert len(given) == 16


def test_health_ready_and_metrics(app: Caller) -> None:
    assert app.get("/health").json()["status"] == "ok"
    assert app.get("/ready").json() == {"status": "ready"}
    app.post("/v1/extract", content=PAGE)
    told = app.get("/metrics")
    assert 'fastwrap_requests_total{route="/v1/extract",status="200"}' in told.text
    app.app.stopping = True
    try:
        problem(app.get("/ready"), "overloaded", 503)
    finally:
        app.app.stopping = False


def test_nothing_of_a_page_or_a_query_is_logged(app: Caller, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    app.post("/v1/extract", content=PAGE, params={"url": "https://secret.example/?key=hidden"})
    app.post("/v1/extract", content=PAGE, params={"hidden": "hidden"})
    lines = capfd.readouterr().err.splitlines()
    assert [json.loads(line)["status"] for line in lines] == [200, 400]
    assert "hidden" not in "".join(lines)
    assert "Ash" not in "".join(lines)
