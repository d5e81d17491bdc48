"""What elements call what is in them: the price, the author, the date, the rating of the thing, by class names and by
looks; and its picture. The first after the title counts: what comes later is often of another thing."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import numpy as np

from fastwrap.columns.roles import role_of_words
from fastwrap.detail.durations import DURATION_TEXT
from fastwrap.detail.facts import Fact
from fastwrap.detail.lines import ClassNames, Line, Lines, shown_text
from fastwrap.detail.money import BARE_AMOUNT, MONEY
from fastwrap.detail.titles import dice, words_of
from fastwrap.page import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER, TEXT

A, IMG, TIME, DEL, STRIKE, S = (TAG_NUMBER[name] for name in ("a", "img", "time", "del", "strike", "s"))
STRUCK = (DEL, STRIKE, S)

RANKS = {
    "price": 10.0, "old price": 11.0, "unit price": 11.5, "discount": 12.0, "salary": 10.5, "rating": 13.0,
    "reviews": 14.0, "author": 15.0, "date": 16.0, "company": 15.5, "brand": 17.0, "location": 18.0,
    "availability": 19.0, "category": 20.0, "id": 21.0, "condition": 22.0, "seller": 23.0, "publisher": 24.0,
    "shipping": 25.0, "duration": 26.0, "tags": 60.0, "phone": 27.0, "email": 28.0,
}  # fmt: skip
"""The roles that elements may name, the more telling the smaller."""
OF_DIGITS = frozenset(
    ("price", "old price", "unit price", "discount", "rating", "reviews", "date", "salary", "duration")
)
LONGEST = {"author": 120, "date": 60, "price": 40, "old price": 40, "rating": 40, "reviews": 40, "category": 80}
LONGEST_TEXT = 120
BEFORE, AFTER = 6, 3
"""Nodes before and after a line in which elements may begin and end that hold no more than it."""
FEW_BEFORE = 20
"""Lines before the title in which a price is looked for at last."""
MOST_LINES = 600
"""Lines that are looked at, from the title on."""
BY = re.compile(
    r"(?:(?:posted|written|published|recipe|story|words|reviewed|created|text)\s+by|by|von|par|por|autor(?:in)?|door|"
    r"af|av|przez|автор)\s*:?\s+(\w[^|•·\d]{2,100}?)\s*(?:[|•·]|,?\s*\b(?:on|published|updated|posted|in|jan(?:uary)?|"
    r"feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|"
    r"dec(?:ember)?)\b.*\d|\d|$)",
    re.IGNORECASE,
)
BY_AFTER = re.compile(r"\d\W{0,4}\s(?:by|von|par|por|door)\s+([^\W\d_][^|•·\d]{2,60}?)\s*(?:[|•·]|$)", re.IGNORECASE)
"""Somebody's name behind a date."""
DATE = re.compile(
    r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}\.?\s+(?:de\s+)?[^\W\d_]{3,12}\.?,?\s+(?:de\s+)?\d{4}\b|"
    r"\b[^\W\d_]{3,12}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}\b|\d{4}年\d{1,2}月\d{1,2}日"
)
DIGIT = re.compile(r"\d")
"""Which every date and every amount has: sooner looked for than these."""
DAY_AND_TIME = re.compile(
    rf"(?:{DATE.pattern})(?:,?\s+(?:at\s+)?\d{{1,2}}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?)?", re.IGNORECASE
)
"""A day, and the time of day right behind it."""
OFFICE = re.compile(
    r"(\w[^,|•·]{2,40}?)\s*[,|•·]\s*(?:[^,|]{0,40}\b)?(?:editor|writer|author|journalist|reporter|expert|analyst|contributor|"
    r"correspondent|staff|manager|director|founder|ceo|attorney|md|phd|rd|redaktion|autorin|redakteur(?:in)?)\b.{0,60}",
    re.IGNORECASE,
)
"""An author, and what they are."""
COUNT_OF_RATINGS = re.compile(
    r"\W*\d[\d.,]*\s*(?:global )?(?:ratings?|reviews?|bewertung(?:en)?|votes?|avis|opiniones|avaliações|"
    r"recensioni|stimmen)\W*",
    re.IGNORECASE,
)
TIME_NAME = re.compile(
    r"(total|prep|cook|bake|rest|active)[-_ ]?time|time[-_]?(total|prep|cook|bake|rest|active)", re.IGNORECASE
)
"""Class names of times of a recipe."""
AUTHOR_LINK = re.compile(
    r"/(?:authors?|@\w|people|profiles?|staff|contributors?|writers?|by|autor(?:en)?|team)/?", re.IGNORECASE
)
"""Addresses of pages about authors."""
LINES_BELOW, MOST_BELOW = 14, 8
"""Lines below the title that are looked at, and that are kept, if nothing names them."""
LOOKS = {
    "phone": re.compile(r"^\W*(?:(?:tel|phone|call|t)\W{1,3})?\+?\(?\d[\d\s().\-/]{6,18}\d\W*$", re.IGNORECASE),
    "address": re.compile(
        r"\d+\s+(?:[NSEW]\.?\s+)?[A-ZÀ-Þ0-9][\w.'-]*(?:\s[\w.'-]+){0,4}\s(?:st|street|ave|avenue|rd|road|blvd|boulevard|"
        r"dr|drive|ln|lane|way|pkwy|parkway|hwy|plaza|square|sq|court|ct|place|pl)\b|[a-zß]+(?:str(?:aße|asse|\.)|weg|platz|"
        r"gasse|allee)\s+\d|\b(?:rue|via|calle|rua|avenida|piazza|plaza)\s.*\d|\b[A-Z]{2}\s+\d{5}(?:-\d{4})?\b",
        re.IGNORECASE,
    ),
}
"""By name: what lines look like."""
MOST_IMAGES = 40
"""That are looked at, from the first on."""
TOLD = {ATTRIBUTE_NUMBER[name]: name for name in ("src", "alt", "width", "height")}
"""By number: the attributes of pictures that are looked at."""
SMALL_IMAGE = 80
"""Pixels of a side below which a picture is an icon."""
NO_PICTURE = re.compile(
    r"^data:|sprite|icon|logo|pixel|blank|spacer|placeholder|avatar|gravatar|badge|loading", re.IGNORECASE
)


