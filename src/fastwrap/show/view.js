"use strict";
// In the page, forms and pictures can be called like any property of a document, and fields like any of a form, and then
// stand in its place. So of the page's nodes nothing is asked directly: functions come from the classes of this window.
const method = (type, name) => Function.prototype.call.bind(type.prototype[name]);
const getter = (type, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(type.prototype, name).get);
const select = method(Document, "querySelectorAll"), create = method(Document, "createElement");
const rootOf = getter(Document, "documentElement"), bodyOf = getter(Document, "body");
const stateOf = getter(Document, "readyState");
const listen = method(EventTarget, "addEventListener"), rectangle = method(Element, "getBoundingClientRect");
const read = method(Element, "getAttribute"), write = method(Element, "setAttribute");
const erase = method(Element, "removeAttribute"), append = method(Element, "append");
const closest = method(Element, "closest"), nodeType = getter(Node, "nodeType");
const around = (node, selector) => node && nodeType(node) === 1 ? closest(node, selector) : null;

const frame = document.querySelector("iframe");
let inner = null, boxes = null, hot = "";
const chosen = () => document.querySelector("input[name=region]:checked")?.id.slice(7) ?? "0";
const all = (place, selector) => place ? [...select(place, selector)] : [];
const marked = (name, value) => all(inner, `[data-fastwrap-${name}~="${CSS.escape(value)}"]`);

// Show in page, table and plot what is pointed at in one of them: a record, or the items of a column.
function heat(kind, value) {
  if (kind + value === hot) return;
  hot = kind + value;
  for (const element of all(inner, "[data-fastwrap-hot]")) erase(element, "data-fastwrap-hot");
  for (const element of all(document, ".hot")) element.classList.remove("hot");
  if (!value) return;
  for (const element of marked(kind, value)) write(element, "data-fastwrap-hot", "");
  for (const element of all(document, `[data-record="${CSS.escape(value)}"]`))
    if (kind === "record") element.classList.add("hot");
}

// One box around all that is of a record, and its number beside it.
function draw() {
  if (!inner || !bodyOf(inner)) return;
  const region = chosen(), root = rootOf(inner), records = new Map(), drawn = [];
  write(root, "data-fastwrap-shown", region);
  write(root, "data-fastwrap-drawn", "");
  for (const element of all(inner, "body [data-fastwrap-drawn]")) erase(element, "data-fastwrap-drawn");
  if (!boxes) append(root, boxes = create(inner, "fastwrap-boxes"));
  for (const element of all(inner, `[data-fastwrap-record^="${region}."]`)) {
    const {left, top, right, bottom} = rectangle(element);
    if (left === right || top === bottom) continue;
    const record = read(element, "data-fastwrap-record"), box = records.get(record);
    if (!box && records.size === 500) break;
    records.set(record, !box ? [left, top, right, bottom] :
      [Math.min(left, box[0]), Math.min(top, box[1]), Math.max(right, box[2]), Math.max(bottom, box[3])]);
    write(element, "data-fastwrap-drawn", "");
  }
  const origin = rectangle(boxes);
  for (const [record, [left, top, right, bottom]] of records) {
    const box = create(inner, "b"), label = create(inner, "i");
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
    listen(inner, event, event => event.preventDefault(), true);
  listen(inner, "mouseover", ({target}) => {
    const holder = around(target, "[data-fastwrap-record]");
    const record = holder ? read(holder, "data-fastwrap-record") : "";
    heat("record", record);
    const row = document.querySelector(`tr[data-record="${CSS.escape(record)}"]`), table = row?.closest(".table");
    if (row?.offsetParent) table.scrollTop = row.offsetTop - table.clientHeight / 2;
  });
  listen(inner, "scroll", later, {capture: true, passive: true});
  draw();
  bring(marked("region", chosen())[0], "instant");
}

// Scrolls the page alone, never the view around it.
function bring(element, behavior) {
  if (!element) return;
  const {scrollX, scrollY, innerWidth} = frame.contentWindow, {left, top} = rectangle(element);
  frame.contentWindow.scrollTo({left: left < innerWidth ? 0 : scrollX + left, top: scrollY + top - 60, behavior});
}

document.addEventListener("mouseover", ({target}) => {
  const column = around(target, "[data-column]"), record = around(target, "[data-record]");
  heat(column ? "items" : "record", (column?.dataset.column ?? record?.dataset.record) || "");
});
document.addEventListener("click", ({target}) => {
  const record = around(target, "[data-record]")?.dataset.record;
  if (record) bring(marked("record", record)[0], "smooth");
});
document.addEventListener("change", () => {
  draw();
  bring(all(inner, `[data-fastwrap-record^="${chosen()}."]`)[0], "smooth");
});
addEventListener("resize", later);
if (frame) {
  const page = frame.contentDocument;
  if (page && stateOf(page) === "complete" && all(page, "body *").length) enter();
  frame.addEventListener("load", enter);
}
