"""Routes of wrappers: versions, entity tags, and pages that are read by one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import fastwrap
from tests.helpers.problems import problem
from tests.helpers.serving import Caller, calling, redesigned, shop


@pytest.fixture
def own() -> Iterator[Caller]:
    with calling() as caller:
        yield caller


def test_learn_keep_and_read(own: Caller) -> None:
    answer = own.post(
        "/v1/learn", json={"pages": [{"html": shop(0), "url": "https://a.example/"}, {"html": shop(6)}], "id": "a"}
    )
    assert answer.status_code == 201
    told = answer.json()
    assert (told["id"], told["version"], told["kind"], told["misfits"]) == ("a", 1, "list", [])
    assert answer.headers["etag"] == f'"{told["etag"]}"'
    assert answer.headers["location"] == "/v1/wrappers/a"
    learned = fastwrap.learn([fastwrap.Page(shop(0), "https://a.example/"), shop(6)])
    assert told["wrapper"] == json.loads(learned.dumps())

    read = own.post("/v1/wrappers/a/extract", content=shop(12))
    document = read.json()
    wrapper = document.pop("wrapper")
    assert document == json.loads(learned.extract(shop(12)).to_json())
    assert wrapper == {
        "id": "a", "version": 1, "etag": told["etag"], "fit": 1.0, "fits": True, "drift": [],
    }  # fmt: skip
    as_csv = own.post("/v1/wrappers/a/extract", content=shop(12), headers={"accept": "text/csv"})
    assert as_csv.text == learned.extract(shop(12)).to_csv()
    assert as_csv.headers["fastwrap-wrapper"] == "a"
    assert as_csv.headers["fastwrap-version"] == "1"
    assert as_csv.headers["fastwrap-fit"] == "1.0"


@pytest.mark.parametrize("value", [None, True, [], {}])
def test_examples_are_texts_and_numbers(own: Caller, value: Any) -> None:
    asked = {"pages": [{"html": shop()}], "examples": [{"price": value}]}
    detail = problem(own.post("/v1/learn", json=asked), "bad-request", 400)
    assert "examples" in detail
    told = own.post("/v1/learn", json={**asked, "examples": [{"price": 12.5, "name": "Cedar table no. 2"}]})
    assert told.status_code == 201, told.text


def test_drift(own: Caller) -> None:
    own.post("/v1/learn", params={"id": "a"}, content=shop(0, 20))
    page = shop(0, 20).replace("class=price", "class=price hidden").replace(".50 EUR", "")
    page = page.replace("<span class=price hidden>", "<!--").replace("</span>", "-->")
    wrapper = own.post("/v1/wrappers/a/extract", content=page).json()["wrapper"]
    assert wrapper["fits"] is False
    assert {each["column"]: each["state"] for each in wrapper["drift"]}["price"] == "emptied"


def test_versions(own: Caller) -> None:
    first = own.post("/v1/learn", params={"id": "a"}, content=shop()).json()
    second = own.post("/v1/learn", params={"id": "a", "want": "price"}, content=shop())
    assert second.status_code == 200
    assert second.json()["version"] == 2
    file = own.get("/v1/wrappers/a")
    assert file.headers["etag"] == second.headers["etag"]
    assert file.headers["fastwrap-version"] == "2"
    assert fastwrap.Wrapper.loads(file.content).dumps() == file.text
    old = own.get("/v1/wrappers/a", params={"version": "1"})
    assert old.json() == first["wrapper"]
    listed = own.get("/v1/wrappers/a/versions").json()["versions"]
    assert [(each["version"], each["state"], each["origin"]) for each in listed] == [
        (2, "current", "learned"), (1, "old", "learned"),
    ]  # fmt: skip
    columns = own.post("/v1/wrappers/a/extract", params={"version": "1"}, content=shop()).json()["regions"][0][
        "columns"
    ]
    assert len(columns) > 1
    problem(own.get("/v1/wrappers/a", params={"version": "3"}), "not-found", 404)
    problem(own.get("/v1/wrappers/a", params={"version": "0"}), "bad-request", 400)
    problem(own.get("/v1/wrappers/a", params={"what": "0"}), "bad-request", 400)


def test_entity_tags(own: Caller) -> None:
    file = own.post("/v1/learn", params={"store": "false"}, content=shop())
    assert (file.status_code, file.json()["id"], file.json()["version"]) == (200, None, None)
    document = json.dumps(file.json()["wrapper"])
    created = own("PUT", "/v1/wrappers/a", content=document, headers={"if-none-match": "*"})
    assert created.status_code == 201
    tag = created.headers["etag"]
    assert own.get("/v1/wrappers/a").headers["etag"] == tag
    assert own.get("/v1/wrappers/a", headers={"if-none-match": f'"other", {tag}'}).status_code == 304
    problem(own("PUT", "/v1/wrappers/a", content=document, headers={"if-none-match": "*"}), "precondition-failed", 412)
    problem(own("PUT", "/v1/wrappers/a", content=document, headers={"if-match": '"x"'}), "precondition-failed", 412)
    problem(own("PUT", "/v1/wrappers/b", content=document, headers={"if-match": "*"}), "precondition-failed", 412)
    again = own("PUT", "/v1/wrappers/a", content=document, headers={"if-match": tag})
    assert (again.status_code, again.json()["version"]) == (200, 1)  # the same bytes make no version
    other = fastwrap.learn(redesigned()).dumps()
    assert own("PUT", "/v1/wrappers/a", content=other, headers={"if-match": tag}).json()["version"] == 2
    problem(own("DELETE", "/v1/wrappers/a", headers={"if-match": tag}), "precondition-failed", 412)
    assert own("DELETE", "/v1/wrappers/a", headers={"if-match": "*"}).status_code == 204
    problem(own("DELETE", "/v1/wrappers/a"), "not-found", 404)
    problem(own.get("/v1/wrappers/a"), "not-found", 404)
    problem(own.get("/v1/wrappers/a/versions"), "not-found", 404)
    problem(own.post("/v1/wrappers/a/extract", content=shop()), "not-found", 404)


def test_lists(own: Caller) -> None:
    document = fastwrap.learn(shop()).dumps()
    for name in ("c", "a", "b.1", "b-2"):
        own("PUT", f"/v1/wrappers/{name}", content=document)
    first = own.get("/v1/wrappers", params={"limit": "2"}).json()
    assert [each["id"] for each in first["wrappers"]] == ["a", "b-2"]
    second = own.get("/v1/wrappers", params={"after": first["next"], "limit": "2"}).json()
    assert [each["id"] for each in second["wrappers"]] == ["b.1", "c"]
    assert second["next"] is None


@pytest.mark.parametrize("name", ["..", "%2e%2e", "a%2Fb", ".a", "a b", "x" * 101, "é", "a%00"])
def test_ids(own: Caller, name: str) -> None:
    answer = own("PUT", f"/v1/wrappers/{name}", content=fastwrap.learn(shop()).dumps())
    assert answer.status_code in (404, 405)
    assert own.get("/v1/wrappers").json()["wrappers"] == []


def test_what_is_learned_may_be_said(own: Caller) -> None:
    def learn(**said: Any) -> Any:
        return own.post("/v1/learn", json={"pages": [{"html": shop()}], **said})

    def columns(answer: Any) -> list[str]:
        wrapper = fastwrap.Wrapper.loads(json.dumps(answer.json()["wrapper"]))
        return list(wrapper.extract(shop()).to_dicts()[0])

    assert columns(learn(want=["price"])) == ["price"]
    assert columns(learn(examples=[{"what": "Elm table no. 4", "cost": "14.50"}])) == ["what", "cost"]
    assert learn().json()["id"].startswith("w-")
    detail = [f"<title>{k}</title><h1>Lamp {k}</h1><p>Price: {k}.50 EUR</p>" for k in range(1, 4)]
    assert own.post("/v1/learn", json={"pages": [{"html": page} for page in detail]}).json()["kind"] == "detail"
    problem(learn(examples=[{"what": "no such value"}]), "unusable", 422)
    problem(learn(pages=[]), "bad-request", 400)
    problem(learn(examples=[]), "bad-request", 400)
    problem(own.post("/v1/learn", content="<p>nothing"), "nothing-to-learn", 422)
    problem(own.post("/v1/learn", json={"pages": [{"html": "<p>"}] * 51}), "bad-request", 400)
    problem(own("PUT", "/v1/wrappers/a", content="{}"), "unusable", 422)
    problem(own("PUT", "/v1/wrappers/a", content="no"), "unusable", 422)


def test_batches(own: Caller) -> None:
    own.post("/v1/learn", params={"id": "a"}, content=shop())
    lines: list[Any] = [
        {"html": shop(k), "id": f"page {k}", **({"wrapper": "a"} if k % 2 else {})} for k in range(20)
    ]  # fmt: skip
    lines += [
        {"html": redesigned()},
        {"html": "<p>", "id": 3, "wrapper": "b"},
        {"what": 1, "id": "x"},
        {"url": "http://a/"},
    ]
    body = "\n\n".join(map(json.dumps, lines)) + "\n{\n"
    answer = own.post("/v1/extract/batch", content=body)
    assert answer.headers["content-type"] == "application/x-ndjson"
    told = [json.loads(line) for line in answer.text.splitlines()]
    assert [each["id"] for each in told] == [*(f"page {k}" for k in range(20)), 20, 3, "x", 23, 24]
    assert [each["status"] for each in told] == [200] * 21 + [404, 400, 403, 400]
    assert told[0]["result"] == json.loads(fastwrap.extract(shop(0)).to_json())
    assert told[1]["result"]["wrapper"]["version"] == 1
    assert told[22]["problem"]["type"] == "/docs/problems#bad-request"
    assert own.post("/v1/extract/batch", content=b"").text == ""
    problem(own.post("/v1/extract/batch", content=b"", headers={"accept": "text/csv"}), "not-acceptable", 406)
    problem(own.post("/v1/extract/batch", content=b"", params={"a": "b"}), "bad-request", 400)
