// Errors in responses.

/** An error with its HTTP status. `items` are the members of `errors`; the first has the code and the message. */
export class ApiError {
  // Not an Error: the stack is never read, and recording it costs time.
  constructor(status, items, { headers = {}, more = 0 } = {}) {
    this.status = status;
    this.items = items;
    this.headers = headers;
    this.more = more;
  }

  /** Returns the body, in the form of RFC 9457 if the caller requests it. */
  toJson(problem) {
    const { status: statusCode, items: errors, more } = this;
    const [{ code, message }] = errors;
    if (problem)
      return JSON.stringify({ type: "about:blank", title: code, status: statusCode, detail: message, errors });
    const oauth = statusCode === 401 || statusCode === 403;
    return JSON.stringify({
      statusCode,
      message,
      errors,
      moreErrors: more || undefined,
      error: oauth ? code : undefined,
      error_description: oauth && message !== code ? message : undefined,
    });
  }
}

/** An error with one item. */
export const failure = (status, code, message, details = {}, headers = {}) =>
  new ApiError(status, [{ code, message, ...details }], { headers });

/** Returns the error of a malformed query parameter or path variable. */
export const badParameter = (parameter, reason) =>
  failure(400, "InvalidInput", `Malformed parameter: ${parameter}: ${reason}.`, { parameter });

/** Returns the error of a malformed request header. */
export const badHeader = (header, reason) =>
  failure(400, "InvalidInput", `Malformed header: ${header}: ${reason}.`, { header });

const LISTED = 100;
const QUOTED = 100;
const cut = (text) => (text.length <= QUOTED ? text : [...text].slice(0, QUOTED).join(""));
const quote = (value) =>
  typeof value === "object" ? cut(JSON.stringify(value)) : typeof value === "string" ? cut(value) : value;
const escapePart = (part) => part.replaceAll("~", "~0").replaceAll("/", "~1");

/** Returns the items as one error of at most a hundred. */
export const invalidBody = (items) =>
  new ApiError(400, items.slice(0, LISTED), { more: Math.max(0, items.length - LISTED) });

/** Returns an item about the field, array item, or body at the path. */
export function invalid(path, value, reason, more) {
  const parts = path.split("/");
  const field = (parts.findLast((part) => part !== "" && !/^\d+$/.test(part)) ?? "")
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
  const message = field === "" ? `The request body ${reason}.` : `Malformed field '${field}': it ${reason}.`;
  return { code: "InvalidField", message, path, field, invalidValue: quote(value), ...more };
}

const required = (path, field) => ({
  code: "RequiredField",
  message: `The field '${field}' is required.`,
  path: `${path}/${escapePart(field)}`,
  field,
});

const ACTIONS = ["doSomeThing", "changeSomeProperty"];

/** Returns the items for an error of ajv. Empty if another error of ajv says the same. */
export function itemsOf({ keyword, instancePath, params, message, data }) {
  if (keyword === "required") return [required(instancePath, params.missingProperty)];
  if (keyword === "additionalProperties") {
    const name = params.additionalProperty;
    const value = data[name];
    return [
      {
        code: "InvalidField",
        message: `Unknown field '${cut(name)}'.`,
        path: `${instancePath}/${escapePart(name)}`,
        field: name,
        invalidValue: quote(value),
      },
    ];
  }
  if (keyword === "discriminator") {
    if (params.tagValue === undefined) return [];
    if (params.tagValue === null) return [required(instancePath, "action")];
    return [
      invalid(`${instancePath}/action`, params.tagValue, `must be one of ${ACTIONS.join(", ")}`, {
        allowedValues: ACTIONS,
      }),
    ];
  }
  if (keyword === "uniqueItems") {
    const at = Math.max(params.i, params.j);
    return [invalid(`${instancePath}/${at}`, data[at], "occurs twice")];
  }
  const parent = instancePath.slice(0, instancePath.lastIndexOf("/"));
  const name = instancePath.slice(parent.length + 1);
  if (data === null && keyword === "type" && name !== "" && !/^\d+$/.test(name)) return [required(parent, name)];
  return [invalid(instancePath, data, message)];
}
