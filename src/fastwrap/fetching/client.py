"""The client: one page after the other, within limits, as robots.txt allows, and from no private network.
httpx2 speaks HTTP. All addresses of a host are checked, at every redirect, and only a checked one is connected to."""

from __future__ import annotations

import ipaddress
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from fastwrap._version import __version__
from fastwrap.common.arguments import expect
from fastwrap.common.packing import packings, unpacked
from fastwrap.common.retry_after import seconds_of
from fastwrap.errors import FastwrapError
from fastwrap.fetching import LIMITS, BusyError, Fetched, Limits

try:
    import httpcore2
    import httpx2
    from protego import Protego
except ImportError as error:
    raise FastwrapError(f"{error.name} is not installed: pip install 'fastwrap[fetch]'") from error

USER_AGENT = "fastwrap"  # what robots.txt files call us

HEADERS = {
    "User-Agent": f"{USER_AGENT}/{__version__}",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5",
    "Accept-Encoding": ", ".join(packings()),
}

ROBOTS_SIZE = 512 * 1024
"""Bytes of a robots.txt that are read (RFC 9309 asks for at least 500 KiB); what follows is ignored."""

ROBOTS_REDIRECTS = 5

BUSY = (429, 503)
"""The statuses of a site that wants to be asked later."""

NAT64 = ipaddress.IPv6Network("64:ff9b::/96")

# The special-purpose address registries of IANA (iana-ipv4-special-registry, iana-ipv6-special-registry; 2025): what
# they do not call globally reachable, and within that what they do. Python's own table is older and not one in all
# versions. Beyond them, multicast; and IPv6 is the public Internet in 2000::/3 alone, which leaves out loopback,
# private, link-local, site-local and discard-only addresses, segment routing, and 64:ff9b:1::/48.
NOT_REACHABLE = tuple(
    map(
        ipaddress.ip_network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
            "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            "::/3", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "4000::/2", "8000::/1",
        ),
    )
)  # fmt: skip
REACHABLE = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.9/32", "192.0.0.10/32",
            "2001:1::1/128", "2001:1::2/128", "2001:1::3/128", "2001:3::/32", "2001:4:112::/48", "2001:20::/28",
            "2001:30::/28",
        ),
    )
)  # fmt: skip

AGENT_LINE = re.compile(r"user(?:-|\s*)agent(?:\s*:|\s|$)\s*([\w-]*\*?)", re.IGNORECASE)
"""The start of a group of robots.txt, as generously as Protego reads its rules, with the product's name."""
RULE_LINE = re.compile(r"(?:allow|di\w{4,7}w)(?:\s*:|\s|$)", re.IGNORECASE)
"""A rule of robots.txt, also where "disallow" is misspelled; other lines do not matter to groups."""
DELAY_LINE = re.compile(r"crawl-delay\s*:\s*\d", re.IGNORECASE)
"""The seconds between two pages that a group asks for; it ends no list of agents."""
CREDENTIALS = re.compile(r"(?:[^/?#:]*:)?//[^/?#]*@")


class Fetcher(ExitStack):
    """Fetches pages one after the other: connections and robots.txt files are kept. Not for several threads."""

    def __init__(self, *, limits: Limits = LIMITS, robots: bool = True, allow_private: bool = False) -> None:
        super().__init__()
        expect(limits, Limits, "limits is a fastwrap.fetching.Limits")
        self.limits = limits
        self.robots = robots
        self._clock = Clock()
        transport = CheckedTransport(self._clock, allow_private)
        # The clock limits every single read.
        client = httpx2.Client(transport=transport, headers=HEADERS, timeout=None, trust_env=False)
        self._client = self.enter_context(client)
        self._rules: dict[str, Protego | None] = {}
        """By scheme, host and port; None where everything is forbidden, since the site cannot say what is not."""

    def fetch(self, url: str) -> Fetched:
        """Fetch one page; see `fastwrap.fetch`."""
        expect(url, str, "url is a str")
        self._clock.end = time.monotonic() + self.limits.seconds
        try:
            address = web_address(url)
            for _ in range(self.limits.redirects + 1):
                if self.robots:
                    self._ask_robots(address)
                with network_errors(self.limits), self._client.stream("GET", address) as response:
                    if response.next_request is None:
                        if response.has_redirect_location:
                            raise FastwrapError("not an address, where it redirects to")
                        return self._page(response)
                    address = redirected(response, response.next_request)
        except BusyError as error:
            busy = BusyError(f"{url}: {error}")
            busy.retry_after = error.retry_after
            raise busy from error
        except FastwrapError as error:
            raise FastwrapError(f"{url}: {error}") from error
        raise FastwrapError(f"{url}: more than {self.limits.redirects} redirects")

    def crawl_delay(self, url: str) -> float:
        """Seconds between two pages that a site's robots.txt asks for (Crawl-delay); 0 where it does not, where it
        cannot be read, and where robots.txt is not asked."""
        if not self.robots:
            return 0.0
        self._clock.end = time.monotonic() + self.limits.seconds
        with suppress(FastwrapError):
            rules = self._rules_of(web_address(url))
            return 0.0 if rules is None else float(rules.crawl_delay(USER_AGENT) or 0.0)
        return 0.0

    def _page(self, response: httpx2.Response) -> Fetched:
        if not response.is_success:
            said = f"the server says {response.status_code} {response.reason_phrase}".rstrip()
            if response.status_code not in BUSY:
                raise FastwrapError(said)
            busy = BusyError(said)
            busy.retry_after = seconds_of(response.headers.get("retry-after"))
            raise busy
        content_type: str | None = response.headers.get("content-type")
        if not is_page(content_type):
            raise FastwrapError(f"{content_type} is not a web page")
        size = self.limits.size
        body = read(response, size + 1)
        if len(body) > size:
            raise FastwrapError(f"the page is larger than {size:,} bytes")
        return Fetched(body, str(response.url), {} if content_type is None else {"content-type": content_type})

    def _rules_of(self, address: httpx2.URL) -> Protego | None:
        site = str(address.copy_with(raw_path=b"/robots.txt", fragment=None))
        if site not in self._rules:
            self._rules[site] = self._read_robots(web_address(site))
        return self._rules[site]

    def _ask_robots(self, address: httpx2.URL) -> None:
        rules = self._rules_of(address)
        if rules is None:
            raise FastwrapError("the site's robots.txt cannot be read, so that nothing is allowed")
        if not rules.can_fetch(str(address), USER_AGENT):
            raise FastwrapError("the site's robots.txt does not allow it")

    def _read_robots(self, address: httpx2.URL) -> Protego | None:
        """The rules as RFC 9309 has them: all is allowed where there is no robots.txt, nothing where it fails."""
        for _ in range(ROBOTS_REDIRECTS + 1):
            with network_errors(self.limits), self._client.stream("GET", address) as response:
                if response.next_request is not None:
                    address = redirected(response, response.next_request)
                    continue
                if response.is_success:
                    rules = Protego.parse(our_rules(read(response, ROBOTS_SIZE).decode("utf-8-sig", "replace")))
                    self._clock.left()
                    return rules
                if response.is_server_error:
                    return None
                break
        return Protego.parse("")


