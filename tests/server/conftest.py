"""What the tests of the server share: the app, without a token."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.helpers.serving import Caller, calling


@pytest.fixture(scope="module")
def app() -> Iterator[Caller]:
    """The app of a server that needs no token."""
    with calling() as caller:
        yield caller
