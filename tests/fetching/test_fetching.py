"""fetch: pages of a server on this machine, limits, robots.txt, and what is refused. No test leaves the machine."""

from __future__ import annotations

import gzip
import ipaddress
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from typing import Any

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from fastwrap import FastwrapError
from fastwrap.fetching import Fetched, Limits, client, fetch
from fastwrap.fetching.client import ROBOTS_SIZE, Fetcher, is_public, our_rules, web_address
from tests.helpers.packing import zstd
from tests.helpers.server import PAGE, Site, answer, endless, redirect


def test_a_page(site: Site) -> None:
    site.answers["/list?page=2"] = answer(content_type="text/html; charset=ISO-8859-1")
    found = site.fetch("/list?page=2#top")
    assert found == Fetched(PAGE, site.url + "/list?page=2", {"content-type": "text/html; charset=ISO-8859-1"})
    assert site.paths() == ["/robots.txt", "/list?page=2"]


def test_redirects_are_followed(site: Site) -> None:
    site.answers |= {"/a": redirect("/b", 301), "/b": redirect(f"{site.url}/c/", 307), "/c/": answer()}
    assert site.fetch("/a").url == site.url + "/c/"
    site.answers["/loop"] = redirect("/loop")
    with pytest.raises(FastwrapError, match="more than 3 redirects"):
        site.fetch("/loop", limits=Limits(redirects=3))
    assert site.paths().count("/loop") == 4


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(PAGE, mtime=0)),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)[2:-4]),
        ("identity", PAGE),
        ("br", brotli.compress(PAGE)),
        ("zstd", zstd.compress(PAGE)),
    ],
)
def test_packed_pages(site: Site, encoding: str, packed: bytes) -> None:
    site.answers["/"] = answer(packed, Content_Encoding=encoding)
    assert site.fetch("/").content == PAGE


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("lzw", b"x"),
        ("br", b"x"),
        ("zstd", b"no zstd"),
        ("gzip", b"no gzip"),
        ("gzip", gzip.compress(PAGE, mtime=0)[:-12]),
        ("gzip, gzip", b""),
    ],
)
def test_what_cannot_be_unpacked(site: Site, encoding: str, packed: bytes) -> None:
    site.answers["/"] = answer(packed, Content_Encoding=encoding)
    with pytest.raises(FastwrapError, match=r"unpacked|not a packing"):
        site.fetch("/")


def test_size_is_limited(site: Site) -> None:
    limits = Limits(size=100_000)
    site.answers |= {
        "/right": answer(b"a" * 100_000),
        "/large": answer(b"a" * 100_001),
        "/endless": endless(b"a" * 10_000),
        "/gzip": answer(gzip.compress(b"a" * 50_000_000), Content_Encoding="gzip"),
        "/br": answer(brotli.compress(b"a" * 50_000_000, quality=1), Content_Encoding="br"),
        "/zstd": answer(zstd.compress(b"a" * 50_000_000), Content_Encoding="zstd"),
    }
    assert len(site.fetch("/right", limits=limits).content) == 100_000
    for path in ("/large", "/endless", "/gzip", "/br", "/zstd"):
        with pytest.raises(FastwrapError, match="larger than 100,000 bytes"):
            site.fetch(path, limits=limits)


def test_time_is_limited_as_a_whole(site: Site) -> None:
    # Every single read is quick: only the sum is too long.
    end = threading.Event()
    site.answers |= {"/body": endless(b"a", end), "/head": endless(b"a", end, head=False)}
    try:
        for path in ("/body", "/head"):
            with pytest.raises(FastwrapError, match=r"took longer than 0\.3 s"):
                site.fetch(path, limits=Limits(seconds=0.3), robots=False)
    finally:
        end.set()


def test_a_resolver_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    end = threading.Event()

    def hang(*_: Any, **__: Any) -> list[Any]:
        end.wait(20)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    with pytest.raises(FastwrapError, match=r"took longer than 0\.2 s"):
        fetch("http://slow.example/", limits=Limits(seconds=0.2))
    end.set()


