// Checks responses against the OpenAPI document, which must describe every response. Schemathesis checks that it allows
// every request that succeeds, and tests/support/invariants.rs what the handler returns.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { ROOT } from "../support.mjs";

export const FILE = join(ROOT, "tests/repository/openapi/openapi.json");
/** Formats of the service's languages. Only the service parses them. */
const LANGUAGES = ["predicate", "sort", "fields", "expansion", "filter", "facet", "entity-tags"];
/** What the schemas of declared resources say beside JSON Schema. */
const OURS = ["x-unique", "x-index", "x-search", "x-title"];

/**
 * Returns the document with closed object schemas, so that an undescribed member of a response is an error. Schemas
 * that are combined (`allOf`) are closed at the place of use.
 */
function closed(value, within = false) {
  if (Array.isArray(value)) return value.map((item) => closed(item, within));
  if (value === null || typeof value !== "object") return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === "allOf" ? closed(item, true) : closed(item)]),
  );
  const shape =
    copy.properties !== undefined || copy.allOf !== undefined || copy.$ref?.startsWith("#/components/schemas/");
  if (shape && !within && copy.additionalProperties === undefined) copy.unevaluatedProperties = false;
  return copy;
}

export class Document {
  /** The received responses, as `operationId status`. */
  seen = new Set();

  constructor(text = readFileSync(FILE, "utf8")) {
    this.json = JSON.parse(text);
    this.ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      allowUnionTypes: true,
      discriminator: false,
      allErrors: true,
    });
    formats.default(this.ajv);
    for (const language of LANGUAGES) this.ajv.addFormat(language, true);
    for (const word of [
      "components",
      "paths",
      "info",
      "openapi",
      "servers",
      "tags",
      "discriminator",
      "example",
      ...OURS,
    ])
      this.ajv.addKeyword(word);
    const { components } = closed(this.json);
    // A component that is combined with others is closed at the place of use. The component itself remains open.
    for (const schema of Object.values(components.schemas))
      if (schema.allOf === undefined) delete schema.unevaluatedProperties;
    // The document that the service returns is not described member by member.
    this.ajv.addSchema({ $id: "document", components });
    this.validators = new Map();
    this.paths = Object.entries(this.json.paths).map(([template, item]) => ({
      template,
      item,
      pattern: new RegExp(`^${template.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "([^/]+)")}$`),
    }));
    // Like the router: a literal part precedes a part with a variable, and that precedes a variable.
    const rank = ({ template }) =>
      template
        .split("/")
        .map((part) => (part.startsWith("{") ? 2 : part.includes("{") ? 1 : 0))
        .join("");
    this.paths.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  }

  resolve(value) {
    if (value?.$ref === undefined) return value;
    return value.$ref
      .split("/")
      .slice(1)
      .reduce((at, part) => at[part.replaceAll("~1", "/")], this.json);
  }

  /** Returns the schema's errors for a value, or undefined if there are none. */
  mismatch(schema, value) {
    const key = JSON.stringify(schema);
    if (!this.validators.has(key)) {
      const inner = closed(JSON.parse(key.replaceAll('"#/', '"document#/')));
      if (inner.$ref !== undefined && inner.$ref !== "document#/components/schemas/Document")
        inner.unevaluatedProperties = false;
      this.validators.set(key, this.ajv.compile(inner));
    }
    const validate = this.validators.get(key);
    return validate(value) ? undefined : this.ajv.errorsText(validate.errors.slice(0, 3));
  }

  /** Returns how the response to the request differs from the document, or undefined if it does not differ. */
  broken(request, answer) {
    const { method, target } = request;
    const names = answer.raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    if (new Set(names).size !== names.length) return "a duplicate header";
    const [path] = target.split("?");
    const at = this.paths.find(({ pattern }) => pattern.test(path));
    if (at === undefined || method === "OPTIONS") return undefined;
    const operation = at.item[method.toLowerCase()] ?? (method === "HEAD" ? at.item.get : undefined);
    if (operation === undefined)
      return answer.status === 405
        ? this.answerBroken(this.json.components.responses["405"], request, answer)
        : `${answer.status} for a method that is not there`;
    const response = this.resolve(operation.responses[answer.status]);
    if (response === undefined) return `${operation.operationId} has no answer ${answer.status}`;
    this.seen.add(`${operation.operationId} ${answer.status}`);
    const wrong = this.answerBroken(response, request, answer) ?? this.codesBroken(response, answer);
    return wrong === undefined ? undefined : `${operation.operationId} ${answer.status}: ${wrong}`;
  }

  /** Checks the codes: the description of an error lists the codes that the operation returns. */
  codesBroken({ description }, { status, text }) {
    if (status < 400 || text === "") return undefined;
    const unknown = JSON.parse(text).errors.find(({ code }) => !description.includes(`\`${code}\`: `));
    return unknown === undefined ? undefined : `the code ${unknown.code} is not one of: ${description}`;
  }

  answerBroken(response, request, answer) {
    for (const [name, header] of Object.entries(response.headers)) {
      const { required, schema } = this.resolve(header);
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined && required) return `the header ${name} is missing`;
      const wrong =
        value === undefined ? undefined : this.mismatch(schema, schema.type === "integer" ? Number(value) : value);
      if (wrong !== undefined) return `the header ${name}: ${wrong}`;
    }
    for (const name of Object.keys(this.json.components.headers)) {
      if (answer.headers[name.toLowerCase()] !== undefined && response.headers[name] === undefined)
        return `the header ${name} is not described`;
    }
    if (request.method === "HEAD") return undefined;
    if (response.content === undefined) return answer.text === "" ? undefined : "a body that is not described";
    const media = (answer.headers["content-type"] ?? "").split(";")[0];
    const content = response.content[media];
    if (content === undefined) return `a body of '${media}'`;
    // With `fields`, required members are absent.
    if (request.target.includes("fields=") && answer.status === 200) return undefined;
    return this.mismatch(content.schema, media === "application/x-ndjson" ? answer.text : JSON.parse(answer.text));
  }
}
