"""A web site on this machine, for tests of what is fetched: no test leaves the machine."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fastwrap.fetching import Fetched, fetch

PAGE = b"<ul><li>one<li>two<li>three</ul>"
TEXT = "text/html; charset=utf-8"


class Site:
    """A web site on this machine: what it answers, and what it was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self.asked: list[tuple[str, str | None]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.asked.append((self.path, self.headers["Host"]))
                try:
                    site.answers.get(self.path, missing)(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # who asked has gone: that is what some tests do

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def fetch(self, path: str, **options: Any) -> Fetched:
        return fetch(self.url + path, allow_private=True, **options)

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


def answer(
    body: bytes = PAGE, status: int = 200, content_type: str | None = TEXT, **headers: str
) -> Callable[[BaseHTTPRequestHandler], None]:
    def handle(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        if content_type is not None:
            handler.send_header("Content-Type", content_type)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return handle


def redirect(where: str, status: int = 302) -> Callable[[BaseHTTPRequestHandler], None]:
    return answer(b"", status, Location=where)


missing = answer(b"no", 404)


def endless(piece: bytes, pause: threading.Event | None = None, head: bool = True) -> Callable[..., None]:
    """Sends a piece again and again; one each twentieth of a second if there is a `pause`."""

    def handle(handler: BaseHTTPRequestHandler) -> None:
        if head:
            handler.send_response(200)
            handler.send_header("Content-Type", TEXT)
            handler.end_headers()
        else:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        handler.close_connection = True
        while pause is None or not pause.wait(0.05):
            handler.wfile.write(piece)

    return handle
