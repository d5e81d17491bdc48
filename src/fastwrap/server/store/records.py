"""What a store keeps, and the interface of one: heads of wrappers, their versions, and where pages of a site belong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class StoreError(Exception):
    """The store does not answer, or not in time."""


class ConflictError(Exception):
    """A wrapper is not what a caller expected it to be."""


class Head(NamedTuple):
    """A wrapper, without what it says."""

    id: str
    current: int
    """The number of its current version."""
    etag: str
    """Of that: the hash of its bytes."""
    candidate: int | None
    """The number of the version that becomes the current one when a second page fits it."""
    site: str | None
    """Of what site it was learned by itself; None for one that somebody gave or had learned."""
    created: float
    changed: float


class Version(NamedTuple):
    """One version of a wrapper."""

    number: int
    etag: str
    state: str
    """current, candidate, old (it was current), or dropped (it never was)."""
    origin: str
    """put, learned, healed, or learned again."""
    sample: str
    """Of a candidate, the hash of the records of the page that it was made from."""
    created: float
    document: bytes = b""
    """The file of the wrapper; empty in lists of versions."""
    is_new: bool = False
    """Whether the call that gives it has made it."""


class Expected(NamedTuple):
    """What must be true of a wrapper for it to be changed."""

    etags: Sequence[str] = ()
    """Its current version has one of these; "*" for any. None need be, if this is empty."""
    absent: bool = False
    """There is none of this id."""


ANYTHING = Expected()
"""Of what may be changed whatever it is."""


class Sited(NamedTuple):
    """What tells a page's site, of a wrapper that was learned by itself."""

    site: str
    """As people read it."""
    keys: Sequence[str]
    """By which it is found."""
    sketch: str
    """What its pages are built like."""


class Store(Protocol):
    """A store. All methods may be called from several threads; they raise StoreError where it does not answer."""

    def head(self, namespace: str, id: str) -> Head | None:
        """A wrapper; None if there is none."""

    def heads(self, namespace: str, after: str, most: int) -> list[Head]:
        """The wrappers of a namespace whose ids come after one, in order of their ids."""

    def version(self, namespace: str, id: str, number: int) -> Version | None:
        """A version, with its document."""

    def versions(self, namespace: str, id: str) -> list[Version]:
        """All versions, without documents, the latest first."""

    def put(
        self,
        namespace: str,
        id: str,
        document: bytes,
        origin: str,
        *,
        expected: Expected = ANYTHING,
        sample: str | None = None,
        sited: Sited | None = None,
    ) -> Version:
        """Keep a new version: the current one, or a candidate if it has a sample. ConflictError if the wrapper is not
        what is expected. The same bytes as the current version make none."""

    def confirm(self, namespace: str, id: str, number: int) -> bool:
        """Make a candidate the current version; False if it is no candidate any more."""

    def settle(self, namespace: str, id: str, sited: Sited) -> None:
        """Have a wrapper found by pages of a site, as one that was learned from them."""

    def delete(self, namespace: str, id: str, expected: Expected = ANYTHING) -> bool:
        """Forget a wrapper, with all versions; False if there is none."""

    def of_site(self, namespace: str, keys: Sequence[str]) -> list[tuple[str, str]]:
        """The ids of wrappers that have one of these keys, each with its sketch, the last changed first."""

    def ping(self) -> None:
        """Raise StoreError if the store does not answer."""

    def close(self) -> None:
        """Close the store."""
