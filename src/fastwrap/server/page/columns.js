// The columns of a list as the reader wants them: which are shown, and what they are called.

// What was chosen of a list, as /page/table and its like take it; null where nothing was changed. Throws where a name is
// missing or twice.
export function chosenColumns(root, list) {
  const columns = list.columns.map((column, number) => {
    const place = `${list.number}.${number}`;
    const shown = root.querySelector(`[data-shows="${place}"]`), name = root.querySelector(`[data-renames="${place}"]`);
    return {number, old: column.name, was: !column.left_out, shown: shown.checked, name: name.value.trim()};
  });
  if (columns.every(each => each.shown === each.was && (!each.shown || each.name === each.old))) return null;
  const kept = columns.filter(each => each.shown), seen = new Set();
  if (!kept.length) throw new Error("No column is shown.");
  for (const {old, name} of kept) {
    if (!name) throw new Error(`The column “${old}” has no name.`);
    if (seen.has(name)) throw new Error(`Two columns are called “${name}”.`);
    seen.add(name);
  }
  return kept.map(({number, name}) => [number, name]);
}

// Show a new name at the head of its column; an empty one is taken back.
export function rename(root, field, list) {
  const number = Number(field.dataset.renames.split(".")[1]);
  if (!field.value.trim()) field.value = list.columns[number].name;
  const head = root.querySelector(`thead [data-column="${CSS.escape(field.dataset.renames)}"] button span`);
  head.textContent = field.value.trim();
}
