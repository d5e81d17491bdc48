"""Random pages on which much repeats, for tests of methods that find records: tables, boxes, sequences, sections, and
lists of cards with what stands among them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.reference.html import html

CELLS = st.sampled_from(
    ["<td>a", "<td><a href=#>b</a>", "<th>c", "<td><b>d</b> e", "<td><img width=40 height=40>", "<td>", "<p>f", "<hr>"]
)
tables = st.lists(st.lists(CELLS, min_size=1, max_size=5), max_size=8).map(
    lambda rows: "<table>" + "".join("<tr>" + "".join(row) for row in rows) + "</table>"
)

boxes = st.lists(
    st.sampled_from(
        [
            "<li class=r><b>a</b> <i>b</i> <u>c</u>",
            "<li class=r><b>a</b>",
            "<li class=r><p>other",
            "<li><b>a</b> <i>b</i>",
            "<li><b>a</b> <i>b</i> <u>c</u>",
            "<li class=s><b>a</b> <i>b</i> <u>c</u>",
            "<div><li><b>a</b> <i>b</i> <u>c</u></div>",
            "<li class='x r'><b>a</b> <p>b</p> <u>c</u>",
            "<li class='r\tx '><p>a</p> <p>b</p>",
            "<li class='r x'>one text",
            "<li class='r\x0bx'><p>a</p> <p>b</p>",
            "<section>x<li><b>a</b> <i>b</i> <u>c</u></section>",
        ]
    ),
    max_size=12,
).map(lambda parts: "<ul>" + "".join(parts) + "</ul>")

PARTS = {
    "a": "<p><b>Name</b> some text</p>",
    "b": "<i>x</i>",
    "c": "<u>a longer text</u>",
    "d": "<p><b>Name</b> <i>new</i> <a href=#>more</a></p>",
    "e": "<p><s>price</s></p>",
    "f": "<img width=60 height=60>",
    "g": "words ",
    "h": "<i hidden>not shown</i>",
    "l": "<ul><li><a href=#>one</a><li><a href=#>two</a></ul>",
    "-": "<br>",
    "=": "<hr>",
    ".": "<img width=1 height=90>",
    ":": "<p></p>",
}
"""Siblings: with content, of one tag and different trees, hidden, with a list of their own; and separators."""


def sequence(word: str, tag: str = "div") -> str:
    """An element with a child for each letter of a word: see PARTS."""
    return f"<{tag}>" + "".join(PARTS[letter] for letter in word) + f"</{tag}>"


words = st.text("".join(PARTS), max_size=25) | st.builds(
    lambda parts, order: "".join(parts[k % len(parts)] for k in order),
    st.lists(st.text("".join(PARTS), min_size=1, max_size=6), min_size=1, max_size=3),
    st.lists(st.integers(0, 2), max_size=8),
)
"""Any siblings, or a few runs of them again and again."""
sequences = words.map(sequence)
sections = st.lists(words, max_size=5).map(
    lambda parts: "<main>" + "".join(f"<h2>Part</h2>{sequence(part, 'section')}" for part in parts) + "</main>"
)

listings = st.builds(
    lambda parts, order: "".join(parts[k % len(parts)] for k in order),
    st.lists(html | tables | boxes | sequences | sections, min_size=1, max_size=3),
    st.lists(st.integers(0, 2), max_size=12),
)
"""A page of a few parts, again and again."""


# Pages of today: cards that link to pages of their own, and what stands among them

KINDS = ["/item/{k}", "/promo/{k}", "https://ads.example/{k}", "#", "/list?id={k}", "/item/{k}?ref=x", "/item/1"]
TAGS = ["li", "div", "article"]
CLASSES = ["", " class=card", " class='card big'", " class='x card'", " class='card card odd'", " class=promo"]
FIELDS = [
    "<a href='{link}'>Name {k}</a>",
    "<p>some text of {k}</p>",
    "<b>{k} EUR</b>",
    "<i>new</i>",
    "<h3><a href='{link}'>Title {k}</a></h3>",
    "<a href='{link}'><img width=60 height=60></a>",
    "<a href='/item/9{k}'>other</a>",
    "<label>Label {k}</label>",
    "<label for=x>Pick {k}</label>",
    "<label><input>Pick {k}</label>",
    "<u hidden>{k} left</u>",
    '<code hidden>{{"id": "' + "x" * 100 + '"}}</code>',
    "<ul><li>tag {k}<li>tag</ul>",
]
STRANGERS = [
    "<{tag}{own}><h2>Related</h2>" + "<p><a href=/r/1>x</a><p><a href=/r/2>y</a>" * 2 + "</{tag}>",
    "<{tag} class=banner><em>A banner of some length</em></{tag}>",
    "<{tag}{own}><em>Sponsored</em><s>and so on</s></{tag}>",
    "<{tag} class=head><h2>Results</h2></{tag}>",
    "<{tag}{own}><a href='?page=2'>2</a> <a href='?page=3'>3</a></{tag}>",
    "<{tag}{own}>All results of today, with <em>no link</em> among them at all</{tag}>",
    "<section><em>Ad</em>{record}</section>",
    "<section><div>{record}</div></section>",
    "<{tag} hidden>{record}</{tag}>",
    "<{tag}{own}><section><p><q><a href='{link}'>A name of some length</a></q></p></section></{tag}>",
    "<{tag}{own}><section><p><q><a href='{link}'>A name</a></q></p> <s>quite another</s> tree</section></{tag}>",
    "<{tag} class='card x'><dl><dt>A card <dd>that has <dt>another <dd>tree</dl></{tag}>",
    "<hr>",
]
"""What stands among the records of a list: `{own}` is their class, `{record}` one of them."""


@st.composite
def cards(draw: st.DrawFn) -> str:
    """A list of cards that are alike, with a few things among them or at its ends."""
    tag, own = draw(st.sampled_from(TAGS)), draw(st.sampled_from(CLASSES))
    any_fields = st.lists(st.sampled_from(FIELDS), min_size=1, max_size=5)
    fields = draw(any_fields | any_fields.map(lambda some: FIELDS[:3] + some[:2]))
    link = draw(st.sampled_from(KINDS))

    def card(k: int) -> str:
        odd = draw(st.integers(0, 11))
        inner = fields[:-1] if odd == 0 else fields + fields[:1] if odd == 1 else fields
        to = draw(st.sampled_from(KINDS)) if odd == 2 else link
        classes = draw(st.sampled_from(CLASSES)) if odd in (3, 4) else own
        text = " ".join(inner).format(k=k, link=to.format(k=k))
        return f"<{tag}{classes}>{text}</{tag}>"

    records = [card(k) for k in range(draw(st.sampled_from([2, 3, 5, 6, 7, 8])))]
    for k, stranger in enumerate(draw(st.lists(st.sampled_from(STRANGERS), max_size=3))):
        place = draw(st.sampled_from([0, len(records), draw(st.integers(0, len(records)))]))
        records.insert(place, stranger.format(tag=tag, own=own, link=link.format(k=k), record=card(50 + place)))
    return "".join(records)


@st.composite
def groups(draw: st.DrawFn) -> str:
    """Lists under headings, rows of cards, or runs of them."""
    listing, k = draw(cards()), draw(st.integers(2, 4))
    box = draw(
        st.sampled_from(
            ["<section><h2>Part</h2><ul>{}</ul></section>", "<div class=row>{}</div>", "<h2>Part</h2><ul>{}</ul>"]
        )
    )
    field = "<div class=card><a href=/item/{n}>Name {n}</a> <b>{n} EUR</b> <i>text</i></div>"
    rows = "".join(box.format("".join(field.format(n=10 * row + n) for n in range(k))) for row in range(k + 1))
    return draw(st.sampled_from([rows, f"<main>{rows}</main>", "".join(box.format(listing) for _ in range(k))]))


@st.composite
def posts(draw: st.DrawFn) -> str:
    """Posts with comments, which link nowhere; some of the posts have none, or no link."""
    found = []
    for k in range(draw(st.integers(2, 6))):
        link = f"<a href=/post/{k}>Post {k}</a>" if draw(st.integers(0, 9)) else "<b>Post</b>"
        count = draw(st.sampled_from([2, 3, 4, 4, 0]))
        comments = "".join(
            f"<li><b>Name {n}</b> <i>on Monday</i> <p>what somebody said of it</p></li>" for n in range(count)
        )
        found.append(f"<article class=post><h2>{link}</h2><p>some text of a post</p><ul>{comments}</ul></article>")
    return f"<main>{''.join(found)}</main>"


@st.composite
def runs(draw: st.DrawFn) -> str:
    """One list in several sections or custom tags, and single cards a level higher."""
    field = "<a href={to}{n}>Name {n}</a> <b>{n} EUR</b> <i>text of {n}</i>"
    to = draw(st.sampled_from(["/item/", "/item/", "/list?id="]))
    parts, n = [], 0
    for _ in range(draw(st.integers(2, 4))):
        outer = draw(st.sampled_from(["ul", "ol", "x-list", "section"]))
        inner = draw(st.sampled_from(["li", "li", "x-item", "div"])) + draw(st.sampled_from(["", " class=card"]))
        own = []
        for _ in range(draw(st.sampled_from([1, 2, 3, 4, 5]))):
            n += 1
            own.append(f"<{inner}>{field.format(to=to, n=n)}</{inner.split()[0]}>")
        parts.append(f"<{outer}>{''.join(own)}</{outer}>" if draw(st.integers(0, 4)) else "".join(own))
    return f"<main>{''.join(parts)}</main>"


@st.composite
def rows(draw: st.DrawFn) -> str:
    """A table with rows of headings, rows of other cells, and rows that have less in them."""
    count = draw(st.integers(2, 4))
    usual = "".join(
        f"<td>{field}" for field in ("<a href=/item/{k}>Name {k}</a>", "{k} EUR", "text", "<i>x</i>")[:count]
    )
    other = [
        "<th>Name" * count, f"<td colspan={count}>Group {{k}}", "<td><b>{k}</b> bold" + "<td>-" * (count - 1),
        "<td>" * count, "<td>1" * (count + 1),
        "<td><p><em>A longer</em> <s>text</s> {k}</p>" + "<td><u><s><q>{k}</q></s></u> or <p>more" * (count - 1),
    ]  # fmt: skip
    kinds = draw(st.lists(st.sampled_from([usual] * 8 + other), min_size=3, max_size=12))
    return "<table>" + "".join(f"<tr>{row}".format(k=k) for k, row in enumerate(kinds)) + "</table>"


ENDS = [
    "<li><b>Found</b> <i>some</i> <p>records</p></li>",
    "<li><a href=/more/>All</a> <b>of them</b> <p>" + "and a long text " * 8 + "</p></li>",
    "<li><a href=/more/>x</a> <b>y</b></li>",
    "<li><section><s><q><a href=/item/99>Name 99</a></q> <u>and</u></s> more</section></li>",
    "<li><section><s><q><a href=/other/9>Name 99</a></q> <u>and</u></s> more</section></li>",
    "<li><em>A banner</em> <s>of</s> <q>some</q></li>",
    "",
]


@st.composite
def ended(draw: st.DrawFn) -> str:
    """A list with something at its ends, which is a record or is not, and perhaps one among the records."""
    records = [
        f"<li><a href=/item/{k}>Name {k}</a> <b>{k} EUR</b> <p>text of {k}</p></li>"
        for k in range(draw(st.integers(4, 8)))
    ]
    records.insert(draw(st.integers(0, len(records))), draw(st.sampled_from(ENDS)))
    first, last = draw(st.sampled_from(ENDS)), draw(st.sampled_from(ENDS))
    return f"<ul>{first}{''.join(records)}{last}</ul>"


WORDS_SAID = "what somebody said of it, at some length, so that nobody would take it for a name"
REPLIES = [
    "<li class=in><div class='{own}'>{post}</div>{below}</li>",
    "<div class='{own}'>{post}</div><div class=indented>{below}</div>",
    "<section><p class='{own}'>{post}</p><section>{below}</section></section>",
    "<li class='{own}'>{post}<ul>{below}</ul></li>",
    "<li class='{own}'><article>{post}</article><ul>{below}</ul></li>",
    "<li><p>{post}</p><ol>{below}</ol></li>",
]
POSTS = [
    "<b class=who><a href=/user/{k}>Name {k}</a></b> <i class=when>on day {k}</i> <q class=text>{said}</q>",
    "<a class=who href=/user/{k}>Name {k}</a> <i class=when>on day {k}</i> <u class=text>{said}</u> <s class=s>{k}</s>",
    "<b>Name {k}</b> <i>on day {k}</i> <u>{said}</u>",
    "<q class=text>{said}</q> <b class='" + " ".join(f"t{k}" for k in range(20)) + "'>{k}</b>",
    "<b>{k}</b>",
]
ABOVE = [
    "<article class=first>{post}</article>", "<header><h1>Title</h1><div class=first>{post}</div></header>",
    "<article class=first>{post}{post}</article>", "<article class='{own}'>{post}</article>",
    "<article><h1>Title</h1>{post} {said} {said}</article>", "<nav><a href=/user/3>me</a></nav>", "",
]  # fmt: skip


@st.composite
def threads(draw: st.DrawFn) -> str:
    """Posts with replies below them, some of a further class, and what stands above the list."""
    level, post = draw(st.sampled_from(REPLIES)), draw(st.sampled_from(POSTS))
    said = st.sampled_from([WORDS_SAID, WORDS_SAID * 3, "yes"])
    number = 0

    def one(depth: int) -> str:
        nonlocal number
        number += 1
        own = draw(st.sampled_from(["c", "c", "c", "c", "c op", "d"]))
        text = post.format(k=number, said=draw(said))
        below = "".join(one(depth + 1) for _ in range(draw(st.sampled_from([0, 0, 1, 2, 3])) if depth < 3 else 0))
        return level.format(own=own, post=text, below=below)

    found = "".join(one(0) for _ in range(draw(st.integers(1, 4))))
    above = draw(st.sampled_from(ABOVE)).format(post=post.format(k=0, said=draw(said)), said=WORDS_SAID, own="c")
    box = draw(st.sampled_from(["{}<ol>{}</ol>", "{}<main><h2>Answers</h2>{}</main>", "<main>{}<p>x</p>{}</main>"]))
    return box.format(above, found)


modern = st.lists(
    threads() | ended() | cards().map(lambda text: f"<ul>{text}</ul>") | groups() | posts() | runs() | rows(),
    min_size=1,
    max_size=3,
).map("".join)
"""A page of a few lists."""
