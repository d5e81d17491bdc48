"""The template of the view: its markup, its style sheets, and the script that links page, table and plot.
Kept as text in a module, so that the package needs no data files."""

from __future__ import annotations

from fastwrap.show.frame import MARK
from fastwrap.show.tables import MAX_COLUMNS, MAX_REGIONS

REGION_HUES = (214, 24, 158, 280, 335, 188, 46, 0)


def column_hue(number: int) -> int:
    """The colour of a column: neighbours are far apart, by the golden angle.

    >>> column_hue(0), column_hue(1)
    (140, 277)
    """
    return int(140 + 137.508 * number) % 360


def frame_style() -> str:
    """How marked nodes look in the page, whatever its own style sheets say: the region that is shown, the others
    faintly, and what is pointed at."""
    rules = [FRAME_STYLE]
    for number in range(MAX_REGIONS):
        hue = REGION_HUES[number]
        shown = f'html[{MARK}-shown="{number}"]'
        rules.append(f'[{MARK}-record^="{number}."]{{--fastwrap-region:{hue}}}')
        rules.append(f"{shown}{{--fastwrap-shown:hsl({hue} 80% 48%)}}")
        for which, looks in (
            (f'[{MARK}-region~="{number}"]', "outline:2px dashed var(--fastwrap-shown)!important;outline-offset:3px"),
            (f'[{MARK}-of="{number}"]:not([{MARK}-record])', "outline:2px dotted var(--fastwrap-column)!important"),
            (f'[{MARK}-record^="{number}."]', "outline:2px solid var(--fastwrap-shown)!important"),
            (
                f'[{MARK}-of="{number}"][{MARK}-kind="text"]',
                "outline:1px solid var(--fastwrap-column)!important;background:var(--fastwrap-tint)!important",
            ),
        ):
            rules.append(f"{shown} {which}{{{looks}}}")
    rules.append(f"html[{MARK}-drawn] [{MARK}-drawn]{{outline:none!important}}")  # there is a box around it
    for number in range(MAX_COLUMNS):
        hue = column_hue(number)
        rules.append(
            f'[{MARK}-hue="{number}"]{{--fastwrap-column:hsl({hue} 70% 42%/.75);--fastwrap-tint:hsl({hue} 85% 50%/.25);'
            f"--fastwrap-strong:hsl({hue} 90% 50%/.5)}}"
        )
    return "".join(rules)


def view_style(regions: int) -> str:
    """The colours of regions and columns in the view, and what is seen of the region that is chosen."""
    rules = [f'[data-hue="{number}"]{{--c:{column_hue(number)}}}' for number in range(MAX_COLUMNS)]
    for number in range(regions):
        in_plot = f'body:has(#region-{number}:checked) .plot [data-region="{number}"]'
        rules.append(
            f'[data-region="{number}"]{{--r:{REGION_HUES[number]}}}'
            f"{in_plot}{{opacity:1}}{in_plot} .band{{display:inline}}"
            f"#region-{number}:checked~.lists #list-{number}{{display:flex}}"
            f"#region-{number}:checked~.tabs [for=region-{number}]{{color:var(--ink);font-weight:600;"
            "border-color:hsl(var(--r) var(--strong))}"
        )
    return "".join(rules)


# The boxes are drawn over the page by the script: one around all parts of a record, and its number.
FRAME_STYLE = f"""
fastwrap-p {{ display: block; margin: 1em 0 }}
fastwrap-text {{ display: inline !important; outline-offset: 0 !important }}
[{MARK}-record] {{ outline: 1px dashed hsl(var(--fastwrap-region) 60% 45% / .5) !important; outline-offset: -1px }}
[{MARK}-items] {{ outline-offset: -2px }}
html [{MARK}-hot] {{ background-color: hsl(var(--fastwrap-region, 214) 90% 55% / .16) !important }}
html fastwrap-text[{MARK}-hot] {{ background: var(--fastwrap-strong) !important }}
fastwrap-boxes {{ position: absolute !important; top: 0; left: 0; z-index: 2147483647; pointer-events: none }}
fastwrap-boxes b {{ position: absolute; box-sizing: border-box; border: 2px solid var(--fastwrap-shown);
  border-radius: 3px }}
fastwrap-boxes i {{ position: absolute; box-sizing: border-box; min-width: 22px; padding: 1px 4px; border-radius: 4px;
  color: #fff; background: var(--fastwrap-shown); font: 600 13px/17px system-ui, sans-serif; text-align: center }}
"""

