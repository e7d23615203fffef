// Builds the site in build/docs/dist from the Markdown of the repository and the types of the package (`make docs`).
//
// The README's "Documents" is the list of pages: their order, names, groups, and what llms.txt says about them.
// Starlight builds the pages, because it is kept up with its tools (VitePress 1 needs an old Vite), and brings a search
// that needs no server, dark mode, and accessible pages.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

import starlight from "@astrojs/starlight";
import { build } from "astro";

import { relinked } from "./links.mjs";

const OUT = "build/docs";
const REFERENCE = "build/reference";
const PICTURES = ["architecture.svg", "console.png"];

/** Returns the place of a document on the site: `use/http`, or nothing for the start. @param {string} path */
const placeOf = (path) =>
  path
    .replace(/^src\/guide\//, "")
    .replace(`${REFERENCE}/`, "reference/")
    .replace(/(\/|^)README\.md$/, "")
    .replace(/\.md$/, "")
    .toLowerCase();

/** The documents of the site, by their paths, with their groups. */
const groups = readFileSync("README.md", "utf8")
  .split("\n## Documents\n")[1]
  .split("\n## ")[0]
  .split("\n\n")
  .filter((table) => table.startsWith("| "))
  .map((table) => ({
    label: table.slice(2, table.indexOf(" |")),
    pages: [...table.matchAll(/^\| \[([^\]]+)\]\(([^)]+\.md)\) \| (.+) \|$/gm)].map(([, label, path, about]) => ({
      label,
      path,
      about,
    })),
  }));
const guide = readdirSync("src/guide", { encoding: "utf8", recursive: true }).filter((path) => path.endsWith(".md"));
const listed = groups.flatMap(({ pages }) => pages.map(({ path }) => path));
for (const path of guide.map((page) => `src/guide/${page}`))
  if (!listed.includes(path)) throw new Error(`README.md, "Documents", does not list ${path}.`);

execFileSync(
  process.execPath,
  ["node_modules/typedoc/bin/typedoc", "--options", ".ci/generator/reference/typedoc.jsonc"],
  { stdio: "inherit" },
);
const reference = readdirSync(REFERENCE, { encoding: "utf8", recursive: true }).filter((path) => path.endsWith(".md"));
const documents = ["README.md", ...listed, ...reference.map((path) => `${REFERENCE}/${path}`)];

/** Returns the address of a file of the repository on the site, if it is there. @param {string} file */
const addressOf = (file) => {
  if (documents.includes(file)) return posix.join("/", placeOf(file), "/");
  return PICTURES.includes(posix.basename(file)) ? `/${posix.basename(file)}` : undefined;
};

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(join(OUT, path)), { recursive: true });
  writeFileSync(join(OUT, path), text);
}

rmSync(OUT, { recursive: true, force: true });
for (const document of documents) {
  const text = relinked(document, readFileSync(document, "utf8"), addressOf);
  const [heading, title] = text.match(/^# (.+)\n/m) ?? [];
  if (heading === undefined) throw new Error(`${document} has no title.`);
  const page = `---\ntitle: ${JSON.stringify(title.replaceAll(/[`\\]/g, ""))}\n---\n${text.replace(heading, "")}`;
  write(join("src/content/docs", placeOf(document), "index.md"), page);
  write(join("public", `${placeOf(document) || "index"}.md`), text);
}
for (const picture of PICTURES) cpSync(join("src/guide", picture), join(OUT, "public", picture));
cpSync("www/icon.svg", join(OUT, "public/favicon.svg"));
write(
  "src/content.config.ts",
  `import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
import { defineCollection } from "astro:content";

export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`,
);
// Wide enough for the tables.
write("src/site.css", ":root { --sl-content-width: 60rem; }\n");
// The format of llms.txt (https://llmstxt.org): a title, a summary, and links with descriptions.
const [title, summary] = readFileSync("README.md", "utf8").split("\n\n");
const sections = groups.map(({ label, pages }) => {
  const lines = pages.map(({ label, path, about }) => `- [${label}](/${placeOf(path)}.md): ${about}`);
  return `## ${label}\n\n${lines.join("\n")}\n`;
});
write("public/llms.txt", `${title}\n\n> ${summary.replaceAll("\n", " ")}\n\n${sections.join("\n")}`);

process.env.ASTRO_TELEMETRY_DISABLED = "1";
await build({
  root: OUT,
  configFile: false,
  logLevel: "error",
  integrations: [
    starlight({
      title: "resource-edge",
      customCss: ["./src/site.css"],
      // Long lines are whole on a phone, too.
      expressiveCode: { defaultProps: { wrap: true, hangingIndent: 2 } },
      sidebar: [
        { label: "Start", link: "/" },
        ...groups.map(({ label, pages }) => ({
          label,
          items: pages.map(({ label, path }) => ({ label, link: `/${placeOf(path)}/` })),
        })),
        { label: "Package reference", collapsed: true, items: [{ autogenerate: { directory: "reference" } }] },
      ],
    }),
  ],
});
