"""What `make demo` runs: a shop page from HTML to node arrays, its noise removed, its repeated siblings found.
Uses nothing but the public interface."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import fastwrap
from fastwrap.similarity import measures as kernels

EXAMPLE = Path(__file__).parent / "shop.html"


def main() -> None:
    """Print what fastwrap sees on the example page."""
    page = fastwrap.Page(EXAMPLE.read_bytes(), url="https://shop.example/")
    print(f"{EXAMPLE.name}: {len(page):,} nodes, {page.encoding}, {page.nbytes / len(page):.0f} bytes a node")

    cleaned = fastwrap.clean(page)
    print(f"noise removed: {len(page) - len(cleaned):,} nodes go, {len(cleaned):,} stay\n")

    # The parent whose children are most alike and hold most: the simplest of region searches.
    best, alike = 0, 0.0
    for node in np.flatnonzero(cleaned.size > 30).tolist():
        children = [child for child in cleaned.children(node) if cleaned.size[child] > 3]
        if len(children) > 2:
            distance = kernels.tree_distance(cleaned, children[:-1], children[1:])
            score = float((1 - distance).sum())
            best, alike = max((best, alike), (node, score), key=lambda found: found[1])
    print(f"most alike: the children of {cleaned.css_path(best)}")
    for child in cleaned.children(best):
        text = cleaned.text(child)
        print("  -", text if len(text) < 100 else text[:97] + "...")


if __name__ == "__main__":
    main()
