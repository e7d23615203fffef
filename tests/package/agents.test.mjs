// The tools for agents, as a model sees them: a program that knows only the list of tools, and the text of errors,
// performs twenty tasks. And the bytes that the list adds to each question.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { createService } from "../../pkg/dist/testing/index.js";

const text = { type: "string" };
const RESOURCES = {
  resources: {
    product: {
      type: "object",
      required: ["title", "price"],
      properties: {
        title: { ...text, minLength: 1, maxLength: 80 },
        price: { type: "number", minimum: 0, description: "In euros.", examples: [49.5] },
        status: { enum: ["draft", "active"], default: "draft" },
        sku: { ...text, pattern: "^[A-Z]{2}-[0-9]+$", "x-unique": true },
        tags: { type: "array", items: text, uniqueItems: true, maxItems: 20 },
        size: { type: "object", properties: { width: { type: "number" }, height: { type: "number" } } },
        variants: {
          type: "array",
          items: {
            type: "object",
            required: ["color"],
            properties: { color: text, stock: { type: "integer", minimum: 0 } },
          },
        },
        supplier: { ...text, format: "email" },
        released: { ...text, format: "date-time" },
        summary: { ...text, maxLength: 500 },
      },
    },
  },
};

const SEED = [
  { key: "desk", title: "Desk lamp", price: 40, status: "active", tags: ["red", "small"], summary: "Of brass." },
  { key: "floor", title: "Floor lamp", price: 120, status: "active", tags: ["red"], size: { width: 30, height: 160 } },
  { key: "wall", title: "Wall lamp", price: 75, tags: ["blue"], variants: [{ color: "white", stock: 3 }] },
  {
    key: "table",
    title: "Oak table",
    price: 300,
    variants: [
      { color: "white", stock: 0 },
      { color: "oak", stock: 2 },
    ],
  },
];

const service = await createService({ resources: RESOURCES, authenticate: false });
after(() => service.close());

/** Sends a message of the protocol. @returns {Promise<any>} */
async function rpc(from, project, method, params = {}) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "Content-Type": "application/json" };
  const response = await from.fetch(`/${project}/mcp`, { method: "POST", headers, body });
  return (await response.json()).result;
}

const listed = async (from, project = "demo") => (await rpc(from, project, "tools/list")).tools;

