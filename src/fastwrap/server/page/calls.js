// Calls to the server, and what it answers: a value, a file, or a problem, whose detail a person can read.

export class Problem extends Error {}

// A POST of JSON; the answer as it came.
export async function post(path, value) {
  return answered(await reached(path, {
    method: "POST", body: JSON.stringify(value), headers: {"Content-Type": "application/json"},
  }));
}

// A GET, a PUT or a DELETE; the answer as it came.
export async function call(path, options = {}) { return answered(await reached(path, options)); }

async function reached(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    throw new Problem("The server cannot be reached.");
  }
}

async function answered(response) {
  if (response.ok) return response;
  let detail = "";
  try { ({detail} = await response.json()); } catch { /* not a document of ours: the status must do */ }
  throw new Problem(detail || `The server answered ${response.status} ${response.statusText}.`);
}

// The bytes of a file as JSON has them.
export async function base64(file) {
  const url = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(new Problem(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}

// Give a file to the reader, under a name.
export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
