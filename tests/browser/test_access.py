"""The page for everybody: by the keyboard alone, on a phone, in the dark; and pages that mean harm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.pages import NAMES, SHOP, URL, hostile, teas
from tests.helpers.serving import Served, serving

FOCUSED = "document.activeElement.closest('[aria-label], [id], summary, button, a, input, td, th')?.outerHTML ?? ''"


def focus(tab: Any, wanted: str, key: str = "Tab", most: int = 60) -> None:
    """Press a key until something has the focus."""
    for _ in range(most):
        if tab.evaluate(f"document.activeElement.matches({wanted!r})"):
            return
        tab.keyboard.press(key)
    raise AssertionError(f"{wanted} cannot be reached by {key}")


def has_outline(tab: Any) -> bool:
    """Whether what has the focus is seen to have it."""
    seen: bool = tab.evaluate(
        "(() => { const of = element => getComputedStyle(element).outlineStyle !== 'none';"
        " const it = document.activeElement;"
        " return of(it) || of(it.parentElement) || of(document.querySelector('.tabs') ?? it); })()"
    )
    return seen


def test_by_the_keyboard_alone(visit: Visit) -> None:
    tab = visit.tab
    focus(tab, "#start textarea")
    assert has_outline(tab)
    tab.keyboard.insert_text(teas(*NAMES) + "<ul class=menu>" + "<li><a href=/x>Some menu entry</a>" * 4 + "</ul>")
    focus(tab, "#start [type=submit]")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#table .panel")
    # The page itself is passed by: nothing in it does anything. The lists are one group: the arrow keys choose.
    focus(tab, "[name=region]", most=12)
    assert has_outline(tab)
    tab.keyboard.press("ArrowRight")
    assert tab.locator(".list:visible").get_attribute("id") == "list-1"
    tab.keyboard.press("ArrowLeft")
    focus(tab, "#list-0 thead button")
    assert has_outline(tab)
    tab.keyboard.press("Enter")
    assert tab.locator("#list-0 [aria-sort=ascending]").count() == 1
    # The cells, with the arrow keys; the place on the page lights up.
    focus(tab, "#list-0 tbody th")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowRight")
    assert has_outline(tab)
    assert tab.evaluate("document.activeElement.textContent") == NAMES[1]
    assert visit.frame.locator("[data-fastwrap-hot=cell]").all_inner_texts() == [NAMES[1]]
    tab.keyboard.press("Home")
    assert tab.evaluate("document.activeElement.scope") == "row"
    # Columns.
    focus(tab, "[data-shows]:checked")
    tab.keyboard.press("Space")
    assert "title" not in visit.heads()
    focus(tab, "[data-renames='0.1']")
    tab.keyboard.press("Control+a")
    tab.keyboard.type("cost")
    tab.keyboard.press("Enter")
    assert "cost" in visit.heads()
    # The menus and the dialogs, backwards.
    focus(tab, ".menu summary", "Shift+Tab", 120)
    tab.keyboard.press("Enter")
    focus(tab, "[data-code=python]")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#status:has-text('Copied')")
    assert tab.evaluate("document.activeElement.matches('summary')")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Escape")
    assert tab.locator(".menu[open]").count() == 0
    focus(tab, "#save", "Shift+Tab")
    tab.keyboard.press("Enter")
    assert tab.locator("#saving").is_visible()
    tab.keyboard.press("Escape")
    assert not tab.locator("#saving").is_visible()


def test_everything_has_a_name(visit: Visit) -> None:
    visit.paste(SHOP)
    unnamed = visit.tab.evaluate(
        """() => [...document.querySelectorAll("button, input, select, textarea, iframe, svg, [role=grid], dialog")]
        .filter(each => !(each.ariaLabel || each.getAttribute("aria-labelledby") || each.labels?.length || each.title
          || each.textContent.trim())).map(each => each.outerHTML.slice(0, 120))"""
    )
    assert unnamed == []
    assert visit.tab.evaluate("document.documentElement.lang") == "en"


@pytest.mark.parametrize("width", [360, 768])
def test_on_a_phone(chromium: Any, server: Served, width: int, tmp_path: Path) -> None:
    visit = Visit(chromium, server, viewport={"width": width, "height": 740}, has_touch=True)
    tab = visit.tab
    for step in ("", "paste", "#save", "#saving [data-close]", "#apply", "#applying [data-close]", "#copy summary"):
        if step == "paste":
            visit.paste(SHOP, URL)
        elif step:
            tab.tap(step)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        outside = tab.evaluate(
            """width => [...document.querySelectorAll(".bar *, dialog[open] *, #start *")].filter(each => {
              const {left, right, width: own} = each.getBoundingClientRect();
              return own && getComputedStyle(each).opacity !== "0" && left >= 0 && right > width + 1; })
              .map(each => each.outerHTML.slice(0, 100))""",
            width,
        )
        assert outside == []
    visit.frame.locator("[data-fastwrap-record='0.1'] h3").tap()
    assert tab.locator("tr.hot").get_attribute("data-record") == "0.1"
    visit.context.close()


def test_in_the_dark(chromium: Any, server: Served) -> None:
    seen = {}
    for scheme in ("light", "dark"):
        visit = Visit(chromium, server, color_scheme=scheme)
        visit.paste(SHOP)
        seen[scheme] = visit.tab.evaluate(
            """() => ["body", ".panel", ".bar", "#list-0 thead th:nth-child(2)", "#saving"].map(each => {
              const style = getComputedStyle(document.querySelector(each));
              const light = colour => { const [r, g, b] = colour.match(/[\\d.]+/g).map(Number); return r + g + b; };
              const back = style.backgroundColor;
              return [light(style.color), back === "rgba(0, 0, 0, 0)" ? null : light(back)];
            })"""
        )
        visit.context.close()
    assert all(ink < 250 and (back is None or back > 650) for ink, back in seen["light"])
    assert all(ink > 550 and (back is None or back < 160) for ink, back in seen["dark"])


# Pages that mean harm


def test_a_hostile_page_runs_and_loads_nothing(visit: Visit) -> None:
    tab = visit.tab
    before = len(visit.requested)
    visit.paste(hostile(), "javascript:alert(1)")
    assert tab.locator("#list-0 tr[data-record]").count() == 6
    tab.wait_for_timeout(800)  # for what would begin by itself
    # All that a reader does with a page, on it and with its table.
    # Its names stand before those of its document, so that even Playwright cannot find anything there by itself.
    found = tab.evaluate(
        """() => {
          const page = document.querySelector("#table iframe").contentDocument;
          const all = [...Document.prototype.querySelectorAll.call(page, "a, b, i, button, img, input, form")];
          for (const element of all)
            for (const kind of ["click", "auxclick", "mouseover", "focus", "load", "error", "toggle", "submit"])
              EventTarget.prototype.dispatchEvent.call(element,
                new MouseEvent(kind, {bubbles: true, cancelable: true}));
          return all.length;
        }"""
    )
    assert found > 20
    box = tab.locator("#table iframe").bounding_box()
    for x in (0.2, 0.5, 0.8):
        tab.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * x)
        tab.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * x, button="middle")
    tab.click("label[for=region-0]")
    tab.locator("#list-0 td:visible").first.hover()
    for button in tab.locator("#list-0 thead button:visible").all():
        button.click()
    tab.wait_for_timeout(500)
    asked = {url.removeprefix(visit.server.url) for url in visit.requested[before:]}
    assert asked == {"/page/look"}  # nothing was loaded, neither from elsewhere nor from here
    assert tab.evaluate("[window.pwned, document.title, location.pathname, self.frames.length]") == [
        None,
        "fastwrap",
        "/",
        1,
    ]
    assert len(visit.context.pages) == 1
    # The page that covers its whole frame covers nothing else.
    assert tab.locator("#save").is_visible()
    tab.click("#save")
    assert tab.locator("#saving").is_visible()


def test_names_from_a_page_are_text(visit: Visit) -> None:
    name = "<img src=x onerror=top.pwned=1>\"'><script>top.pwned=1</script>"
    quoted = name.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    rows = "".join(f"<tr><td>tea {k}</td><td>{k}.50</td><td>{quoted} {k}</td></tr>" for k in range(5))
    html = f"<title>{quoted}</title><table><tr><th>{quoted}<th>price<th>{quoted} b</tr>{rows}</table>"
    visit.paste(html, f"https://a.example/{name}")
    for button in visit.tab.locator("#list-0 thead button:visible").all():
        button.click()
    field = visit.tab.locator("[data-renames]:visible").first
    field.fill(name)
    field.press("Enter")
    assert visit.heads()[0] == name
    visit.taken("csv")
    assert name.replace('"', '\\"') in visit.copied("python") or "onerror" in visit.copied("python")
    assert visit.tab.evaluate("window.pwned") is None
    assert visit.tab.locator("#table :is(script, img)").count() == 0


def test_with_a_token(chromium: Any, tmp_path: Path) -> None:
    (tmp_path / "tokens").write_text("me a-token-that-is-long-enough\n")
    with serving(tmp_path, "--workers", "1", "--token-file", "tokens") as guarded:
        visit = Visit(chromium, guarded, http_credentials={"username": "x", "password": "a-token-that-is-long-enough"})
        visit.tab.click("#example")
        visit.tab.wait_for_selector("#table .panel")
        assert '"Authorization: Bearer $FASTWRAP_TOKEN"' in visit.copied("curl")
        visit.context.close()
        context = chromium.new_context()
        assert context.request.get(guarded.url).status == 401
        context.close()
