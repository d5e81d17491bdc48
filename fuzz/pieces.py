"""What the fuzz targets share: pieces of HTML, and a mutator that cuts and joins pages tag by tag.
A page is its own input, so that every file of a corpus can be opened in a browser."""

from __future__ import annotations

import re
from random import Random

TAGS = """
    div span p a b i u font ul ol li dl dt dd table tr td th tbody thead caption colgroup col h1 h2 h3 br img hr form
    input select option optgroup button label nav section article aside main header footer iframe noframes noembed
    textarea title svg path g foreignObject desc math mi mtext annotation-xml x-card body html head frameset frame
    center nobr template script style noscript plaintext xmp listing pre ruby rt time meta base link applet marquee
    """.split()

ATTRIBUTES = [
    "", " class=a", ' class="a b"', " class=''", " style='display:none'", " hidden", " href=/p?page=2", " rel=next",
    " href='//[x'", " src=i.png alt=text", " id=one", " title='&eacute; 日'", " datetime=2024-02-30", " itemprop=price",
    " colspan=3", " rowspan=0", " type=hidden value=1", " data-x='{}'", " aria-label='next page'", " href=?page=3",
    " encoding=text/html", " content='1.5' itemprop=name", " type=application/ld+json", " lang=de", " =x", " a/b",
]  # fmt: skip

TEXTS = [
    "text", " ", "two  words", "1.299,00 EUR", "$5", "-3 %", "12.03.2024", "March 3, 2024", "4.5 of 5", "2 days ago",
    "Next", "weiter »", "›", "1", "2", "3", "...", "Page 1 of 9", "Price:", "Name: x", "a, b, c", "a@b.example", "yes",
    "&nbsp;", "&amp;", "&#0;", "&#x110000;", "日本語", "٣٫٥", "１２", "\ufeff", "\u202e", "1e999", "9" * 40,
    "+49 30 1234", "{", "}",
    "http://x.example/?a=1#b", "10:30", "1/2", "5 kg", "<!-- c -->", "<![CDATA[x]]>", "<?x ?>", "</", "<",
]  # fmt: skip

STARTS = re.compile(rb"(?=<)")


def mutate_html(data: bytes, max_size: int, seed: int) -> bytes:
    """A page like another one, for Atheris: changed by tags in three of four cases, else by bytes."""
    random = Random(seed)  # noqa: S311 - the same input every time is the point
    if random.random() < 0.25:
        return scramble(data, random)[:max_size]
    parts = [part for part in STARTS.split(data) if part]
    for _ in range(random.randint(1, 4)):
        parts = change(parts, random)
    return b"".join(parts)[:max_size]


def scramble(data: bytes, random: Random) -> bytes:
    """A few bytes are set, left out or put in. (Atheris's own Mutate does not work with a preloaded mutator.)"""
    made = bytearray(data)
    for _ in range(random.randint(1, 4)):
        at = random.randint(0, len(made))
        made[at : at + random.choice((0, 1, 1, 2, 8))] = random.randbytes(random.choice((0, 1, 1, 2, 4)))
    return bytes(made)


def piece(random: Random) -> bytes:
    """A tag or a text."""
    tag = random.choice(TAGS)
    made = (f"<{tag}{random.choice(ATTRIBUTES)}>", f"</{tag}>", random.choice(TEXTS))
    return random.choice(made).encode()


def change(parts: list[bytes], random: Random) -> list[bytes]:
    """One change: a piece is put in, left out or replaced; a stretch is repeated, moved or wrapped."""
    at = random.randint(0, len(parts))
    end = min(len(parts), at + random.choice((1, 1, 2, 4, 9)))
    stretch = parts[at:end]
    match random.randrange(7):
        case 0:
            return [*parts[:at], piece(random), *parts[at:]]
        case 1:
            return [*parts[:at], *parts[end:]]
        case 2:
            return [*parts[:at], piece(random), *parts[end:]]
        case 3:
            return [*parts[:end], *(stretch * random.choice((1, 2, 3, 8))), *parts[end:]]
        case 4:
            rest = [*parts[:at], *parts[end:]]
            place = random.randint(0, len(rest))
            return [*rest[:place], *stretch, *rest[place:]]
        case 5:
            tag = random.choice(TAGS)
            return [
                *parts[:at], f"<{tag}{random.choice(ATTRIBUTES)}>".encode(), *stretch, f"</{tag}>".encode(),
                *parts[end:],
            ]  # fmt: skip
        case _:
            # Records that differ: each copy of the stretch has a piece of its own.
            copies = [part for _ in range(3) for part in (*stretch, piece(random))]
            return [*parts[:end], *copies, *parts[end:]]