@pytest.mark.parametrize(
    ("given_answer", "message"),
    [
        (answer(status=404), "the server says 404 Not Found"),
        (answer(status=503), "the server says 503 Service Unavailable"),
        (answer(b"", 304), "the server says 304"),
        (answer(content_type="image/png"), "image/png is not a web page"),
        (answer(content_type="application/pdf"), "application/pdf is not a web page"),
        (redirect("ftp://example.org/"), "only http and https"),
        (redirect("file:///etc/passwd"), "only http and https"),
        (redirect("javascript:1"), "not an address"),
        (redirect("http://user:word@example.org/"), "with a password"),
        (redirect("http://@example.org/"), "with a password"),
        (redirect("//@example.org/"), "with a password"),
        (redirect("http://[::1"), "address|Invalid"),
    ],
)
def test_no_page(site: Site, given_answer: Callable[..., None], message: str) -> None:
    site.answers["/"] = given_answer
    with pytest.raises(FastwrapError, match=message) as raised:
        site.fetch("/")
    assert str(raised.value).startswith(site.url)


@pytest.mark.parametrize("content_type", [None, "", "text/plain", "application/xhtml+xml", "Text/HTML;charset=x"])
def test_types_of_pages(site: Site, content_type: str | None) -> None:
    site.answers["/"] = answer(content_type=content_type)
    assert site.fetch("/").headers.get("content-type") == content_type


def test_robots(site: Site) -> None:
    site.answers |= {
        "/robots.txt": answer(
            b"User-agent: *\nDisallow: /\n\nUser-agent: fastwrap\nDisallow: /no/\nDisallow: /*?page=\nAllow: /no/yes",
            content_type="text/plain",
        ),
        "/": answer(), "/no/yes": answer(), "/no/1": answer(), "/?page=2": answer(), "/there": redirect("/no/1"),
    }  # fmt: skip
    with Fetcher(allow_private=True) as fetcher:
        assert fetcher.fetch(site.url + "/").content == PAGE
        assert fetcher.fetch(site.url + "/no/yes").content == PAGE
        for path in ("/no/1", "/?page=2", "/there"):
            with pytest.raises(FastwrapError, match=r"robots\.txt does not allow it"):
                fetcher.fetch(site.url + path)
    assert site.paths() == ["/robots.txt", "/", "/no/yes", "/there"]
    assert site.fetch("/no/1", robots=False).content == PAGE


def test_robots_that_fail(site: Site) -> None:
    site.answers |= {"/": answer(), "/robots.txt": answer(b"", 500)}
    with pytest.raises(FastwrapError, match=r"robots\.txt cannot be read"):
        site.fetch("/")
    site.answers["/robots.txt"] = answer(b"User-agent: *\nDisallow: /", 403)
    assert site.fetch("/").content == PAGE
    site.answers["/robots.txt"] = redirect("/robots.txt")
    assert site.fetch("/").content == PAGE
    site.answers |= {"/robots.txt": redirect("/r"), "/r": answer(b"User-agent: *\nDisallow: /")}
    with pytest.raises(FastwrapError, match="does not allow"):
        site.fetch("/")
    site.answers["/robots.txt"] = endless(b"User-agent: *\nDisallow: /\n")
    with pytest.raises(FastwrapError, match="does not allow"):
        site.fetch("/")


def test_many_agents_share_their_rules(site: Site) -> None:
    # Rules were copied to every agent of their group: 43 KB took half a minute.
    agents = "".join(f"User-agent: a{k}\n" for k in range(6_000)) + "User-agent: *\n"
    robots = agents + "".join(f"Disallow: /{k}\n" for k in range(25_000))
    assert ROBOTS_SIZE - 50_000 < len(robots) < ROBOTS_SIZE
    site.answers |= {"/robots.txt": answer(robots.encode(), content_type="text/plain"), "/no": answer()}
    rules = our_rules(robots)
    assert rules.count("User-agent") == 1
    assert len(rules) < len(robots)
    with pytest.raises(FastwrapError, match="does not allow"):
        site.fetch("/24999")
    assert site.fetch("/no").content == PAGE


