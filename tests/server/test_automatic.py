"""The route that needs no wrapper: what happens to pages of a site that is redesigned, and strange at times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fastwrap import Page
from fastwrap.server.sites import ALIKE, Place, likeness, pattern_of, sketch_of
from fastwrap.server.store import Expected
from tests.helpers.serving import Caller, calling, redesigned, shop

LIST = "https://shop.example/c/tables"
STRANGE = "<title>Wait</title><h1>Are you human?</h1><p>We could not tell."


def news(start: int = 0, count: int = 8) -> str:
    rows = "".join(
        f"<tr><td>{k}.<td><a href=/n/{k}>Story no. {k} of the year {1900 + k}</a><td>{k * 7} points"
        for k in range(start, start + count)
    )
    return f"<title>News</title><div id=x><table>{rows}</table></div>"


@pytest.fixture
def own() -> Iterator[Caller]:
    with calling() as caller:
        yield caller


class Site:
    """Pages of a site, sent one after the other."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    def __call__(self, page: str, url: str | None = LIST, **said: Any) -> dict[str, Any]:
        answer = self.caller.post("/v1/auto/extract", json={"html": page, "url": url, **said})
        assert answer.status_code == 200, answer.text
        document: dict[str, Any] = answer.json()
        self.records = document["regions"][0]["records"] if document["regions"] else []
        wrapper: dict[str, Any] = document["wrapper"]
        assert answer.headers["fastwrap-happened"] == wrapper["happened"]
        return wrapper

    def versions(self, id: str) -> list[tuple[int, str, str]]:
        listed = self.caller.get(f"/v1/wrappers/{id}/versions").json()["versions"]
        return [(each["version"], each["state"], each["origin"]) for each in listed]


def test_a_redesign_is_healed_when_a_second_page_agrees(own: Caller) -> None:
    site = Site(own)
    first = site(shop(0))
    assert (first["happened"], first["version"], first["site"]) == ("learned", 1, "shop.example")
    assert site(shop(6))["happened"] == "applied"
    assert site(shop(6), "https://shop.example/c/chairs")["happened"] == "applied"

    healed = site(redesigned(4))
    assert (healed["happened"], healed["version"], healed["is_candidate"]) == ("healed", 2, True)
    assert len(site.records) == 6
    assert own.get(f"/v1/wrappers/{healed['id']}").headers["fastwrap-version"] == "1"
    again = site(redesigned(4))
    assert (again["happened"], again["is_candidate"]) == ("candidate", True)
    confirmed = site(redesigned(12))
    assert (confirmed["happened"], confirmed["version"], confirmed["is_candidate"]) == ("confirmed", 2, False)
    assert site(redesigned(18))["happened"] == "applied"
    assert site.versions(first["id"]) == [(2, "current", "healed"), (1, "old", "learned")]
    assert own.get(f"/v1/wrappers/{healed['id']}").headers["fastwrap-version"] == "2"

    back = site(shop(18))  # a site that shows two designs is read by both
    assert (back["happened"], back["version"]) == ("applied", 1)
    assert site(redesigned(30))["version"] == 2


def test_columns_keep_their_names(own: Caller) -> None:
    site = Site(own)
    site(shop(0))
    site(redesigned(2))
    answer = own.post("/v1/auto/extract", json={"html": redesigned(9), "url": LIST, "want": ["price"]}).json()
    assert [column["name"] for column in answer["regions"][0]["columns"]] == ["price"]
    assert answer["regions"][0]["records"][0]["values"] == [{"amount": "19.50", "currency": "EUR"}]


def test_a_strange_page_poisons_nothing(own: Caller) -> None:
    site = Site(own)
    first = site(shop(0))
    for strange in (STRANGE, news(), news(), "<p>", STRANGE):
        told = site(strange)
        assert told["happened"] in ("misfit", "healed", "learned again", "candidate")
        assert told["fits"] is (told["version"] is not None)
        again = site(shop(6))
        assert (again["happened"], again["version"]) == ("applied", 1)
    assert own.get(f"/v1/wrappers/{first['id']}").headers["fastwrap-version"] == "1"
    assert site(STRANGE)["happened"] == "misfit"
    assert site.records == []


def test_a_candidate_that_no_page_fits_is_dropped_for_the_next(own: Caller) -> None:
    site = Site(own)
    first = site(shop(0))
    strange = site(news())
    if strange["happened"] == "misfit":
        pytest.fail("a page with another list makes a candidate")
    assert site(redesigned(4))["is_candidate"]
    assert site(redesigned(11))["happened"] == "confirmed"
    states = {number: state for number, state, _ in site.versions(first["id"])}
    assert states == {1: "old", 2: "dropped", 3: "current"}


def test_other_parts_of_a_site_have_wrappers_of_their_own(own: Caller) -> None:
    site = Site(own)
    listing = site(shop(0))
    other = site(news(), "https://shop.example/news")
    assert other["happened"] == "learned"
    assert other["id"] != listing["id"]
    assert site(news(8), "https://shop.example/news")["id"] == other["id"]
    assert site(shop(9))["id"] == listing["id"]
    assert site(shop(9), "https://another.example/c/tables")["happened"] == "learned"


