"""The tables of pages of our own: the columns that a person would have made of them, and what they are called."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

import fastwrap
from fastwrap import columns
from fastwrap.columns import Template
from fastwrap.columns.choice import REASONS
from fastwrap.columns.records import MAX_COLUMNS

WORDS = "soft dark old northern heavy light rare wild young tall".split()
NAMES = "Ash Beech Cedar Douglas Elm Fir Gum Hazel Iroko Jatoba".split()


def page_of_records(records: list[str]) -> str:
    """A page with a list of records, between a heading and a foot."""
    return f"<body><h1>Boards of all kinds</h1><main><ul>{''.join(records)}</ul></main><footer>Since 1900</footer>"


def table(records: list[str]) -> tuple[list[str], list[Any]]:
    """The names of the columns of records, and the texts of each."""
    found = fastwrap.extract(page_of_records(records), min_confidence=0)
    region = found.regions[0]
    assert len(region) == len(records)
    return [column.name for column in region.columns], [record.texts for record in region.records]


def shop(number: int, name: str, more: str = "") -> str:
    return (
        f"<li class=tile><a href=/p/{number}><img src='data:image/gif;base64,R0' data-src=/i/{number}.jpg "
        f"alt='{name} board'></a><h3><a href=/p/{number}>{name} board</a></h3>"
        f"<p class=blurb>The {WORDS[number]} {name.lower()} "
        f"{'likes shade' if number % 2 else 'grows by rivers'} and is planed by hand</p>{more}"
        "<button>Add to cart</button><span class=heart>♡</span></li>"
    )


class TestWhatIsShown:
    def test_one_link_and_one_real_picture(self) -> None:
        names, rows = table([shop(number, name) for number, name in enumerate(NAMES)])
        assert names == ["image", "link", "title", "description"]
        assert rows[3][:3] == ["/i/3.jpg", "/p/3", "Douglas board"]

    def test_a_label_names_its_column_and_is_none(self) -> None:
        more = "<p><b>Colour:</b> <i>{}</i></p>"
        names, rows = table(
            [shop(k, name, more.format("red blue green".split()[k % 3])) for k, name in enumerate(NAMES)]
        )
        assert "Colour" in names
        assert rows[1][names.index("Colour")] == "blue"
        assert not any("Colour:" in (cell or "") for row in rows for cell in row)

    def test_words_in_bold_do_not_cut_a_text(self) -> None:
        records = [
            f"<li><a href=/{k}>{name} trees</a><p>A {WORDS[k]} wood, the <b>{name}</b> of {WORDS[-k]} hills</p></li>"
            for k, name in enumerate(NAMES)
        ]
        names, rows = table(records)
        assert names == ["link", "title", "description"]
        assert rows[2][2] == "A old wood, the Cedar of young hills"

    def test_records_of_another_shape_share_the_columns(self) -> None:
        records = []
        for k, name in enumerate(NAMES):
            inner = (
                f"<h3 class=name><a href=/{k}>{name} board</a></h3>"
                f"<p class=blurb>The {WORDS[k]} {name} grows slowly</p><b class=price>{k + 2}.50 EUR</b>"
            )
            in_frame = f"<div class=frame><u>Ad</u><div class=inside>{inner}</div></div>" if k in (2, 5) else inner
            records.append(f"<li class=tile>{in_frame}</li>")
        names, rows = table(records)
        assert [row[names.index("title")] for row in rows] == [f"{name} board" for name in NAMES]
        assert [row[names.index("price")] for row in rows] == [f"{k + 2}.50 EUR" for k in range(10)]
        assert [row[names.index("link")] for row in rows] == [f"/{k}" for k in range(10)]

    def test_the_larger_of_two_amounts_is_the_old_price(self) -> None:
        records = [
            shop(k, name, f"<p>{'<s>Was $' + str(30 + k) + '.00</s> ' if k % 2 else ''}<b>${20 + k}.00</b></p>")
            for k, name in enumerate(NAMES)
        ]
        names, rows = table(records)
        price, old = (
            next(k for k, name in enumerate(names) if name.lower() in said)
            for said in (["price"], ["was", "old price"])
        )
        assert [row[price] for row in rows] == [f"${20 + k}.00" for k in range(10)]
        assert [row[old] for row in rows] == [f"${30 + k}.00" if k % 2 else None for k in range(10)]

    def test_a_price_in_a_slot_of_old_prices_is_the_price(self) -> None:
        # What is not on sale has its price where others have the old one.
        sale = "<p class=cost>${}.00</p><p class=cost><em>${}.00</em></p>"
        records = [
            shop(k, name, sale.format(30 + k, 20 + k) if k % 3 == 0 else f"<p class=cost>${25 + k}.00</p>")
            for k, name in enumerate(NAMES)
        ]
        names, rows = table(records)
        assert {"price", "old price"} <= set(names)
        assert [row[names.index("price")] for row in rows] == [
            f"${20 + k}.00" if k % 3 == 0 else f"${25 + k}.00" for k in range(10)
        ]
        assert [row[names.index("old price")] for row in rows] == [
            f"${30 + k}.00" if k % 3 == 0 else None for k in range(10)
        ]

    def test_a_list_of_amounts_is_no_old_price(self) -> None:
        amounts = ["".join(f"<li class=price>${j}.50</li>" for j in range(k % 4 + 1)) for k in range(len(NAMES))]
        records = [
            shop(k, name, f"<b class=price>${20 + k}.00</b><ul>{amounts[k]}</ul>") for k, name in enumerate(NAMES)
        ]
        names, rows = table(records)
        assert rows[3][names.index("price")] == "$23.00"
        assert ["$0.50", "$1.50", "$2.50", "$3.50"] in rows[3]

    def test_tags_are_one_list(self) -> None:
        tags = "oak ash elm fir".split()
        records = [
            shop(k, name, "<ul class=tags>" + "".join(f"<li>{tags[(k + j) % 4]}</li>" for j in range(3)) + "</ul>")
            for k, name in enumerate(NAMES)
        ]
        names, rows = table(records)
        assert rows[0][names.index("tags")] == ["oak", "ash", "elm"]

    def test_lines_of_an_address_are_one_text(self) -> None:
        records = [
            f"<li><h3>{name} clinic</h3><p>{k + 1} {WORDS[k].title()} Station Road<br>"
            f"Little {name}, WA 9800{k}</p></li>"
            for k, name in enumerate(NAMES)
        ]
        names, rows = table(records)
        assert names == ["title", "location"]
        assert rows[4][1] == "5 Heavy Station Road Little Elm, WA 98004"

    def test_stars_in_a_hint_are_the_rating_and_the_number_after_it_the_reviews(self) -> None:
        records = [
            shop(k, name, f"<div title='{3 + k / 10:.1f} out of 5'><i></i></div><span>({10 + 7 * k})</span>")
            for k, name in enumerate(NAMES)
        ]
        names, rows = table(records)
        assert rows[2][names.index("rating")] == "3.2 out of 5"
        assert rows[2][names.index("reviews")] == "(24)"

    def test_all_columns_are_there_on_demand(self) -> None:
        page = page_of_records([shop(number, name) for number, name in enumerate(NAMES)])
        shown, every = (fastwrap.extract(page, columns=columns).columns for columns in (None, "all"))
        assert len(shown) == 4 < len(every)
        assert "Add to cart" in [cell for row in fastwrap.extract(page, columns="all").regions[0].texts for cell in row]


class TestFractions:
    @pytest.mark.parametrize("markup", ["{}<sup>.99</sup>", "<b>{}</b>.99", "${}<sup>.99</sup>", "{}<sup>,90</sup> €"])
    def test_cents_that_are_the_same_everywhere_are_part_of_the_price(self, markup: str) -> None:
        _, rows = table([f"<li><h3>{name}</h3><p>{markup.format(k + 3)}</p></li>" for k, name in enumerate(NAMES)])
        whole = re.sub("<[^>]*>", "", markup)
        assert [row[1] for row in rows] == [whole.format(k + 3) for k in range(len(NAMES))]


class TestBounds:
    def test_records_that_are_all_the_same_are_not_empty(self) -> None:
        names, rows = table(["<li><i>Beech</i> <b>Bark</b></li>"] * 6)
        assert len(names) == 2
        assert rows == [["Beech", "Bark"]] * 6

    def test_texts_are_not_split_into_more_columns_than_there_may_be(self) -> None:
        """Each of 700 cells has four parts that are things of their own."""
        cells = [
            "".join(f"<td>{NAMES[(k + n) % 10]} | {k + n} | {WORDS[(k + n) % 10]} | {n} EUR</td>" for k in range(700))
            for n in range(1, 6)
        ]
        html = f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"
        region = fastwrap.extract(html, min_confidence=0).regions[0]
        assert 700 < len(region.columns) <= MAX_COLUMNS
        assert region.limits == ("columns.splitting",)
        assert {len(row) for row in region.texts} == {len(region.columns)}
        assert region.texts[0][:4] == ["Beech", "1", "dark", "1 EUR"]
        assert region.texts[0][-1].count("|") == 3

    def test_a_table_is_as_wide_as_what_is_shown_of_it(self) -> None:
        page = fastwrap.Page("<ul>" + "".join(f"<li>{name} | {k}</li>" for k, name in enumerate(NAMES)) + "</ul>")
        found = fastwrap.extract(page, min_confidence=0).regions[0]
        template = found.table.template
        assert template.choice is not None
        wide = replace(template, choice=replace(template.choice, sources=template.choice.sources * 2_000_000))
        with pytest.raises(fastwrap.FastwrapError, match="make too large a table"):
            columns.apply(wide, page, found.spans)


class TestRoles:
    @pytest.mark.parametrize(
        ("markup", "role"),
        [
            ("<p class='produkt-preis'>{k}5,00 €</p>", "price"),
            ("<span itemprop=author>{name} Smith</span>", "author"),
            ("<span data-testid=job-location>{name} Town</span>", "location"),
            ("<i>{k}5 days ago</i>", "date"),
            ("<i>1{k}2 sold</i>", ""),
            ("<i>Free shipping over {k}5 boards</i>", "shipping"),
            ("<dl><dt>Autor</dt><dd>{name} Schmidt</dd></dl>", "author"),
        ],
    )
    def test_evidence(self, markup: str, role: str) -> None:
        records = [shop(k, name, markup.format(k=k, name=name)) for k, name in enumerate(NAMES)]
        found = fastwrap.extract(page_of_records(records), min_confidence=0).regions[0].columns
        others = [column for column in found if column.role not in ("link", "image", "title", "description")]
        assert [column.role for column in others] == [role]

    def test_the_class_of_a_container_names_no_two_columns(self) -> None:
        more = "<div class=seller-rating><i>{name} and sons</i><u>since 19{k}0</u></div>"
        records = [shop(k, name, more.format(k=k, name=name)) for k, name in enumerate(NAMES)]
        names, _ = table(records)
        assert sum(name.startswith(("seller", "rating")) for name in names) <= 1


class TestTemplate:
    def test_a_saved_choice_reads_the_same(self) -> None:
        page = fastwrap.Page(page_of_records([shop(number, name) for number, name in enumerate(NAMES)]))
        spans = fastwrap.extract(page, min_confidence=0).regions[0].spans
        learned = columns.learn(page, spans, choose=True)
        loaded = Template.from_json(learned.template.to_json())
        read = columns.apply(loaded, page, spans)
        assert read.texts == learned.texts
        assert [column.name for column in read.columns] == [column.name for column in learned.columns]
        assert [column.role for column in read.columns] == [column.role for column in learned.columns]
        assert read.links == learned.links

    def test_other_pages_have_the_same_columns(self) -> None:
        first, second = (
            page_of_records([shop(number, name) for number, name in enumerate(names)]) for names in (NAMES, NAMES[::-1])
        )
        wrapper = fastwrap.learn(first)
        one, other = wrapper.extract(first), fastwrap.Wrapper.loads(wrapper.dumps()).extract(second)
        assert [column.name for column in one.columns] == [column.name for column in other.columns]
        assert [record["title"] for record in other] == [f"{name} board" for name in NAMES[::-1]]

    def test_what_is_left_out_has_a_reason(self) -> None:
        page = fastwrap.Page(page_of_records([shop(number, name) for number, name in enumerate(NAMES)]))
        table = fastwrap.extract(page, min_confidence=0).regions[0].table
        left_out = {item.path: item.why for item in table.left_out}
        assert left_out["li/button/#text"] in REASONS
        assert left_out["li/span/#text"] == "it has no words"
        assert left_out["li/a/img/@alt"] == "it is an attribute, and what is seen says more"
        assert not columns.learn(page, table.records.spans).left_out

    @pytest.mark.parametrize(
        "broken",
        [
            {"operation": "take", "items": [[99]]},
            {"operation": "take", "items": []},
            {"operation": "take", "items": [[0]], "part": 3},
            {"operation": "rest", "items": [[0]], "where": [99]},
        ],
    )
    def test_a_choice_that_does_not_fit_is_refused(self, broken: dict[str, Any]) -> None:
        page = fastwrap.Page(page_of_records([shop(number, name) for number, name in enumerate(NAMES)]))
        table = fastwrap.extract(page, min_confidence=0).regions[0].table
        data = table.template.to_json()
        data["choice"][0] = broken
        with pytest.raises(ValueError, match="column"):
            Template.from_json(data)
