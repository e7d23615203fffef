// Files that the page saves.

/**
 * A file that is written piece by piece. `close` completes it, `abort` discards it.
 * @typedef {{ write(text: string): Promise<void>, close(): Promise<void>, abort(): Promise<void> }} Target
 */

/**
 * The part of the File System Access API that not every browser has.
 * @typedef {{ showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle> }} Pickers
 */

/**
 * Opens a file to write. Browsers with the File System Access API let a person choose a file on the disk. Others, and
 * small files, are kept by the browser until they are complete, and are then downloaded.
 * @param {string} name
 * @param {string} type
 * @param {{ isLarge: boolean }} options
 * @returns {Promise<Target>}
 */
export async function openTarget(name, type, { isLarge }) {
  const { showSaveFilePicker } = /** @type {Pickers} */ (globalThis);
  if (isLarge && showSaveFilePicker !== undefined) {
    const handle = await showSaveFilePicker.call(globalThis, { suggestedName: name });
    return handle.createWritable();
  }
  /** @type {Blob[]} */
  const parts = [];
  return {
    // A browser may keep blobs outside of the page's memory.
    write: async (text) => void parts.push(new Blob([text])),
    close: async () => download(name, parts, type),
    abort: async () => void parts.splice(0),
  };
}

/**
 * Downloads parts of a file under a name.
 * @param {string} name
 * @param {BlobPart[]} parts
 * @param {string} type
 */
function download(name, parts, type) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Downloads an NDJSON text in the same way.
 * @param {string} name
 * @param {string} text
 */
export const downloadLines = (name, text) => download(name, [text], "application/x-ndjson");

/**
 * "demo-2026-01-31"
 * @param {string} name
 */
export const addDate = (name) => `${name}-${new Date().toISOString().slice(0, 10)}`;
