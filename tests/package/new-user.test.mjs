// A new user: an empty folder, the packed package, and what the READMEs say, step by step: the catalogue, its types, a
// form, the console, a second kind of resource, and a change of fields that have data. No step needs the repository,
// and none shows a field of the built-in resource.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import ts from "typescript";
import { validate } from "../../pkg/dist/node.js";
import { blocksIn } from "../support/blocks.mjs";
import { launchChromium } from "../support/chromium.mjs";
import { freePort } from "../support/server.mjs";
import { eventually } from "../support/waiting.mjs";
import { environment, folderFor, linkWrangler, run, serve } from "./npm-project.mjs";
import { packed, root } from "./support.mjs";

const parent = folderFor("resource-edge-new-");
const env = environment(parent);
const folder = join(parent, "shop");
/** Everything that the user reads: documents, files, output, and pages. */
const seen = [];
let server;
let browser;
let url;

const read = (file) => readFileSync(join(folder, file), "utf8");
const see = (text) => {
  seen.push(text);
  return text;
};

/** Runs a script in the project. Returns what it prints. It must exit with `code`. */
async function sh(script, code = 0) {
  const result = await run("bash", ["--norc", "-euc", script], { cwd: folder, env });
  assert.equal(result.code, code, result.stdout + result.stderr);
  return see(result.stdout + result.stderr);
}

