"""Threads as records: posts that a page has as data alone are its first list, with author, date and text."""

from __future__ import annotations

import html
import json
from datetime import datetime
from typing import Any

import pytest

from fastwrap import Extraction, extract
from fastwrap.extraction import DataRegion

SAID = [
    "I have brewed green tea for years, and it still comes out bitter every single time. What do I do wrong?",
    "Your water is too hot. Take it from the fire and wait for two minutes before you pour it over the leaves.",
    "Thanks, that helped!",
    "It also depends on the leaves: those from Japan want even less, some sixty degrees and no more than that.",
    "I would leave them in the water for a minute at first, and a little longer when you brew them again.",
]


def posts(count: int = 5) -> list[dict[str, Any]]:
    return [
        {
            "id": 7_000 + k,
            "name": f"Ann {k % 3}",
            "username": f"ann{k % 3}",
            "avatar_template": f"/avatars/{k % 3}.png",
            "created_at": f"2024-09-{k + 1:02}T10:30:00.000Z",
            "cooked": f"<p>{said.replace('water', '<b>water</b>')}</p>",
            "post_number": k + 1,
            "reads": 40 + k,
        }
        for k, said in enumerate(SAID[:count])
    ]


CATEGORIES = [
    {"id": k, "name": f"Kind of tea {k}", "slug": f"tea-{k}", "description": f"All about tea of the kind {k}",
     "topic_count": 7 * k, "post_count": 40 * k} for k in range(40)
]  # fmt: skip
SUGGESTED = [
    {"id": k, "title": f"Which pot for tea {k}?", "slug": f"pot-{k}", "created_at": f"2024-08-{k + 1:02}",
     "views": 9 * k, "posts_count": k, "image_url": f"/{k}.png"} for k in range(12)
]  # fmt: skip


def preloaded(value: Any, shown: str = "<section id=main></section>") -> str:
    twice = {key: json.dumps(part) for key, part in value.items()}
    data = html.escape(json.dumps(twice))
    return f'<title>Bitter tea</title><h1>Bitter tea</h1>{shown}<div hidden data-preloaded="{data}"></div>'


def thread(count: int = 5, **more: Any) -> dict[str, Any]:
    topic = {"title": "Bitter tea", "post_stream": {"posts": posts(count)}, "suggested_topics": SUGGESTED, **more}
    return {"topic_7": topic, "site": {"categories": CATEGORIES}}


def first_of(found: Extraction) -> DataRegion:
    region = found.regions[0]
    assert isinstance(region, DataRegion)
    return region


@pytest.mark.parametrize("count", [2, 3, 5])
def test_a_thread_in_json_within_json(count: int) -> None:
    found = extract(preloaded(thread(count)))
    assert found.confidence >= 0.5
    assert len(found) == count
    assert first_of(found).why["data"] == "attribute data-preloaded.topic_7.post_stream.posts"
    assert [(column.name, column.type) for column in found.columns][:3] == [
        ("author", "text"), ("date", "datetime"), ("text", "text"),
    ]  # fmt: skip
    assert [record.texts[0] for record in found] == [f"ann{k % 3}" for k in range(count)]
    assert [record.texts[2] for record in found] == SAID[:count]
    assert found[0]["date"] == datetime.fromisoformat("2024-09-01T10:30:00+00:00")
    assert extract(preloaded(thread(count)), structured=False).confidence < 0.5


