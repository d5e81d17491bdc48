"""What the attack does to a page: each operation takes a page as pieces, one for each tag, and gives it changed.
`room` is the number of bytes that an operation may add; where it has no place to work at, the page stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from pieces import ATTRIBUTES, STARTS, TAGS, TEXTS, change, piece, scramble

Pieces = list[bytes]
Operation = Callable[[Pieces, Random, int], Pieces]

TAG = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*)([^>]*)>?")
FAR = 2_000
"""Pieces after which the end of an element is no longer looked for."""

WORDS = "Name price Details new 12 3.50 EUR 2024-03-01 in stock from by the of and more".split()
FOREIGN = """
    svg math template select table tbody tr td caption colgroup frameset noscript textarea plaintext xmp option button
    svg><foreignObject svg><desc svg><title math><mi math><annotation-xml template><tr template><td table><template
    select><optgroup table><select ruby><rt iframe noembed dialog details object video picture form nobr
    """.split()
LONG = (*TEXTS, "7", "1.", "1,000 ", "a, ", "k: v; ", "a | ", "- ", "/", "http://", "é", "日", " ", "\t\n", "<br>", "A")
LETTERS = "1 9.,:-/$€%@+()xaé日\n;=?#'*~_|[]{}«›٣\u00a0TZ&<"
"""What long texts are made of, in whole or by letters."""

CELLS = ("", "", "<b>x</b>", "<a href=/1>y</a><br>z", "<ul><li>1<li>2</ul>", "<table><tr><td>1</table>")
LISTS = (("ul", "li"), ("div", "p"), ("div", "div"), ("dl", "dd"), ("table", "tr"), ("x-l", "x-i"))
ADDRESSES = ("?page={}", "/p/{}", "?a=1&offset={}0", "#{}", "../{}/", "page-{}.html?{}", "//[{}", "?{}")
ENTITIES = """
    &amp; &nbsp; &lt; &copy &notit; &nGt; &nLt; &#0; &#x80; &#xD800; &#x10FFFF; &#99999999999; &NotEqualTilde; & &; &#;
    &CounterClockwiseContourIntegral; &fjlig; &ThickSpace; &zwj; &shy; &bne;
    """.split()


def split(data: bytes) -> Pieces:
    """A page as pieces: each begins with a tag, and has the text after it."""
    return [part for part in STARTS.split(data) if part]


def often(random: Random, most: int) -> int:
    """A number from 1 to `most`, small ones as often as large ones."""
    return max(1, int(max(1, most) ** random.random()))


def end_of(parts: Pieces, start: int) -> int:
    """The piece after the end tag of the element that begins at `start`, or the one after its start tag."""
    found = TAG.match(parts[start])
    if not found or found[1]:
        return start + 1
    name, depth = found[2].lower(), 0
    for place in range(start, min(len(parts), start + FAR)):
        other = TAG.match(parts[place])
        if other and other[2].lower() == name:
            depth += -1 if other[1] else 1
            if depth == 0:
                return place + 1
    return start + 1


def some(parts: Pieces, random: Random) -> tuple[int, int]:
    """Where a stretch of the page begins and ends: mostly an element with all that is in it."""
    if not parts:
        return 0, 0
    start = random.randrange(len(parts))
    if random.random() < 0.25:
        return start, min(len(parts), start + often(random, 60))
    starts = [start, *(random.randrange(len(parts)) for _ in range(3))]
    return next(((k, end) for k in starts if (end := end_of(parts, k)) > k + 1), (start, start + 1))


def put(parts: Pieces, random: Random, made: Pieces) -> Pieces:
    """The page with something more in it, anywhere."""
    place = random.randint(0, len(parts))
    return [*parts[:place], *made, *parts[place:]]


def attributes(random: Random, most: int = 3) -> str:
    """Some attributes."""
    return "".join(random.choice(ATTRIBUTES) for _ in range(random.randint(0, most)))


def words(random: Random, most: int) -> str:
    """Some words of a listing."""
    return " ".join(random.choice(WORDS) for _ in range(random.randint(1, most)))


def labelled(random: Random) -> bytes:
    """A label and a value."""
    return f"{words(random, 4)}: {words(random, 4)}".encode()


# The page as it is, in another order or number


def small_changes(parts: Pieces, random: Random, room: int) -> Pieces:
    """What the mutator of the fuzz targets does."""
    for _ in range(often(random, 12)):
        parts = change(parts, random)
    return parts


def duplicate(parts: Pieces, random: Random, room: int) -> Pieces:
    """An element many times."""
    start, end = some(parts, random)
    made = parts[start:end]
    return [*parts[:start], *made * often(random, room // (sum(map(len, made)) + 1)), *parts[start:]]


def duplicate_irregularly(parts: Pieces, random: Random, room: int) -> Pieces:
    """An element many times, each a little different."""
    start, end = some(parts, random)
    made = parts[start : min(end, start + 200)]
    copies: Pieces = []
    for _ in range(often(random, min(3_000, room // (sum(map(len, made)) + 1)))):
        copies += change(made, random) if random.random() < 0.5 else made
    return [*parts[:start], *copies, *parts[start:]]


def nest_in_itself(parts: Pieces, random: Random, room: int) -> Pieces:
    """An element in the middle of itself, many times."""
    start, end = some(parts, random)
    middle = random.randint(start, end)
    times = often(random, min(400, room // (sum(map(len, parts[start:end])) + 1)))
    return [*parts[:start], *parts[start:middle] * times, *parts[middle:end] * times, *parts[end:]]


def cut(parts: Pieces, random: Random, room: int) -> Pieces:
    """A stretch is left out, or all before a place, or all after one."""
    start, end = some(parts, random)
    return random.choice((parts[:start] + parts[end:], parts[start:], parts[:end]))


def halve(parts: Pieces, random: Random, room: int) -> Pieces:
    """The page ends within a tag or a text."""
    data = b"".join(parts)
    return split(data[: random.randint(0, len(data))])


def move(parts: Pieces, random: Random, room: int) -> Pieces:
    """A stretch stands elsewhere, once or many times."""
    start, end = some(parts, random)
    made, rest = parts[start:end], parts[:start] + parts[end:]
    for _ in range(often(random, min(50, room // (sum(map(len, made)) + 1)))):
        rest = put(rest, random, made)
    return rest


def shuffle(parts: Pieces, random: Random, room: int) -> Pieces:
    """The pieces of a stretch in any order."""
    start, end = some(parts, random)
    made = parts[start:end]
    random.shuffle(made)
    return parts[:start] + made + parts[end:]


def without_end_tags(parts: Pieces, random: Random, room: int) -> Pieces:
    """Some end tags are missing, or all of one name."""
    share = random.choice((0.02, 0.2, 0.7, 1.0))
    name = random.choice(TAGS).encode() if random.random() < 0.5 else b""
    return [
        part[part.find(b">") + 1 :] if part.startswith(b"</" + name) and random.random() < share else part
        for part in parts
    ]


def damage(parts: Pieces, random: Random, room: int) -> Pieces:
    """Bytes are set, left out and put in."""
    data = b"".join(parts)
    for _ in range(often(random, 30)):
        data = scramble(data, random)
    return split(data)


# Tags and attributes


def swap_attributes(parts: Pieces, random: Random, room: int) -> Pieces:
    """The start tags of a stretch have the attributes of others, or other names."""
    start, end = some(parts, random)
    places = [k for k in range(start, end) if (found := TAG.match(parts[k])) and not found[1]]
    tags = [match.groups() for k in places if (match := TAG.match(parts[k]))]
    names, given = [tag[1] for tag in tags], [tag[2] for tag in tags]
    random.shuffle(random.choice((names, given)))
    made = list(parts)
    for k, name, own in zip(places, names, given, strict=True):
        made[k] = b"<" + name + own + b">" + parts[k][parts[k].find(b">") + 1 :]
    return made


def repeat_attributes(parts: Pieces, random: Random, room: int) -> Pieces:
    """A tag has its attributes many times, or very many other ones."""
    start, _ = some(parts, random)
    if start >= len(parts) or not (found := TAG.match(parts[start])) or found[1]:
        return parts
    most = often(random, min(room // 12, 30_000))
    kinds = (
        lambda k: random.choice(ATTRIBUTES),
        lambda k: f" data-a{k}=v",
        lambda k: f" data-a{k}='{words(random, 3)}'",
        lambda k: f" {random.choice(('href', 'src', 'title', 'class', 'alt', 'content', 'srcset'))}{k}=/{k}",
        lambda k: " class=same",
    )
    kind = random.choice(kinds)
    own = "".join(kind(k) for k in range(most)).encode()[:room]
    tag = b"<" + found[2] + found[3].rstrip(b"/") + own + b">"
    return [*parts[:start], tag + parts[start][found.end() :], *parts[start + 1 :]]


def classes(parts: Pieces, random: Random, room: int) -> Pieces:
    """The start tags of a stretch have classes: one each, many, or ever more."""
    start, end = some(parts, random)
    many, length = often(random, 40), 0
    how = random.randrange(4)
    made = list(parts)
    for k in range(start, end):
        found = TAG.match(parts[k])
        if not found or found[1] or length > room:
            continue
        names = (f"c{k}", f"k{k % 3} c{k}", " ".join(f"c{k % 7}-{j}" for j in range(many)), "a " * (k - start))[how]
        made[k] = b"<%s class='%s'%s>" % (found[2], names.encode(), found[3]) + parts[k][found.end() :]
        length += len(made[k])
    return made


def rename_tags(parts: Pieces, random: Random, room: int) -> Pieces:
    """The tags of a stretch have another name, one of their own each, or any."""
    start, end = some(parts, random)
    name, how = random.choice(TAGS), random.randrange(3)
    made = list(parts)
    for k in range(start, end):
        if found := TAG.match(parts[k]):
            new = (name, f"x-{k}", random.choice(TAGS))[how].encode()
            made[k] = b"<" + found[1] + new + parts[k][found.end(2) :]
    return made


# Texts


def texts(parts: Pieces, random: Random, room: int) -> Pieces:
    """The texts of a stretch are others: any, one that repeats, or those of the stretch in another order."""
    start, end = some(parts, random)
    cuts = [(part[: part.find(b">") + 1], part[part.find(b">") + 1 :]) for part in parts[start:end]]
    how, one = random.randrange(4), random.choice(TEXTS)
    old = [text for _, text in cuts]
    random.shuffle(old)
    made = [
        tag + (random.choice(TEXTS).encode(), one.encode(), other, labelled(random))[how]
        for (tag, _), other in zip(cuts, old, strict=True)
    ]
    return parts[:start] + made + parts[end:]


def long_text(parts: Pieces, random: Random, room: int) -> Pieces:
    """A long text, somewhere or after every tag of a stretch."""
    unit = random.choice(LONG) if random.random() < 0.6 else "".join(random.choices(LETTERS, k=random.randint(1, 5)))
    if random.random() < 0.7:
        return put(parts, random, [(unit * often(random, room // len(unit.encode()))).encode()[:room]])
    start, end = some(parts, random)
    made = unit.encode() * often(random, room // (max(1, end - start) * len(unit.encode())))
    return parts[:start] + [part + made for part in parts[start:end]] + parts[end:]


def text_that_goes_on(parts: Pieces, random: Random, room: int) -> Pieces:
    """A long text that is continued behind tags that make no element where they stand, again and again."""
    before = random.choice(("", "<table>", "<table><colgroup>", "<svg>", "<select>", "<template><table>", "<math>"))
    between = random.choice(
        ("<tr><td>z</td>", "</q a=b>", "<body a{}=b>", "</body><!-- -->", "<input type=hidden>", "<tr>")
    )
    half = random.randint(0, room // 2)
    made = "".join(f"y{between.format(k)}" for k in range(often(random, (room - half) // (len(between) + 3))))
    return put(parts, random, split(f"{before}{'x' * half}{made}".encode()))


def entities(parts: Pieces, random: Random, room: int) -> Pieces:
    """Character references, right and wrong, one after the other."""
    run = "".join(random.choice(ENTITIES) for _ in range(random.randint(1, 5)))
    made = (run * often(random, room // len(run))).encode()
    return put(parts, random, [b"<a href='" + made + b"'>" if random.random() < 0.2 else made])


# Around and within


def nest(parts: Pieces, random: Random, room: int) -> Pieces:
    """Elements around a stretch, in many levels, closed or not."""
    start, end = some(parts, random)
    tags = [random.choice(TAGS) for _ in range(random.randint(1, 3))]
    levels = often(random, min(1_200, room // 10))
    between = random.choice((b"", b"", b"x", b"<p>x</p>", b"<br>"))
    opening = [f"<{tags[k % len(tags)]}{attributes(random, 1)}>".encode() + between for k in range(levels)]
    closing = [f"</{tags[k % len(tags)]}>".encode() for k in reversed(range(levels))]
    return [*parts[:start], *opening, *parts[start:end], *(closing if random.random() < 0.7 else ()), *parts[end:]]


def foreign(parts: Pieces, random: Random, room: int) -> Pieces:
    """A stretch in svg, a template, a select or another place that has rules of its own; or many such places."""
    start, end = some(parts, random)
    path = random.choice(FOREIGN).split("><")
    opening = "".join(f"<{tag}{attributes(random, 1)}>" for tag in path).encode()
    closing = "".join(f"</{tag}>" for tag in reversed(path)).encode() if random.random() < 0.7 else b""
    if random.random() < 0.5:
        return [*parts[:start], opening, *parts[start:end], closing, *parts[end:]]
    made: Pieces = []
    for part in parts[start:end]:
        made += [opening, part, closing] if random.random() < 0.3 and len(made) * 20 < room else [part]
    return parts[:start] + made + parts[end:]


def many_pieces(parts: Pieces, random: Random, room: int) -> Pieces:
    """Tags and texts without order."""
    return put(parts, random, [piece(random) for _ in range(often(random, min(3_000, room // 10)))])


# What is made anew


def item(random: Random, variety: int, number: int) -> str:
    """An item of a list, with parts that may be missing."""
    made = "".join(
        f"<{tag}{random.choice((f' class=c{k}', '', f' href=/{number}'))}>{words(random, 3)} {number}</{tag}>"
        for k, tag in enumerate(("a", "b", "i", "span", "p", "em")[:variety])
        if random.random() < 0.8
    )
    return random.choice((made, made + piece(random).decode(), made + random.choice(TEXTS)))


def irregular_list(random: Random, room: int) -> str:
    """Hundreds or thousands of siblings that do not repeat regularly, after many that do."""
    tags = [random.choice(TAGS) for _ in range(random.randint(1, 4))]
    first = random.choice(("", "", "<br>", "<hr>", "<p></p>", "x<br>")) * often(random, min(2_000, room // 20))
    variety, length, made = random.randint(0, 6), len(first), [first]
    loose, shape = random.random() < 0.3, random.random()
    for k in range(often(random, min(10_000, room // 30))):
        inner = item(random, variety, k) if shape < 0.6 else "<b>x</b>" * random.randint(0, 4) + str(k)
        tag = random.choice(tags)
        made.append(inner if loose else f"<{tag}>{inner}</{tag}>")
        length += len(made[-1])
        if length > room:
            break
    around = random.choice(("div", "ul", "td", "section", "p"))
    return f"<{around}>{''.join(made)}</{around}>"


def siblings(parts: Pieces, random: Random, room: int) -> Pieces:
    """Irregular lists, one or many; several of them may be the same but for their length."""
    lists = often(random, 30)
    seeds = [random.random() for _ in range(often(random, lists))]
    made = ""
    for k in range(lists):
        own = Random(random.choice(seeds))  # noqa: S311 - the same every time
        made += f"<section><h2>{k}</h2>{irregular_list(own, room // lists + random.randint(0, 99))}</section>"
    return put(parts, random, split(made.encode()))


def table(parts: Pieces, random: Random, room: int) -> Pieces:
    """A table: wide or long, with or without headers, cells that span, tables in cells."""
    rows = often(random, min(2_000, room // 20))
    width = often(random, max(1, min(12_000, room // (rows * 12))))
    same, spans, ragged = random.random() < 0.4, random.random() < 0.2, random.random() < 0.3
    inner = random.choice(CELLS)
    names = random.choice((("Name",), tuple(WORDS), tuple(f"c{k}" for k in range(width))))
    head = "<tr>" + "".join(f"<th>{names[k % len(names)]}" for k in range(width)) if random.random() < 0.5 else ""
    made, length = [head], len(head)
    for row in range(rows):
        cells = width if not ragged else random.randint(0, width)
        for column in range(cells):
            span = f" colspan={random.choice((0, 2, 1000, 99999))} rowspan={random.randint(0, 3)}" if spans else ""
            made.append(f"{'<tr>' if not column else ''}<td{span}>{'x' if same else f'{row} {column}'}{inner}")
            length += len(made[-1])
        if length > room:
            break
    return put(parts, random, split(f"<table>{''.join(made)}</table>".encode()[: room + 1_000]))


def lists_in_lists(parts: Pieces, random: Random, room: int) -> Pieces:
    """Lists whose items are lists, or records with very many lists in them."""
    inner = random.choice(("x", "<i>x</i>", "<a href=/x>y</a> z"))
    outer, tag = random.choice(LISTS)
    if random.random() < 0.5:
        for level in range(random.randint(1, 6)):
            width = random.randint(1, 9)
            if len(inner) * width > room:
                break
            inner = f"<{outer} class=l{level}>" + f"<{tag}>{inner}</{tag}>" * width + f"</{outer}>"
    else:
        records = random.randint(2, 5)
        many = often(random, room // (records * 60))
        lists = "".join(f"<{outer} class=l{k}>" + f"<{tag}>{inner}{k}</{tag}>" * 3 + f"</{outer}>" for k in range(many))
        inner = f"<section>{lists}</section>" * records
    return put(parts, random, split(inner.encode()[: room + 1_000]))


def pager(parts: Pieces, random: Random, room: int) -> Pieces:
    """Links to pages: numbers, words, arrows; with addresses of any length."""
    address = random.choice(ADDRESSES)
    label = random.choice(("{}", "next {} »", "{} ›", "", "<svg><title>next</title></svg>", "Page {} of 99", "1{}"))
    tail = random.choice(("", "", "../" * often(random, 500), "&a=b" * often(random, 500), "%C3" * often(random, 300)))
    unit = len(address + label + tail) + 20
    made = "".join(
        f"<a{attributes(random, 1)} href='{address.format(k, k)}{tail}'>{label.format(k)}</a>{random.choice(' |')}"
        for k in range(often(random, min(3_000, room // unit)))
    )
    return put(parts, random, split(made.encode()[: room + 1_000]))


GROWING: tuple[Operation, ...] = (
    duplicate, duplicate_irregularly, nest_in_itself, siblings, table, lists_in_lists, long_text, text_that_goes_on,
    pager,
)  # fmt: skip
"""What makes a page as large as it may be."""

OPERATIONS: dict[Operation, int] = {
    small_changes: 6, duplicate: 6, duplicate_irregularly: 6, nest_in_itself: 3, cut: 4, halve: 2, move: 4, shuffle: 2,
    without_end_tags: 3, damage: 4, swap_attributes: 3, repeat_attributes: 2, classes: 3, rename_tags: 3, texts: 3,
    long_text: 3, text_that_goes_on: 2, entities: 2, nest: 3, foreign: 4, many_pieces: 2, siblings: 4, table: 3,
    lists_in_lists: 3, pager: 2,
}  # fmt: skip
"""Each with how often it is chosen."""