/** Opens a page of the service. Its errors are in `complaints`. */
async function open(path) {
  const page = await (await browser.newContext()).newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${url}${path}`);
  return { page, complaints };
}

/** Enters the client that `npm run dev` has printed. */
async function enterClient(page) {
  const [, id, secret] = /Client {4}id (\S+) {3}secret (\S+)/.exec(server.output);
  await page.getByLabel("Client ID").fill(id);
  await page.getByLabel("Client secret").fill(secret);
}

/** Opens the console, and waits for the resources of a project. */
async function openConsole(project) {
  const { page, complaints } = await open("/");
  await enterClient(page);
  await page.getByLabel("Project", { exact: true }).fill(project);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
  return { page, complaints };
}

/** Returns the block of a document that contains a text. */
function block(document, language, text) {
  const found = blocksIn(document, language).find((one) => one.includes(text));
  assert.ok(found, `no ${language} with ${text}`);
  return found;
}

/** Changes `resources.json` as an editor does, and waits until the service has the fields of a project. */
async function change(edit, project, expected) {
  writeFileSync(join(folder, "resources.json"), edit(read("resources.json")));
  await eventually(async () => {
    const document = await (await fetch(`${url}/${project}/openapi.json`)).json();
    assert.deepEqual(Object.keys(document["x-resource"].schema.properties), expected);
  }, 60_000);
}

const PRODUCT = ["title", "price", "status", "sku", "tags", "size", "variants", "supplier"];
let packageReadme;
let readme;

before(async () => {
  mkdirSync(folder);
  see(readFileSync(join(root, "README.md"), "utf8"));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  env.RESOURCE_EDGE_URL = url;
  await sh(`npm install --no-audit --no-fund '${packed().path}'`);
  await sh("npx resource-edge init");
  // What `npm install` downloads.
  linkWrangler(folder);
  packageReadme = see(read("node_modules/resource-edge/README.md"));
  readme = see(read("README.md"));
  server = await serve("npm", ["run", "dev", "--", "--port", String(port)], { cwd: folder, env }, /In another shell/);
  browser = await launchChromium();
});
after(() => browser?.close());

test("init writes the catalogue of the README, with its types", () => {
  const catalogue = JSON.parse(block(packageReadme, "json", '"resources": {'));
  const { resources, projects } = JSON.parse(read("resources.json"));
  assert.deepEqual([resources, projects], [{ product: catalogue.resources.product }, { "*": "product" }]);
  assert.deepEqual(Object.keys(resources.product.properties), PRODUCT);
  assert.match(read("resource-edge.d.ts"), /export interface Product \{\n {2}title: string;\n {2}price: number;\n/);
  const files = readdirSync(folder, { encoding: "utf8", recursive: true });
  for (const file of files.filter((file) => !/^(node_modules|\.wrangler|\.dev\.vars$)/.test(file)))
    if (statSync(join(folder, file)).isFile()) see(read(file));
});

test("what dev prints works as it is, and so does the first session of the README", async () => {
  await sh(server.output.split("In another shell:\n")[1].split("\n\n")[0]);
  const [, http, client, commands] = blocksIn(readme, "sh");
  const printed = await sh([http, client, commands].join("\n"));
  for (const text of ['"title":"Desk lamp","price":40,"status":"draft","sku":"AB-1"', "Desk 200\n", "into copy.\n"])
    assert.ok(printed.includes(text), `${text}: ${printed}`);
});

test("the form shows the service's errors while a person types, saves, and shows what others write", async () => {
  const { page, complaints } = await open("/form");
  await page.getByLabel("Client ID").fill("dev");
  await page.getByLabel("Client secret").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("No token was given: ").waitFor();
  await enterClient(page);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Desk lamp, version 1: 40").first().waitFor();
  const errors = [
    ["Title", "", "/title", "The field 'title' is required."],
    ["Price", "cheap", "/price", "expected a number, found a string"],
    ["SKU", "x", "/sku", "^[A-Z]{2}-[0-9]+$"],
    ["Tags", "oak, oak", "/tags", "oak"],
    ["Width", "wide", "/size/width", "expected a number"],
    ["Variants", "red, -3", "/variants", "expected an integer from 0"],
    ["E-mail", "nobody", "/supplier", "the format email"],
  ];
  for (const [label, text] of errors) await page.getByLabel(label).fill(text);
  for (const [, , path, message] of errors)
    await page.locator(`output[data-path="${path}"]`).getByText(message).waitFor();
  const valid = { Title: "Shelf", Price: "12.5", SKU: "AB-2", Tags: "oak, pine", Width: "80", Height: "" };
  for (const [label, text] of Object.entries({ ...valid, Key: "shelf", Variants: "red, 3\nblue", "E-mail": "a@b.org" }))
    await page.getByLabel(label).fill(text);
  assert.equal((await page.locator("output[data-path]").allTextContents()).join(""), "");
  await page.getByLabel("Status").selectOption("active");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved shelf, version 1.").waitFor();
  await page.getByText("Shelf, version 1: 12.5").waitFor();
  const found = JSON.parse(await sh("npx resource-edge query --where 'variants(color = \"red\" and stock > 2)'"));
  assert.deepEqual(
    [found.key, found.tags, found.size, found.variants],
    ["shelf", ["oak", "pine"], { width: 80 }, [{ color: "red", stock: 3 }, { color: "blue" }]],
  );
  // The value of another product: only the service can find that.
  await page.getByLabel("Key").fill("other");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator('output[data-path="/sku"]').getByText("AB-2").waitFor();
  const [setUp] = blocksIn(readme, "sh")[1].split("auth -H");
  await sh(`${setUp}auth -H 'Content-Type: application/json' $API -d '{"title":"Chair","price":3}'`);
  await page.getByText("Chair, version 1: 3").waitFor();
  see(await page.locator("body").innerText());
  assert.deepEqual(complaints, []);
});

test("the console has the fields of the catalogue", async () => {
  const { page, complaints } = await openConsole("demo");
  await page.getByText("Shelf").first().waitFor();
  see(await page.locator("body").innerText());
  await page.getByRole("link", { name: "New resource" }).first().click();
  await page.getByRole("heading", { name: "New product" }).waitFor();
  await page.getByLabel("title").fill("Stool");
  await page.getByLabel("price").fill("-1");
  await page.getByText("Expected a number of at least 0, found -1.").waitFor();
  await page.getByLabel("price").fill("9");
  see(await page.locator("body").innerText());
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText(/^Created .*, version 1\.$/).waitFor();
  const { price } = JSON.parse(await sh("npx resource-edge query --where 'title = \"Stool\"'"));
  assert.equal(price, 9);
  assert.deepEqual(complaints, []);
});

test("a second kind of resource is in a second project, and in the types", { timeout: 120_000 }, async () => {
  await change(() => block(packageReadme, "json", '"resources": {'), "suppliers", ["name", "mail"]);
  // The server reloads the Worker when its source changes.
  writeFileSync(
    join(folder, "src/index.js"),
    block(see(read("node_modules/resource-edge/guide/use/resources.md")), "js", "export default setResources"),
  );
  await eventually(async () => assert.equal((await fetch(`${url}/form`)).status, 404), 60_000);
  await sh("npx resource-edge types");
  const setUp = `const baseUrl = process.env.RESOURCE_EDGE_URL ?? "";
const scope = "manage_test:demo manage_test:suppliers";
const credentials = { clientId: "dev", clientSecret: process.env.SECRET ?? "", scope };
const options = { baseUrl, credentials };
`;
  const program = `${setUp}${block(packageReadme, "ts", "type Product")}
await suppliers.createOrUpdate({ key: "ada", name: "Ada" });
console.log(total, (await suppliers.getByKey("ada", {}, { fresh: true })).name);
`;
  writeFileSync(join(folder, "kinds.ts"), program);
  const config = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024, strict: true, types: ["node"] };
  const { diagnostics } = compile(join(folder, "kinds.ts"), config);
  assert.deepEqual(diagnostics, []);
  env.SECRET = /^DEV_CLIENT_SECRET=(.*)$/m.exec(read(".dev.vars"))?.[1] ?? "";
  assert.equal(await sh("node kinds.js"), "2 Ada\n");
  const wrong = program.replace('name: "Ada"', "name: 7");
  writeFileSync(join(folder, "kinds.ts"), wrong);
  assert.equal(compile(join(folder, "kinds.ts"), config).diagnostics.length, 1);
  const { page, complaints } = await openConsole("suppliers");
  await page.getByText("Ada").first().waitFor();
  see(await page.locator("body").innerText());
  assert.deepEqual(complaints, []);
});

/** Compiles a program of the project. Returns what TypeScript reports. */
function compile(file, options) {
  const compiler = ts.createProgram([file], options);
  compiler.emit();
  const found = ts.getPreEmitDiagnostics(compiler);
  return { diagnostics: found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")) };
}

test("fields with data in them are renamed and removed", { timeout: 120_000 }, async () => {
  const fields = PRODUCT.map((name) => (name === "sku" ? "number" : name)).filter((name) => name !== "supplier");
  const edit = (text) => {
    const all = JSON.parse(text);
    const { sku, supplier, ...others } = all.resources.product.properties;
    const renamed = Object.entries({ ...others, number: sku }).sort(
      ([a], [b]) => fields.indexOf(a) - fields.indexOf(b),
    );
    all.resources.product.properties = Object.fromEntries(renamed);
    return JSON.stringify(all, null, 2);
  };
  const stored = async () =>
    (await sh("npx resource-edge query"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const before = await stored();
  await change(edit, "demo", fields);
  const [first, dry, rewrite, last] = block(readme, "sh", "npx resource-edge rewrite").trimEnd().split("\n");
  assert.match(await sh(first, 1), /^sku {2}\d resources? ha(s|ve) this field, which 'product' does not have/m);
  assert.match(await sh(dry), /Would change 2 of \d resources/);
  assert.match(await sh(rewrite), /Changed 2 of \d resources/);
  assert.match(await sh(last), /^All of \d resources fit 'product'\.$/m);
  const expected = before.map(({ sku, supplier, ...others }) => (sku ? { ...others, number: sku } : others));
  const contents = (all) => all.map(({ version, lastModifiedAt, ...content }) => content);
  assert.deepEqual(contents(await stored()), contents(expected));
  assert.ok(read("resource-edge.d.ts").includes("number?: string;") && !read("resource-edge.d.ts").includes("sku"));
  // The commands of the guide name other fields, of a project without data.
  const guide = readFileSync(join(root, "src/guide/operate/operations.md"), "utf8");
  assert.match(await sh(block(guide, "sh", "npx resource-edge rewrite")), /Would change 0 of 0 resources/);
  assert.equal(JSON.parse(await sh("npx resource-edge query --where 'number = \"AB-2\"'")).title, "Shelf");
});

test("no step showed a field of the built-in resource, or needed the repository", () => {
  const { issues } = /** @type {any} */ (validate("resourceDraft", { nothing: 1, objectTypeProperty: {} }));
  const system = /^(id|version|key|createdAt|createdBy|lastModifiedAt|lastModifiedBy)$/;
  const names = issues[0].allowedValues.filter((name) => !system.test(name));
  assert.ok(names.includes("objectTypeProperty") && names.includes("custom"), names.join());
  // "custom" is a word, too: of wrangler's builds, and of domains.
  const sample = new RegExp(`\\b(${names.join("|")})\\b(?! (build|domain))|arrayOf[A-Z]\\w+|[Ss]ample (field|propert)`);
  assert.ok(seen.length > 30 && seen.join("").includes("Would change"), `${seen.length} texts`);
  for (const text of [...seen, server.output]) assert.doesNotMatch(text.replaceAll("[custom build]", ""), sample);
  assert.ok(!seen.some((text) => text.includes(root)));
});