def may_name(names: str) -> bool:
    """Whether class names say a role that is looked for.

    >>> may_name("product-price"), may_name("col-4")
    (True, False)
    """
    role = role_of_words(names, in_class=True)
    return role in RANKS or role == "time"


def are_named(lines: Lines, read: list[Line], names: ClassNames) -> list[bool]:
    """By line: whether an element that holds hardly more than it may name what is in it."""
    if not read:
        return []
    page, count = lines.page, len(lines.page)
    firsts, ends = np.array([line[1:3] for line in read], dtype=np.intp).T
    start, end = max(firsts.item(0) - BEFORE, 0), ends.item(-1)
    begun, texts, naming = np.zeros((3, count + 1), dtype=np.int32)
    begun[firsts + 1] = 1
    texts[1:] = (page.tag == TEXT) & ~lines.out
    begun, texts = begun.cumsum(), texts.cumsum()
    sizes = page.size[start:end]
    until = np.arange(start, end) + sizes
    few = (sizes > 1) & (texts[until] > texts[start:end]) & (begun[until] - begun[start:end] <= BEFORE + AFTER + 1)
    naming[1:] = page.tag == TIME
    naming[names.where(may_name, np.flatnonzero(few) + start) + 1] = 1
    naming = naming.cumsum()
    found: list[bool] = (naming[ends] > naming[np.maximum(firsts - BEFORE, 0)]).tolist()
    return found


def elements_of(lines: Lines, line: Line, names: ClassNames) -> Iterator[tuple[int, str]]:
    """The elements that hold no more than this line, inner ones first, each with its class names."""
    parent, size, body = lines.parent, lines.size, lines.page.body
    seen: set[int] = set()
    for node in range(line.first, line.end):
        if lines.tag[node] != TEXT or lines.out[node]:
            continue
        around = parent[node]
        while around > body and around not in seen:
            if around < line.first - BEFORE or around + size[around] > line.end + AFTER:
                break
            seen.add(around)
            yield around, names.at(around)
            around = parent[around]


