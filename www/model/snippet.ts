// A recorded exchange as text to paste: a curl command for a POSIX shell, or a call of the package's client. Neither
// contains the token; the command uses the shell variable `$TOKEN`.

// Headers that belong to a single request. A repeated Idempotency-Key would only replay the first response (D18).
const ONCE = /^(idempotency-key|resource-min-revision|x-correlation-id)$/i;

/** Quotes any text as one word of a POSIX shell. */
export function quote(text: string) {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The request of an exchange. */
type Request = {
  method: string;
  url: string;
  requestHeaders?: { [name: string]: string };
  requestBody?: string | undefined;
};

/** Returns the exchange as a curl command. */
export function curl({ method, url, requestHeaders = {}, requestBody }: Request) {
  const parts = [["curl", "--globoff", ...methodOf(method, requestBody), quote(url)]];
  for (const [name, value] of Object.entries(requestHeaders)) {
    if (ONCE.test(name)) continue;
    parts.push(["-H", /^authorization$/i.test(name) ? '"Authorization: Bearer $TOKEN"' : quote(`${name}: ${value}`)]);
  }
  if (hasBody(requestBody)) parts.push(["--data-raw", quote(requestBody)]);
  return parts.map((words) => words.join(" ")).join(" \\\n  ");
}

function methodOf(method: string, body: string | undefined) {
  if (method === "HEAD") return ["--head"];
  return method === (hasBody(body) ? "POST" : "GET") ? [] : ["-X", method];
}

const hasBody = (body: string | null | undefined): body is string => body !== undefined && body !== null && body !== "";

/** Returns the exchange as a call of the client. `call` contains the method and its arguments. */
export function clientCode({ call }: { call?: { method: string; args: unknown[] } | undefined }) {
  if (call === undefined) return undefined;
  const args = call.args.map((arg) => (arg === undefined ? undefined : literal(arg, "")));
  while (args.length > 0 && args.at(-1) === undefined) args.pop();
  return `await client.${call.method}(${args.map((arg) => arg ?? "undefined").join(", ")});`;
}

const SHORT = 60;

/** Returns a JSON value as a JavaScript literal, on one line if it is short. */
export function literal(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item ?? null, deeper))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${nameOf(name)}: ${literal(member, deeper)}`);
  const [open, close, space] = Array.isArray(value) ? ["[", "]", ""] : ["{", "}", " "];
  if (parts.length === 0) return open + close;
  const line = parts.join(", ");
  if (line.length <= SHORT && !line.includes("\n")) return open + space + line + space + close;
  return `${open}\n${parts.map((part) => `${deeper}${part},\n`).join("")}${indent}${close}`;
}

/** Returns the name of a member. `__proto__: …` in a literal sets a prototype; in brackets it is an ordinary member. */
const nameOf = (name: string) =>
  name === "__proto__" ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
