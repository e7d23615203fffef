// The site of the documents (`make docs`), which this builds: its links, its pages, and what it has for machines.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";

const root = new URL("../../..", import.meta.url).pathname;
const SITE = join(root, "build/docs/dist");

execFileSync(process.execPath, [".ci/docs.mjs"], { cwd: root, stdio: "inherit" });

const files = readdirSync(SITE, { encoding: "utf8", recursive: true });
/** The texts of the pages, by their paths: `/` and `/use/http/`. */
const pages = new Map(
  files
    .filter((path) => path.endsWith("index.html"))
    .map((path) => [`/${path.slice(0, -"index.html".length)}`, readFileSync(join(SITE, path), "utf8")]),
);
/** Returns the addresses in a page. @param {string} html */
const addresses = (html) =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, address]) => address.replaceAll("&#x26;", "&"));
/** Returns the paths of a page's links to others, from the start. @param {string} path @param {string} html */
const linksOf = (path, html) =>
  addresses(html)
    .filter((address) => !/^[a-z]+:/.test(address))
    .map((address) => decodeURIComponent(new URL(address, `http://site${path}`).href.slice("http://site".length)));

test("every link of the site leads to a page, a file, or a heading that exists", () => {
  const broken = new Set();
  let anchors = 0;
  for (const [path, html] of pages) {
    for (const link of linksOf(path, html)) {
      const [target, anchor] = link.split("#");
      const page = pages.get(target);
      if (page === undefined && !existsSync(join(SITE, target))) broken.add(`${path}: ${link}`);
      if (page === undefined || !anchor) continue;
      anchors += 1;
      if (!page.includes(`id="${anchor}"`)) broken.add(`${path}: ${link}`);
    }
  }
  assert.deepEqual([...broken], []);
  assert.ok(anchors > 1000, `${anchors} links to headings`);
});

test("every page can be reached from the start, and every document is a page", () => {
  const reached = new Set(["/"]);
  for (const path of reached)
    for (const link of linksOf(path, pages.get(path) ?? ""))
      if (pages.has(link.split("#")[0])) reached.add(link.split("#")[0]);
  assert.deepEqual(
    [...pages.keys()].filter((path) => !reached.has(path)),
    [],
  );
  for (const path of readdirSync(join(root, "src/guide"), { encoding: "utf8", recursive: true }))
    if (path.endsWith(".md")) assert.ok(reached.has(`/${path.replace(/\.md$/, "/")}`), path);
});

test("the reference of the types has every entry point of the package", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "pkg/package.json"), "utf8"));
  const start = readFileSync(join(SITE, "reference.md"), "utf8");
  for (const path of Object.keys(exports).filter((one) => one !== "./package.json")) {
    const name = posix.join("resource-edge", path);
    // Entry points without types of their own are in the text above the list of pages.
    assert.ok(pages.has(`/reference/${name}/`) || start.includes(`\`${name}\``), name);
  }
});

test("llms.txt has every document with its Markdown, and the search an index", () => {
  const text = readFileSync(join(SITE, "llms.txt"), "utf8");
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): ./gm)].map(([, link]) => link);
  assert.ok(links.length > 20, text);
  for (const link of links) assert.match(readFileSync(join(SITE, link), "utf8"), /^# /, link);
  assert.ok(existsSync(join(SITE, "pagefind/pagefind.js")));
});
