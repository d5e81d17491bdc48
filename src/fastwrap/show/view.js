// The view: a marked page, its tables and the plot, of which each lights up what is pointed at in another.
import {MarkedPage} from "./marked.js";
import {MOVES, enter, move, placeOf, reach, showColumn, sortBy} from "./table.js";

export class View {
  #root; #page = null; #hot = ""; #stop = new AbortController();

  // `root` is the element that has all of it. `changed` is called when another list is chosen.
  constructor(root, changed = () => {}) {
    this.#root = root;
    const frame = root.querySelector(".page > iframe"), on = {signal: this.#stop.signal};
    if (frame) this.#page = new MarkedPage(frame, {
      point: place => this.#pointInPage(place), choose: (region, place) => this.#choose(region, place),
    });
    for (const table of root.querySelectorAll(".table table")) reach(table);
    // What the pointer does over the page, the page tells.
    root.addEventListener("mouseover", ({target}) => { if (target !== frame) this.point(placeOf(target)); }, on);
    root.addEventListener("mouseleave", () => this.point({record: "", items: []}), on);
    root.addEventListener("focusin", ({target}) => { if (target.closest(".table")) this.point(placeOf(target)); }, on);
    root.addEventListener("click", ({target}) => {
      const sorting = target.closest(".table thead button"), cell = target.closest(".table tbody :is(th, td)");
      if (sorting) sortBy(sorting.closest("th"));
      if (cell) enter(cell);
      const place = placeOf(target);
      if (place.record) this.#page?.bring(place);
    }, on);
    root.addEventListener("keydown", event => {
      const cell = event.target.closest(".table tbody :is(th, td)");
      if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
      if (MOVES.has(event.key) && move(cell, event.key)) event.preventDefault();
      if (event.key === "Enter") this.#page?.bring(placeOf(cell));
    }, on);
    root.addEventListener("change", ({target}) => {
      if (target.name === "region") this.#show();
      if (target.dataset.shows) {
        showColumn(root, target.dataset.shows, target.checked);
        this.#page?.tint(target.dataset.shows, target.checked);
      }
      if (target.name === "region" || target.dataset.shows) changed();
    }, on);
    addEventListener("resize", () => this.#page?.drawLater(), on);
    this.#page?.show(this.region);
  }

  // The number of the list that is shown, as text.
  get region() { return this.#root.querySelector("input[name=region]:checked")?.id.slice(7) ?? "0"; }

  // Show in page, table and plot what is pointed at in one of them.
  point(place) {
    const hot = place.record + place.items;
    if (hot === this.#hot) return;
    this.#hot = hot;
    this.#page?.light(place);
    for (const element of this.#root.querySelectorAll(".hot, .here")) element.classList.remove("hot", "here");
    if (!place.record) return;
    for (const element of this.#root.querySelectorAll(`[data-record="${CSS.escape(place.record)}"]`)) {
      element.classList.add("hot");
      for (const item of place.items)
        element.querySelector(`[data-of="${CSS.escape(item.split(".")[1])}"]`)?.classList.add("here");
    }
  }

  // Leave the document to another view.
  close() { this.#stop.abort(); }

  #pointInPage(place) {
    this.point(place);
    const row = place.record && this.#root.querySelector(`tr[data-record="${CSS.escape(place.record)}"]`);
    if (!row || !row.offsetParent) return;
    const table = row.closest(".table"), cell = row.querySelector(".here");
    table.scrollTop = row.offsetTop - table.clientHeight / 2;
    if (cell && (cell.offsetLeft < table.scrollLeft + 40 || cell.offsetLeft + 40 > table.scrollLeft + table.clientWidth))
      table.scrollLeft = cell.offsetLeft - table.clientWidth / 2;
  }

  #choose(region, place) {
    const button = this.#root.querySelector(`#region-${CSS.escape(region)}`);
    if (button && !button.checked) button.click();
    this.#hot = "";
    this.#pointInPage(place);
  }

  #show() {
    this.#page?.show(this.region);
    this.#page?.bring(null);
  }
}
