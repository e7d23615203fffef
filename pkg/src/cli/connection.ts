// How commands reach a project: the address, the token, and requests that are repeated. And `resource-edge token`.

import { setTimeout as sleep } from "node:timers/promises";

import type { Runner } from "../backup.js";
import { limits } from "../generated/limits.js";
import type { ProjectRequest } from "../project-calls.js";
import { ServiceError } from "../service-error.js";
import { type Command, type Input, type Option, UsageError } from "./command.js";
import { localClient } from "./secrets.js";

/** The options of commands that call a service. */
export const URL_OPTION: { [name: string]: Option } = {
  url: { value: "URL", about: "the address of the service (RESOURCE_EDGE_URL, or http://127.0.0.1:8787)" },
};
export const CONNECTION: { [name: string]: Option } = {
  ...URL_OPTION,
  project: { value: "NAME", about: "the project (RESOURCE_EDGE_PROJECT, or demo)" },
  "client-id": { value: "ID", about: "the API client (RESOURCE_EDGE_CLIENT_ID, or that of .dev.vars)" },
};

const REQUEST_MS = 60_000;
const ATTEMPTS = 5;
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

/** A project of a service, as a command reaches it. */
export class Connection implements Runner {
  readonly url;
  readonly project;
  readonly signal;
  #clientId;
  #output;
  #scope;
  #token = variable("TOKEN");
  #isKnown = false;

  constructor({ values, output, signal }: Input, scope: string) {
    this.url = addressOf(values.url ?? variable("URL") ?? "http://127.0.0.1:8787");
    this.project = projectOf(values.project ?? variable("PROJECT") ?? "demo");
    this.signal = signal;
    this.#clientId = values["client-id"] ?? variable("CLIENT_ID");
    this.#output = output;
    this.#scope = scope;
  }

  get isCanceled() {
    return this.signal.aborted;
  }

  /** Requests a token. Returns the body of the response. */
  async requestToken(): Promise<{ access_token: string; expires_in: number; scope: string }> {
    const { id, secret, source } = credentialsOf(this.url, this.#clientId);
    if (id === undefined || secret === undefined)
      throw new UsageError(
        "There is no API client. Set RESOURCE_EDGE_CLIENT_ID and RESOURCE_EDGE_CLIENT_SECRET, or " +
          "RESOURCE_EDGE_TOKEN. For a service on this machine, run the command in the folder of its .dev.vars.",
      );
    const scopes = this.#scope.split(/[\s,]+/).map((name) => (name.includes(":") ? name : `${name}:${this.project}`));
    try {
      const response = await this.#fetch("oauth/token", {
        method: "POST",
        headers: { Authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}` },
        body: new URLSearchParams({ grant_type: "client_credentials", scope: scopes.join(" ") }),
      });
      return response.json();
    } catch (error) {
      if ((error as ServiceError).status === 401)
        (error as Error).message += ` Check that ${this.url} has the client '${id}' with the secret of ${source}.`;
      throw error;
    }
  }

  /** Returns a token: that of the environment, or one for the API client. */
  async token(isRejected = false) {
    const isFixed = variable("TOKEN") !== undefined;
    if (this.#token === undefined || (isRejected && !isFixed)) this.#token = (await this.requestToken()).access_token;
    return this.#token;
  }

  /** Returns a client of the project. */
  async client() {
    // Loads the WebAssembly, which other commands do not need.
    const { ResourceClient } = await import("../node.js");
    // The client would report why there is no token as the failure of a function.
    await this.token();
    return new ResourceClient({
      baseUrl: this.url,
      projectKey: this.project,
      token: async ({ refresh }) => (await this.token(refresh)) ?? "",
    });
  }

  /** Sends a request to a path of the project. Rejects with a `ServiceError` if the response is not a result. */
  send = async (path: string, request: ProjectRequest = {}) => {
    const attempt = async (isRejected: boolean) => {
      const headers = { ...request.headers, Authorization: `Bearer ${await this.token(isRejected)}` };
      return this.#fetch(`${encodeURIComponent(this.project)}/${path}`, { ...request, headers });
    };
    try {
      return await attempt(false);
    } catch (error) {
      // A token may expire during a long command.
      if ((error as ServiceError).status !== 401 || variable("TOKEN") !== undefined) throw error;
      return attempt(true);
    }
  };

  async #fetch(path: string, init: RequestInit) {
    const timeout = AbortSignal.timeout(REQUEST_MS);
    let response: Response;
    try {
      const signal = AbortSignal.any([timeout, this.signal]);
      response = await fetch(`${this.url}/${path}`, { ...init, signal, redirect: "manual" });
    } catch (cause) {
      this.signal.throwIfAborted();
      const reason = timeout.aborted ? "no response within a minute" : reasonOf(cause);
      const start = isLocal(this.url) ? "Start the service (npm run dev), or give" : "Give";
      const advice = `${start} another address by --url or RESOURCE_EDGE_URL.`;
      throw new ServiceError(`${this.url} is not reachable: ${reason}. ${advice}`, { kind: "network", cause });
    }
    this.#isKnown = true;
    if (response.ok) return response;
    throw ServiceError.ofResponse(response, await response.json().catch(() => undefined));
  }

  /**
   * Repeats a request that fails for a moment, and waits as long as the service asks. Not if nothing has responded yet,
   * because the address may be wrong.
   */
  async attempt<Result>(request: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      this.signal.throwIfAborted();
      try {
        return await request();
      } catch (error) {
        const { isTransient = false, retryAfterMs = 0, message } = error as Partial<ServiceError>;
        if (!isTransient || !this.#isKnown || attempt === ATTEMPTS) throw error;
        const pause = Math.max(retryAfterMs, PAUSE_MS * attempt);
        this.#output.note(`${message} Trying again in ${Math.ceil(pause / 1000)} s.`);
        await sleep(pause, undefined, { signal: this.signal });
      }
    }
  }
}

/** Returns why a request failed. */
export function reasonOf(error: unknown): string {
  const { cause, code, message } = error as { cause?: unknown; code?: string; message: string };
  if (cause !== undefined) return reasonOf(cause);
  return code === "ECONNREFUSED" ? "nothing listens there" : message;
}

export const token: Command = {
  about: "print a token",
  options: {
    ...CONNECTION,
    scope: {
      value: "SCOPES",
      about: "manage_test (default), view_test, or several; with a project as in view_test:demo",
    },
  },
  async run(input) {
    const found = await new Connection(input, input.values.scope ?? "manage_test").requestToken();
    input.output.result(found, found.access_token);
  },
};
