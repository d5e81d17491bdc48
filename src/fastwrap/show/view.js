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
