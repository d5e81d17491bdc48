// Narrows the list of pages down to those that the form above it asks for.
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
