"""The page for everybody: by the keyboard alone, on a phone, in the dark; and pages that mean harm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Server, Visit
from tests.browser.test_page import NAMES, SHOP, URL, teas

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
    # The lists are one group: the arrow keys choose.
    focus(tab, "[name=region]")
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
def test_on_a_phone(chromium: Any, server: Server, width: int, tmp_path: Path) -> None:
    visit = Visit(chromium, server, viewport={"width": width, "height": 740}, has_touch=True)
    tab = visit.tab
    for step in (lambda: None, lambda: visit.paste(SHOP, URL), lambda: tab.click("#save"), lambda: tab.click("[data-close]:visible"),
                 lambda: tab.click("#apply"), lambda: tab.click("#applying [data-close]"),
                 lambda: tab.click("summary:has-text('Copy')")):  # fmt: skip
        step()
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


def test_in_the_dark(chromium: Any, server: Server) -> None:
    seen = {}
    for scheme in ("light", "dark"):
        visit = Visit(chromium, server, color_scheme=scheme)
        visit.paste(SHOP)
        seen[scheme] = visit.tab.evaluate(
            """() => ["body", ".panel", ".bar", "#list-0 thead th:nth-child(2)", "#saving"].map(each => {
              const style = getComputedStyle(document.querySelector(each));
              const light = colour => { const [r, g, b] = colour.match(/[\\d.]+/g).map(Number); return r + g + b; };
              return [light(style.color), style.backgroundColor === "rgba(0, 0, 0, 0)" ? null : light(style.backgroundColor)];
            })"""
        )
        visit.context.close()
    assert all(ink < 250 and (back is None or back > 650) for ink, back in seen["light"])
    assert all(ink > 550 and (back is None or back < 160) for ink, back in seen["dark"])


# Pages that mean harm

EVIL = "http://evil.example"
PWN = "top.pwned=1;top.document.title='pwned';fetch('/pwned')"
HOSTILE = f"""<!doctype html><html onclick="{PWN}"><head><title>x</title>
<base href="{EVIL}/"><meta http-equiv=refresh content="0;url={EVIL}/refresh">
<meta http-equiv=Content-Security-Policy content="default-src *">
<link rel=stylesheet href="{EVIL}/a.css"><link rel=preload as=image href="{EVIL}/p.png"><link rel=icon href="{EVIL}/i.ico">
<link rel=dns-prefetch href="{EVIL}"><link rel=modulepreload href="/page/app.js">
<style>@import "{EVIL}/b.css"; @import url(/page/pwned.css); @font-face {{ font-family: f; src: url({EVIL}/f.woff) }}
html, body {{ font-family: f; background: url({EVIL}/bg.png), u\\72l(/pwned.png) }}
body::before {{ content: url({EVIL}/c.png); position: fixed; inset: 0; z-index: 2147483647; background: red }}
* {{ cursor: url({EVIL}/cursor.png), auto !important; pointer-events: auto !important }}</style>
<script>{PWN}</script><script src="{EVIL}/s.js"></script><script type=module>import "/page/app.js"; {PWN}</script></head>
<body onload="{PWN}" onmousemove="{PWN}" background="{EVIL}/body.png">
<div style="position:fixed;inset:0;width:100vw;height:100vh;background:url({EVIL}/d.png) #f00;z-index:2147483647">covered</div>
<img src=x onerror="{PWN}"><img src="{EVIL}/img.png" srcset="{EVIL}/2.png 2x"><img src="/pwned.png">
<svg onload="{PWN}"><script>{PWN}</script><image href="{EVIL}/svg.png"/><use href="{EVIL}/u.svg#a"/>
<animate onbegin="{PWN}" attributeName=x dur=1s></svg>
<iframe src="{EVIL}/frame"></iframe><iframe srcdoc="<script>{PWN}</script>"></iframe><object data="{EVIL}/o"></object>
<embed src="{EVIL}/e"><video src="{EVIL}/v.mp4" poster="{EVIL}/poster.png" autoplay></video><audio src="{EVIL}/a.mp3" autoplay>
</audio><input autofocus onfocus="{PWN}"><details open ontoggle="{PWN}"><summary>x</summary></details>
<form id=f action="{EVIL}/form" name=documentElement><input name=addEventListener><button name=body>go</button>
<input type=image src="{EVIL}/button.png"></form><img name=querySelectorAll><img name=getElementById>
"""
ITEM = """<li class=item onclick="{pwn}"><a href="javascript:{pwn}">Name {k}</a> <a href="{evil}/{k}" target=_top ping="{evil}/ping">
more</a> <b style="background:url({evil}/s{k}.png)" onmouseover="{pwn}">{k}.50 EUR</b>
<img src="{evil}/{k}.png" onload="{pwn}" alt="&lt;script&gt;{k}"><i>&lt;img src=x onerror={pwn}&gt; {k}</i></li>"""


def hostile(count: int = 6) -> str:
    items = "".join(ITEM.format(pwn=PWN, evil=EVIL, k=k) for k in range(1, count + 1))
    return f"{HOSTILE}<ul>{items}</ul><form action='{EVIL}/send'><button formaction='javascript:{PWN}'>send</button></form>"


def test_a_hostile_page_runs_and_loads_nothing(visit: Visit) -> None:
    tab = visit.tab
    before = len(visit.requested)
    visit.paste(hostile(), "javascript:alert(1)")
    assert tab.locator("#list-0 tbody tr").count() == 6
    tab.wait_for_timeout(800)  # for what would begin by itself
    # All that a reader does with a page, on it and with its table.
    for selector in ("a", "b", "i", "button", "img", "input"):
        for place in visit.frame.locator(selector).all()[:4]:
            place.dispatch_event("click")
            place.dispatch_event("auxclick")
            place.dispatch_event("mouseover")
    visit.frame.locator("form").first.dispatch_event("submit")
    box = tab.locator("#table iframe").bounding_box()
    for x in (0.2, 0.5, 0.8):
        tab.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * x)
        tab.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * x, button="middle")
    tab.locator("#list-0 td").first.hover()
    for button in tab.locator("#list-0 thead button:visible").all():
        button.click()
    tab.wait_for_timeout(500)
    asked = {url.removeprefix(visit.server.url) for url in visit.requested[before:]}
    assert asked == {"/page/look"}  # nothing was loaded, neither from elsewhere nor from here
    assert tab.evaluate("[window.pwned, document.title, location.pathname, self.frames.length]") == [None, "fastwrap", "/", 1]
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
    guarded = Server(tmp_path, "--token-file", "tokens")
    try:
        visit = Visit(chromium, guarded, http_credentials={"username": "x", "password": "a-token-that-is-long-enough"})
        visit.tab.click("#example")
        visit.tab.wait_for_selector("#table .panel")
        assert '"Authorization: Bearer $FASTWRAP_TOKEN"' in visit.copied("curl")
        visit.context.close()
        context = chromium.new_context()
        assert context.new_page().goto(guarded.url).status == 401
        context.close()
    finally:
        guarded.stop()