/** Returns the quoted examples of a description. */
const examplesOf = ({ description = "" }) => [...description.matchAll(/`([^`]+)`/g)].map(([, example]) => example);

/** Returns the only item that fits. Without one, or with several, an agent would have to guess. */
function only(items, what, fits) {
  const found = items.filter(fits);
  if (found.length !== 1) throw new Error(`${found.length} of ${items.length} are ${what}`);
  return found[0];
}

/** What an agent does with its tools. It knows nothing of this service but what they, their results, and errors say. */
class Agent {
  calls = 0;

  constructor(tools, call) {
    this.tools = tools;
    this.call = call;
  }

  /** Returns the tool whose description begins with a sentence that has these words. */
  tool(...words) {
    const says = ({ description }) => words.every((word) => description.split(". ")[0].toLowerCase().includes(word));
    return only(this.tools, `a tool that ${words.join(" ")}`, says);
  }

  /** Returns the name of the argument whose name or description has a word. */
  argument({ inputSchema }, word) {
    const says = ([name, { description = "" }]) => `${name} ${description}`.toLowerCase().includes(word);
    return only(Object.entries(inputSchema.properties), `the argument with ${word}`, says)[0];
  }

  /** Sets values by the names of fields, wherever the schema has them: as arguments, or inside one. */
  place({ properties = {} }, values, at = {}) {
    const rest = { ...values };
    for (const [name, schema] of Object.entries(properties)) {
      if (rest[name] !== undefined) {
        at[name] = this.fit(schema, rest[name]);
        delete rest[name];
      }
    }
    const [unplaced] = Object.keys(rest);
    if (unplaced === undefined) return at;
    const [name, schema] = only(Object.entries(properties), `an object with ${unplaced}`, ([, schema]) =>
      Object.keys(rest).every((field) => schema.properties?.[field] !== undefined),
    );
    at[name] = this.place(schema, rest);
    return at;
  }

  /** Returns a value in the form that its schema describes. */
  fit(schema, value) {
    if (schema.enum !== undefined) return schema.enum.find((one) => one === String(value).toLowerCase()) ?? value;
    const [, pattern] = schema.description?.match(/matches (\S+)\.(?: |$)/) ?? [];
    const forms = [value, String(value).toUpperCase(), String(value).replace(" ", "-").toUpperCase()];
    return pattern === undefined ? value : (forms.find((form) => new RegExp(pattern, "u").test(form)) ?? value);
  }

  /** Calls a tool. Repairs the call from the text of an error. */
  async use(tool, args) {
    const { isError, structuredContent: result } = await this.call(tool.name, args);
    this.calls += 1;
    if (!isError) return result;
    if (this.calls >= 3) throw new Error(result.message);
    const { message } = result;
    const unknown = message.match(/'(\w+)' (?:does not exist|is unknown)/)?.[1];
    const near = message.match(/Did you mean '(\w+)'/)?.[1] ?? result.errors[0].suggestion;
    if (unknown !== undefined && near !== undefined) {
      return await this.use(tool, JSON.parse(JSON.stringify(args).replaceAll(unknown, near)));
    }
    if (/date-time/.test(message)) {
      const dates = /"(\d{4}-\d{2}-\d{2})"/g;
      return await this.use(tool, JSON.parse(JSON.stringify(args).replace(dates, '"$1T00:00:00Z"')));
    }
    if (/version/.test(message) && args.id !== undefined) {
      const { version } = await this.read({ id: args.id });
      return await this.use(tool, { ...args, version });
    }
    throw new Error(message);
  }

  async read(values) {
    const tool = this.tool("reads", "one");
    return await this.use(tool, this.place(tool.inputSchema, values));
  }

  /** Creates a resource, or changes or deletes one that it has read, if the tool asks for that. */
  async write(tool, values, which, args = {}) {
    if (which === undefined) return await this.use(tool, { ...this.place(tool.inputSchema, values), ...args });
    const { id, version } = await this.read(which);
    const named = /version that you read/.test(tool.description) ? { id, version } : { id };
    return await this.use(tool, { ...this.place(tool.inputSchema, { ...values, ...named }), ...args });
  }

  /** Returns a condition in the form of an example in the description of an argument. */
  condition(tool, argument, path, form, value) {
    const { description } = tool.inputSchema.properties[argument];
    const example = examplesOf({ description }).find((one) => form.test(one));
    if (example === undefined) throw new Error(`no example of ${form}`);
    const fields = description.split("Fields: ")[1];
    if (fields !== undefined && !new RegExp(`[ (]${path.replace("(", ".*")}`).test(` ${fields}`)) {
      throw new Error(`no field ${path}`);
    }
    return example.replace(/^[\w.]+(\(\w+)?/, path).replace(form, (match) => match.replace(/"[^"]*"|[\d.]+/, value));
  }

  /** Finds resources by conditions. */
  async find(conditions, values = {}) {
    const tool = this.tool("finds", "conditions");
    const args = this.place(tool.inputSchema, values);
    if (conditions.length > 0) {
      const where = this.argument(tool, "condition");
      const parts = conditions.map((condition) => this.condition(tool, where, ...condition));
      args[where] = parts.join(" and ");
      if (parts.length > 1 && !/`and`/.test(tool.inputSchema.properties[where].description)) throw new Error("no and");
    }
    return await this.use(tool, args);
  }

  /** Finds resources by words. */
  async search(words, values = {}) {
    const tool = this.tool("finds", "words");
    return await this.use(tool, {
      ...this.place(tool.inputSchema, values),
      [this.argument(tool, "words that must")]: words,
    });
  }

  /** Changes a resource, and removes the values of fields. */
  async change(which, values, removed) {
    const tool = this.tool("changes", "fields");
    const args = removed === undefined ? {} : { [this.argument(tool, "remove")]: removed };
    return await this.write(tool, values, which, args);
  }

  async create(values, args) {
    return await this.write(this.tool("creates"), values, undefined, args);
  }
}

const IS = /= "[^"]*"$/;
const ABOVE = /> [\d.]+$/;
const HAS = /contains any \("[^"]*"\)$/;
const INNER = /= "[^"]*"\)$/;
const keys = ({ results }) => results.map(({ key }) => key).sort();

/** The tasks: what an agent is asked for, what it does, and how the project is then. */
const TASKS = {
  "create a product": async (agent, read) => {
    const { id } = await agent.create({ title: "Clock", price: 20 });
    assert.equal((await read(id)).title, "Clock");
  },
  "create a product with a status and a nested size": async (agent, read) => {
    const { id } = await agent.create({ title: "Clock", price: 20, status: "Active", size: { width: 3 } });
    const { status, size } = await read(id);
    assert.deepEqual([status, size], ["active", { width: 3 }]);
  },
  "create a product with an article number that somebody has typed": async (agent, read) => {
    const { id } = await agent.create({ title: "Clock", price: 20, sku: "ab 7" });
    assert.equal((await read(id)).sku, "AB-7");
  },
  "create a product that is released on a date": async (agent, read) => {
    const { id } = await agent.create({ title: "Clock", price: 20, released: "2026-12-24" });
    assert.equal((await read(id)).released, "2026-12-24T00:00:00Z");
  },
  "create a product, but not if its key is in use": async (agent, read) => {
    const tool = agent.tool("creates");
    const name = agent.argument(tool, "only create");
    const [any] = examplesOf(tool.inputSchema.properties[name]);
    await assert.rejects(agent.create({ key: "desk", title: "Other", price: 1 }, { [name]: any }), /exists/);
    assert.equal((await read("key=desk")).title, "Desk lamp");
  },
  "change what has a key, or create it": async (agent, read) => {
    await agent.create({ key: "desk", title: "Desk light", price: 41 });
    assert.equal((await read("key=desk")).title, "Desk light");
  },
  "read the product with a key": async (agent) => assert.equal((await agent.read({ key: "wall" })).price, 75),
  "find the products above a price": async (agent) => {
    assert.deepEqual(keys(await agent.find([["price", ABOVE, "100"]])), ["floor", "table"]);
  },
  "find the active ones with a tag": async (agent) => {
    const found = await agent.find([
      ["status", IS, '"active"'],
      ["tags", HAS, '"small"'],
    ]);
    assert.deepEqual(keys(found), ["desk"]);
  },
  "find what is wider than 20": async (agent) => {
    assert.deepEqual(keys(await agent.find([["size.width", ABOVE, "20"]])), ["floor"]);
  },
  "find what has a variant in a color": async (agent) => {
    assert.deepEqual(keys(await agent.find([["variants(color", INNER, '"white"']])), ["table", "wall"]);
  },
  "find by a field whose name somebody has misspelled": async (agent) => {
    const tool = agent.tool("finds", "conditions");
    const where = agent.argument(tool, "condition");
    const typed = agent.condition(tool, where, "title", IS, '"Oak table"').replace("title", "titel");
    assert.deepEqual(keys(await agent.use(tool, { [where]: typed })), ["table"]);
  },
  "name the two most expensive products": async (agent) => {
    const tool = agent.tool("finds", "conditions");
    const sort = agent.argument(tool, "reverse");
    const [example] = examplesOf(tool.inputSchema.properties[sort]).slice(-1);
    const { results } = await agent.find([], { [sort]: [example.replace(/^\S+/, "price")], limit: 2 });
    assert.deepEqual(
      results.map(({ key }) => key),
      ["table", "floor"],
    );
  },
  "count the products": async (agent) => assert.equal((await agent.find([], { limit: 1 })).total, 4),
  "find products by a word": async (agent) => assert.deepEqual(keys(await agent.search("brass")), ["desk"]),
  "find lamps above a price, while the word is typed": async (agent) => {
    const tool = agent.tool("finds", "words");
    const filter = agent.argument(tool, "also satisfy");
    const range = agent.condition(tool, filter, "price", /range\([\d.]+ to \*\)$/, "60");
    assert.deepEqual(keys(await agent.search("lam", { [agent.argument(tool, "begin")]: true, [filter]: [range] })), [
      "floor",
      "wall",
    ]);
  },
  "count the products by their status": async (agent) => {
    const tool = agent.tool("finds", "words");
    const facet = agent.argument(tool, "count");
    const [status] = examplesOf(tool.inputSchema.properties[facet]);
    const { facets } = await agent.use(tool, { [facet]: [status], limit: 1 });
    assert.deepEqual(facets.status.terms.map(({ term, count }) => [term, count]).sort(), [
      ["active", 2],
      ["draft", 2],
    ]);
  },
  "change a price and remove the summary": async (agent, read) => {
    await agent.change({ key: "desk" }, { price: 45 }, ["summary"]);
    const { price, summary, title } = await read("key=desk");
    assert.deepEqual([price, summary, title], [45, undefined, "Desk lamp"]);
  },
  "change a price although somebody has changed the title since": async (agent, read, project) => {
    const { id, version } = await read("key=wall");
    await service.fetch(`/${project}/resource`, json({ key: "wall", title: "Wall light", price: 75 }));
    const tool = agent.tool("changes", "fields");
    await agent.use(tool, agent.place(tool.inputSchema, { id, version, price: 80 }));
    const { title, price } = await read("key=wall");
    assert.deepEqual([title, price], ["Wall light", 80]);
  },
  "delete a product": async (agent, read) => {
    await agent.write(agent.tool("deletes"), {}, { key: "table" });
    assert.equal((await read("key=table")).statusCode, 404);
  },
};

const json = (body) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

let projects = 0;

/** Performs the tasks, each in a new project. Returns those that failed, with the reason. */
async function perform(worse = (tool) => tool, hidden = (result) => result) {
  const failed = {};
  for (const [name, task] of Object.entries(TASKS)) {
    projects += 1;
    const project = `agents-${projects}`;
    for (const body of SEED) await service.fetch(`/${project}/resource`, json(body));
    const read = async (path) =>
      await (await service.fetch(`/${project}/resource/${path}`, { headers: { "Cache-Control": "no-cache" } })).json();
    const tools = (await listed(service, project)).map((tool) => worse(structuredClone(tool)));
    const agent = new Agent(tools, async (tool, args) =>
      hidden(await rpc(service, project, "tools/call", { name: tool, arguments: args })),
    );
    try {
      await task(agent, read, project);
      assert.ok(agent.calls <= 3, `${agent.calls} calls`);
    } catch (error) {
      failed[name] = error.message;
    }
  }
  return failed;
}

test("twenty tasks need what the tools say, and three calls at most", async () => {
  assert.equal(Object.keys(TASKS).length, 20);
  assert.deepEqual(await perform(), {});
});

/** Returns a tool whose arguments are worse. */
const withArguments = (tool, worse) => {
  for (const schema of Object.values(tool.inputSchema.properties)) worse(schema);
  return tool;
};

for (const [what, worse, hidden, least] of /** @type {[string, any, any, number][]} */ ([
  [
    "descriptions of tools that only name their method",
    (tool) => ({ ...tool, description: `Calls ${tool.name}.` }),
    undefined,
    20,
  ],
  [
    "a deletion that does not say what it does",
    (tool) => ({ ...tool, description: tool.description.replace("Deletes", "Handles") }),
    undefined,
    1,
  ],
  [
    "arguments without descriptions",
    (tool) => withArguments(tool, (schema) => delete schema.description),
    undefined,
    11,
  ],
  [
    "conditions without examples",
    (tool) => withArguments(tool, (schema) => (schema.description = schema.description?.replaceAll("`", "'"))),
    undefined,
    9,
  ],
  ["updates without fields", (tool) => withArguments(tool, (schema) => delete schema.properties), undefined, 8],
  [
    "errors that say nothing",
    undefined,
    (result) =>
      result.isError ? { ...result, structuredContent: { message: "Invalid request", errors: [{}] } } : result,
    4,
  ],
])) {
  test(`the tasks fail with ${what}`, async () => {
    const failed = Object.keys(await perform(worse, hidden));
    assert.ok(failed.length >= least, `${failed.length} failed: ${failed.join("; ")}`);
  });
}

test("a list of tools adds less than 12 kB to a question", async (t) => {
  /** @type {{ [name: string]: any }} */
  const all = { "ten fields": RESOURCES.resources.product };
  for (const library of ["plain", "zod", "valibot", "typebox"]) {
    const { printed } = await import(`./schemas/${library}.mjs`);
    for (const [name, schema] of Object.entries(printed))
      all[`${library} ${name}`] = JSON.parse(JSON.stringify(schema));
  }
  assert.equal(Object.keys(all).length, 13);
  for (const [name, schema] of Object.entries(all)) {
    const own = await createService({ resources: { resources: { product: schema } }, authenticate: false });
    const bytes = Buffer.byteLength(JSON.stringify(await listed(own)));
    own.close();
    t.diagnostic(`${name}: ${Object.keys(schema.properties).length} fields, ${bytes} bytes`);
    assert.ok(bytes < 12_000, `${name}: ${bytes}`);
  }
});
