"""Threads: every post is a record, whatever level it stands on, and the opening post is the first one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from fastwrap import Extraction, extract
from tests.helpers.threads import (
    THREADS,
    Post,
    article,
    box_forum,
    frame,
    nested,
    plain_nested,
    posts,
    questions,
    story,
    table_forum,
)  # fmt: skip

makers = pytest.mark.parametrize("make", THREADS.values(), ids=THREADS)
Maker: TypeAlias = Callable[[list[Post]], str]
FEWEST: dict[Maker, int] = {story: 7, table_forum: 6}
"""Posts of a page: what is nested needs as many, and four rows of a table without classes are in doubt."""
APART: dict[Maker, int] = {table_forum: 2, box_forum: 1}
"""Posts whose text is not just what is in the column: quotes that have a label in a table of their own are apart, and a
note among the paragraphs is not."""


def column(x: Extraction, role: str) -> list[str | None]:
    """The texts of the first column of a role."""
    place = next(k for k, each in enumerate(x.columns) if each.role == role)
    return [record.texts[place] for record in x.records]


def plain(text: str | None) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in text or "").split()


@makers
@pytest.mark.parametrize("count", [4, 8])
def test_every_post_is_a_record(make: Maker, count: int) -> None:
    thread = posts(max(count, FEWEST.get(make, 0)))
    x = extract(make(thread), url="https://kettles.example/topic/7")
    assert len(x) == len(thread)
    for record, post in zip(x.records, thread, strict=True):
        assert post.author in record.text
        assert post.text[0].removeprefix("> ") in record.text
    assert x.confidence > 0.5
    assert x.kind == "list"


@makers
def test_posts_have_an_author_a_date_and_a_text(make: Maker) -> None:
    thread = posts()
    x = extract(make(thread), url="https://kettles.example/topic/7")
    assert column(x, "author") == [post.author for post in thread]
    assert [(date or "").removeprefix("Posted: ") for date in column(x, "date")] == [post.date for post in thread]
    assert next(each.name for each in x.columns if each.role == "description") in ("text", "Message")
    whole = [plain(text) == plain(post.said) for text, post in zip(column(x, "description"), thread, strict=True)]
    assert whole.count(False) == APART.get(make, 0)


def test_a_question_belongs_to_its_answers() -> None:
    for count in (3, 4, 6):
        x = extract(questions(posts(count)))
        assert [record.text.split()[0] for record in x.records] == [str(9 - k) for k in range(count)]
        assert "Hello all" in x.records[0].text


def test_replies_are_records_as_what_they_reply_to_is() -> None:
    thread = posts()
    x = extract(frame(f"<main>{nested(thread)}</main>"))
    assert [record.text.split()[0] for record in x.records] == [post.author for post in thread[1:]]
    starts = [record.start for record in x.records]
    assert starts == sorted(starts)
    assert all(one.end <= other.start for one, other in zip(x.records, x.records[1:], strict=False))


@pytest.mark.parametrize("item", ["", " class=comment", " class='comment depth-1'"], ids=["none", "one", "two"])
@pytest.mark.parametrize("inner", ["article", "div"])
def test_replies_without_a_class_are_records_too(item: str, inner: str) -> None:
    thread = posts()
    x = extract(frame(f"<main><h1>My kettle is loud</h1>{plain_nested(thread, item, inner)}</main>"))
    assert [record.text.split()[0] for record in x.records] == [post.author for post in thread[1:]]
    assert column(x, "author") == [post.author for post in thread[1:]]
    assert [plain(text) for text in column(x, "description")] == [plain(post.said) for post in thread[1:]]


def test_more_to_load_is_no_reply() -> None:
    thread = posts()
    page = frame(f"<main>{plain_nested(thread)}</main>")
    more = "<li><a href=/more>There are two further replies to this one, which are not shown to you</a></li></ul></li>"
    x = extract(page.replace("</ul></li>", more, 1))
    assert [record.text.split()[0] for record in x.records] == [post.author for post in thread[1:]]


def test_a_tree_of_links_is_no_thread() -> None:
    """Sections and what is below them: the lists within lists of a menu, or of the contents of a book."""

    def branch(number: int) -> str:
        leaves = "".join(f"<li><a href=/s/{number}/{k}>Section {number}.{k} of this book</a></li>" for k in range(4))
        return f"<li><a href=/s/{number}>Chapter {number}</a><ul>{leaves}</ul></li>"

    x = extract(frame(f"<main><ul>{''.join(map(branch, range(6)))}</ul></main>"))
    assert all(len(region.records) != 30 for region in x.regions)


def test_a_post_of_a_further_class_is_one_too() -> None:
    thread = posts()
    page = (
        story(thread).replace("class='comment node'", "class='comment node by-author'", 3).replace(" by-author", "", 2)
    )
    x = extract(page)
    assert len(x) == len(thread)


def test_another_list_above_is_no_opening_post() -> None:
    """Two posts that are pinned above a list are two, and a list of their own."""
    thread = posts()
    above = questions(thread[:1]).split("<main>")[1].split("<div class=answers>")[0]
    main = questions(thread).split("<main>")[1].split("</main>")[0].split("<div class=answers>")[1]
    x = extract(frame(f"<main><div class=pinned>{above}{above}</div><div class=answers>{main}</main>"))
    assert len(x) in (len(thread) - 1, len(thread) + 1)


def test_an_article_is_not_a_list_for_its_comments() -> None:
    x = extract(article(posts()))
    assert x.confidence < 0.5
    assert all("By Grace Hall" not in record.text for region in x.regions for record in region.records)


def test_products_have_titles_and_no_authors() -> None:
    text = "It is made of steel, holds two litres, and boils them in less time than you need to find the cups. "
    cards = "".join(
        f"<div class=card><h3><a href=/p/{k}>Kettle number {k}</a></h3><span class=price>{20 + k},90 EUR</span>"
        f"<p class=desc>{text * (1 + k % 3)}</p><span class=date>{3 + k} May 2023</span></div>"
        for k in range(8)
    )
    x = extract(frame(f"<main><div class=grid>{cards}</div></main>"))
    names = {each.role: each.name for each in x.columns}
    assert names["title"] == "title"
    assert names["description"] == "description"
    assert "author" not in names
