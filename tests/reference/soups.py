"""Random soups of tags for hypothesis: whatever has rules of its own in the standard, in any order.
Their pieces serve `fuzz/soups.py`, too."""

from __future__ import annotations

from hypothesis import strategies as st

# What has rules of its own: tables, formatting, texts that go on, raw texts, foreign content. The first ones are given
# more often, and so nest more deeply.
TAGS = """
    a b i font sub sup p div span li ul table tr td tbody form select option
    nobr wbr thead tfoot th caption colgroup col optgroup svg math mi desc title foreignobject g script style noscript
    template textarea pre form button h1 h2 dl dt dd ruby rb rt rtc frameset frame iframe noembed noframes xmp
    object applet br hr img image input area param body html head meta link x-y plaintext code address main search
    dialog label center selectedcontent annotation-xml
    """.split()
ATTRIBUTES = [
    "", "", " a=1", " a=1 b=2 a=3", " class=x", " type=application/json", " type=hidden", " color=red",
    " encoding=text/html", " viewbox=0 refx=1 xlink:href=2",
]  # fmt: skip
OTHERS = [
    "x", "a b", " ", "\n  ", "\t", "&nbsp;", "&#32;", " y", "y ", "< ", "<", "</>", "</ x>", "<!-- c -->", "<!x>",
    "<?p?>", "\x00", "\x0c", "\r\n", "<![CDATA[ z ]]>", "&lt;", "\u3000", "<!doctype html>",
]  # fmt: skip
PIECES = st.one_of(
    st.builds("<{}{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES), st.sampled_from(["", "", "/"])),
    st.sampled_from(TAGS).map("</{}>".format),
    st.sampled_from(OTHERS),
)
soups = st.lists(PIECES, max_size=60).map(lambda pieces: "".join(pieces).encode())
"""A page as bytes."""
