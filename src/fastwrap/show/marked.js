// The marked page in its frame: what is shown of a list, what is pointed at, and what the reader points at.
// Nothing runs in the frame: its sandbox does not allow scripts. It is of our origin all the same, so that this script,
// from outside, can set marks there and draw over it; what a page's author wrote has no way back.
//
// In the page, forms and pictures can be called like any property of a document, and fields like any of a form, and then
// stand in its place. So of the page's nodes nothing is asked directly: functions come from the classes of this window.
const method = (type, name) => Function.prototype.call.bind(type.prototype[name]);
const getter = (type, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(type.prototype, name).get);
const select = method(Document, "querySelectorAll"), create = method(Document, "createElement");
const rootOf = getter(Document, "documentElement"), bodyOf = getter(Document, "body");
const stateOf = getter(Document, "readyState"), allAt = method(Document, "elementsFromPoint");
const listen = method(EventTarget, "addEventListener"), rectangle = method(Element, "getBoundingClientRect");
const read = method(Element, "getAttribute"), write = method(Element, "setAttribute");
const erase = method(Element, "removeAttribute"), append = method(Element, "append");
const closest = method(Element, "closest"), nodeType = getter(Node, "nodeType");
const around = (node, selector) => node && nodeType(node) === 1 ? closest(node, selector) : null;
const all = (place, selector) => place ? [...select(place, selector)] : [];

const MOST_BOXES = 500;
const FOCUSABLE = "a[href], area[href], button, input, select, textarea, summary, audio, video, [tabindex], [contenteditable]";
const smooth = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";

export class MarkedPage {
  #frame; #inner = null; #boxes = null; #region = "0"; #waiting = false; #told = "";

  // `point` is called with a place on the page when the pointer comes to one, `choose` when one is clicked. A place is
  // {record, items}: "0.3" for record 3 of list 0, and ["0.1", "0.2"] for its columns 1 and 2.
  constructor(frame, {point, choose}) {
    this.#frame = frame;
    const enter = () => this.#enter(point, choose);
    const page = frame.contentDocument;
    if (page && stateOf(page) === "complete" && all(page, "body *").length) enter();
    frame.addEventListener("load", enter);
  }

  // Which list is shown.
  show(region) {
    this.#region = region;
    this.draw();
  }

