"""Who may use a server: tokens, and the headers Host and Origin, which browsers send for pages of other sites.
A token is compared with all that there are, in the same time whichever it is."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import urlsplit

from fastwrap.server.problems import Problem
from fastwrap.server.settings import LOOPBACK_NAMES, Settings

OPEN = frozenset(("/health", "/ready"))
"""What needs no token."""

CHALLENGE = 'Basic realm="fastwrap", charset="UTF-8", Bearer realm="fastwrap"'
"""Basic lets a browser ask for a token: it is the password, whatever the name."""


class Access:
    """The rules of one server."""

    def __init__(self, settings: Settings) -> None:
        self._tokens = [(hashlib.sha256(token.encode()).digest(), name) for token, name in settings.tokens.items()]
        names = {name.lower() for name in settings.allowed_hosts}
        if settings.is_local:
            names |= {*LOOPBACK_NAMES, settings.host.lower(), f"[{settings.host}]".lower()}
        self._names = names
        """Empty where any name is right: the server is open, and its token is what protects it."""

    def check(self, path: str, headers: Mapping[str, str]) -> str:
        """The namespace of whoever sends a request; Problem for one that must not."""
        host = headers.get("host", "").lower()
        if self._names and name_of(host) not in self._names:
            raise Problem("host-not-allowed", f"the header Host is {host[:100]!r}")
        origin = headers.get("origin")
        if origin is not None and not same_place(origin, host):
            raise Problem("origin-not-allowed", f"the header Origin is {origin[:100]!r}")
        if not self._tokens or path in OPEN:
            return "default"
        found = self._namespace(token_of(headers.get("authorization", "")))
        if found is None:
            raise Problem("unauthorized", headers={"WWW-Authenticate": CHALLENGE})
        return found

    def _namespace(self, token: str) -> str | None:
        """The namespace of a token, None for a wrong one: all are compared, whichever it is."""
        digest = hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
        found = None
        for known, name in self._tokens:
            if hmac.compare_digest(known, digest):
                found = name
        return found


def name_of(host: str) -> str:
    """The name of a header Host, without its port.

    >>> name_of("localhost:8080"), name_of("[::1]:8080"), name_of("[::1]")
    ('localhost', '[::1]', '[::1]')
    """
    if host.startswith("["):
        return host[: host.find("]") + 1]
    return host.partition(":")[0]


def same_place(origin: str, host: str) -> bool:
    """Whether an Origin is a page of the server that a Host names.

    >>> same_place("http://localhost:8080", "localhost:8080"), same_place("null", "localhost:8080")
    (True, False)
    >>> same_place("https://example.org", "example.org:443")
    True
    """
    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or parts.hostname is None or parts.path or parts.query:
        return False
    usual = 443 if parts.scheme == "https" else 80
    name = name_of(host)
    rest = host[len(name) :].removeprefix(":")
    given = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return given == name and str(port or usual) == (rest or str(usual))


def token_of(authorization: str) -> str:
    """The token of a header Authorization; empty for none.

    >>> token_of("Bearer abc"), token_of("Basic " + base64.b64encode(b"me:abc").decode()), token_of("")
    ('abc', 'abc', '')
    """
    scheme, _, value = authorization.partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    if scheme.lower() == "basic":
        try:
            return base64.b64decode(value, validate=True).decode("utf-8", "surrogateescape").partition(":")[2]
        except (binascii.Error, ValueError):
            return ""
    return ""
