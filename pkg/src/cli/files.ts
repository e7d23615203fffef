// The files that commands read and write. A file that is written has its name only once it is complete: whatever ends
// the command, and whoever else writes it, there is one whole file.

import { randomBytes } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { open, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import type { FileSource } from "../backup/file-lines.js";
import { CommandError } from "./command.js";

/** The temporary files, which an end of the process removes. */
const temporary = new Set<string>();
process.once("exit", () => {
  for (const path of temporary) rmSync(path, { force: true });
});

/** Returns a path for a temporary file in a folder. It does not exist, and is removed at the end of the process. */
export function temporaryIn(folder: string) {
  const path = join(folder, `.resource-edge-${randomBytes(8).toString("hex")}.part`);
  temporary.add(path);
  return path;
}

/** Returns whether a path names something, even a link to nothing. */
export const isPresent = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Returns the path of what a link names, which need not exist, and other paths unchanged. */
function followed(path: string): string {
  const folder = dirname(path);
  if (!existsSync(folder)) throw new CommandError(`There is no folder '${folder}'. Create it first.`);
  const whole = join(realpathSync(folder), basename(path));
  if (!lstatSync(whole, { throwIfNoEntry: false })?.isSymbolicLink()) return whole;
  return followed(resolve(dirname(whole), readlinkSync(whole)));
}

/** Performs a step of writing a file. Adds the file to an error of the system. */
async function writing<T>(path: string, step: () => Promise<T>) {
  try {
    return await step();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} cannot be written: ${(error as Error).message}.`);
  }
}

/** How a file is written. */
export interface Writing {
  /** Whether only its owner may read it. Otherwise it keeps the permissions of the file that it replaces. */
  readonly isPrivate?: boolean;
  /** What to do instead, if the file exists and must not be replaced. */
  readonly instead?: string | undefined;
}

/** Opens a file for writing. A link is followed. What is no file, such as a pipe, is written as it is. */
export const openTarget = (path: string, options: Writing = {}) => writing(path, () => openPart(path, options));

async function openPart(path: string, { isPrivate = false, instead }: Writing) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new CommandError(`${path} is a folder. Name a file.`);
  const isFile = found === undefined || found.isFile();
  if (!isFile && !found.isFIFO() && !found.isCharacterDevice())
    throw new CommandError(`${path} is neither a file nor a pipe.`);
  const refuse = () => {
    if (isFile && instead !== undefined && existsSync(path)) throw new CommandError(`${path} exists. ${instead}`);
  };
  refuse();
  const whole = isFile ? followed(path) : path;
  const part = isFile ? temporaryIn(dirname(whole)) : path;
  const mode = (found?.mode ?? 0o666) & (isPrivate ? 0o600 : 0o777);
  const file = await open(part, isFile ? "wx" : "w", mode);
  return {
    // `write` of the file may write a part of the text, for example if the disk is full.
    write: (text: string) => writing(path, () => file.appendFile(text)),
    /** Gives the file its name. */
    commit: () =>
      writing(path, async () => {
        if (!isFile) return file.close();
        // The system has left out those of the umask.
        if (found !== undefined) await file.chmod(mode);
        await file.sync();
        await file.close();
        refuse();
        await rename(part, whole);
        temporary.delete(part);
      }),
    /** Leaves everything as it was. */
    async discard() {
      await file.close();
      if (!isFile) return;
      rmSync(part, { force: true });
      temporary.delete(part);
    },
  };
}

/** Writes a file. */
export async function writeFile(path: string, text: string, writing?: Writing) {
  const target = await openTarget(path, writing);
  try {
    await target.write(text);
    await target.commit();
  } catch (error) {
    await target.discard();
    throw error;
  }
}

/** Reads a text. Editors on Windows begin a file with a byte order mark, which is no part of it. */
export function readText(path: string) {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(code === "ENOENT" ? `There is no file '${path}'.` : `${path} cannot be read: ${message}.`);
  }
}

/** Returns how an error names a file. */
export const placeOf = (name: string) => (name === "-" ? "Standard input" : name);

/** Parses a text as JSON. An error names `place`, the file or the line of it. */
export function parseJson(text: string, place: string) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${place} is not JSON: ${(error as Error).message}`);
  }
}

/** Reads a file of JSON. */
export const readJson = (path: string) => parseJson(readText(path), path);

/** Returns a file as the source of an import. */
export const sourceOf = (path: string): FileSource => ({
  slice: (start) => ({
    stream: () => Readable.toWeb(createReadStream(path, { start })) as ReadableStream<Uint8Array>,
  }),
});

/** Returns the path of a file that can be read twice. A pipe is copied into one that only its owner may read. */
export async function fileOf(path: string, signal: AbortSignal) {
  const found = path === "-" ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path !== "-" && found === undefined) throw new CommandError(`There is no file '${path}'.`);
  if (found?.isDirectory()) throw new CommandError(`${path} is a folder. Name a file.`);
  if (found?.isFile()) return path;
  const copy = temporaryIn(tmpdir());
  const input = path === "-" ? process.stdin : createReadStream(path);
  await pipeline(input, createWriteStream(copy, { flags: "wx", mode: 0o600 }), { signal });
  return copy;
}