def test_a_wrapper_that_is_put_back_is_that_of_its_site_again(own: Caller) -> None:
    site = Site(own)
    id = site(shop(0))["id"]
    file = own.get(f"/v1/wrappers/{id}").content
    assert own("DELETE", f"/v1/wrappers/{id}").status_code == 204
    assert own("PUT", f"/v1/wrappers/{id}", content=file).status_code == 201
    own.app.services.shelf._sites.clear()  # as it is half a second later
    assert (site(shop(6))["happened"], site(shop(9))["happened"]) == ("applied", "applied")
    assert site(redesigned(4))["happened"] == "healed"
    assert own.get("/v1/wrappers").json()["wrappers"][0]["site"] == "shop.example"


def test_a_wrapper_that_is_deleted_meanwhile_is_learned_anew(own: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site(own)
    id = site(shop(0))["id"]
    put = own.app.services.shelf.put

    async def late(namespace: str, *rest: Any, **keywords: Any) -> Any:
        if keywords["sample"] is not None:  # a candidate of a wrapper that somebody deletes at this moment
            await own.app.services.shelf.delete(namespace, id, Expected())
        return await put(namespace, *rest, **keywords)

    monkeypatch.setattr(own.app.services.shelf, "put", late)
    assert site(redesigned(0))["happened"] == "learned"
    assert site(redesigned(6))["happened"] == "applied"


def test_an_address_may_be_anything(own: Caller) -> None:
    site = Site(own)
    for url in ("http://a\0b.example/\0", "http://", "https://[::1", "http://b\u00fccher.example:99/?\0=1", " ", ""):
        assert site(shop(0), url)["happened"] in ("learned", "applied"), url
    assert "\\u0000" not in own.get("/v1/wrappers").text


def test_pages_without_an_address_are_told_by_how_they_are_built(own: Caller) -> None:
    site = Site(own)
    first = site(shop(0), None)
    assert first["happened"] == "learned"
    assert first["site"].startswith("built like")
    assert site(shop(20, 9), None) | {"fit": 1.0} == {**first, "happened": "applied"}
    assert site(news(), None)["happened"] == "learned"
    assert site(STRANGE, None)["happened"] == "extracted"


def test_pages_about_one_thing_are_read_by_themselves(own: Caller) -> None:
    page = "<title>Lamp</title><h1>Lamp</h1><p>Price: 12.50 EUR<p>Width: 80 cm<p>Colour: green"
    answer = own.post("/v1/auto/extract", json={"html": page, "url": "https://shop.example/p/1"}).json()
    assert answer["wrapper"]["happened"] == "extracted"
    assert answer["wrapper"]["id"] is None
    assert answer["record"] is not None
    assert own.get("/v1/wrappers").json()["wrappers"] == []


def test_namespaces_know_nothing_of_each_other() -> None:
    ann, bob = "token-of-ann-0123456789", "token-of-bob-0123456789"
    with calling(tokens={ann: "ann", bob: "bob"}) as caller:
        for token in (ann, bob):
            answer = caller.post(
                "/v1/auto/extract", params={"url": LIST}, content=shop(), headers={"authorization": f"Bearer {token}"}
            )
            assert answer.json()["wrapper"]["happened"] == "learned"


def test_many_at_once_learn_once(own: Caller) -> None:
    import asyncio

    async def run() -> list[str]:
        answers = await asyncio.gather(
            *(own.client.post("/v1/auto/extract", params={"url": LIST}, content=shop(k)) for k in range(20))
        )
        return [answer.json()["wrapper"]["happened"] for answer in answers]

    assert sorted(own.run(run())) == ["applied"] * 19 + ["learned"]


def test_patterns_and_sketches() -> None:
    assert pattern_of("https://www.a.example/c/x?page=2&utm_source=b") == pattern_of("http://a.example/c/x/")
    assert pattern_of("https://a.example/item/12") == pattern_of("https://a.example/item/999")
    assert pattern_of("https://a.example/item?id=12") != pattern_of("https://a.example/item")
    hostile = [
        "http://[",
        "http://a:b:c",
        "https://",
        "data:x",
        "http://a/" + "x/" * 9_999,
        "https://é/?" + "a=1&" * 999,
    ]
    for each in hostile:
        host, pattern = pattern_of(each)
        assert len(host) < 3_000
        assert len(pattern) <= 24
    one, other, third = (sketch_of(Page(page)) for page in (shop(0), shop(30, 12), news()))
    assert likeness(one, other) == 1.0
    assert likeness(one, third) < ALIKE
    assert likeness("", "") == 0.0
    place = Place(Page(shop()), None)
    assert place.nearness("other", place.sited.sketch) == 1.0
    assert sketch_of(Page("")) != ""
