// How commands reach a project: the address, and a client with its tokens.

import { ResourceError, responseError } from "../client/errors.js";
import { limits } from "../generated/limits.js";
import type { Authentication, ClientOptions, RetryEvent } from "../client/options.js";
import type { DeclaredResource } from "../own/resource.js";
import { type Input, type Option, UsageError } from "./command.js";
import { localClient } from "./secrets.js";

/** The options of commands that call a service. */
export const CONNECTION: { [name: string]: Option } = {
  url: { value: "URL", about: "the address of the service (default: RESOURCE_EDGE_URL, or http://127.0.0.1:8787)" },
  project: { value: "NAME", about: "the project (default: RESOURCE_EDGE_PROJECT, or demo)" },
  "client-id": { value: "ID", about: "the API client (default: RESOURCE_EDGE_CLIENT_ID, or that of .dev.vars)" },
};

export const FIELDS: Option = {
  value: "NAMES",
  isList: true,
  about: "only these fields, such as 'title,size.width', and those of the system",
};

/** How long a request may take with its repetitions, and each of them. */
const CALL_MS = 600_000;
const ATTEMPT_MS = 60_000;
/** The longest pause before the first repetition. */
const PAUSE_MS = 1000;

/** Returns the address without a slash at its end. */
export function addressOf(text: string) {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`'${text}' is not an address. Expected https://…`);
  return text.replace(/\/+$/, "");
}

/** Returns whether an address is of this machine: only there the secrets of .dev.vars are sent. */
export const isLocal = (url: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** Returns a value of the environment. An empty one counts as missing. */
const variable = (name: string) => process.env[`RESOURCE_EDGE_${name}`] || undefined;

/** Returns the API client of a command, and where its secret is from. */
function credentialsOf(url: string, id: string | undefined) {
  const secret = variable("CLIENT_SECRET");
  if (secret !== undefined) return { id, secret, source: "RESOURCE_EDGE_CLIENT_SECRET" };
  const local = isLocal(url) ? localClient() : undefined;
  return local !== undefined && (id ?? local.id) === local.id ? { ...local, source: ".dev.vars" } : { id, secret };
}

/** Checks the name of a project, before it is a part of scopes and paths. */
function projectOf(name: string) {
  if (!/^[\w-]+$/.test(name) || name.length > limits.projectKeyChars)
    throw new UsageError(
      `'${name}' is not a project. Expected 1 to ${limits.projectKeyChars} letters, digits, '-', and '_'.`,
    );
  return name;
}

/** What of the options of a client differs between commands. */
type Opening = Authentication & Pick<ClientOptions, "fetch" | "resource">;

/** A project of a service, as a command reaches it. */
export class Connection {
  readonly url;
  readonly project;
  readonly signal;
  #clientId;
  #token;
  #output;
  #scope;
  /** The API client whose tokens are used, and where its secret is from. */
  #secretOf = "";
  /** Whether the service has responded. */
  #isKnown = false;

  /** @param scopes those of its tokens, with or without a project */
  constructor({ values, output, signal }: Input, scopes: string) {
    this.url = addressOf(values.url ?? variable("URL") ?? "http://127.0.0.1:8787");
    this.project = projectOf(values.project ?? variable("PROJECT") ?? "demo");
    this.signal = signal;
    this.#clientId = values["client-id"] ?? variable("CLIENT_ID");
    this.#token = values["client-id"] === undefined ? variable("TOKEN") : undefined;
    this.#output = output;
    this.#scope = scopes.split(/[\s,]+/).map((name) => (name.includes(":") ? name : `${name}:${this.project}`));
  }

  #credentials() {
    const { id, secret, source } = credentialsOf(this.url, this.#clientId);
    if (id === undefined || secret === undefined)
      throw new UsageError(
        "There is no API client. Set RESOURCE_EDGE_CLIENT_ID and RESOURCE_EDGE_CLIENT_SECRET, or " +
          "RESOURCE_EDGE_TOKEN. For a service on this machine, run the command in the folder of its .dev.vars.",
      );
    this.#secretOf = `the client '${id}' with the secret of ${source}`;
    return { clientId: id, clientSecret: secret, scope: this.#scope };
  }

  /**
   * Returns a client of the project: with the token of the environment, or with tokens for the API client. To write
   * declared resources, it needs their declaration.
   */
  async client(resource?: DeclaredResource<any>) {
    const token = this.#token;
    const authentication = token === undefined ? { credentials: this.#credentials() } : { token };
    const { client, refusal } = await this.#open({ ...authentication, ...(resource && { resource }) } as Opening);
    // The client repeats a request for a token that failed for a moment.
    if (refusal?.status === 401) throw refusal;
    return client;
  }

  /** Requests a token. Returns the body of the response. */
  async requestToken(): Promise<{ access_token: string; expires_in: number; scope: string }> {
    let body: any;
    const { refusal } = await this.#open({
      credentials: this.#credentials(),
      async fetch(url, init) {
        const response = await fetch(url, init);
        body = await response
          .clone()
          .json()
          .catch(() => undefined);
        return response;
      },
    });
    if (refusal !== undefined) throw refusal;
    return body;
  }

  /** Returns a client, which has requested a token, and why it has none for the moment. */
  async #open(options: Opening) {
    // Loads the WebAssembly, which other commands do not need.
    const { ResourceClient } = await import("../node.js");
    const client = new ResourceClient({
      baseUrl: this.url,
      projectKey: this.project,
      timeout: CALL_MS,
      attemptTimeout: ATTEMPT_MS,
      retry: { baseDelay: PAUSE_MS },
      onResponse: () => {
        this.#isKnown = true;
      },
      onRetry: (retry) => this.#report(retry),
      ...options,
    });
    try {
      const given = await client.calls.tokens?.get(this.signal);
      if (typeof given !== "object") return { client };
      if (given.status === 0) throw this.#unreachable(given.cause);
      return { client, refusal: responseError(given, true) };
    } catch (error) {
      if ((error as ResourceError).status === 401)
        (error as Error).message += ` Check that ${this.url} has ${this.#secretOf}.`;
      throw error;
    }
  }

  /** Says why a request is repeated. Not if nothing has responded yet, because the address may be wrong. */
  #report({ status, reason, pause, cause }: RetryEvent) {
    if (status === 0 && !this.#isKnown) throw this.#unreachable(cause);
    if (reason === "unauthorized") return;
    const found = status === 0 ? "There was no response" : `The response had the status ${status}`;
    this.#output.note(`${found}. Trying again in ${Math.ceil(pause / 1000)} s.`);
  }

  #unreachable(cause: unknown) {
    const start = isLocal(this.url) ? "Start the service (npm run dev), or give" : "Give";
    const advice = `${start} another address by --url or RESOURCE_EDGE_URL.`;
    return ResourceError.of("network", `${this.url} is not reachable: ${reasonOf(cause)}. ${advice}`, { cause });
  }
}

/** Returns why a request failed. */
export function reasonOf(error: unknown): string {
  const { cause, code, message } = error as { cause?: unknown; code?: string; message: string };
  if (cause !== undefined) return reasonOf(cause);
  return code === "ECONNREFUSED" ? "nothing listens there" : message;
}
