"""What the tests share: the corpus where there is one, the example pages, hypothesis profiles."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.helpers.paths import CORPUS, ROOT

if TYPE_CHECKING:
    from tests.helpers.server import Site

# Deadlines measure the machine, not the code. `derandomize` on CI: a red run there is a red run anywhere.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

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


@pytest.fixture
def site() -> Iterator[Site]:
    """A web site on this machine."""
    from tests.helpers.server import Site

    made = Site()
    threading.Thread(target=made.server.serve_forever, args=(0.01,), daemon=True).start()
    yield made
    made.server.shutdown()
    made.server.server_close()
