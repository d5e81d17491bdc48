// The tables beside the page: sorted by a column, columns shown and hidden, and gone through with the arrow keys.

const collator = new Intl.Collator(undefined, {numeric: true, sensitivity: "base"});
const ORDERS = {none: "ascending", ascending: "descending", descending: "none"};

// Sort the table of a column by it: upwards, downwards, and as the page has it. Numbers come before texts, and what is
// empty last, in either direction.
export function sortBy(head) {
  const table = head.closest("table"), body = table.tBodies[0], order = ORDERS[head.getAttribute("aria-sort")];
  for (const other of table.tHead.rows[0].cells) if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", order);
  const direction = {none: 0, ascending: 1, descending: -1}[order];
  const keyed = [...body.rows].map(row => {
    const cell = row.cells[head.cellIndex], number = cell.dataset.number;
    return {row, place: Number(row.dataset.record.split(".")[1]), text: cell.textContent,
      number: number === undefined ? null : Number(number)};
  });
  keyed.sort((a, b) => direction === 0 ? a.place - b.place :
    (a.text === "") - (b.text === "") || (a.number === null) - (b.number === null) ||
    direction * (a.number === null ? collator.compare(a.text, b.text) : a.number - b.number) || a.place - b.place);
  body.append(...keyed.map(({row}) => row));
}

// Show or hide a column.
export function showColumn(root, column, shown) {
  const head = root.querySelector(`thead th[data-column="${CSS.escape(column)}"]`), place = head.cellIndex;
  for (const row of head.closest("table").rows) row.cells[place].hidden = !shown;
}

// What a cell stands for: {record, items}, as of `MarkedPage`.
export function placeOf(cell) {
  const record = cell.closest("[data-record]")?.dataset.record ?? "";
  const column = cell.closest("[data-of]")?.dataset.of;
  if (record && column !== undefined) return {record, items: [`${record.split(".")[0]}.${column}`]};
  const item = record ? undefined : cell.closest("[data-column]")?.dataset.column;
  return {record, items: item ? [item] : []};
}

// One cell of each table can be reached with Tab; from there, the arrow keys lead on.
export function reach(table) {
  const first = table.tBodies[0]?.rows[0]?.cells[0];
  if (first) first.tabIndex = 0;
}

const STEPS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

// Go on from a cell with an arrow key, or to the ends of a row with Home and End; whether there is such a cell.
export function move(cell, key) {
  const row = cell.parentElement, cells = [...row.cells].filter(each => !each.hidden);
  const rows = [...row.parentElement.rows], [down, right] = STEPS[key] ?? [0, 0];
  const place = key === "Home" ? 0 : key === "End" ? cells.length - 1 : cells.indexOf(cell) + right;
  const to = rows[rows.indexOf(row) + down]?.cells[cells[place]?.cellIndex ?? -1];
  if (to) enter(to);
  return Boolean(to);
}

// Put the focus on a cell, which then shows all of a long text, and is where Tab comes back to.
export function enter(cell) {
  for (const other of cell.closest("tbody").querySelectorAll("[tabindex]")) other.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
}

export const MOVES = new Set([...Object.keys(STEPS), "Home", "End"]);