def test_what_robots_cost_counts(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_time(text: str) -> str:
        monkeypatch.setattr(time, "monotonic", lambda: 1e12)
        return text

    monkeypatch.setattr(client, "our_rules", out_of_time)
    site.answers |= {"/robots.txt": answer(b"User-agent: *\nAllow: /", content_type="text/plain"), "/": answer()}
    with pytest.raises(FastwrapError, match="took longer"):
        site.fetch("/")
    assert site.paths() == ["/robots.txt"]


robots_lines = st.sampled_from(
    [
        "User-agent: *", "user-agent:fastwrap", "User-Agent: other # robot", "USERAGENT other", "User agent: *", "",
        "Disallow: /", "Disallow: /a", "Allow: /a/b", "Disallow: /*c$", "Allow:", "Disallow", "disalow /e",
        "Sitemap: http://example.org/a", "Host: example.org", "# nothing", "no words",
    ]
)  # fmt: skip


@given(st.lists(robots_lines, max_size=12).map("\n".join), st.sampled_from(["/", "/a", "/a/b", "/d/c", "/e"]))
def test_our_rules_are_what_the_whole_file_says(robots: str, path: str) -> None:
    address = "http://example.org" + path
    whole, ours = Protego.parse(robots), Protego.parse(our_rules(robots))
    assert ours.can_fetch(address, "fastwrap") == whole.can_fetch(address, "fastwrap")


@pytest.mark.parametrize(
    ("robots", "allowed"),
    [
        ("\ufeffUser-agent: *\nDisallow: /", False),  # with a byte order mark
        ("User-agent: fastwrap/1.0\nDisallow: /", False),
        ("User-agent: FASTWRAP*\nDisallow: /", False),
        ("User-agent: fast\nDisallow: /", True),
        ("User-agent: *\nDisallow: /\nUser-agent: fastwrap\nAllow: /a", True),
        ("User-agent: fastwrap\nCrawl-delay: 9\nUser-agent: *\nDisallow: /", False),
        ("User-agent: fastwrap\n\nUser-agent: *\nDisallow: /", False),  # one group: empty lines end none
    ],
)
def test_groups_of_robots(site: Site, robots: str, allowed: bool) -> None:
    site.answers |= {"/robots.txt": answer(robots.encode(), content_type="text/plain"), "/page": answer()}
    if allowed:
        assert site.fetch("/page").content == PAGE
    else:
        with pytest.raises(FastwrapError, match="does not allow"):
            site.fetch("/page")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://localhost:80/", "http://2130706433/", "http://0x7f.1/", "http://0/",
        "http://[::1]/", "http://[::ffff:10.0.0.1]/", "http://169.254.169.254/latest/", "http://10.1.2.3/",
        "http://192.168.0.1/", "http://100.64.0.1/", "http://[fe80::1]/", "http://[fd00::1]/", "http://224.0.0.1/",
        "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/",
    ],
)  # fmt: skip
def test_private_addresses_are_refused(url: str) -> None:
    with pytest.raises(FastwrapError, match="is not a public address"):
        fetch(url)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://example.org/", "only http and https"), ("example.org", "only http and https"),
        ("file:///etc/passwd", "only http and https"), ("http:///a", "no host"), ("http://\ud800/", "not an address"),
        ("http://a:b@example.org/", "password"), ("http://example.org:99999/", "no host"),
        ("http://@example.org/", "password"), ("http://:@example.org/", "password"),
        ("HTTP://a@example.org", "password"),
        ("http://a\0b/", "not an address"),
    ],
)  # fmt: skip
def test_addresses_that_are_none(url: str, message: str) -> None:
    with pytest.raises(FastwrapError, match=message):
        fetch(url)


