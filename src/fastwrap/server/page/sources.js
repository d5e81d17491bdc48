// Where a page comes from: pasted, files that are chosen or dropped, or an address, if the server may fetch.
// Each is {html | file, url, name}, as /page/look takes it.
import {base64} from "./calls.js";

const mayFetch = document.body.dataset.fetching === "yes";

// Fill a form with the ways to give a page; `use` is called with a list of pages. What it throws is shown.
export function sourceForm(form, label, use) {
  form.append(document.querySelector("#source").content.cloneNode(true));
  form.noValidate = true;
  const {html, files, url} = form.elements, error = form.querySelector(".error");
  form.querySelector("[type=submit]").textContent = label;
  form.querySelector(".address small").textContent = mayFetch ? "(fetched, if no page is given)" : "(makes links whole)";
  const run = async pages => {
    error.textContent = "";
    form.ariaBusy = "true";
    try {
      await use(await pages());
      form.reset();
    } catch (problem) {
      error.textContent = problem.message;
    } finally {
      form.ariaBusy = null;
      files.value = "";
    }
  };
  form.addEventListener("submit", event => {
    event.preventDefault();
    run(async () => {
      const address = url.value.trim();
      if (html.value.trim()) return [{html: html.value, name: "", ...(address && {url: address})}];
      if (address && mayFetch) return [{url: address, name: ""}];
      throw new Error(address ? "This server fetches no addresses: paste the page, or choose its file."
        : "Paste a page, or choose its file.");
    });
  });
  files.addEventListener("change", () => run(() => pagesOf(files.files, url.value.trim())));
}

// Files as pages.
export async function pagesOf(files, url = "") {
  return Promise.all([...files].map(async file => ({file: await base64(file), name: file.name, ...(url && {url})})));
}

// Files that are dropped anywhere in the window.
export function onDrop(use) {
  let depth = 0;
  const hasFiles = event => event.dataTransfer?.types.includes("Files");
  const mark = change => { depth = Math.max(0, depth + change); document.body.classList.toggle("dropping", depth > 0); };
  addEventListener("dragenter", event => { if (hasFiles(event)) mark(1); });
  addEventListener("dragleave", event => { if (hasFiles(event)) mark(-1); });
  addEventListener("dragover", event => { if (hasFiles(event)) event.preventDefault(); });
  addEventListener("drop", event => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(-depth);
    use(event.dataTransfer.files);
  });
}