def web_address(url: str) -> httpx2.URL:
    """An address of the web; FastwrapError for one that is not.

    >>> str(web_address("https://example.org/a b#c"))
    'https://example.org/a%20b'
    """
    try:
        address = httpx2.URL(url)
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise FastwrapError(f"not an address: {error}") from error
    if address.scheme not in ("http", "https"):
        raise FastwrapError(f"only http and https are fetched, not {address.scheme or 'an address without either'}")
    if not address.host or not 0 < (address.port or 80) < 65536:
        raise FastwrapError("the address names no host")
    refuse_credentials(url)
    return address.copy_with(fragment=None)


def redirected(response: httpx2.Response, request: httpx2.Request) -> httpx2.URL:
    """Where a response sends us; FastwrapError for what is no address of the web."""
    refuse_credentials(response.headers["location"])  # httpx2 drops them where they are empty
    return web_address(str(request.url))


def refuse_credentials(url: str) -> None:
    """Raise FastwrapError for an address with a name or a password before its host, be they empty."""
    if CREDENTIALS.match(url):
        raise FastwrapError("addresses with a password are not fetched: it would end up in what is extracted")


def our_rules(text: str) -> str:
    """Of a robots.txt, the rules that hold for us, as those of one group (RFC 9309, 2.2.1).

    Protego gives every agent of a group its own copy of the rules: agents times rules, which is too much of both.

    >>> our_rules("User-agent: a\\nUser-agent: *\\nDisallow: /b # never\\nUser-agent: c\\nDisallow: /")
    'User-agent: *\\nDisallow: /b'
    """
    ours: list[str] = []
    everyones: list[str] = []
    named = False  # whether a group is for us by name
    is_ours = is_everyones = in_rules = False
    for line in text.splitlines():
        rule = line.partition("#")[0].strip()
        if agent := AGENT_LINE.match(rule):
            if in_rules:
                is_ours = is_everyones = in_rules = False
            name = agent[1].lower()
            is_everyones |= name == "*"
            is_ours |= name.rstrip("*") == USER_AGENT
            named |= is_ours
        elif (is_delay := DELAY_LINE.match(rule) is not None) or RULE_LINE.match(rule):
            in_rules |= not is_delay
            if is_ours:
                ours.append(rule)
            if is_everyones:
                everyones.append(rule)
    return "\n".join(["User-agent: *", *(ours if named else everyones)])