def read_marks(lines: Lines, title: int, used: set[int], class_names: ClassNames) -> list[Fact]:
    """What elements name, from the title on: for each role the first that fits."""
    found: dict[str, Fact] = {}
    start = max(title, 0)
    title_text = lines.lines[title].text if title != NO_NODE else ""
    near = lines.lines[start : start + MOST_LINES]
    for line in itertools.compress(near, are_named(lines, near, class_names)):
        if line.number == title or line.number in used or len(line.text) > 400:
            continue
        for node, names in elements_of(lines, line, class_names):
            role = role_of_words(names, in_class=True) if names else ""
            if lines.tag[node] == TIME and role not in RANKS:
                role = "date"
            if role == "rating" and COUNT_OF_RATINGS.fullmatch(line.text):
                role = "reviews"
            if role in ("time", "duration") and (match := TIME_NAME.search(names)):
                text = shown_text(lines, node, node + lines.size[node])
                name = f"{(match[1] or match[2]).lower()} time"
                if name not in found and DURATION_TEXT.fullmatch(text):
                    why = {"markup": f"class={names}"[:200]}
                    end = node + lines.size[node]
                    found[name] = Fact(name, text, RANKS["duration"], "duration", why, node, end)
                continue
            if role in found or role not in RANKS:
                continue
            text = shown_text(lines, node, node + lines.size[node])
            if len(text) > LONGEST.get(role, LONGEST_TEXT) or text == title_text or not text:
                continue
            if fits(role, text):
                if role == "author":
                    text = author_of(text)
                if role == "date":
                    days = [match[0] for match in DAY_AND_TIME.finditer(text)]
                    text = days[0] if days else text
                    if len(days) == 2 and "updated" not in found and days[1] != days[0]:
                        why = {"markup": f"class={names}"[:200]}
                        end = node + lines.size[node]
                        found["updated"] = Fact("updated", days[1], 16.5, "date", why, node, end)
                if role == "price" and (match := MONEY.match(text)) and MONEY.search(text, match.end()):
                    text = match[0].strip()  # the first of several amounts
                said = f"class={names}"[:200]
                found[role] = Fact(role, text, RANKS[role], role, {"markup": said}, node, node + lines.size[node])
    near = [line for line in lines.lines[start + 1 : start + 40] if line.number not in used]
    if "author" not in found and (fact := linked_author(lines, title)):
        found["author"] = fact
    if "author" not in found:
        for line in near[:12]:
            if len(line.text) < 160 and (match := BY.match(line.text) or BY_AFTER.search(line.text)):
                found["author"] = Fact(
                    "author", match[1], RANKS["author"], "author", {"text": "by"}, line.first, line.end
                )
                break
    if "date" not in found:
        for line in near[:12]:
            if len(line.text) < 160 and DIGIT.search(line.text) and (match := DATE.search(line.text)):
                found["date"] = Fact("date", match[0], RANKS["date"], "date", {"type": "date"}, line.first, line.end)
                break
    if "price" not in found:
        for line in (*near, *lines.lines[max(0, start - FEW_BEFORE) : start]):
            if len(line.text) >= 30 or not DIGIT.search(line.text):
                continue
            if (match := MONEY.search(line.text)) and not is_struck(lines, line):
                found["price"] = Fact(
                    "price", match[0], RANKS["price"], "price", {"type": "money"}, line.first, line.end
                )
                break
    if "old price" in found and "price" in found and found["old price"].text == found["price"].text:
        del found["old price"]
    return list(found.values())


def read_lines_below(lines: Lines, title: int, used: set[int], said: set[str]) -> list[Fact]:
    """The short lines right below the title that nothing names, such as an address: what they are by their looks."""
    found: list[Fact] = []
    if title == NO_NODE:
        return found
    for line in lines.lines[title + 1 : title + 1 + LINES_BELOW]:
        text = line.text
        if line.heading in (1, 2) or len(found) == MOST_BELOW:
            break
        if line.number in used or line.linked > 0.5 or not 2 < len(text) <= LONGEST_TEXT or text in said:
            continue
        if not any(map(str.isalnum, text)) or COUNT_OF_RATINGS.fullmatch(text):
            continue
        if any(item in text for item in said if 2 * len(item) >= len(text)):
            continue  # "By Ann Lee", whose name is known
        name = next((name for name, looks in LOOKS.items() if looks.search(text)), "text")
        role = {"phone": "phone", "address": "location"}.get(name, "")
        rank = 29.0 if role else 58.0
        found.append(Fact(name, text, rank, role, {"text" if role else "relation": name}, line.first, line.end))
    return found


def linked_author(lines: Lines, title: int) -> Fact | None:
    """The author of a page by a link to them, near the title."""
    page = lines.page
    start = max(title, 0)
    for line in lines.lines[start : start + 12]:
        node = lines.parent[line.first]
        if not 4 < len(line.text) <= 60 or lines.tag[node] != A or line.number == title:
            continue
        attributes = page.attributes(node)
        text = page.text(node)
        is_author = "author" in attributes.get("rel", "") or AUTHOR_LINK.search(attributes.get("href", ""))
        if is_author and " " in text and text.istitle() and fits("author", text):
            return Fact("author", text, RANKS["author"], "author", {"markup": "a"}, node, node + lines.size[node])
    return None


