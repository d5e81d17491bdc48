"""What docs/server.md shows of clients, run as it stands there: curl, and a spider of Scrapy."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("granian", reason="needs fastwrap[server]")

import fastwrap
from fastwrap.server.application import build
from fastwrap.server.settings import Settings
from tests.helpers.paths import ROOT
from tests.helpers.running import running
from tests.helpers.server import Site
from tests.helpers.shop import open_shop

DOCUMENT = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8080"
SHOP = ROOT / "examples" / "shop.html"


def code(language: str, holding: str) -> str:
    """The block of the document in a language that holds a text."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)
    (found,) = [block for block in blocks if holding in block]
    return str(found)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    with running(build(Settings(store=str(tmp_path / "wrappers.db")))) as url:
        yield url


def test_curl(server: str, tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        pytest.skip("there is no curl")
    shutil.copy(SHOP, tmp_path / "page.html")
    said = []
    for line in code("sh", "/v1/extract").splitlines():
        command = line.replace(ADDRESS, server).replace("curl -s", "curl -sS --fail --noproxy '*'")
        done = subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, (line, done.stderr)
        said.append(done.stdout)
    local = fastwrap.extract(SHOP, "https://shop.example/")
    assert said[0] == local.to_csv()
    wanted = fastwrap.extract(SHOP, want=["title", "price"]).to_dicts()
    assert [json.loads(line)["title"] for line in said[1].splitlines()] == [row["title"] for row in wanted]
    assert said[2].strip() == fastwrap.content(SHOP).markdown.strip()
    assert len(said[4].splitlines()) == len(local) + 1
    assert len(fastwrap.Wrapper.load(tmp_path / "wrapper.json").extract(SHOP)) == len(local)


def test_scrapy(server: str, site: Site, tmp_path: Path) -> None:
    pytest.importorskip("scrapy", reason="needs fastwrap[scrapy]")
    spider = code("python", "class Pans(scrapy.Spider)").replace(ADDRESS, server)
    spider = spider.replace("https://shop.example/pans", open_shop(site))
    (tmp_path / "spider.py").write_text(spider)
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "runspider",
        "spider.py",
        "-O",
        "items.jsonl",
        "-s",
        "TELNETCONSOLE_ENABLED=0",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    items = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    assert {item["title"] for item in items} == {f"Pan number {k}" for k in range(17)}
    with fastwrap.Client(server) as client:
        assert len(list(client.wrappers())) == 1
