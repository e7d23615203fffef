// Runs cases of tests/cases (format: tests/cases/README.md) over a socket, for a Worker that serves only some
// operations.
import { request } from "node:http";
import { tokenFor } from "./token.mjs";

/** Returns whether the Worker serves the operation of every step. */
export const applies = (served, steps) =>
  steps.every(({ method, target }) => served.some((one) => one.methods.includes(method) && one.path.test(target)));

/** Returns every row of every case with the values of its placeholders: `{name, steps, values}`. */
export function rows(document, file) {
  return document.cases.flatMap(({ name, each = [{}], steps }, at) =>
    each.map((row, number) => {
      const values = new Map(Object.entries({ ...document.let, ...row, project: `${file}-${at}-${number}` }));
      return { name: text(name, values), steps, values };
    }),
  );
}

/** Returns method and target of a step, if they are known before the step runs. */
export function line(step, values) {
  const known = new Map(values);
  const filled = text(step.send, { get: (name) => known.get(name) ?? "saved", has: () => true });
  const space = filled.indexOf(" ");
  return { method: filled.slice(0, space), target: filled.slice(space + 1) };
}

/** Runs the steps. Returns a sentence about the first failure, or nothing. */
export async function runSteps(port, { steps, values }) {
  for (const [at, step] of steps.entries()) {
    const end = Date.now() + 5000;
    for (;;) {
      const sent = prepare(step, values);
      const got = await send(port, sent).catch((error) => ({ status: error.message, headers: {}, body: "" }));
      const wrong = differs(step.expect, got, values);
      if (wrong === undefined) {
        save(step.save, got, values);
        break;
      }
      if (!step.eventually || Date.now() > end) {
        return (
          `step ${at + 1}: ${sent.method} ${sent.target.slice(0, 120)}: ${wrong}; got ${got.status} ` +
          `${got.body.slice(0, 400)}`
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  return undefined;
}

function prepare(step, values) {
  const { method, target } = line(step, values);
  const project = values.get("project");
  const scopes = {
    manage: [`manage_test:${project}`],
    two: [`manage_test:${project}`],
    view: [`view_test:${project}`],
    other: [`manage_test:${project}-other`, `view_test:${project}-other`],
  };
  const name = step.token ?? "manage";
  const headers = new Map();
  const client = name === "two" ? "two" : "bench";
  if (name !== "none") headers.set("authorization", `Bearer ${tokenFor(scopes[name], client)}`);
  if ("body" in step || "text" in step) headers.set("content-type", "application/json");
  for (const [header, value] of Object.entries(step.headers ?? {})) {
    const filled = fill(value, values);
    if (filled === null) headers.delete(header.toLowerCase());
    else headers.set(header.toLowerCase(), filled);
  }
  return { method, target, headers: Object.fromEntries(headers), body: bodyOf(step, values) };
}

function bodyOf(step, values) {
  if ("body" in step) return Buffer.from(JSON.stringify(fill(step.body, values)));
  if ("base64" in step) return Buffer.from(step.base64, "base64");
  return "text" in step ? Buffer.from(fill(step.text, values)) : undefined;
}

function send(port, { method, target, headers, body }) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": body.length };
    const sent = request(
      { host: "127.0.0.1", port, method, path: target, agent: false, headers: { ...headers, ...length } },
      (answer) => {
        const chunks = [];
        answer.on("data", (chunk) => chunks.push(chunk));
        answer.on("end", () =>
          resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    // If a body is rejected unread, the connection ends in a reset. The response may have arrived before it.
    sent.on("error", (error) => setTimeout(reject, 100, error));
    sent.end(body);
  });
}

function differs(expect, got, values) {
  const { status, headers = {}, body, text: whole, errors, order } = fill(expect, values);
  if (status !== got.status) return `expected ${status}`;
  for (const name of ["x-correlation-id", "cache-control", "vary"]) {
    if (got.headers[name] === undefined) return `no ${name}`;
  }
  const json = () => {
    try {
      return JSON.parse(got.body);
    } catch {
      return undefined;
    }
  };
  for (const [name, wanted] of Object.entries(headers)) {
    const found = got.headers[name.toLowerCase()] ?? null;
    if (!same(wanted, found))
      return `header ${name}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`;
  }
  if (body !== undefined && !same(body, json())) return `expected the body ${JSON.stringify(body)}`;
  if (whole !== undefined && !same(whole, got.body)) return `expected the text ${JSON.stringify(whole)}`;
  if (order !== undefined && !same(order, Object.keys(json() ?? {}))) return `expected members in the order ${order}`;
  const partial = errors?.map((error) => ({ ...error, $partial: true }));
  if (errors !== undefined && !same(partial, json()?.errors)) return `expected the errors ${JSON.stringify(errors)}`;
  return undefined;
}

const FORMS = {
  uuidv7: /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
};
const isA = (kind, found) => {
  if (kind in FORMS) return typeof found === "string" && FORMS[kind].test(found);
  if (kind === "integer") return Number.isInteger(found);
  if (kind === "array") return Array.isArray(found);
  return kind === "object" ? isObject(found) : typeof found === kind;
};
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const like = (pattern, found) =>
  new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replace(/[^\w ]/g, "\\$&"))
      .join("[^]*")}$`,
  ).test(found);
const MATCHERS = {
  $any: isA,
  $like: (pattern, found) => typeof found === "string" && like(pattern, found),
  $length: (length, found) => (typeof found === "string" ? [...found].length : found?.length) === length,
  $above: (min, found) => Number(found) > Number(min),
  $list: (items, found) =>
    typeof found === "string" && new Set([...items, ...found.split(/\s*,\s*/)]).size === items.length,
  $not: (wanted, found) => !same(wanted, found),
};

function same(wanted, found) {
  if (Array.isArray(wanted)) {
    return Array.isArray(found) && wanted.length === found.length && wanted.every((one, at) => same(one, found[at]));
  }
  if (!isObject(wanted)) return wanted === found;
  const names = Object.keys(wanted).filter((name) => name !== "$partial");
  const matchers = names.filter((name) => name.startsWith("$"));
  if (matchers.length > 0) return matchers.every((name) => MATCHERS[name](wanted[name], found));
  if (!isObject(found)) return false;
  const all = wanted.$partial === true || Object.keys(found).length === names.length;
  return all && names.every((name) => name in found && same(wanted[name], found[name]));
}

function save(from = {}, got, values) {
  for (const [name, place] of Object.entries(from)) {
    const header = got.headers[place.toLowerCase()];
    values.set(name, place === "" || place.startsWith("/") ? at(JSON.parse(got.body), place) : header);
  }
}

const at = (value, pointer) =>
  pointer
    .split("/")
    .slice(1)
    .reduce((inner, part) => inner?.[part.replaceAll("~1", "/").replaceAll("~0", "~")], value);

/** Returns the value with every placeholder filled. A text that consists of a placeholder becomes the value itself. */
function fill(value, values) {
  if (typeof value === "string") {
    const [, name] = /^\$\{([A-Za-z0-9]+)\}$/.exec(value) ?? [];
    return name !== undefined && values.has(name) ? fill(values.get(name), values) : text(value, values);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [text(name, values), fill(inner, values)]));
}

/** Returns the text with its placeholders filled: `${name}` by a saved value, `${text*3}` by repetition. */
function text(value, values) {
  return value.replace(/\$\{([A-Za-z0-9]+)\}|\$\{(.+?)\*(\d+)\}/gs, (_, name, repeated, times) => {
    if (name === undefined) return repeated.repeat(Number(times));
    if (!values.has(name)) throw new Error(`nothing was saved as ${name}`);
    const saved = fill(values.get(name), values);
    return typeof saved === "string" ? saved : JSON.stringify(saved);
  });
}
