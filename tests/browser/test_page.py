"""The page at `/` in a real browser, from the first paste to the last download."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fastwrap
from tests.browser.conftest import Visit
from tests.browser.pages import NAMES, OTHERS, SHOP, URL, teas
from tests.helpers.serving import Served, serving


def drop(tab: Any, target: str, *files: tuple[str, str]) -> None:
    """Drop files as a person does: enter, over, drop."""
    data = tab.evaluate_handle(
        """files => { const data = new DataTransfer();
        for (const [name, text] of files) data.items.add(new File([text], name, {type: "text/html"}));
        return data; }""",
        list(files),
    )
    for event in ("dragenter", "dragover", "drop"):
        tab.dispatch_event(target, event, {"dataTransfer": data})


# Ways in


def test_a_page_is_pasted(visit: Visit) -> None:
    visit.paste(SHOP, URL)
    found = fastwrap.extract(SHOP, url=URL)
    assert visit.tab.locator("#list-0 tr[data-record]").count() == len(found)
    assert sorted(visit.heads()) == sorted(column.name for column in found.columns)
    assert visit.frame.locator("[data-fastwrap-record='0.0']").count() == 1
    assert visit.frame.locator("fastwrap-boxes i").count() == len(found)
    assert visit.tab.locator("#table > header p").inner_text().startswith(f"{len(found)} records")


def test_files_are_dropped_and_chosen(visit: Visit, tmp_path: Path) -> None:
    tab = visit.tab
    drop(tab, "body", ("one.html", teas(*NAMES)), ("two.html", teas(*OTHERS)))
    tab.wait_for_selector("#table .panel")
    assert tab.locator("#table h1").inner_text() == "one.html"
    tab.select_option("#pages", label="two.html")
    tab.wait_for_selector("#table h1:has-text('two.html')")
    assert visit.cells(0)[0] == "Gyokuro deep"
    tab.click("#other")
    assert tab.locator("#start textarea").evaluate("field => field === document.activeElement")
    latin = tmp_path / "three.html"
    latin.write_bytes(teas("Maté clair", "Café noir", "Thé vert").encode("windows-1252"))
    tab.set_input_files("#start [name=files]", latin)
    tab.wait_for_selector("#table h1:has-text('three.html')")
    assert visit.cells(0)[0] == "Maté clair"


def test_an_example_is_at_hand(visit: Visit) -> None:
    visit.tab.click("#example")
    visit.tab.wait_for_selector("#table .panel")
    assert visit.tab.locator("#list-0 tr[data-record]").count() == 9
    assert {"title", "price", "rating", "reviews"} <= set(visit.heads())


@pytest.mark.parametrize(
    ("html", "said"),
    [("%PDF-1.7 ...", "PDF"), ("<p>" + "<b>" * 3_000 + "x", "nest"), ("  ", "Paste a page, or choose its file.")],
)
def test_what_is_no_page_is_said(visit: Visit, html: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(html)
    if said == "PDF":
        visit.tab.set_input_files("#start [name=files]", tmp_path / "page.html")
    else:
        visit.tab.fill("#start textarea", html)
        visit.tab.click("#start [type=submit]")
    visit.tab.wait_for_selector("#start .error:not(:empty)")
    assert said in visit.tab.locator("#start .error").inner_text()
    visit.said[:] = [line for line in visit.said if "422" not in line]  # the browser's own note of the status


def test_an_address_is_not_fetched_unless_the_server_may(visit: Visit) -> None:
    visit.tab.fill("#start [name=url]", URL)
    visit.tab.click("#start [type=submit]")
    visit.tab.wait_for_selector("#start .error:not(:empty)")
    assert "fetches no addresses" in visit.tab.locator("#start .error").inner_text()
    assert not any("look" in url for url in visit.requested)


def test_an_address_is_asked_for_where_the_server_may(chromium: Any, tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "1", "--allow-fetch") as fetching:
        visit = Visit(chromium, fetching)
        visit.tab.fill("#start [name=url]", f"{fetching.url}/page/example.html")
        visit.tab.click("#start [type=submit]")
        visit.tab.wait_for_selector("#start .error:not(:empty)")
        assert "not a public address" in visit.tab.locator("#start .error").inner_text()
        visit.context.close()


def test_a_page_about_one_thing(visit: Visit) -> None:
    facts = "<title>Oak table</title><h1>Oak table</h1><p>Price: 120 EUR<p>Width: 80 cm"
    visit.paste(facts)
    assert visit.heads() == ["title", "Price", "Width"]
    assert visit.cells(0) == ["Oak table", "120 EUR", "80 cm"]
    assert visit.tab.locator("#save").is_disabled()
    assert json.loads(visit.taken("json")) == [
        {"title": "Oak table", "Price": {"amount": "120", "currency": "EUR"}, "Width": 80}
    ]


def test_a_page_with_nothing(visit: Visit) -> None:
    visit.paste("<p>")
    assert "Nothing repeats on this page." in visit.tab.locator("#table .panel").inner_text()
    assert visit.tab.locator("#save").is_disabled()


# The page and the table light each other up


def test_a_cell_lights_up_its_place(visit: Visit) -> None:
    visit.paste(teas(*NAMES))
    cell = visit.tab.locator("#list-0 tr[data-record='0.2'] td", has_text="Darjeeling first")
    cell.hover()
    hot = visit.frame.locator("[data-fastwrap-hot=cell]")
    assert hot.all_inner_texts() == ["Darjeeling first"]
    assert visit.frame.locator("[data-fastwrap-hot='']").get_attribute("data-fastwrap-record") == "0.2"
    assert cell.evaluate("cell => cell.className").split()[-1] == "here"
    visit.tab.locator("#list-0 thead th", has_text="price").hover()
    assert visit.frame.locator("[data-fastwrap-hot]").count() == len(NAMES)
    visit.tab.hover(".bar")
    assert visit.frame.locator("[data-fastwrap-hot]").count() == 0


def test_a_place_lights_up_its_cell(visit: Visit) -> None:
    visit.paste(SHOP)
    # Far down the list: the table scrolls to it.
    record = visit.frame.locator("[data-fastwrap-record='0.22']")
    record.scroll_into_view_if_needed()
    record.locator("h3 fastwrap-text").hover()
    here = visit.tab.locator("td.here")
    assert here.inner_text() == record.locator("h3").inner_text()
    assert visit.tab.locator("tr.hot").get_attribute("data-record") == "0.22"
    seen, around = here.bounding_box(), visit.tab.locator("#list-0 .table").bounding_box()
    assert around["y"] < seen["y"] < around["y"] + around["height"]


def test_what_lies_over_a_page_does_not_hide_it_from_the_pointer(visit: Visit) -> None:
    cover = "<div style='position:fixed;inset:0;z-index:2147483647;background:#0002'></div>"
    visit.paste(teas(*NAMES) + cover)
    box = visit.frame.locator("[data-fastwrap-record='0.1'] h3 fastwrap-text").bounding_box()
    visit.tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert visit.tab.locator("td.here").inner_text() == "Ceylon gold"


def test_a_region_is_chosen_on_the_page(visit: Visit) -> None:
    menu = "".join(
        f"<li><a href=/{k}>{kind} teas to see</a></li>" for k, kind in enumerate(("Green", "Black", "White"))
    )
    visit.paste(f"<ul class=menu>{menu}</ul>{teas(*NAMES)}")
    assert visit.tab.locator("[name=region]").count() >= 2
    visit.frame.locator("a", has_text="Black teas").click()
    shown = visit.tab.locator(".list:visible")
    assert "Black teas to see" in shown.inner_text()
    assert shown.get_attribute("id") != "list-0"
    assert b"White teas to see" in visit.taken("csv")
    code = visit.copied("python")
    assert ".regions[" in code
    visit.frame.locator("h3 fastwrap-text", has_text="Keemun").click()
    assert visit.tab.locator(".list:visible").get_attribute("id") == "list-0"
    assert visit.tab.locator("#list-0 tr.hot").get_attribute("data-record") == "0.3"


# The table


def test_columns_are_sorted_by_their_types(visit: Visit) -> None:
    visit.paste(SHOP)
    found = fastwrap.extract(SHOP)
    prices = sorted(record["price"].amount for record in found)
    place = visit.heads().index("price")
    head = visit.tab.locator("#list-0 thead th[aria-sort]", has_text="price").first
    for order, expected in (("ascending", prices), ("descending", prices[::-1])):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == order
        assert [visit.cells(row)[place] for row in range(len(found))] == [f"{price} EUR" for price in expected]
    head.locator("button").click()
    assert visit.cells(0)[0] == found[0]["title"]
    ratings = visit.heads().index("rating")
    visit.tab.locator("#list-0 thead button:visible", has_text="rating").first.click()
    cells = [visit.cells(row)[ratings] for row in range(len(found))]
    assert cells == sorted(filter(None, cells)) + [""] * cells.count("")


def test_columns_are_hidden_shown_and_renamed(visit: Visit) -> None:
    visit.paste(teas(*NAMES), URL)
    assert visit.heads() == ["title", "price", "description", "link"] or "title" in visit.heads()
    visit.tab.uncheck("[aria-label='show the column link']")
    assert "link" not in visit.heads()
    # What was left out says why, and can be had all the same.
    line = visit.tab.locator("#list-0 .why tr", has_text="it is a button or a link that says what to do")
    hidden = line.locator("[type=text]").input_value()
    line.locator("[type=checkbox]").check()
    assert visit.heads()[-1] == hidden
    assert visit.frame.locator("button fastwrap-text[data-fastwrap-of='0']").count() == len(NAMES)
    visit.tab.fill("[data-renames]:visible >> nth=0", "tea")
    visit.tab.keyboard.press("Enter")
    assert visit.heads()[0] == "tea"
    rows = list(csv.DictReader(io.StringIO(visit.taken("csv").decode())))
    assert rows[2]["tea"] == "Darjeeling first"
    assert rows[2][hidden] == "Buy"
    assert "link" not in rows[2]
    # Names are what they must be, before anything is asked of the server.
    visit.tab.fill("[data-renames]:visible >> nth=1", "tea")
    visit.tab.click("summary:has-text('Download')")
    visit.tab.click("[data-file=csv]")
    assert visit.tab.locator("#status").inner_text() == "Two columns are called “tea”."


def test_files_have_what_the_library_has(visit: Visit) -> None:
    import openpyxl
    import pyarrow.parquet

    visit.paste(SHOP, URL)
    found = fastwrap.extract(SHOP, url=URL)
    assert visit.taken("csv").decode() == found.to_csv()
    assert json.loads(visit.taken("json")) == found.to_dicts(json=True)
    assert visit.taken("jsonl").count(b"\n") == len(found)
    table = pyarrow.parquet.read_table(io.BytesIO(visit.taken("parquet")))
    assert table.equals(found.to_arrow())
    sheet = openpyxl.load_workbook(io.BytesIO(visit.taken("xlsx"))).active
    assert sheet.max_row == len(found) + 1
    assert [cell.value for cell in sheet[1]] == list(table.column_names)


# Wrappers, and code


def test_a_wrapper_is_saved_and_applied_to_a_second_page(visit: Visit) -> None:
    tab = visit.tab
    visit.paste(teas(*NAMES), URL)
    tab.fill("[data-renames]:visible >> nth=0", "tea")
    tab.keyboard.press("Tab")
    tab.uncheck("[aria-label='show the column link']")
    tab.click("#save")
    tab.fill("#saving [name=id]", "no spaces")
    tab.click("[data-save=server]")
    assert tab.locator("#saving").is_visible()  # the name is not one
    tab.fill("#saving [name=id]", "teas")
    tab.click("[data-save=server]")
    tab.wait_for_selector("#status:has-text('Kept as “teas”, version 1.')")
    tab.click("#save")
    with tab.expect_download() as download:
        tab.click("[data-save=file]")
    wrapper = fastwrap.Wrapper.load(download.value.path())
    assert "tea" in wrapper.extract(teas(*OTHERS)).to_dicts()[0]
    tab.click("#apply")
    tab.fill("#applying textarea", teas(*OTHERS))
    tab.click("#applying [type=submit]")
    tab.wait_for_selector("#fit strong")
    assert tab.locator("#fit strong").inner_text() == "Fit 100%"
    assert visit.cells(0)[0] == "Gyokuro deep"
    assert "tea" in visit.heads()
    assert "link" not in visit.heads()
    # The one that is kept, on a page that has changed.
    tab.click("#apply")
    tab.select_option("#applying select", "teas")
    tab.fill("#applying textarea", re.sub("<p class=price>.*?</p>", "", teas(*OTHERS)))
    tab.click("#applying [type=submit]")
    tab.wait_for_selector("#fit .bad")
    assert "should not be trusted" in tab.locator("#fit").inner_text()
    assert tab.locator("#fit .drift li:not(.ok)").count() >= 1


def run(code: str, folder: Path) -> list[dict[str, Any]]:
    """The records that lines of Python leave in `rows`."""
    shown = f"{code}\nimport json\nfrom fastwrap.output.values import json_value\nprint(json.dumps(json_value(rows)))"
    done = subprocess.run([sys.executable, "-c", shown], cwd=folder, capture_output=True, text=True, check=True)
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


def test_the_code_does_the_same(visit: Visit, server: Served, tmp_path: Path) -> None:
    tab = visit.tab
    (tmp_path / "page.html").write_text(teas(*NAMES))
    visit.paste(teas(*NAMES), URL)
    assert run(visit.copied("python"), tmp_path) == json.loads(visit.taken("json"))
    curl = visit.copied("curl")
    done = subprocess.run(["bash", "-ec", curl], cwd=tmp_path, capture_output=True, check=True)
    assert [record["values"][1] for record in json.loads(done.stdout)["regions"][0]["records"]] == list(NAMES)
    # With columns of one's own.
    tab.fill("[data-renames]:visible >> nth=0", 'it\'s "tea" {x} \\')
    tab.keyboard.press("Tab")
    tab.uncheck("[aria-label='show the column link']")
    rows = json.loads(visit.taken("json"))
    assert run(visit.copied("python"), tmp_path) == rows
    spider = visit.copied("scrapy")
    assert "class ListSpider" in spider
    compile(spider, "spider", "exec")
    # With a column that was left out, only a wrapper can.
    tab.locator("#list-0 .why tr", has_text="says what to do").locator("[type=checkbox]").check()
    tab.click("#save")
    tab.fill("#saving [name=id]", "some-teas")
    with tab.expect_download() as download:
        tab.click("[data-save=file]")
    download.value.save_as(tmp_path / "some-teas.json")
    code = visit.copied("python")
    assert "Wrapper.load('some-teas.json')" in code
    assert run(code, tmp_path) == json.loads(visit.taken("json"))
    done = subprocess.run(["bash", "-ec", visit.copied("curl")], cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout.count(b"Buy") >= len(NAMES)


# The file of `fastwrap show` is drawn by the same modules


def test_the_view_in_a_file(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "teas.html").write_text(teas(*NAMES))
    subprocess.run(
        [sys.executable, "-m", "fastwrap", "show", "-q", "teas.html", "-o", "view.html"], cwd=tmp_path, check=True
    )
    tab = visit.tab
    tab.goto((tmp_path / "view.html").as_uri())
    visit.requested[:] = [url for url in visit.requested if not url.startswith("file:")]
    frame = tab.frame_locator(".page > iframe")
    tab.locator("td", has_text="Darjeeling first").hover()
    assert frame.locator("[data-fastwrap-hot=cell]").all_inner_texts() == ["Darjeeling first"]
    frame.locator("fastwrap-text", has_text="Uji shade").hover()
    assert tab.locator("td.here").inner_text() == "Uji shade"
    tab.locator("thead th", has_text="price").locator("button").click()
    assert visit.cells(0)[visit.heads().index("price")] == "2.50 EUR"
    tab.uncheck("[aria-label='show the column price']")
    assert "price" not in visit.heads()
    assert tab.locator("[data-renames]").count() == 0
    assert not any(url.startswith("http") for url in visit.requested[1:] if visit.server.url not in url)
