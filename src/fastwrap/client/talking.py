"""How a client talks to a server: where it is, who asks, and what its answers mean. All that needs httpx2 is here.
A server that is busy is asked again, as `Patience` says; nothing else is sent twice."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from ipaddress import ip_address
from typing import TypeVar

import msgspec

from fastwrap._version import __version__
from fastwrap.client.calls import Call
from fastwrap.client.errors import RemoteError
from fastwrap.client.patience import Patience
from fastwrap.common.arguments import expect
from fastwrap.errors import FastwrapError

try:
    import anyio
    import httpx2
except ImportError as error:
    raise FastwrapError(f"{error.name} is not installed: pip install 'fastwrap[client]'") from error

T = TypeVar("T")

BUSY = (429, 503)
"""The statuses of a server that did nothing, and may do it later."""

_TOKEN = re.compile(r"[\x21-\x7e]+")


class Problem(msgspec.Struct):
    """problem+json (RFC 9457), as a server tells what is wrong."""

    type: str = ""
    title: str = ""
    detail: str = ""
    request_id: str | None = None


def server_address(url: str) -> httpx2.URL:
    """The address of a server, with a path if it is below one.

    >>> str(server_address("https://tables.example/fastwrap/"))
    'https://tables.example/fastwrap'
    """
    expect(url, str, "url is a str")
    try:
        address = httpx2.URL(url)
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise FastwrapError(f"{url!r} is no address of a server: {error}") from None
    if address.scheme not in ("http", "https") or not address.host:
        raise FastwrapError(f"{url!r} is no address of a server: expected one such as http://127.0.0.1:8080")
    if address.userinfo or address.query or address.fragment:
        raise FastwrapError("the address of a server has no password, no query and no fragment: give the token apart")
    return address.copy_with(path=address.path.rstrip("/"))


def is_here(address: httpx2.URL) -> bool:
    """Whether an address is of this machine: no proxy is asked for that."""
    try:
        return ip_address(address.host).is_loopback
    except ValueError:
        return address.host == "localhost"


def headers_of(token: str | None) -> dict[str, str]:
    """What every request says of itself."""
    headers = {"User-Agent": f"fastwrap/{__version__}"}
    if token is not None:
        expect(token, str, "token is a str or None")
        if not _TOKEN.fullmatch(token):
            raise FastwrapError("a token has neither spaces nor letters beyond ASCII")  # and is never shown
        headers["Authorization"] = f"Bearer {token}"
    return headers


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> RemoteError:
    """What an answer that is no result says.

    >>> error = error_of(413, {}, b'{"type": "/docs/problems#body-too-large", "detail": "9 bytes"}')
    >>> str(error), error.problem
    ('9 bytes', 'body-too-large')
    """
    try:
        problem = msgspec.json.decode(body, type=Problem)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        problem = Problem()
    name = re.split("[/#]", problem.type)[-1]
    if 300 <= status < 400:
        said = f"the server sends us elsewhere (status {status}): give the address that it is really at"
    else:
        said = problem.detail or problem.title or f"the server answers with status {status}"
    return RemoteError(said, status=status, problem=name, request_id=problem.request_id or headers.get("x-request-id"))


def unreachable(address: httpx2.URL, error: Exception) -> RemoteError:
    """That a server was not reached, or did not answer."""
    if isinstance(error, httpx2.TimeoutException):
        return RemoteError(f"{address} did not answer in time", problem="no-answer")
    return RemoteError(f"{address}: {error or type(error).__name__}", problem="unreachable")


class Attempts:
    """The tries of one call."""

    def __init__(self, patience: Patience, address: httpx2.URL) -> None:
        self._patience = patience
        self._address = address
        self._tried = 0
        self._waited = 0.0

    def pause(self, outcome: httpx2.Response | Exception) -> float:
        """Seconds to wait before the next try, after an answer that is no result, or none; raises where that is it."""
        self._tried += 1
        retry_after = None
        if isinstance(outcome, httpx2.Response):
            error = error_of(outcome.status_code, outcome.headers, outcome.content)
            may_help, retry_after = outcome.status_code in BUSY, outcome.headers.get("retry-after")
        else:
            error = unreachable(self._address, outcome)
            may_help = isinstance(outcome, httpx2.ConnectError)  # nothing was asked yet
        pause = self._patience.wait(self._tried, self._waited, retry_after) if may_help else None
        if pause is None:
            raise error from (outcome if isinstance(outcome, Exception) else None)
        self._waited += pause
        return pause


class Connection:
    """The way to a server."""

    def __init__(
        self, url: str, token: str | None, timeout: float, patience: Patience, transport: httpx2.BaseTransport | None
    ) -> None:
        self.address = server_address(url)
        self._patience = patience
        self._http = httpx2.Client(
            headers=headers_of(token), timeout=timeout, transport=transport, trust_env=not is_here(self.address)
        )

    def ask(self, call: Call[T]) -> T:
        """What the server makes of a call."""
        attempts = Attempts(self._patience, self.address)
        while True:
            try:
                response = self._http.request(
                    call.method,
                    f"{self.address}{call.path}",
                    params=call.query,
                    headers=call.headers,
                    content=call.body,
                )
            except httpx2.HTTPError as error:
                time.sleep(attempts.pause(error))
                continue
            if response.is_success:
                return call.read(response.headers, response.content)
            time.sleep(attempts.pause(response))

    def close(self) -> None:
        """Close all connections."""
        self._http.close()


class AsyncConnection:
    """The way to a server, to be awaited."""

    def __init__(
        self,
        url: str,
        token: str | None,
        timeout: float,
        patience: Patience,
        transport: httpx2.AsyncBaseTransport | None,
    ) -> None:
        self.address = server_address(url)
        self._patience = patience
        self._http = httpx2.AsyncClient(
            headers=headers_of(token), timeout=timeout, transport=transport, trust_env=not is_here(self.address)
        )

    async def ask(self, call: Call[T]) -> T:
        """What the server makes of a call."""
        attempts = Attempts(self._patience, self.address)
        while True:
            try:
                response = await self._http.request(
                    call.method,
                    f"{self.address}{call.path}",
                    params=call.query,
                    headers=call.headers,
                    content=call.body,
                )
            except httpx2.HTTPError as error:
                await anyio.sleep(attempts.pause(error))
                continue
            if response.is_success:
                return call.read(response.headers, response.content)
            await anyio.sleep(attempts.pause(response))

    async def aclose(self) -> None:
        """Close all connections."""
        await self._http.aclose()
