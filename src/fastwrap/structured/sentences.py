"""Sentences: whether a string of data is something that people read, and what it says without its markup.
By its letters, words and signs alone, so that one rule serves all languages; the keys to a string are no part of it."""

from __future__ import annotations

import html
import re

from fastwrap._core.structured.looks import count

LEAST = 60
"""Letters of a string that is prose by itself; shorter ones are taken along with others of their kind."""
LONGEST = 200_000
"""Characters of a string that are looked at."""
LONGEST_WORD = 60
"""Characters between two spaces, on average, in texts of English and the like, with the addresses of their links."""
TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
INLINE = re.compile(
    r"</?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|tt|u|var|wbr)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
"""Tags of formatting, which part no words."""
UNREAD = re.compile(
    r"<(script|style|template|noscript|svg|textarea|select|iframe|title)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""Elements whose text nobody reads as such, up to the end where they are not closed."""
CODE = re.compile(r"<(pre|code|kbd|samp)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
LINKED = re.compile(r"<a\b.*?(?:</a\s*>|\Z)", re.DOTALL | re.IGNORECASE)
MARKUP = re.compile(
    r"</?(?:p|br|div|a|ul|ol|li|b|i|u|em|strong|h[1-6]|span|blockquote|img|pre|code|table|figure|section|hr)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
ESCAPED = re.compile(r"&lt;/?(?:p|br|div|a|ul|ol|li|b|i|em|strong|h[1-6]|span|blockquote|img)\b", re.IGNORECASE)
BLANKS = re.compile(r"\{\{|\$\{|%\(\w+\)|%[sd]\b|\{\w{0,20}\}|<%")
"""What the sentences of a program have where something is put in: they are its words, not the page's."""
ADDRESS = re.compile(r"(?:https?:)?//\S+|[\w.+-]{1,64}@\S+")


def markup_of(text: str) -> str:
    """A string as HTML, if it is that: also where its tags are escaped once more; else nothing.

    >>> markup_of("<p>Tea"), markup_of("&lt;p&gt;Tea&lt;/p&gt;"), markup_of("a < b")
    ('<p>Tea', '<p>Tea</p>', '')
    """
    if "<" in text and MARKUP.search(text):
        return text
    if "&lt;" in text and ESCAPED.search(text):
        return html.unescape(text)
    return ""


def plain(text: str) -> str:
    """What a string says, without tags and character references, with single spaces.

    >>> plain("<p><b>Tea</b>, &amp;<br>milk</p><script>f()</script>"), plain("&lt;b&gt;Tea&lt;/b&gt; &#39;a&#39;")
    ('Tea, & milk', "Tea 'a'")
    """
    if markup := markup_of(text):
        text = TAG.sub(" ", INLINE.sub("", UNREAD.sub(" ", markup)))
    if "&" in text:
        text = html.unescape(text)
    return " ".join(text.split())


def weight(said: str) -> int:
    """How much a string without markup says: its letters, those of scripts without spaces counted three times.

    >>> weight("Tea, 2"), weight("お茶")
    (3, 6)
    """
    letters, wide, *_ = count(said)
    return letters + 2 * wide


def is_long(text: str) -> bool:
    """Whether a string is long enough to be prose."""
    return len(text) >= LEAST or (len(text) * 3 >= LEAST and not text.isascii())


def prose_weight(text: str) -> int:
    """How much a string says if it is prose, whatever its markup; 0 if it is not. Code within it is left aside.

    >>> prose_weight("<p>Boil the water, take it from the fire, and wait for a minute before you pour it.</p>")
    61
    >>> prose_weight("grid-cols-2 md:grid-cols-4 lg:grid-cols-6 p-4 bg-white rounded-xl shadow-md hover:shadow-lg")
    0
    """
    text = text[:LONGEST]
    if not is_long(text) or (text.isascii() and text.count(" ") * LONGEST_WORD < len(text)):
        return 0
    markup = markup_of(text)
    said = plain(CODE.sub(" ", markup) if markup else text)
    if "//" in said or "@" in said:
        said = ADDRESS.sub(" ", said)
    letters, wide, signs, commas, ends, joined = count(said)
    if letters + 2 * wide < LEAST or len(BLANKS.findall(said)) > len(said) // 1000:
        return 0
    words = said.count(" ") + 1
    if letters * 4 < (len(said) - words) * 3 or signs * 50 > len(said):
        return 0
    if wide * 3 < letters and (joined * 10 > words * 3 or len(said) > 14 * words):
        return 0
    if commas * 5 > words > ends * 50:
        return 0  # words that are listed
    if "<a" in markup and weight(plain(LINKED.sub(" ", markup))) * 2 < letters + 2 * wide:
        return 0
    return letters + 2 * wide
