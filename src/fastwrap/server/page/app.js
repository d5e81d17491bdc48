// The page: it asks the server for the view of a page, and for what the reader wants of its table.
import {Problem, call, download, post} from "./calls.js";
import {chosenColumns, rename} from "./columns.js";
import {onDrop, pagesOf, sourceForm} from "./sources.js";
import {View} from "./view.js";

const $ = selector => document.querySelector(selector);
const root = $("#table"), tools = $(".tools"), saving = $("#saving"), applying = $("#applying");
const state = {
  pages: [],        // those that were given, as /page/look takes them
  page: null,       // the one that is shown
  wrapper: null,    // {name, file}: what it is read by; null for none
  lists: [],        // what the server says of them
  view: null,
  savedAs: "",
};

const say = text => { $("#status").textContent = text; };

// Do something that the server may refuse, and say so.
async function trying(work) {
  try {
    say("");
    document.body.ariaBusy = "true";
    return await work();
  } catch (problem) {
    say(problem.message);
    if (!(problem instanceof Problem || problem.constructor === Error)) console.error(problem);
  } finally {
    document.body.ariaBusy = null;
  }
}

async function look(page, wrapper = null) {
  const asked = {...page, ...(wrapper && {wrapper: wrapper.file})};
  const found = await (await post("/page/look", asked)).json();
  Object.assign(page, found.page);
  state.view?.close();
  Object.assign(state, {page, wrapper, lists: found.lists});
  root.innerHTML = found.view;  // made by the server, which escapes all that is of the page; and no script of it would run
  for (const part of [root, tools]) part.hidden = false;
  $("#start").hidden = true;
  state.view = new View(root, choose);
  showFit(found.wrapper);
  choose();
  showPages();
  return found;
}

// Look at new pages: at the first one, the others can be chosen; and with a wrapper, those that were there before.
async function open(pages, wrapper = null) {
  await look(pages[0], wrapper);
  state.pages = wrapper ? [...state.pages, ...pages] : pages;
  state.savedAs ||= nameOf(pages[0]);
  showPages();
  root.focus({preventScroll: true});
}

function nameOf(page) {
  let name = page.name.replace(/\.x?html?$/i, "");
  if (!name && page.url) name = URL.canParse(page.url) ? new URL(page.url).hostname : "";
  return name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+|[.-]+$/g, "").slice(0, 60) || "list";
}

function showPages() {
  const select = $("#pages"), several = state.pages.length > 1;
  select.hidden = !several;
  select.replaceChildren(...state.pages.map((page, number) => new Option(page.name || `page ${number + 1}`, number)));
  select.value = String(state.pages.indexOf(state.page));
}

const list = () => state.lists[Number(state.view?.region ?? 0)];

// Another list, or other columns: what can be done with them.
function choose() {
  const why = !list() ? "There is no list." : state.wrapper ? "" : list().why_no_wrapper;
  $("#save").disabled = $("#apply").disabled = Boolean(why);
  $("#save").title = $("#apply").title = why;
  for (const button of tools.querySelectorAll("[data-file], [data-code]")) button.disabled = !list();
}

// The list as it is chosen, for the server.
function chosen(more = {}) {
  const columns = chosenColumns(root, list());
  return {...state.page, number: list().number, columns, ...(state.wrapper && {wrapper: state.wrapper.file}), ...more};
}

const wrapperFile = async () => (await post("/page/wrapper", chosen())).text();

// What has become of the columns of a wrapper on this page

function element(name, text = "", properties = {}) {
  return Object.assign(document.createElement(name), {textContent: text, ...properties});
}

function showFit(check) {
  const box = $("#fit");
  box.hidden = !check;
  if (!check) return;
  const percent = Math.floor(100 * check.fit);
  const told = check.alarm ? "The page has changed: what is read here should not be trusted."
    : check.fit < 0.9 ? "The wrapper fits, with some drift." : "The wrapper fits this page.";
  const line = element("p");
  line.append(element("strong", `Fit ${percent}%`, {className: check.alarm ? "bad" : check.fit < 0.9 ? "fair" : "good"}),
    element("meter", "", {value: check.fit, low: 0.5, high: 0.9, optimum: 1, title: `fit ${check.fit}`}),
    element("span", `${told} ${check.records} records read by “${state.wrapper.name}”` +
      (check.skipped ? `, ${check.skipped} elements skipped.` : ".")));
  const drift = element("ul", "", {className: "drift"});
  for (const column of check.columns) {
    const item = element("li", "", {className: column.state, title: column.detail});
    item.append(element("b", column.name), element("span", column.state === "ok" ? " ok" : ` ${column.state}`));
    if (column.detail) item.append(element("small", ` ${column.detail}`));
    drift.append(item);
  }
  box.replaceChildren(line, drift);
}