networks = st.sampled_from(
    [
        "10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "0.0.0.0/8", "192.0.0.0/29",
        "192.0.0.170/31", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "100.64.0.0/10", "255.255.255.255/32",
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    "network",
    [
        "::/128", "::1/128", "::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/32", "2001:2::/48",
        "2001:10::/28", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10",
        "ff00::/8", "4000::/3", "e000::/4",
    ],
)  # fmt: skip
def test_special_networks_are_not_public(network: str) -> None:
    special = ipaddress.IPv6Network(network)
    last = special.num_addresses - 1
    assert not any(is_public(str(special[place])) for place in {0, min(1, last), last // 2, last})
    assert not is_public(f"{special[last]}%eth0")


def test_a_name_of_a_special_network(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        "a.example": "192.0.0.1",
        "b.example": "192.88.99.1",
        "c.example": "3fff::1",
        "d.example": "2002:101:101::",
    }
    resolve_to(monkeypatch, {name: [address] for name, address in names.items()})
    for name, address in names.items():
        with pytest.raises(FastwrapError, match=rf"{address} \({name}\) is not a public address"):
            fetch(f"http://{name}/")


@given(network=networks.map(ipaddress.IPv4Network), number=st.integers(0, 2**32))
def test_private_addresses_in_every_disguise(network: ipaddress.IPv4Network, number: int) -> None:
    address = network[number % network.num_addresses]
    number = int(address)
    disguises = [
        address,
        ipaddress.IPv6Address(0xFFFF << 32 | number),
        ipaddress.IPv6Address(0x2002 << 112 | number << 80),
        ipaddress.IPv6Address(int(ipaddress.IPv6Address("64:ff9b::")) | number),
        ipaddress.IPv6Address(int(ipaddress.IPv6Address("2001::")) | number ^ 0xFFFFFFFF),
    ]
    assert not any(is_public(str(disguise)) for disguise in disguises)


def test_public_addresses() -> None:
    for address in (
        "1.1.1.1", "93.184.215.14", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101", "192.0.0.9", "192.0.1.0",
        "192.31.196.1", "192.52.193.1", "192.175.48.1", "223.255.255.255", "2001:1::1", "2001:3::1", "2001:4:112::1",
        "2001:20::1", "2001:200::1", "2620:4f:8000::1", "3ffe::1", "2a00::1",
    ):  # fmt: skip
        assert is_public(address)


def resolve_to(monkeypatch: pytest.MonkeyPatch, names: dict[str, list[str]]) -> list[str]:
    """Names resolve to these addresses; the list has the names that were looked up."""
    asked: list[str] = []
    system = socket.getaddrinfo

    def look_up(host: str, port: Any, *rest: Any, **options: Any) -> Any:
        if host not in names:
            return system(host, port, *rest, **options)
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in names[host]]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return asked


def test_one_private_address_among_public_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, {"mixed.example": ["93.184.215.14", "10.0.0.1"]})
    with pytest.raises(FastwrapError, match=r"10\.0\.0\.1 \(mixed\.example\) is not a public address"):
        fetch("http://mixed.example/")


def test_redirects_are_checked_too(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "is_public", lambda address: address == "127.0.0.1")
    site.answers |= {"/": redirect(f"http://127.0.0.2:{site.port}/secret"), "/secret": answer()}
    with pytest.raises(FastwrapError, match=r"127\.0\.0\.2 is not a public address"):
        fetch(site.url + "/")
    assert "/secret" not in site.paths()


def test_the_checked_address_is_the_one_connected_to(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolve_to(monkeypatch, {"shop.example": ["127.0.0.1"]})
    site.answers |= {"/robots.txt": answer(b"", content_type="text/plain"), "/": answer()}
    found = fetch(f"http://shop.example:{site.port}/", allow_private=True)
    assert found.url == f"http://shop.example:{site.port}/"
    assert asked == ["shop.example"]  # once: the second request goes over the same connection
    assert {host for _, host in site.asked} == {f"shop.example:{site.port}"}


def test_the_second_address_is_tried(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, {"two.example": ["127.0.0.3", "127.0.0.1"], "none.example": ["127.0.0.3"]})
    site.answers["/"] = answer()
    assert fetch(f"http://two.example:{site.port}/", allow_private=True).content == PAGE
    with pytest.raises(FastwrapError, match=r"^http://none\.example"):
        fetch(f"http://none.example:{site.port}/", allow_private=True)


def test_unknown_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(FastwrapError, match=r"nothing\.example is not known"):
        fetch("http://nothing.example/")


def test_proxies_of_the_environment_are_not_used(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    site.answers["/"] = answer()
    assert site.fetch("/").content == PAGE


def test_names_in_other_scripts() -> None:
    assert web_address("http://bücher.example/ä").raw_host == b"xn--bcher-kva.example"


def test_without_httpx2() -> None:
    code = "import sys; sys.modules['httpx2'] = None\nfrom fastwrap import *\nfetch('https://a.example/')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("FastwrapError: httpx2 is not installed: pip install 'fastwrap[fetch]'\n")