TEMPLATE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{name}} · fastwrap</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<meta name="generator" content="fastwrap {{version}}">
<meta http-equiv="Content-Security-Policy" content="{{policy}}">
<style>
:root { color-scheme: light dark; --ink: #1c2430; --soft: #647082; --line: #dfe4ea; --paper: #fff; --back: #f3f5f8;
  --tint: 85% 50% / .11; --strong: 65% 42%; --dot: #aab4c0 }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e8ef; --soft: #93a0b1; --line: #323b47; --paper: #1b212a;
  --back: #12161c; --tint: 70% 60% / .14; --strong: 65% 62%; --dot: #566272 } }
* { box-sizing: border-box }
html, body { height: 100% }
body { margin: 0; min-height: 620px; padding: 10px 12px; display: grid; gap: 10px; color: var(--ink);
  grid-template: auto minmax(0, 1fr) auto / minmax(0, 1.32fr) minmax(0, 1fr); background: var(--back);
  font: 13px/1.45 system-ui, sans-serif }
header { grid-column: 1 / -1; display: flex; align-items: baseline; gap: 12px; min-width: 0; padding: 0 2px }
header b { color: hsl(214 var(--strong)); letter-spacing: .02em }
h1 { margin: 0; font-size: 15px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
header p { margin: 0 0 0 auto; color: var(--soft); white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.page, .panel, .plot { position: relative; background: var(--paper); border: 1px solid var(--line); border-radius: 8px;
  overflow: hidden }
iframe { position: absolute; border: 0; width: calc(100% / .66); height: calc(100% / .66); transform: scale(.66);
  transform-origin: 0 0; background: #fff; color-scheme: light }
.message { margin: 0; padding: 24px; color: var(--soft) }

.panel { display: flex; flex-direction: column }
.panel > input { position: absolute; opacity: 0; pointer-events: none }
.tabs { display: flex; overflow-x: auto; scrollbar-width: none; border-bottom: 1px solid var(--line) }
.tabs label { padding: 7px 10px 6px; cursor: pointer; color: var(--soft); font-size: 12px; white-space: nowrap;
  border-bottom: 2px solid transparent }
.tabs label::before { content: ""; display: inline-block; width: 11px; height: 11px; margin-right: 6px;
  vertical-align: -1px; border-radius: 2px; border: 2px solid hsl(var(--r) var(--strong)) }
.panel:has(input:focus-visible) .tabs { outline: 2px solid hsl(214 var(--strong)); outline-offset: -2px }
.lists { flex: 1; min-height: 0 }
.list { display: none; flex-direction: column; height: 100% }

.table { flex: 1 1 60%; min-height: 0; overflow: auto }
table { border-collapse: separate; border-spacing: 0; font-size: 12px }
.table th, .table td { max-width: 150px; padding: 3px 8px; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; text-align: left; border-bottom: 1px solid var(--line) }
.table :is(.url, .image) { max-width: 84px }
.table .fixed { opacity: .55 }
.table thead th { position: sticky; top: 0; z-index: 1; padding-top: 6px; background: var(--paper); cursor: default;
  border-bottom: 3px solid hsl(var(--c, 0) 70% 50% / .8) }
.table thead th:first-child { left: 0; z-index: 3; border-bottom-color: transparent }
.table small { display: block; font-weight: 400; font-size: 11px; color: var(--soft) }
.table tbody th { position: sticky; left: 0; min-width: 34px; color: var(--soft); background: var(--paper);
  font-weight: 400; text-align: right; font-variant-numeric: tabular-nums }
.table td[data-hue] { background: hsl(var(--c) var(--tint)) }
.table tbody tr { cursor: pointer }
.table .hot > * { --edge: hsl(var(--r) var(--strong)); box-shadow: inset 0 1px var(--edge), inset 0 -1px var(--edge) }
.cut { position: sticky; left: 0; margin: 0; padding: 8px; color: var(--soft) }

.why { flex: 0 0 36%; overflow: auto; border-top: 1px solid var(--line); padding: 8px 12px 10px }
h2 { margin: 0 0 5px; font-size: 12px; font-weight: 600 }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(116px, 1fr)); gap: 2px 18px; margin: 0 0 10px;
  font-size: 12px }
dl div { display: flex; justify-content: space-between; gap: 8px; min-width: 0; border-bottom: 1px solid var(--line) }
dt { color: var(--soft); white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
dd { margin: 0; white-space: nowrap; font-variant-numeric: tabular-nums }
.why table { width: 100% }
.why th, .why td { padding: 2px 8px 2px 0; text-align: left; vertical-align: top; overflow-wrap: anywhere }
.why th { width: 24%; font-weight: 500 } .why td { color: var(--soft) } .why td:last-child { width: 34% }
.why th::before { content: ""; display: inline-block; width: 9px; height: 9px; margin-right: 6px; border-radius: 2px;
  background: hsl(var(--c) 70% 50% / .7) }
code { font: 11.5px/1.4 ui-monospace, monospace }

.plot { grid-column: 1 / -1; padding: 6px 8px 2px }
svg { display: block; width: 100%; height: auto }
svg text { font-size: 10.5px; fill: var(--soft) }
.axis { fill: none; stroke: var(--line) }
.dots { fill: none; stroke: var(--dot); stroke-width: 2; stroke-linecap: round }
.region { opacity: .38 }
.region .dots { stroke: hsl(var(--r) var(--strong)) }
.band { display: none; fill: hsl(var(--r) 80% 50% / .09) }
.bar { fill: hsl(var(--r) 70% 50% / .55); cursor: pointer }
.bar:nth-of-type(odd) { fill: hsl(var(--r) 70% 50% / .85) }
.bar.hot { stroke: var(--ink); stroke-width: 1.5 }
@media (max-width: 900px) { body { display: block; height: auto } .page, .panel { height: 80vh; margin-bottom: 10px }
  header { flex-wrap: wrap } header p { margin: 0; white-space: normal } }
{{style}}
</style></head><body>
<header><b>fastwrap</b><h1>{{name}}</h1><p>{{facts}}</p></header>
<div class="page">{{page}}</div>
<div class="panel">{{choices}}<div class="lists">{{sections}}</div></div>
<div class="plot">{{plot}}</div>
<script>{{script}}</script>
</body></html>
"""

# The policy names this very text by its hash, so it holds nothing of a page.
SCRIPT = """
"use strict";
const frame = document.querySelector("iframe");
let inner = null, boxes = null, hot = "";
const chosen = () => document.querySelector("input[name=region]:checked")?.id.slice(7) ?? "0";
const all = (place, selector) => place ? [...place.querySelectorAll(selector)] : [];
const marked = (name, value) => all(inner, `[data-fastwrap-${name}~="${CSS.escape(value)}"]`);

// Show in page, table and plot what is pointed at in one of them: a record, or the items of a column.
function heat(kind, value) {
  if (kind + value === hot) return;
  hot = kind + value;
  for (const element of all(inner, "[data-fastwrap-hot]")) element.removeAttribute("data-fastwrap-hot");
  for (const element of all(document, ".hot")) element.classList.remove("hot");
  if (!value) return;
  for (const element of marked(kind, value)) element.setAttribute("data-fastwrap-hot", "");
  for (const element of all(document, `[data-record="${CSS.escape(value)}"]`))
    if (kind === "record") element.classList.add("hot");
}

// One box around all that is of a record, and its number beside it.
function draw() {
  if (!inner?.body) return;
  const region = chosen(), root = inner.documentElement, records = new Map(), drawn = [];
  root.setAttribute("data-fastwrap-shown", region);
  root.setAttribute("data-fastwrap-drawn", "");
  for (const element of all(inner.body, "[data-fastwrap-drawn]")) element.removeAttribute("data-fastwrap-drawn");
  if (!boxes) root.append(boxes = inner.createElement("fastwrap-boxes"));
  for (const element of all(inner, `[data-fastwrap-record^="${region}."]`)) {
    const {left, top, right, bottom} = element.getBoundingClientRect();
    if (left === right || top === bottom) continue;
    const record = element.getAttribute("data-fastwrap-record"), box = records.get(record);
    if (!box && records.size === 500) break;
    records.set(record, !box ? [left, top, right, bottom] :
      [Math.min(left, box[0]), Math.min(top, box[1]), Math.max(right, box[2]), Math.max(bottom, box[3])]);
    element.setAttribute("data-fastwrap-drawn", "");
  }
  const origin = boxes.getBoundingClientRect();
  for (const [record, [left, top, right, bottom]] of records) {
    const box = inner.createElement("b"), label = inner.createElement("i");
    for (const [element, x] of [[box, left], [label, Math.max(left - 20, 0)]]) {
      element.style.left = x - origin.left + "px";
      element.style.top = top - origin.top + "px";
    }
    box.style.width = right - left + "px";
    box.style.height = bottom - top + "px";
    label.textContent = Number(record.split(".")[1]) + 1;
    drawn.push(box, label);
  }
  boxes.replaceChildren(...drawn);
}

let waiting = false;
function later() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; draw(); });
}

