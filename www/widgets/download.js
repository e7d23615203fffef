// Downloads of generated files.

/** Saves parts of a file under a name. */
export function download(name, parts, type) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves an NDJSON text in the same way. */
export const downloadLines = (name, text) => download(name, [text], "application/x-ndjson");

/** "demo-2026-01-31" */
export const dated = (name) => `${name}-${new Date().toISOString().slice(0, 10)}`;
