// Runs case files (tests/cases/README.md) over a socket. tests/support runs them natively, and checks their form.

import assert from "node:assert/strict";

import { ADDED_ARRAYS, mismatch } from "./matchers.mjs";

const addedArrays = ADDED_ARRAYS.map((name) => `,"${name}":[]`).join("");

/** Returns the runs of a file: each case, or each row of a case, in a new project. */
export const runsOf = (document, project) =>
  document.cases.flatMap(({ name, each = [{}], steps }, at) =>
    each.map((row, number) => {
      return new Run(name, steps, { ...document.let, ...row, project: project(at, number), addedArrays });
    }),
  );

/** Runs all cases of a file. Throws an error with all failures. */
export async function runAll(document, worker, project) {
  const waiting = runsOf(document, project);
  const count = waiting.length;
  assert.ok(count > 0, "no cases");
  const failures = [];
  // A few at a time: they wait for KV more than for the machine.
  const lane = async () => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      await run.perform(worker).catch(({ message }) => {
        failures.push(`${run.name.slice(0, 200)}\n  ${message.replaceAll("\n", "\n  ")}`);
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  assert.equal(failures.length, 0, `${failures.length} of ${count} cases failed:\n\n${failures.join("\n\n")}`);
}

class Run {
  constructor(name, steps, saved) {
    this.saved = saved;
    this.steps = steps;
    this.name = this.text(name);
  }

  /** Performs the steps. `worker` sends requests, and has tokens. `patience` is how long KV may take for an update. */
  async perform(worker) {
    this.worker = worker;
    for (const [index, step] of this.steps.entries()) {
      const request = await this.request(step);
      const deadline = Date.now() + (step.eventually ? (worker.patience ?? 10_000) : 0);
      let answer;
      let failure;
      do {
        if (failure !== undefined) await new Promise((resolve) => setTimeout(resolve, 100));
        answer = await this.worker.send(request);
        failure = this.check(step, answer);
      } while (failure !== undefined && Date.now() < deadline);
      if (failure !== undefined) {
        const sent = `${request.method} ${request.target.slice(0, 200)}`;
        throw new Error(`step ${index + 1}: ${sent}\n${failure}\ngot ${answer.status} ${answer.text.slice(0, 600)}`);
      }
      this.save(step, answer);
    }
  }

  async request(step) {
    const [method, target] = this.text(step.send).split(/ (.*)/s);
    const headers = {};
    const token = await this.token(step.token ?? "manage");
    if (token !== undefined) headers.Authorization = `Bearer ${token}`;
    if (step.body !== undefined || step.text !== undefined) headers["Content-Type"] = "application/json";
    for (const [name, value] of Object.entries(step.headers ?? {})) {
      const filled = this.fill(value);
      if (filled === null) delete headers[name];
      else headers[name] = filled;
    }
    return { method, target, headers, body: this.body(step) };
  }

  body(step) {
    if (step.body !== undefined) return JSON.stringify(this.fill(step.body));
    if (step.base64 !== undefined) return Buffer.from(this.text(step.base64), "base64");
    return step.text === undefined ? undefined : this.fill(step.text);
  }

  async token(name) {
    const { project } = this.saved;
    switch (name) {
      case "none":
        return undefined;
      case "manage":
        return this.worker.token(project, "manage_test");
      case "view":
        return this.worker.token(project, "view_test");
      case "two":
        return this.worker.token(project, "manage_test", "tests-two");
      case "other":
        return this.worker.token(`${project}-other view_test:${project}-other`, "manage_test");
      default:
        throw new Error(`unknown token ${name}`);
    }
  }

  /** Returns a description of the first difference, or undefined if there is none. */
  check(step, answer) {
    const { expect } = step;
    const status = this.fill(expect.status);
    if (status !== answer.status) return `expected status ${status}`;
    for (const [name, wanted] of Object.entries(expect.headers ?? {})) {
      const difference = mismatch(this.fill(wanted), answer.headers[name.toLowerCase()] ?? null);
      if (difference !== undefined) return `header ${name}${difference}`;
    }
    const json = () => {
      try {
        return JSON.parse(answer.text);
      } catch {
        return undefined;
      }
    };
    return (
      (expect.body === undefined ? undefined : mismatch(this.fill(expect.body), json())) ??
      (expect.text === undefined ? undefined : mismatch(this.fill(expect.text), answer.text)) ??
      (expect.order === undefined
        ? undefined
        : mismatch(
            expect.order,
            Object.keys(json()).filter((name) => !ADDED_ARRAYS.includes(name)),
          )) ??
      (expect.errors === undefined
        ? undefined
        : mismatch(
            this.fill(expect.errors).map((error) => ({ ...error, $partial: true })),
            json()?.errors,
          ))
    );
  }

  save(step, answer) {
    for (const [name, from] of Object.entries(step.save ?? {})) {
      const value =
        from === "" || from.startsWith("/") ? at(JSON.parse(answer.text), from) : answer.headers[from.toLowerCase()];
      if (value === undefined || value === null) throw new Error(`nothing to save as ${name} at '${from}'`);
      this.saved[name] = value;
    }
  }

  /** Returns the value with its placeholders filled. A text that consists of a placeholder becomes the value itself. */
  fill(value) {
    if (typeof value === "string") {
      const name = /^\$\{([A-Za-z0-9]+)\}$/s.exec(value)?.[1];
      if (name !== undefined && Object.hasOwn(this.saved, name)) return this.fill(this.saved[name]);
      return this.text(value);
    }
    if (Array.isArray(value)) return value.map((item) => this.fill(item));
    if (value !== null && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.fill(item)]));
    }
    return value;
  }

  /**
   * Returns the text with its placeholders filled: `${name}` by a saved value, `${text*3}` by repetition. `unsaved`
   * replaces values that are not saved yet, instead of an error.
   * @param {string} text
   * @param {string} [unsaved]
   */
  text(text, unsaved) {
    return text.replace(/\$\{(?:([A-Za-z0-9]+)\}|(.+?)\*([0-9]+)\})/gs, (_, name, repeated, times) => {
      if (name === undefined) return repeated.repeat(Number(times));
      if (!Object.hasOwn(this.saved, name)) {
        if (unsaved === undefined) throw new Error(`nothing was saved as ${name}`);
        return unsaved;
      }
      const value = this.fill(this.saved[name]);
      return typeof value === "string" ? value : JSON.stringify(value);
    });
  }
}

/** Returns the value at a JSON Pointer. */
function at(value, pointer) {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return parts.reduce((inner, part) => inner?.[part], value);
}
