"""Problems: what the server answers instead of a result, as RFC 9457 has it (application/problem+json).
Each kind has a name, a status and a title; docs/server.md and /docs/problems say what to do about it."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

MEDIA_TYPE = "application/problem+json"


class Kind(NamedTuple):
    """A kind of problem."""

    status: int
    title: str
    advice: str


KINDS = {
    "bad-request": Kind(400, "The request cannot be read", "Mend what the detail names: JSON, a field, an option."),
    "unauthorized": Kind(401, "A token is needed", "Send the header `Authorization: Bearer TOKEN`."),
    "fetching-not-allowed": Kind(
        403, "This server fetches no addresses", "Send the page itself, or start the server with `--allow-fetch`."
    ),
    "host-not-allowed": Kind(
        403, "The request is addressed to another host", "Name the host with `--allow-host` when the server starts."
    ),
    "origin-not-allowed": Kind(
        403, "The request comes from a page of another origin", "Call the server from its own page, or not from one."
    ),
    "not-found": Kind(404, "There is no such thing", "Look at `GET /v1/wrappers`, and at /docs for the routes."),
    "method-not-allowed": Kind(405, "The route has other methods", "Use one of those in the header `Allow`."),
    "not-acceptable": Kind(406, "No such format", "Ask in `Accept` or `format` for one that /docs has."),
    "body-too-slow": Kind(408, "The body did not come in time", "Send it faster, or in smaller pieces."),
    "conflict": Kind(409, "Somebody else changed it at the same time", "Try again."),
    "precondition-failed": Kind(412, "It has another version", "Get the current version and its ETag first."),
    "body-too-large": Kind(
        413, "The body is too large", "It counts as it comes and unpacked: raise `--max-body`, or send less."
    ),
    "unsupported-media-type": Kind(
        415, "The body is of a kind that is not read", "Send text/html or application/json; packed: gzip, br or zstd."
    ),
    "not-a-page": Kind(422, "The body is no web page", "Send HTML."),
    "page-too-deep": Kind(422, "The page nests too deep", "Raise `--max-depth`, or leave the page out."),
    "page-too-large": Kind(422, "The page has too many elements", "Raise `--max-nodes`, or send a part of the page."),
    "nothing-to-learn": Kind(422, "Nothing repeats on the pages", "Learn from pages with a list, or from several."),
    "unusable": Kind(422, "The page or the options cannot be worked with", "Mend what the detail names."),
    "too-many-requests": Kind(429, "Too many requests of one client", "Wait as long as `Retry-After` says."),
    "internal-error": Kind(500, "The server made a mistake", "Report it with the request id and the page."),
    "fetch-failed": Kind(502, "The address could not be fetched", "Mend what the detail names, or try again."),
    "overloaded": Kind(503, "The server has too much to do", "Wait as long as `Retry-After` says."),
    "time-limit": Kind(504, "The page took too long", "Send a part of the page, or raise `--time-limit`."),
}


class Problem(Exception):  # noqa: N818 - RFC 9457 calls it so
    """An answer instead of a result."""

    def __init__(self, name: str, detail: str = "", *, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(name, detail)
        self.name = name
        self.kind = KINDS[name]
        self.detail = detail or self.kind.advice
        self.headers = headers or {}
        self.more = more
        """Further members of the document."""

    @property
    def status(self) -> int:
        """The status of the answer."""
        return self.kind.status

    def document(self, request_id: str) -> dict[str, Any]:
        """The document.

        >>> Problem("not-found", "there is no wrapper 'a'").document("r1")
        {'type': '/docs/problems#not-found', 'title': 'There is no such thing', 'status': 404, \
'detail': "there is no wrapper 'a'", 'request_id': 'r1'}
        """
        return {
            "type": f"/docs/problems#{self.name}",
            "title": self.kind.title,
            "status": self.status,
            "detail": self.detail,
            "request_id": request_id,
            **self.more,
        }

    def encoded(self, request_id: str) -> bytes:
        """The document as JSON."""
        return msgspec.json.encode(self.document(request_id))