// What the reader does

sourceForm($("#start .source"), "Show the records", pages => open(pages));
sourceForm($("#applying .source"), "Apply", async pages => {
  await applyTo(pages);
  applying.close();
});

async function applyTo(pages) {
  const {value} = applying.querySelector("select");
  if (value) {
    const file = await (await call(`/v1/wrappers/${encodeURIComponent(value)}`)).json();
    return open(pages, {name: value, file});
  }
  return open(pages, {name: state.wrapper?.name ?? state.savedAs, file: JSON.parse(await wrapperFile())});
}

onDrop(async files => {
  if (applying.open) {
    await trying(async () => { await applyTo(await pagesOf(files)); applying.close(); });
  } else {
    await trying(async () => { state.savedAs = ""; await open(await pagesOf(files)); });
  }
});

$("#example").addEventListener("click", () => trying(async () => {
  const html = await (await call("/page/example.html")).text();
  await open([{html, name: "example.html", url: "https://kettle.example/teas"}]);
}));

$("#other").addEventListener("click", () => {
  state.view?.close();
  Object.assign(state, {view: null, lists: [], pages: [], page: null, wrapper: null, savedAs: ""});
  root.replaceChildren();
  for (const part of [root, tools, $("#fit")]) part.hidden = true;
  $("#start").hidden = false;
  say("");
  $("#start textarea").focus();
});

$("#pages").addEventListener("change", ({target}) => trying(async () => look(state.pages[target.value], state.wrapper)));

root.addEventListener("change", ({target}) => {
  if (target.dataset.renames) rename(root, target, list());
});
root.addEventListener("keydown", event => {
  if (event.key === "Enter" && event.target.dataset.renames) event.target.blur();
});

$("#save").addEventListener("click", () => {
  saving.querySelector("[name=id]").value = state.savedAs;
  saving.querySelector(".error").textContent = "";
  saving.showModal();
});
saving.addEventListener("click", async ({target}) => {
  const to = target.dataset.save, form = saving.querySelector("form"), error = saving.querySelector(".error");
  if (!to || !form.reportValidity()) return;
  const id = form.elements.id.value;
  error.textContent = "";
  try {
    const text = await wrapperFile();
    state.savedAs = id;
    if (to === "file") {
      download(new Blob([text], {type: "application/json"}), `${id}.json`);
      say(`${id}.json is the wrapper.`);
    } else {
      const saved = await (await call(`/v1/wrappers/${encodeURIComponent(id)}`,
        {method: "PUT", body: text, headers: {"Content-Type": "application/json"}})).json();
      say(`Kept as “${saved.id}”, version ${saved.version}.`);
    }
    saving.close();
  } catch (problem) {
    error.textContent = problem.message;
  }
});
saving.querySelector("form").addEventListener("submit", event => {
  event.preventDefault();
  saving.querySelector("[data-save=server]").click();
});

$("#apply").addEventListener("click", () => trying(async () => {
  const here = new Option(state.wrapper ? `“${state.wrapper.name}”, which is in use` : "that of this table", "");
  const select = applying.querySelector("select");
  select.replaceChildren(here);
  applying.showModal();
  const {wrappers} = await (await call("/v1/wrappers?limit=100")).json();
  select.append(...wrappers.map(({id}) => new Option(`kept: ${id}`, id)));
}));

for (const dialog of [saving, applying])
  dialog.addEventListener("click", ({target}) => { if (target.closest("[data-close]")) dialog.close(); });

tools.addEventListener("click", ({target}) => {
  const {file, code} = target.dataset;
  if (file) trying(async () => {
    const response = await post(`/page/table?format=${file}`, chosen());
    download(await response.blob(), `${state.savedAs || "list"}.${file}`);
    say(`${state.savedAs || "list"}.${file} has the ${list().records} records.`);
  });
  if (code) trying(async () => {
    const found = await (await post("/page/code", chosen({saved_as: state.savedAs, server: location.origin}))).json();
    if (!found[code]) throw new Problem(found[`why_no_${code}`]);
    await copy(found[code]);
    say(`Copied: ${found[code].split("\n").filter(line => line.trim()).length} lines, ready to paste.`);
  });
  const menu = (file || code) && target.closest("details");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// The clipboard is there for pages of https and of this machine alone; elsewhere the text is put where it can be copied.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = element("textarea", text, {readOnly: true});
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Problem("The browser does not let this page copy.");
}

// Menus close when the reader goes elsewhere.
document.addEventListener("keydown", event => {
  const menu = event.key === "Escape" && event.target.closest(".menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
document.addEventListener("focusin", ({target}) => closeMenus(target));
document.addEventListener("click", ({target}) => closeMenus(target));
function closeMenus(target) {
  for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(target)) menu.open = false;
}
