"""What `make demo` runs: a page of a shop becomes a table, a file, a wrapper that reads the next page, and a picture.
Uses nothing but the public interface."""

from __future__ import annotations

import sys
from pathlib import Path

import fastwrap
from fastwrap.cli import main as command

HERE = Path(__file__).resolve().parent
PAGE = HERE / "shop.html"
URL = "https://shop.example/cookware?page=2"


def main(folder: Path) -> None:
    """Go through the main job; files are written to the folder."""
    folder.mkdir(parents=True, exist_ok=True)

    say(f"1. Extract: fastwrap extract {PAGE.name}")
    command(["extract", str(PAGE), "--url", URL, "--format", "table"])

    say("2. The same in Python: records by the names of their columns, and files")
    found = fastwrap.extract(PAGE, url=URL)
    first = {name: value for name, value in found.to_dicts(json=True)[0].items() if value is not None}
    print(f"{found}\nnext page: {found.next_page}\nfirst record: {first}")
    found.write(folder / "shop.csv")
    print(f"written: {folder / 'shop.csv'}")

    say("3. Learn the site from this page, apply that to another one")
    wrapper = fastwrap.learn(PAGE, url=URL)
    wrapper.save(folder / "shop.json")
    other = PAGE.read_text(encoding="utf-8").replace("Enamel Milk Pan", "Copper Milk Pan").replace("24.90", "31.90")
    read = fastwrap.Wrapper.load(folder / "shop.json").extract(other, url=URL)
    print(f"{len(read)} records, fit {read.fit:.2f}; the first: {read[0]['title']}, {read[0]['price'].amount}")
    print(f"written: {folder / 'shop.json'}")

    say("4. The picture: what was found, drawn into the page, and why")
    command(["show", str(PAGE), "--url", URL, "-o", str(folder / "shop.view.html"), "--quiet"])
    print(f"open it in a browser: {folder / 'shop.view.html'}")


def say(what: str) -> None:
    """A heading."""
    print(f"\n{what}\n{'=' * len(what)}\n", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "build" / "demo")
