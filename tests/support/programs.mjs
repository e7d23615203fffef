// Finds the programs of this machine.

import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the path of a program of this machine, which is not in the folder `except`.
 * @param {string} name
 * @param {string} [except]
 */
export const onPath = (name, except) =>
  (process.env.PATH ?? "")
    .split(":")
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path) && (except === undefined || !path.startsWith(except)));
