"""What the tests share: the corpus where there is one, the example pages, hypothesis profiles."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Deadlines measure the machine, not the code. `derandomize` on CI: a red run there is a red run anywhere.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

ROOT = Path(__file__).parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"
EXAMPLES = sorted((ROOT / "examples").glob("*.html"))


@pytest.fixture(scope="session")
def corpus() -> list[Path]:
    """Real pages, for tests that need them."""
    pages = sorted(path for path in CORPUS.rglob("*.htm*") if path.is_file())
    if not pages:
        pytest.skip(f"no pages below {CORPUS}: the tests on real pages need the shared corpus")
    return pages


@pytest.fixture(params=EXAMPLES, ids=lambda path: path.stem)
def example(request: pytest.FixtureRequest) -> bytes:
    """Each of the example pages."""
    path: Path = request.param
    return path.read_bytes()
