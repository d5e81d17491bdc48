"""What a server answers instead of a result, as an exception: its status, the type of the problem, and what it says.
The types are listed in docs/server.md."""

from __future__ import annotations

from typing import Any

from fastwrap.errors import FastwrapError


class RemoteError(FastwrapError):
    """A server did not do what it was asked, or was not reached.

    >>> error = RemoteError("the page is larger than 9 bytes", status=413, problem="body-too-large")
    >>> str(error), error.status, error.problem, isinstance(error, FastwrapError)
    ('the page is larger than 9 bytes', 413, 'body-too-large', True)
    """

    def __init__(
        self, message: str, *, status: int | None = None, problem: str = "", request_id: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        """Of the answer; None where there was none."""
        self.problem = problem
        """The name of the type of the problem, as docs/server.md lists them: "time-limit", "unauthorized", ..."""
        self.request_id = request_id
        """By which the server's log knows the request."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (str(self), self.status, self.problem, self.request_id)


def _restored(message: str, status: int | None, problem: str, request_id: str | None) -> RemoteError:
    """An error that was pickled."""
    return RemoteError(message, status=status, problem=problem, request_id=request_id)