@pytest.mark.parametrize(
    ("keys", "date"),
    [
        ({"by": "{author}", "time": "{seconds}", "text": "{text}"}, "2024-09-05T10:30:00+00:00"),
        ({"user": {"id": 7, "displayName": "{author}"}, "createdAt": "{seconds}000", "body": "{text}"},
         "2024-09-05T10:30:00+00:00"),
        ({"author": "{author}", "date": "2024-09-05", "message": "{text}", "title": "Re: Bitter tea"}, "2024-09-05"),
        ({"@type": "Comment", "author": {"@type": "Person", "name": "{author}"}, "dateCreated": "2024-09-05",
          "text": "{text}"}, "2024-09-05"),
    ],
)  # fmt: skip
def test_posts_of_every_make(keys: dict[str, Any], date: str) -> None:
    def filled(value: Any, number: int) -> Any:
        if isinstance(value, dict):
            return {key: filled(each, number) for key, each in value.items()}
        if not isinstance(value, str):
            return value
        value = value.replace("{author}", f"Ann {number}").replace("{text}", SAID[number])
        return int(value.replace("{seconds}", "1725532200")) if "{seconds}" in value else value

    rows = [filled(keys, number) for number in range(5)]
    kind = "application/ld+json" if "@type" in keys else "application/json"
    found = extract(f"<title>Bitter tea</title><script type={kind}>{json.dumps({'items': rows})}</script>")
    assert found.confidence >= 0.5
    assert [column.name for column in found.columns][:3] == ["author", "date", "text"]
    assert [record.texts[:3] for record in found] == [[f"Ann {k}", date, SAID[k]] for k in range(5)]


def test_columns_of_the_same_names_are_kept() -> None:
    rows = [{"username": "Ann", "author": {"id": k}, "date": f"2024-09-0{k + 1}", "raw": said, "text": f"Tea {k}"}
            for k, said in enumerate(SAID)]  # fmt: skip
    found = extract(f"<script type=application/json>{json.dumps({'posts': rows})}</script>")
    names = [column.name for column in found.columns]
    assert names[:3] == ["author", "date", "text"]
    assert len(set(names)) == len(names) == 5


def test_a_thread_that_is_shown_is_no_second_list() -> None:
    shown = "".join(
        f'<article><h4>ann{k % 3}</h4><time datetime="2024-09-{k + 1:02}">Day {k + 1}</time><div>{post["cooked"]}</div>'
        f"<button>Like</button> {40 + k}</article>"
        for k, post in enumerate(posts())
    )
    found = extract(preloaded(thread(), f"<main>{shown}</main>"))
    assert not [
        region for region in found.regions if isinstance(region, DataRegion) and "posts" in str(region.why["data"])
    ]


@pytest.mark.parametrize(
    "rows",
    [
        [{"username": f"ann{k}", "name": f"Ann {k}", "createdAt": f"2024-09-0{k + 1}", "bio": said}
         for k, said in enumerate(SAID)],
        [{"author": "Ann", "date": f"2024-09-0{k + 1}", "rating": 5, "text": said} for k, said in enumerate(SAID)],
        [{"title": f"Tea {k}", "author": "Ann", "date": f"2024-09-0{k + 1}", "excerpt": said}
         for k, said in enumerate(SAID)],
        [{"author": "Ann", "date": f"2024-09-0{k + 1}", "text": SAID[0]} for k in range(5)],
        [{"author": "Ann", "date": f"2024-09-0{k + 1}", "text": "Thanks!"} for k in range(5)],
    ],
)  # fmt: skip
def test_other_things_are_no_posts(rows: list[dict[str, Any]]) -> None:
    found = extract(f"<script type=application/json>{json.dumps({'items': rows})}</script>")
    assert [column.name for column in found.columns][:3] != ["author", "date", "text"]
    for region in found.regions:
        assert [column.name for column in region.columns][:3] != ["author", "date", "text"]


def test_an_article_with_comments_as_data_has_no_list() -> None:
    """It shows its prose, and exists for it."""
    comments = [{"@type": "Comment", "author": f"Ann {k}", "dateCreated": "2024-09-01", "text": said}
                for k, said in enumerate(SAID)]  # fmt: skip
    data = {"@type": "NewsArticle", "headline": "Bitter tea", "comment": comments}
    prose = "".join(f"<p>{said} {SAID[k - 1]} {SAID[k - 3]}</p>" for k, said in enumerate(SAID)) * 3
    page = f"<h1>Bitter tea</h1>{prose}<script type=application/ld+json>{json.dumps(data)}</script>"
    assert extract(page).confidence < 0.5
