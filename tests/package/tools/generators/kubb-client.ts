// The requests of a client that kubb generated, instead of kubb's own module for them.

import { toQuery } from "./to-query";

export type RequestConfig<T = unknown> = {
  method: string;
  url: string;
  params?: object | undefined;
  data?: T | undefined;
  headers?: Record<string, string | number | undefined> | undefined;
  signal?: AbortSignal | undefined;
};
export type ResponseErrorConfig<T = unknown> = T;
export type Client = <T, _E, B>(config: RequestConfig<B>) => Promise<{ data: T }>;

/** The address of the service, and the token that each request has. */
export const service = { url: "", token: "" };

/** Sends a request. Throws the body of an error. */
export default async function request<T, _E, B>(config: RequestConfig<B>): Promise<{ data: T }> {
  const { method, url, params, data, signal } = config;
  const headers = new Headers({ Authorization: `Bearer ${service.token}`, "Content-Type": "application/json" });
  for (const [name, value] of Object.entries(config.headers ?? {}))
    if (value !== undefined) headers.set(name, String(value));
  const body = typeof data === "string" ? data : JSON.stringify(data);
  const response = await fetch(`${service.url}${url}?${toQuery(params)}`, {
    method,
    headers,
    body: body ?? null,
    signal: signal ?? null,
  });
  const received = await response.json();
  if (!response.ok) throw received;
  return { data: received };
}
