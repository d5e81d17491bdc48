"""Random pages on which much repeats, for tests of methods that find records: tables, boxes, sequences, sections."""

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