  // Lights up a place: a record, the items of columns, or these items of this record alone.
  light({record, items}) {
    for (const element of all(this.#inner, "[data-fastwrap-hot]")) erase(element, "data-fastwrap-hot");
    const within = record ? this.#marked("record", record) : [];
    for (const element of within) write(element, "data-fastwrap-hot", "");
    for (const item of items)
      for (const element of record ? this.#of(record, item) : this.#marked("items", item))
        write(element, "data-fastwrap-hot", record ? "cell" : "");
  }

  // Colours the items of a column, or takes their colour away; one that has the colour of another column keeps it.
  tint(item, shown) {
    const [region, column] = item.split(".");
    for (const element of this.#marked("items", item)) {
      const hue = read(element, "data-fastwrap-hue");
      if (hue !== null && hue !== column) continue;
      write(element, "data-fastwrap-of", shown ? region : "");
      write(element, "data-fastwrap-hue", column);
      if (read(element, "data-fastwrap-kind") === null) write(element, "data-fastwrap-kind", "text");
    }
  }

  // Scrolls the page alone, never the view around it, to a place, or to the first record of the list.
  bring(place, behavior = smooth) {
    const [item] = place?.items ?? [];
    const [element] = !place ? all(this.#inner, `[data-fastwrap-record^="${this.#region}."]`)
      : place.record && item ? this.#of(place.record, item) : place.record ? this.#marked("record", place.record) : [];
    if (!element) return;
    const {scrollX, scrollY, innerWidth, innerHeight} = this.#frame.contentWindow;
    const {left, top, right, bottom} = rectangle(element);
    if (left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight) return;
    this.#frame.contentWindow.scrollTo({left: left < innerWidth ? 0 : scrollX + left, top: scrollY + top - 60, behavior});
  }

  // One box around all that is of a record, and its number beside it.
  draw() {
    const page = this.#inner, region = this.#region;
    if (!page || !bodyOf(page)) return;
    const root = rootOf(page), records = new Map(), drawn = [];
    write(root, "data-fastwrap-shown", region);
    write(root, "data-fastwrap-drawn", "");
    for (const element of all(page, "body [data-fastwrap-drawn]")) erase(element, "data-fastwrap-drawn");
    if (!this.#boxes) append(root, this.#boxes = create(page, "fastwrap-boxes"));
    for (const element of all(page, `[data-fastwrap-record^="${region}."]`)) {
      const {left, top, right, bottom} = rectangle(element);
      if (left === right || top === bottom) continue;
      const record = read(element, "data-fastwrap-record"), box = records.get(record);
      if (!box && records.size === MOST_BOXES) break;
      records.set(record, !box ? [left, top, right, bottom] :
        [Math.min(left, box[0]), Math.min(top, box[1]), Math.max(right, box[2]), Math.max(bottom, box[3])]);
      write(element, "data-fastwrap-drawn", "");
    }
    const origin = rectangle(this.#boxes);
    for (const [record, [left, top, right, bottom]] of records) {
      const box = create(page, "b"), label = create(page, "i");
      for (const [element, x] of [[box, left], [label, Math.max(left - 20, 0)]]) {
        element.style.left = x - origin.left + "px";
        element.style.top = top - origin.top + "px";
      }
      box.style.width = right - left + "px";
      box.style.height = bottom - top + "px";
      label.textContent = Number(record.split(".")[1]) + 1;
      drawn.push(box, label);
    }
    this.#boxes.replaceChildren(...drawn);
  }

  // The same, once, when there is time.
  drawLater() {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => { this.#waiting = false; this.draw(); });
  }

  #enter(point, choose) {
    const page = this.#inner = this.#frame.contentDocument;
    this.#boxes = null;
    for (const event of ["click", "auxclick", "submit", "dragstart", "dragover", "drop"])
      listen(page, event, event => event.preventDefault(), true);
    // Nothing in the page does anything: who goes on with the keyboard need not pass all of it.
    for (const element of all(page, FOCUSABLE)) write(element, "tabindex", "-1");
    listen(page, "mousemove", event => {
      const place = this.#placeAt(event), told = place.record + place.items;
      if (told !== this.#told) point(place);
      this.#told = told;
    });
    listen(rootOf(page) ?? page, "mouseleave", () => { this.#told = ""; point({record: "", items: []}); });
    listen(page, "click", event => {
      const place = this.#placeAt(event);
      const holder = place.record ? null : around(event.target, "[data-fastwrap-region]");
      const [region] = (place.record || (holder ? read(holder, "data-fastwrap-region") : "")).split(/[. ]/);
      if (region) choose(region, place);
    });
    listen(page, "scroll", () => this.drawLater(), {capture: true, passive: true});
    this.draw();
    this.bring(null, "instant");
  }

  // The place under the pointer: also where something of the page lies over it, such as a notice about cookies, which
  // nothing here can close.
  #placeAt({target, clientX, clientY}) {
    const page = this.#inner;
    let at = target, holder = around(at, "[data-fastwrap-record]");
    if (!holder) {
      at = allAt(page, clientX, clientY).find(each => around(each, "[data-fastwrap-record]"));
      holder = around(at, "[data-fastwrap-record]");
    }
    if (!holder) return {record: "", items: []};
    const record = read(holder, "data-fastwrap-record"), within = record.split(".")[0] + ".";
    const item = around(at, "[data-fastwrap-items]");
    const items = item ? read(item, "data-fastwrap-items").split(" ").filter(each => each.startsWith(within)) : [];
    return {record, items};
  }

  #marked(name, value) { return all(this.#inner, `[data-fastwrap-${name}~="${CSS.escape(value)}"]`); }

  #of(record, item) {
    const [top, each] = [`[data-fastwrap-record="${CSS.escape(record)}"]`, `[data-fastwrap-items~="${CSS.escape(item)}"]`];
    return all(this.#inner, `${top}${each}, ${top} ${each}`);
  }
}
