// A small disk of a test, which it can fill: a tmpfs, which only root may mount.

import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The bytes that fill a disk: large parts first, then pages. */
const PARTS = [Buffer.alloc(1 << 20), Buffer.alloc(4096)];

/**
 * Mounts a disk of so many MiB. It is unmounted when the process ends. Returns undefined if this machine does not allow
 * that.
 * @param {number} size
 */
export function mountDisk(size) {
  const path = mkdtempSync(join(tmpdir(), "resource-edge-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}m`, "none", path]);
  if (mounted.status !== 0) {
    rmdirSync(path);
    return undefined;
  }
  process.once("exit", () => {
    execFileSync("umount", ["--lazy", path]);
    rmdirSync(path);
  });
  const file = join(path, "fill");
  return {
    path,
    /** Fills the disk, to the last page. */
    fill() {
      for (const part of PARTS) {
        try {
          for (;;) appendFileSync(file, part);
        } catch (error) {
          if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOSPC") throw error;
        }
      }
    },
    makeRoom: () => rmSync(file, { force: true }),
  };
}
