// Errors on the wire.

/** An error with its HTTP status; `items` are the members of `errors`, the first giving code and message. */
export class ApiError extends Error {
  constructor(status, items, { headers = {}, more = 0 } = {}) {
    super(items[0].message);
    Object.assign(this, { status, items, headers, more });
  }

  get code() {
    return this.items[0].code;
  }

  /** The body; as RFC 9457's problem where the caller wants one. */
  toJson(problem) {
    const { status: statusCode, message, items: errors, more } = this;
    if (problem) {
      return JSON.stringify({ type: "about:blank", title: this.code, status: statusCode, detail: message, errors });
    }
    const oauth = statusCode === 401 || statusCode === 403;
    return JSON.stringify({
      statusCode,
      message,
      errors,
      moreErrors: more || undefined,
      error: oauth ? this.code : undefined,
      error_description: oauth && message !== this.code ? message : undefined,
    });
  }
}

/** An error of one item. */
export const failure = (status, code, message, details = {}, headers = {}) =>
  new ApiError(status, [{ code, message, ...details }], { headers });

/** A malformed query parameter or path variable. */
export const badParameter = (parameter, reason) =>
  failure(400, "InvalidInput", `Malformed parameter: ${parameter}: ${reason}.`, { parameter });

/** A malformed request header. */
export const badHeader = (header, reason) =>
  failure(400, "InvalidInput", `Malformed header: ${header}: ${reason}.`, { header });

const LISTED = 100;
const escape = (part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1");
const pointer = (path) => path.map((part) => `/${escape(part)}`).join("");
const at = (value, path) => path.reduce((inner, part) => inner?.[part], value);

/** zod's issues as one error: missing fields, unknown fields and wrong values, each with its place. */
export function invalidBody(body, { issues }) {
  const items = issues.flatMap((issue) => {
    const unknown = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
    return unknown.map((key) => item(body, key === undefined ? issue.path : [...issue.path, key], issue, key));
  });
  return new ApiError(400, items.slice(0, LISTED), { more: Math.max(0, items.length - LISTED) });
}

function item(body, path, issue, unknown) {
  const value = at(body, path);
  const field = String(path.findLast((part) => typeof part === "string") ?? "");
  const where = { path: pointer(path), field };
  if (unknown !== undefined) return { code: "InvalidField", message: `The field '${cut(unknown)}' is not known.`, ...where };
  const isItem = typeof path.at(-1) === "number";
  if (value === undefined || (value === null && !isItem)) {
    return { code: "RequiredField", message: `The field '${field}' is required.`, ...where };
  }
  const allowedValues = issue.code === "invalid_union" ? issue.options : undefined;
  const message = `The field '${field}' is not valid: ${issue.message}.`;
  return { code: "InvalidField", message, ...where, invalidValue: quoted(value), allowedValues };
}

const QUOTED = 100;
const cut = (text) => ([...text].length <= QUOTED ? text : [...text].slice(0, QUOTED).join(""));
const quoted = (value) => (typeof value === "object" ? cut(JSON.stringify(value)) : typeof value === "string" ? cut(value) : value);