def author_of(text: str) -> str:
    """The name of an author, without what stands before it, and what they are behind it.

    >>> author_of("Posted by Ann Lee on May 3"), author_of("Ann Lee, Senior Editor"), author_of("Ann Lee and Tom Ray")
    ('Ann Lee', 'Ann Lee', 'Ann Lee and Tom Ray')
    """
    if match := BY.match(text):
        text = match[1]
    match = OFFICE.fullmatch(text)
    return match[1] if match else text


def fits(role: str, text: str) -> bool:
    """Whether a text may be of a role."""
    digits = any(map(str.isdigit, text))
    if role in ("price", "old price", "unit price"):
        return MONEY.search(text) is not None or BARE_AMOUNT.fullmatch(text) is not None
    if role == "date":
        return DATE.search(text) is not None
    if role == "author":
        return not digits and len(text) > 2
    if role in ("rating", "reviews"):
        return digits and len(text) < 40
    if role == "email":
        return "@" in text
    if role == "phone":
        return sum(map(str.isdigit, text)) >= 6
    if text[-1] in ":：":
        return False  # a label
    return digits or role not in OF_DIGITS


def is_struck(lines: Lines, line: Line) -> bool:
    """Whether a line is struck through: it is no longer true."""
    node = lines.parent[line.first]
    for _ in range(3):
        if lines.tag[node] in STRUCK:
            return True
        node = lines.parent[node]
    return False


def pixels(value: str) -> int:
    """How long the side of a picture is that an attribute tells; 0 if it does not."""
    value = value.strip().removesuffix("px")
    return int(value) if value.isdecimal() and len(value) < 6 else 0


def picture_attributes(page: Page, node: int) -> dict[str, str]:
    """The attributes of a picture that tell most of it, without those that are long.

    >>> picture_attributes(Page("<img class=a src=1.png srcset='2.png 2x'>"), 3)
    {'src': '1.png'}
    """
    arrays = page.arrays
    first, end = page.attribute_start.item(node), page.attribute_start.item(node + 1)
    starts = arrays.value_start
    return {
        TOLD[number]: arrays.values[starts.item(entry) : starts.item(entry + 1)].decode("utf-8", "replace")
        for entry, number in enumerate(arrays.attribute_name[first:end].tolist(), first)
        if number in TOLD
    }


def picture_source(page: Page, node: int) -> tuple[dict[str, str], str]:
    """What tells of a picture, and the name of the attribute that has its address: the real one, not what stands for it
    until a script has run; nothing if there is none.

    >>> picture_source(Page("<img src=data:, data-src=1.png>"), 3)[1]
    'data-src'
    """
    attributes = picture_attributes(page, node)
    source = attributes.get("src", "")
    if source and not source.startswith("data:"):
        return attributes, "src"
    attributes = page.attributes(node)
    return attributes, next(
        (name for name in ("data-src", "data-lazy-src", "data-original") if attributes.get(name)), ""
    )


def read_picture(page: Page, lines: Lines, title: int) -> Fact | None:
    """The picture of the thing: near the title, not small, best if it is described like the title."""
    images = np.flatnonzero((page.tag == IMG) & ~lines.out)
    place = lines.lines[title].first if title != NO_NODE else 0
    words = words_of(lines.lines[title].text) if title != NO_NODE else words_of("")
    best, found = 0.0, None
    for number, node in enumerate(images[:MOST_IMAGES].tolist()):
        attributes, name = picture_source(page, node)
        source = attributes.get(name, "")
        if not source:
            continue
        width, height = (pixels(attributes.get(side, "")) for side in ("width", "height"))
        if 0 < width < SMALL_IMAGE or 0 < height < SMALL_IMAGE:
            continue
        score = 1.0 + 2 * dice(words, words_of(attributes.get("alt", ""))) + (0.5 if max(width, height) >= 200 else 0)
        score += (0.5 if node > place else 0.2) - 0.05 * min(number, 20)
        if score > best and not NO_PICTURE.search(source[:300]):
            why = {"markup": "img"}
            best, found = score, Fact("image", source, 5.0, "image", why, node, node + 1, name)
    return found
