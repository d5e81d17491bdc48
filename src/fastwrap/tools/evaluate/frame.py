"""The frame of the report: its style sheet, and the script that narrows the list of pages down.
Kept as text in a module, so that the package needs no data files."""

# No resource of any kind may be fetched: the policy enforces it even if something slipped through the escaping.
FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>fastwrap eval</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<style>
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5c6878; --line: #dde2e8; --paper: #fff; --back: #f5f7f9;
  --ok: #1a7f4b; --ok-back: #e9f6ee; --missed: #b3261e; --missed-back: #fdeceb; --wrong: #9a5b00; --wrong-back: #fff4df;
  --mark: #ffe08a }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --soft: #9aa6b4; --line: #333c48; --paper: #1a2029;
  --back: #12161c; --ok: #6fd39b; --ok-back: #17301f; --missed: #ff9a92; --missed-back: #3a1c1b; --wrong: #f4bf6a;
  --wrong-back: #35280f; --mark: #6b5512 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1440px; padding: 24px; color: var(--ink); background: var(--back);
  font: 14px/1.5 system-ui, sans-serif }
h1 { margin: 0; font-size: 24px } h2 { font-size: 18px; margin: 0 0 8px }
h4 { font-size: 12px; margin: 0; font-weight: 600; overflow-wrap: anywhere }
header p { margin: 0 0 16px; color: var(--soft) }
section { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 18px; margin: 0 0 18px }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100% }
.figures { width: auto; font-size: 13px; font-variant-numeric: tabular-nums }
.figures th, .figures td { padding: 3px 8px; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap }
.figures th { color: var(--soft); font-weight: 600 } .figures .group { text-align: center }
.figures :is(td, tr:first-child th):nth-child(-n + 2) { text-align: left } .figures th { vertical-align: bottom }
.figures .all td { font-weight: 600; border-bottom-width: 2px }
.table > summary { cursor: pointer; font-weight: 600; margin-top: 8px }
.m0 { --c: #0072b2 } .m1 { --c: #d55e00 } .m2 { --c: #009e73 } .m3 { --c: #cc79a7 }
.m4 { --c: #b8860b } .m5 { --c: #56b4e9 } .m6 { --c: #8250c4 } .m7 { --c: #7a4a2b } .parse { --c: #8a94a0 }
@media (prefers-color-scheme: dark) { .m0 { --c: #4ba3e3 } .m1 { --c: #f0843c } .m2 { --c: #2fc99a }
  .m4 { --c: #e0ac2b } .m6 { --c: #ab85e6 } .m7 { --c: #b98765 } }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; padding: 0; margin: 0 0 10px }
.legend li::before, .chip::before { content: ""; display: inline-block; width: 11px; height: 11px; border-radius: 50%;
  margin-right: 6px; background: var(--c) }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 540px), 1fr)); gap: 22px }
@media (min-width: 1180px) { .plots { grid-template-columns: 1fr 1fr } .plots > figure:first-child { grid-row: span 2 }
  .plots > figure:nth-child(4) { grid-column: 1 / -1 } }
.small { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 14px }
figure { margin: 0 } figcaption { font-weight: 600; margin-bottom: 4px }
svg { display: block; width: 100%; height: auto }
svg .grid { stroke: var(--line); fill: none } svg .label { font-size: 11.5px; fill: var(--soft) }
svg .title { font-size: 12.5px; fill: var(--ink) } svg .line { stroke: var(--c); stroke-width: 2; fill: none }
svg .link { stroke: var(--c); stroke-width: 2; opacity: .45; fill: none } svg .full { fill: var(--c) }
svg .hollow { fill: var(--paper); stroke: var(--c); stroke-width: 2 }
svg .faint { fill: var(--c); fill-opacity: .65 } svg .parse { fill: var(--c); fill-opacity: .6 }
svg .hover { fill: transparent } svg .hover:hover { fill: var(--ink) }
.controls { display: flex; flex-wrap: wrap; gap: 8px 22px; align-items: center; margin-bottom: 6px }
.controls select, .controls input[type=search] { font: inherit; padding: 3px 6px } output, .key { color: var(--soft) }
.key { margin: 0 0 10px } .key span { margin-right: 12px } .ok { color: var(--ok) } .missed { color: var(--missed) }
.near, .wrong { color: var(--wrong) } mark { background: var(--mark); color: inherit; border-radius: 2px }
.page { border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 34px }
.page > summary { padding: 6px 0; cursor: pointer } .page > details { margin: 0 0 10px 18px }
.page details > summary { cursor: pointer; color: var(--soft) } .page p { margin: 4px 0 }
.chip { display: inline-block; margin-left: 8px; padding: 0 8px; border-radius: 9px; font-size: 12px;
  background: var(--back); font-variant-numeric: tabular-nums }
.chip::before { width: 8px; height: 8px; margin-right: 5px }
.good { color: var(--ok); background: var(--ok-back) } .fair { color: var(--wrong); background: var(--wrong-back) }
.bad { color: var(--missed); background: var(--missed-back) } .error { color: var(--missed) }
.records { table-layout: fixed; font-size: 13px }
.records th { text-align: left; padding: 2px 8px; color: var(--soft); font-weight: 600 }
.records :is(th, td):first-child { width: 26px; text-align: center }
.records td { vertical-align: top; padding: 4px 8px; border-top: 1px solid var(--line); overflow-wrap: anywhere }
.records tr.ok { background: var(--ok-back) } .records tr.missed { background: var(--missed-back) }
.records tr:is(.near, .wrong) { background: var(--wrong-back) } .records td + td { color: var(--ink) }
.same { color: var(--soft) }
</style></head><body>
{{body}}
<script>
const [corpus, page, faults, shown] = ["corpus", "page", "faults", "shown"].map(id => document.getElementById(id));
function narrow() {
  const sought = page.value.toLowerCase();
  let count = 0;
  for (const entry of document.querySelectorAll(".page")) {
    const name = entry.querySelector("b").textContent.toLowerCase();
    const fits = (!corpus.value || entry.dataset.corpus === corpus.value)
      && (!faults.checked || entry.dataset.faults === "1") && name.includes(sought);
    entry.hidden = !fits;
    count += fits;
  }
  shown.textContent = count + " pages";
}
document.querySelector(".controls").addEventListener("input", narrow);
document.querySelector(".controls").addEventListener("submit", event => event.preventDefault());
narrow();
</script></body></html>
"""