def is_page(content_type: str | None) -> bool:
    """Whether a Content-Type may be that of a page; one that is missing may.

    >>> is_page("text/html; charset=utf-8"), is_page("application/xhtml+xml"), is_page("image/png")
    (True, True, False)
    """
    kind = (content_type or "").partition(";")[0].strip().lower()
    return not kind or kind.startswith("text/") or kind == "application/xml" or kind.endswith("+xml")


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public Internet, also where an IPv6 address stands for an IPv4 one.

    >>> [is_public(each) for each in ("93.184.215.14", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1")]
    [True, False, False, False, False]
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF) if ip in NAT64 else ip.ipv4_mapped
        if inner is not None:
            return is_public(str(inner))
    return any(ip in network for network in REACHABLE) or not any(ip in network for network in NOT_REACHABLE)


def read(response: httpx2.Response, most: int) -> bytes:
    """The body, unpacked: at most this many bytes, however small it was packed."""
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    if packing in ("", "identity"):
        return first_bytes(response.iter_raw(), most)
    return first_bytes(unpacked(response.iter_raw(), packing, most), most)


def first_bytes(chunks: Iterable[bytes], most: int) -> bytes:
    """The chunks together, up to so many bytes; no chunk is asked for that is not needed.

    >>> first_bytes(iter([b"abc", b"def"]), 4)
    b'abcd'
    """
    first = bytearray()
    for chunk in chunks:
        first += chunk
        if len(first) >= most:
            break
    return bytes(first[:most])


@contextmanager
def network_errors(limits: Limits) -> Iterator[None]:
    """Raise errors of the network as FastwrapError, in words."""
    try:
        yield
    except FastwrapError:
        raise
    except (httpx2.TimeoutException, httpcore2.TimeoutException) as error:
        raise FastwrapError(f"it took longer than {limits.seconds:g} s") from error
    except (httpx2.HTTPError, httpx2.StreamError, httpcore2.NetworkError, httpcore2.ProtocolError, OSError) as error:
        raise FastwrapError(str(error) or type(error).__name__) from error
    except (httpx2.InvalidURL, httpcore2.UnsupportedProtocol, ValueError) as error:
        raise FastwrapError(f"not an address: {error}") from error


class Clock:
    """How much time is left."""

    end = 0.0

    def left(self) -> float:
        """Seconds; raises where there are none."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout
        return left


class CheckedTransport(httpx2.BaseTransport):
    """httpx2's way to the network, through connections that are checked."""

    def __init__(self, clock: Clock, allow_private: bool) -> None:
        self._pool = httpcore2.ConnectionPool(
            ssl_context=httpx2.create_ssl_context(), network_backend=CheckedBackend(clock, allow_private)
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request."""
        url = request.url
        target = httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        answer = self._pool.handle_request(
            httpcore2.Request(request.method, target, headers=request.headers.raw, extensions=request.extensions)
        )
        return httpx2.Response(
            answer.status, headers=answer.headers, stream=AnswerStream(answer), extensions=answer.extensions
        )

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


class AnswerStream(httpx2.SyncByteStream):
    """The body of an answer."""

    def __init__(self, answer: httpcore2.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        yield from self._answer.iter_stream()

    def close(self) -> None:
        """Leave the rest unread."""
        self._answer.close()


class CheckedBackend(httpcore2.NetworkBackend):
    """Resolves names, checks all addresses, and connects to one of them: there is no second look-up to deceive."""

    def __init__(self, clock: Clock, allow_private: bool) -> None:
        self._clock = clock
        self._allow_private = allow_private
        self._plain = httpcore2.SyncBackend()

    def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> httpcore2.NetworkStream:
        """Connect to the first address that answers."""
        addresses = addresses_of(host, port, self._clock.left())
        for address in addresses:
            if not (self._allow_private or is_public(address)):
                name = "" if address == host else f" ({host})"
                raise FastwrapError(f"{address}{name} is not a public address")
        for address in addresses[:-1]:
            with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                return self._connected(address, port, self._clock.left() / 2)  # leaves time for the others
        return self._connected(addresses[-1], port, self._clock.left())

    def _connected(self, address: str, port: int, seconds: float) -> httpcore2.NetworkStream:
        return TimedStream(self._plain.connect_tcp(address, port, seconds, None, []), self._clock)


class TimedStream(httpcore2.NetworkStream):
    """A connection on which every read and write ends when the time is up."""

    def __init__(self, plain: httpcore2.NetworkStream, clock: Clock) -> None:
        self._plain = plain
        self._clock = clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read what has come."""
        return self._plain.read(max_bytes, self._clock.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all of it."""
        self._plain.write(buffer, self._clock.left())

    def close(self) -> None:
        """Close the connection."""
        self._plain.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        """Go on encrypted; the certificate must be that of the host's name."""
        return TimedStream(self._plain.start_tls(ssl_context, server_hostname, self._clock.left()), self._clock)

    def get_extra_info(self, info: str) -> Any:
        """What httpcore2 wants to know about the connection."""
        return self._plain.get_extra_info(info)


def addresses_of(host: str, port: int, seconds: float) -> list[str]:
    """The IP addresses of a host, in the system's order.

    The system's resolver knows no time limit, so it runs in a thread of its own that may be left behind.

    >>> addresses_of("127.0.0.1", 80, 1)
    ['127.0.0.1']
    """
    answers: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            known = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put(list(dict.fromkeys(str(answer[4][0]) for answer in known)))
        except (OSError, UnicodeError) as error:
            answers.put(error)

    threading.Thread(target=look_up, daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        raise httpcore2.ConnectTimeout from None
    if isinstance(answer, Exception):
        raise FastwrapError(f"{host} is not known: {answer}") from answer
    if not answer:
        raise FastwrapError(f"{host} has no address")
    return answer
