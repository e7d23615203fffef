// Files that the page saves.

/** A file that is written piece by piece. `close` completes it, `abort` discards it. */
export type Target = { write(text: string): Promise<void>; close(): Promise<void>; abort(): Promise<void> };

/** The part of the File System Access API that not every browser has. */
type Pickers = { showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle> };

/**
 * Opens a file to write. Browsers with the File System Access API let a person choose a file on the disk. Others, and
 * small files, are kept by the browser until they are complete, and are then downloaded.
 */
export async function openTarget(name: string, type: string, { isLarge }: { isLarge: boolean }): Promise<Target> {
  const { showSaveFilePicker } = globalThis as Pickers;
  if (isLarge && showSaveFilePicker !== undefined) {
    const handle = await showSaveFilePicker.call(globalThis, { suggestedName: name });
    return handle.createWritable();
  }
  const parts: Blob[] = [];
  return {
    // A browser may keep blobs outside of the page's memory.
    write: async (text) => void parts.push(new Blob([text])),
    close: async () => download(name, parts, type),
    abort: async () => void parts.splice(0),
  };
}

/** Downloads parts of a file under a name. */
function download(name: string, parts: BlobPart[], type: string) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads an NDJSON text in the same way. */
export const downloadLines = (name: string, text: string) => download(name, [text], "application/x-ndjson");

/** "demo-2026-01-31" */
export const addDate = (name: string) => `${name}-${new Date().toISOString().slice(0, 10)}`;
