"""Random HTML for hypothesis: well-formed or not, with everything that the walk treats in a special way."""

from __future__ import annotations

from hypothesis import strategies as st

TAGS = """
    div span p a b i font sup wbr ul li dl dt dd table tr td th tbody h1 h2 br img hr form input select option button
    nav section article iframe noframes noembed textarea title svg path g foreignObject linearGradient math mi
    x-card my:tag a-custom-element-with-a-long-name body html head frameset center nobr
    """.split()

ATTRIBUTES = st.sampled_from(
    [
        "", " class=a", ' class="a b"', " class=''", " style='display:none'", " style='color: red; Display : NONE'",
        " style='visibility:hidden'", " style='x-display:none'", " hidden", ' hidden="until-found"',
        " href=/x?a=1&amp;b=2",
        " src='i.png' alt='an image'", " id=one ID=two", " data-price=1 data-a-rather-long-attribute-name='2'",
        " viewBox='0 0 1 1'", " xlink:href='#a'", " title='é “x” 日本'", ' onclick="a(\'b\')"', " =x", " a/b", " class",
    ]
)  # fmt: skip

TEXTS = st.sampled_from(
    ["text", " ", "\n\t ",
     "two  words", " lead", "trail ", "&nbsp;", "&nbsp;x&nbsp;", "\u3000", "a\u2003b", "&amp;&lt;",
     "日本語", "\x00", "\x0c", "&#x1f600;", "\u200b", "\x1cx", "\x85", "é", "<", "&", "&bogus;", "\ufeff"]
)  # fmt: skip

SPECIAL = st.sampled_from(
    [
        "<!-- comment -->", "<!-->", "<![CDATA[x]]>", "<?php ?>", "<!doctype html>",
        "<script>var a = '<p>';</script>", "<script type='application/ld+json'>{\"a\": 1}</script>",
        "<script type=APPLICATION/JSON>[]</script>", "<script type='text/json'></script>", "<style>p{}</style>",
        "<template><p>t</p></template>", "<noscript><p>n</p></noscript>", "<textarea><p></textarea>",
        "<iframe><p>x</p></iframe>", "<xmp><b></xmp>", "<svg><style>x</style><script>y</script><title>t</title></svg>",
    ]
)  # fmt: skip

starts = st.builds(lambda tag, attributes, close: f"<{tag}{attributes}{close}>", st.sampled_from(TAGS),
                   ATTRIBUTES, st.sampled_from(["", "", "", "/"]))  # fmt: skip
ends = st.sampled_from(TAGS).map(lambda tag: f"</{tag}>")

html = st.lists(st.one_of(starts, starts, ends, TEXTS, SPECIAL), max_size=40).map("".join)
"""A page as text."""
