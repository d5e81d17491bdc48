"""A server of its own and Debian's Chromium for the tests of the page: `make test-browser` runs them, `make test` does
not, for a browser is nothing that a fresh machine has."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.serving import Served, serving

WANTED = "FASTWRAP_TEST_BROWSER"
collect_ignore_glob = [] if os.environ.get(WANTED) else ["test_*.py"]

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()
"""Without those of the network, Chromium asks for hosts of its maker by itself."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("server"), "--workers", "1") as served:
        yield served


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    assert path, "there is no chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


NOTES = ("Blocked script execution in 'about:srcdoc'", "Failed to decode downloaded font: data:,")
"""What Chromium itself says of a page whose scripts and fonts are kept from it."""


class Visit:
    """A tab that is at the page, and all that it asked for, said and did."""

    def __init__(self, browser: Any, server: Served, **options: Any) -> None:
        self.server = server
        self.context = browser.new_context(**{"viewport": {"width": 1400, "height": 860}, **options})
        self.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
        self.requested: list[str] = []
        self.said: list[str] = []
        self.context.on("request", lambda request: self.requested.append(request.url))
        self.context.on("page", self._watch)
        self.context.set_default_timeout(30_000)
        self.tab = self.context.new_page()
        self.tab.goto(server.url)

    def _watch(self, tab: Any) -> None:
        tab.on("console", lambda message: self._hear(message.text))
        tab.on("pageerror", lambda error: self.said.append(str(error)))
        tab.on("dialog", lambda dialog: self.said.append(f"dialog {dialog.message}"))
        tab.on("popup", lambda popup: self.said.append("popup"))

    def _hear(self, text: str) -> None:
        if not text.startswith(NOTES):
            self.said.append(text)

    def paste(self, html: str, url: str = "") -> None:
        """Paste a page, and wait for its view."""
        self.tab.fill("#start textarea", html)
        if url:
            self.tab.fill("#start [name=url]", url)
        self.tab.click("#start [type=submit]")
        self.tab.wait_for_selector("#table .panel")

    @property
    def frame(self) -> Any:
        """The page that is shown, in its frame."""
        return self.tab.frame_locator("#table iframe")

    def cells(self, row: int) -> list[str]:
        """The cells of a row that are shown, as they are sorted."""
        rows: list[str] = self.tab.locator(".list:visible tbody tr").nth(row).locator("td:visible").all_inner_texts()
        return rows

    def heads(self) -> list[str]:
        """The names of the columns that are shown."""
        names: list[str] = self.tab.locator(".list:visible thead button:visible span").all_inner_texts()
        return names

    def taken(self, kind: str) -> bytes:
        """The file that a button of the menu gives."""
        self.tab.click("summary:has-text('Download')")
        with self.tab.expect_download() as download:
            self.tab.click(f"[data-file={kind}]")
        return Path(download.value.path()).read_bytes()

    def copied(self, what: str) -> str:
        """The code that a button of the menu copies."""
        self.tab.click("summary:has-text('Copy')")
        self.tab.click(f"[data-code={what}]")
        self.tab.wait_for_selector("#status:has-text('Copied')")
        text: str = self.tab.evaluate("navigator.clipboard.readText()")
        return text


@pytest.fixture
def visit(chromium: Any, server: Served) -> Iterator[Visit]:
    tab = Visit(chromium, server)
    yield tab
    tab.context.close()
    assert tab.said == []
    assert [url for url in tab.requested if not url.startswith((server.url, "data:", "blob:"))] == []
