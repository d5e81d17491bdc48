"""Pages that scripts make, rendered by Chromium and then read (`extract(await page.content(), url=page.url)`), and
listings that a browser follows."""

from __future__ import annotations

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import fastwrap
from tests.browser.conftest import FLAGS
from tests.helpers.server import Site, answer

SCRIPTED = """<!doctype html><html lang=en><title>Pans</title><div id=list>Loading ...</div><script>
const page = Number(new URLSearchParams(location.search).get("page") || 1);
const items = [...Array(6).keys()].map(k => 6 * (page - 1) + k).map(
  k => `<li><a href=/pan/${k}>Pan number ${k}</a> <b>${k}.90 EUR</b></li>`);
const next = page < 3 ? `<a rel=next href="?page=${page + 1}">next</a>` : "";
setTimeout(() => { document.getElementById("list").innerHTML = `<ul>${items.join("")}</ul>${next}`; }, 50);
</script>"""

BUTTON = """<!doctype html><html lang=en><title>Pans</title><ul></ul><button class=load-more>Load more</button><script>
let shown = 0;
const list = document.querySelector("ul");
const more = () => { for (let k = shown; k < shown + 6; k++) list.insertAdjacentHTML("beforeend",
  `<li><a href=/pan/${k}>Pan number ${k}</a> <b>${k}.90 EUR</b></li>`);
  shown += 6; if (shown == 18) document.querySelector("button").remove(); };
document.querySelector("button").onclick = more; more();
</script>"""


@pytest.fixture
def shop(site: Site) -> str:
    for path in ("/list", "/list?page=2", "/list?page=3"):
        site.answers[path] = answer(SCRIPTED.encode())
    site.answers["/more"] = answer(BUTTON.encode())
    return site.url


def test_a_page_that_scripts_make(shop: str) -> None:
    async def read() -> fastwrap.Extraction:
        from playwright.async_api import async_playwright

        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            page = await browser.new_page()
            await page.goto(f"{shop}/list")
            await page.wait_for_selector("li")
            return fastwrap.extract(await page.content(), url=page.url)

    with ThreadPoolExecutor(1) as threads:  # where no other loop runs
        found = threads.submit(asyncio.run, read()).result(60)
    assert [record["title"] for record in found] == [f"Pan number {k}" for k in range(6)]
    assert found[2].link == f"{shop}/pan/2"
    assert found.next_page == f"{shop}/list?page=2"


def test_a_listing_that_a_browser_follows(shop: str, chromium: Any) -> None:
    page = chromium.new_page()

    def fetch(url: str) -> str:
        page.goto(url)
        page.wait_for_selector("li")
        return str(page.content())

    found = fastwrap.follow(f"{shop}/list", fetch=fetch, pause=0)
    assert [record["title"] for record in found] == [f"Pan number {k}" for k in range(18)]
    assert found.stopped == "end"
    page.close()


def test_a_button_that_a_browser_presses(shop: str, chromium: Any) -> None:
    page = chromium.new_page()
    page.goto(f"{shop}/more")
    before = fastwrap.follow(fastwrap.Page(page.content(), page.url), pause=0)
    assert (len(before), before.stopped) == (6, "no address")
    while (button := page.locator("button.load-more")).count():
        button.click()
    found = fastwrap.extract(page.content(), url=page.url)
    assert [record["title"] for record in found] == [f"Pan number {k}" for k in range(18)]
    page.close()