function enter() {
  inner = frame.contentDocument;
  boxes = null;
  for (const event of ["click", "auxclick", "submit", "dragstart"])
    inner.addEventListener(event, event => event.preventDefault(), true);
  inner.addEventListener("mouseover", ({target}) => {
    const record = target.closest?.("[data-fastwrap-record]")?.getAttribute("data-fastwrap-record") ?? "";
    heat("record", record);
    const row = document.querySelector(`tr[data-record="${CSS.escape(record)}"]`), table = row?.closest(".table");
    if (row?.offsetParent) table.scrollTop = row.offsetTop - table.clientHeight / 2;
  });
  inner.addEventListener("scroll", later, {capture: true, passive: true});
  draw();
  bring(marked("region", chosen())[0], "instant");
}

// Scrolls the page alone, never the view around it.
function bring(element, behavior) {
  if (!element) return;
  const {scrollX, scrollY, innerWidth} = frame.contentWindow, {left, top} = element.getBoundingClientRect();
  frame.contentWindow.scrollTo({left: left < innerWidth ? 0 : scrollX + left, top: scrollY + top - 60, behavior});
}

document.addEventListener("mouseover", ({target}) => {
  const column = target.closest?.("[data-column]"), record = target.closest?.("[data-record]");
  heat(column ? "items" : "record", (column?.dataset.column ?? record?.dataset.record) || "");
});
document.addEventListener("click", ({target}) => {
  const record = target.closest?.("[data-record]")?.dataset.record;
  if (record) bring(marked("record", record)[0], "smooth");
});
document.addEventListener("change", () => {
  draw();
  bring(all(inner, `[data-fastwrap-record^="${chosen()}."]`)[0], "smooth");
});
addEventListener("resize", later);
if (frame) {
  if (frame.contentDocument?.readyState === "complete" && frame.contentDocument.body?.firstChild) enter();
  frame.addEventListener("load", enter);
}
"""
