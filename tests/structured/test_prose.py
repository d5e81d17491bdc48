"""Prose that pages carry and do not show: found wherever it stands, and nothing else is taken for it."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap.limits import LIMITS
from fastwrap.structured import carried_prose, needs_prose
from fastwrap.structured.prose import MOST_SHOWN
from fastwrap.structured.sentences import plain, prose_weight
from tests.helpers.hangs import ends_soon

TITLE = "How to brew green tea"
SENTENCES = [
    "Boil the water and take it from the fire.",
    "Wait for two minutes, so that it is no hotter than eighty degrees.",
    "Put a spoon of leaves into the pot for every cup that you want to drink.",
    "Pour the water over them, slowly and in circles, until all of them are wet.",
    "Leave them alone for one minute at first, and a little longer the second time.",
    "Good leaves can be brewed three times, and many people like the second cup best.",
]
DECOYS = [
    "We and our partners store and read information on your device, if you agree, to show what you may like.",
    "You may cancel at any time before the end of the month, without giving us any reason for doing so.",
    "Please enter an address that you can be reached at, since we are going to send you a link to confirm it.",
    "This field has to be filled in before you can go on to the next step, where you are asked to pay for it.",
]


WORD_LIST = " ".join(SENTENCES).lower().replace(".", "").replace(",", "").split()


def paragraphs(count: int, start: int = 0) -> list[str]:
    """Paragraphs that all differ."""
    found = []
    for k in range(start, start + count):
        words = Random(k).choices(WORD_LIST, k=26)
        found.append(f"{' '.join(words[:12]).capitalize()}. {' '.join(words[12:]).capitalize()}, part {k}.")
    return found


ARTICLE = "".join(f"<p>{each}</p>" for each in paragraphs(6))
WORDS = " ".join(paragraphs(6))


def shell(carried: str, shown: str = "<div id=app>Loading</div>", title: str = TITLE) -> Page:
    """A page that shows next to nothing."""
    return Page(f"<title>{title} | Tea House</title><nav><a href=/>Home</a></nav>{shown}{carried}")


def state(value: Any) -> str:
    return f"<script>window.__STATE__ = {json.dumps(value)};</script>"


def linked(value: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def attribute(value: Any) -> str:
    return f'<div hidden data-preloaded="{html.escape(json.dumps(value))}"></div>'


def decoys() -> dict[str, Any]:
    """What many states have besides what the page is for, more of it than of that."""
    return {
        "locale": "en",
        "translations": {f"key{k}": f"{DECOYS[k % 4]} {k}" for k in range(40)},
        "consent": {"banner": {"text": DECOYS[0] * 4, "more": DECOYS[1]}},
        "legal": {"terms": {"body": " ".join(DECOYS) * 8}},
        "user": {"bio": " ".join(SENTENCES) * 3},
        "related": [
            {"title": f"Tea of the month {k}", "url": f"/tea/{k}", "excerpt": f"{DECOYS[k % 4]} {SENTENCES[k % 6]} {k}"}
            for k in range(30)
        ],
        "reviews": [
            {"author": "Ann", "date": "2024-01-02", "rating": 5, "text": f"{SENTENCES[k % 6]} {DECOYS[k % 4]} {k}"}
            for k in range(20)
        ],
        "styles": {"css": ".a { color: red } " * 50},
        "icons": {"cup": "M10 10 L20 20 C 20 20 40 20 50 10 Z " * 20},
    }


def thread(count: int) -> list[dict[str, Any]]:
    return [
        {
            "id": 100 + k,
            "username": f"user{k}",
            "created_at": f"2024-09-{k + 1:02}T10:30:00Z",
            "cooked": f"<p>{text}</p>",
        }
        for k, text in enumerate(paragraphs(count))
    ]


def said_by(page: Page) -> str:
    found = carried_prose(page)
    assert found is not None
    assert not found.limits
    return found.text()


def assert_says(page: Page, words: str = WORDS, no: str = "partners") -> str:
    text = said_by(page)
    assert words in text
    assert no not in text
    assert len(text) < 3 * len(words)
    return text


@pytest.mark.parametrize(
    "carried",
    [
        linked({"@type": "NewsArticle", "headline": TITLE, "articleBody": WORDS}),
        linked({"@graph": [{"@type": "WebSite", "name": "Tea House", "description": DECOYS[0] * 30},
                           {"@type": "BlogPosting", "headline": TITLE, "articleBody": ARTICLE}]}),
        state({**decoys(), "page": {"title": TITLE, "body": ARTICLE}}),
        state({**decoys(), "props": {"article": {"headline": TITLE, "blocks": [{"text": t} for t in paragraphs(6)]}}}),
        state({**decoys(), "cache": {"Post:7": {"title": TITLE, "content": ARTICLE}, "User:1": {"name": "Ann"}}}),
        state({**decoys(), "article": {"title": TITLE, "html": html.escape(ARTICLE)}}),
        state({**decoys(), "answer": json.dumps({"article": {"title": TITLE, "html": ARTICLE}})}),
        attribute({"settings": json.dumps(decoys()), "article": json.dumps({"title": TITLE, "text": ARTICLE})}),
        f'<script type="application/json">{json.dumps({"page": {"title": TITLE, "body": ARTICLE}})}</script>',
    ],
)  # fmt: skip
def test_an_article_wherever_it_stands(carried: str) -> None:
    page = shell(carried)
    assert needs_prose(page)
    text = assert_says(page)
    assert text.startswith(TITLE)
    assert carried_prose(page) is carried_prose(page)


def test_a_description_tells_what_the_page_is_about() -> None:
    meta = f'<meta name="description" content="{paragraphs(1)[0]}">'
    entry = {"id": 7, "copy": WORDS}
    assert_says(shell(meta + state({**decoys(), "entry": entry}), title="Tea House"))
    assert carried_prose(shell(state({**decoys(), "entry": entry}), title="Tea House")) is None


def test_pieces_of_lines_are_put_together() -> None:
    water = [{"text": "Boil the "}, {"text": "water", "bold": True}]
    spans = [[*water, {"text": f" now: {each}"}] for each in paragraphs(6)]
    body = [{"type": "paragraph", "children": each} for each in spans]
    found = carried_prose(shell(state({"page": {"title": TITLE, "body": body}})))
    assert found is not None
    lines = [found.text(node) for node in range(len(found)) if found.tag_name(node) == "p"]
    assert lines == [f"Boil the water now: {each}" for each in paragraphs(6)]


def test_a_long_text_that_is_streamed_by_itself() -> None:
    body = ARTICLE.replace("the", "<i>the</i>")
    rows = f'1:["$","main",null,{{"post":{{"title":"{TITLE}","body":"$2"}}}}]\n2:T{len(body):x},{body}3:["end"]\n'
    chunks = [rows[:200], rows[200:900], rows[900:]]
    carried = "".join(f"<script>self.__next_f.push([1,{json.dumps(chunk)}])</script>" for chunk in chunks)
    assert_says(shell(carried))


def test_other_scripts() -> None:
    text = "お湯を沸かして火から下ろし、二分ほど待ってから茶葉に注ぎます。そうすると味がよくなります。" * 6
    found = carried_prose(shell(state({"page": {"title": "お茶", "body": text}}), title="お茶"))
    assert found is not None
    assert text in found.text()


# Threads


@pytest.mark.parametrize("write", [state, attribute])
@pytest.mark.parametrize("count", [1, 2, 12])
def test_a_thread(write: Callable[[Any], str], count: int) -> None:
    topic = {"title": TITLE, "post_stream": {"posts": thread(count)}, "suggested": decoys()["related"]}
    page = shell(write({"topic_7": json.dumps(topic), "site": json.dumps(decoys())}))
    found = carried_prose(page)
    assert found is not None
    articles = [found.text(node) for node in range(len(found)) if found.tag_name(node) == "article"]
    assert articles == [f"user{k} 2024-09-{k + 1:02} 10:30 {text}" for k, text in enumerate(paragraphs(count))]
    assert "partners" not in found.text()


def test_posts_are_put_in_order() -> None:
    posts = [{**post, "post_number": k + 1} for k, post in enumerate(thread(5))]
    text = said_by(shell(state({"topic": {"title": TITLE, "posts": posts[::-1]}})))
    assert [text.index(each) for each in paragraphs(5)] == sorted(text.index(each) for each in paragraphs(5))


def signed(kind: str, number: int, text: str, **more: Any) -> dict[str, Any]:
    author = {"@type": "Person", "name": f"Ann {number}"}
    return {"@type": kind, "author": author, "dateCreated": f"2024-09-{number + 1:02}", "text": text, **more}


def test_a_question_and_its_answers() -> None:
    asked, *answers = paragraphs(5)
    first = signed("Answer", 1, answers[0], upvoteCount=3)
    others = [signed("Answer", k + 1, text, upvoteCount=1) for k, text in enumerate(answers)]
    question = signed("Question", 0, asked, name=TITLE, acceptedAnswer=first, suggestedAnswer=others, upvoteCount=2)
    found = carried_prose(shell(linked({"@type": "QAPage", "mainEntity": question})))
    assert found is not None
    articles = [found.text(node) for node in range(len(found)) if found.tag_name(node) == "article"]
    assert articles == [f"Ann {k} 2024-09-{k + 1:02} {text}" for k, text in enumerate(paragraphs(5))]


def test_replies_to_replies() -> None:
    texts = paragraphs(4)
    deepest = signed("Comment", 3, texts[3])
    comments = [signed("Comment", 1, texts[1], comment=[signed("Comment", 2, texts[2], comment=[deepest])])]
    posting = signed("DiscussionForumPosting", 0, texts[0], headline=TITLE, comment=comments)
    text = said_by(shell(linked(posting)))
    assert [text.index(each) for each in texts] == sorted(text.index(each) for each in texts)
    comments = [{"by": f"Ann {k}", "time": 1725578108 + k, "kids": [], "content": text} for k, text in enumerate(texts)]
    text = said_by(shell(state({"item": {"title": TITLE, "body": texts[3] + texts[0], "comments": comments[:3]}})))
    assert all(each in text for each in texts)
    assert text.index(texts[3]) < text.index(texts[1])


def test_comments_on_an_article_are_not_the_article() -> None:
    comments = [signed("Comment", k, text) for k, text in enumerate(paragraphs(3, 20))]
    article = {"@type": "NewsArticle", "headline": TITLE, "articleBody": WORDS, "comment": comments}
    assert_says(shell(linked(article)), no="part 20")


def test_questions_that_are_often_asked() -> None:
    asked = [{"@type": "Question", "name": f"What of part {k}?", "acceptedAnswer": {"@type": "Answer", "text": text}}
             for k, text in enumerate(paragraphs(5))]  # fmt: skip
    text = said_by(shell(linked({"@type": "FAQPage", "name": TITLE, "mainEntity": asked})))
    assert f"What of part 4? {paragraphs(5)[4]}" in text


# Markup for browsers without scripts


def test_markup_for_browsers_without_scripts() -> None:
    written = "".join(f"<p>{each}</p>" for each in paragraphs(12))
    found = carried_prose(shell(f"<noscript><h1>{TITLE}</h1>{written}<p><a href=2>More</a></noscript>"))
    assert found is not None
    assert " ".join(paragraphs(12)) in found.text()
    assert [found.tag_name(node) for node in range(len(found))].count("p") == 13


@pytest.mark.parametrize(
    "markup",
    [
        "<p>You need to enable JavaScript to run this app. Please turn it on in the settings of your browser.</p>" * 12,
        '<img src="https://tracker.example/pixel?a=1">' * 40,
        "<ul>"
        + "".join(f"<li><a href=/{k}>Tea of the month number {k}, green and black</a>" for k in range(40))
        + "</ul>",
        "<style>.a { color: red; background: url(/a.png) }</style>" * 40,
    ],
)
def test_other_markup_is_not_taken(markup: str) -> None:
    page = shell(f"<noscript>{markup}</noscript>")
    assert len(page.noscripts) == 1
    assert carried_prose(page) is None


# What is not taken


def test_what_the_page_shows_is_not_taken() -> None:
    data = linked({"@type": "NewsArticle", "headline": TITLE, "articleBody": WORDS})
    assert carried_prose(shell(data, f"<h1>{TITLE}</h1>{ARTICLE}")) is None
    hidden = f"<div style='visibility:hidden'><h1>{TITLE}</h1>{ARTICLE}</div>"
    assert carried_prose(shell(data, hidden)) is None
    assert (
        carried_prose(shell(linked({"@type": "Product", "name": TITLE, "description": SENTENCES[2] * 3}), ARTICLE))
        is None
    )


def test_what_is_beside_the_point_is_not_taken() -> None:
    for key, value in decoys().items():
        assert carried_prose(shell(state({"title": TITLE, key: value}))) is None, key
    assert carried_prose(shell(state(decoys()))) is None
    reviews = [{"@type": "Review", "author": "Ann", "reviewBody": text} for text in paragraphs(9)]
    assert carried_prose(shell(linked({"@type": "Product", "name": TITLE, "review": reviews}))) is None
    person = {"@type": "Person", "name": "Ann", "description": WORDS}
    assert carried_prose(shell(linked({"@type": "Article", "headline": TITLE, "author": person}))) is None


def test_a_list_of_other_things_is_not_taken() -> None:
    items = [{"title": f"Tea {k}", "url": f"/{k}", "description": text} for k, text in enumerate(paragraphs(12))]
    assert carried_prose(shell(state({"title": TITLE, "items": items}))) is None
    wrapped = [
        {"title": f"Tea {k}", "slug": f"tea-{k}", "more": {"html": text}} for k, text in enumerate(paragraphs(12))
    ]
    assert carried_prose(shell(state({"title": TITLE, "items": wrapped}))) is None


def test_pages_without_data_are_left_alone() -> None:
    for page in (Page(""), Page("<p>Text"), Page(f"<p>{WORDS}" * 9), shell("<script>f({'a': 1})</script>")):
        assert carried_prose(page) is None
    assert not needs_prose(Page("<p>Text"))


# Beginnings


def test_an_article_whose_beginning_is_shown() -> None:
    """Of one that the page shows as a whole, and of another one, nothing is taken."""
    shown, all_of_it = paragraphs(16), paragraphs(60)
    page = "".join(f"<p>{each}</p>" for each in shown) + "<p>Read on"
    data = linked({"@type": "NewsArticle", "headline": TITLE, "articleBody": " ".join(all_of_it)})
    assert len(" ".join(shown)) > MOST_SHOWN
    assert_says(shell(data, page), " ".join(all_of_it))
    other = linked({"@type": "NewsArticle", "headline": TITLE, "articleBody": " ".join(paragraphs(60, 100))})
    assert carried_prose(shell(other, page)) is None
    shorter = linked({"@type": "NewsArticle", "headline": TITLE, "articleBody": " ".join(paragraphs(24))})
    assert carried_prose(shell(shorter, page)) is None


# Hostile data


@pytest.mark.parametrize(
    "swallow",
    ["<!-- ", "<script>", "<textarea>", "<style>", "<title>", "<plaintext>", "</article></main></body></html>",
     "<table><tr>", "<a title='", '<img alt="', "<svg><desc>", "<select><option>", "<b>" * 50, "<template>"],
)  # fmt: skip
def test_a_post_takes_no_other_post_into_itself(swallow: str) -> None:
    posts = thread(5)
    posts[1]["cooked"] += swallow
    text = said_by(shell(state({"topic": {"title": TITLE, "posts": posts}})))
    assert all(each in text for each in paragraphs(5))
    assert "<p>" not in text


@pytest.mark.parametrize(
    ("value", "limits"),
    [
        ({"title": TITLE, "body": "<p" * 200_000}, False),
        ({"title": TITLE, "body": ("x" * 100_000 + " ") * 5}, False),
        ({"title": TITLE, "body": WORDS * 2_000}, False),
        ({"title": TITLE, "texts": [WORDS] * 9_000}, False),
        ({"title": TITLE, "texts": paragraphs(32_000)}, True),
        ({"title": TITLE, "posts": thread(22_000)}, True),
        ({f"key{k}": {"title": TITLE, "text": WORDS + str(k)} for k in range(5_000)}, False),
        ({"k" * 200_000: {"title": TITLE}, "1" * 200_000: {}}, False),
        ({"title": TITLE, "body": "</script" + " " * 200_000 + WORDS}, False),
        ({"title": TITLE, "body": "<a " * 100_000}, False),
        ({"a": [json.dumps({"b": json.dumps({"c": "d" * 60})})] * 10_000}, False),
    ],
)  # fmt: skip
def test_hostile_data(value: Any, limits: bool) -> None:
    page = shell(f'<script type="application/json">{json.dumps(value)}</script>'.replace("</script ", r"<\/script "))
    with ends_soon():
        found = carried_prose(page)
    assert found is None or set(found.limits) <= LIMITS.keys()
    assert not limits or (found is not None and found.limits)


def test_texts_that_are_referred_to_very_often() -> None:
    body = WORDS * 20
    rows = f'1:[{",".join(["""{"text":"$2"}"""] * 20_000)}]\n2:T{len(body):x},{body}'
    page = shell(f"<script>self.__next_f.push([1,{json.dumps(rows)}])</script>")
    with ends_soon():
        carried_prose(page)


def test_markup_that_is_nested_too_deeply_is_text() -> None:
    body = "".join(f"<div>{each}" for each in paragraphs(1_000))
    assert paragraphs(1_000)[-1] in said_by(shell(state({"title": TITLE, "body": body})))


def test_nested_very_deeply() -> None:
    value: Any = WORDS
    for _ in range(500):
        value = {"body": value}
    assert carried_prose(shell(state({"title": TITLE, "page": value}))) is None


values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=30), st.sampled_from([ARTICLE, WORDS])
    ),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["title", "text", "author", "date", "7", "posts", "name", ""]), inner, max_size=4
        )
    ),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(values)
def test_any_data_is_read(value: Any) -> None:
    for write in (state, linked, attribute):
        found = carried_prose(shell(write(value)))
        assert found is None or len(found.text()) > 100


# Sentences


@settings(max_examples=300)
@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert prose_weight(text) >= 0
    assert "  " not in plain(text)


@pytest.mark.parametrize(
    ("text", "is_prose"),
    [
        (WORDS, True),
        (ARTICLE, True),
        ("यह एक लंबा वाक्य है जो हिंदी में लिखा गया है और इसमें कई शब्द हैं ताकि परीक्षण हो सके।", True),
        ("Это довольно длинное предложение, в котором есть слова, знаки и всё остальное.", True),
        ("هذه جملة طويلة إلى حد ما فيها كلمات كثيرة وعلامات وكل ما يوجد عند الناس في نصوصهم.", True),
        ("The fee is {amount} a month and you may cancel it at any time before the end of the month.", False),
        (
            "window.dataLayer = window.dataLayer || []; function gtag() { dataLayer.push(arguments); } gtag('js');",
            False,
        ),
        ("green tea, black tea, white tea, tea pots, tea cups, gifts, new, sale, tea for two, herbal tea, mint", False),
        ("grid-cols-2 md:grid-cols-4 lg:grid-cols-6 p-4 bg-white rounded-xl shadow-md hover:shadow-lg", False),
        ("".join(f"<li><a href=/{k}>Tea of the month of the year {k}</a>" for k in range(9)), False),
        ("0123456789abcdef" * 20, False),
        ("", False),
    ],
)
def test_prose_is_told(text: str, is_prose: bool) -> None:
    assert bool(prose_weight(text)) is is_prose
