import { ResourceClient, shareReads } from "resource-edge";

// A client accepts the page's `fetch`, a wrapper of it, and the page's signals.
export const plain = new ResourceClient({ projectKey: "demo", baseUrl: "https://api.example.com", fetch });
export const wrapped = new ResourceClient({
  projectKey: "demo",
  baseUrl: "https://api.example.com",
  fetch: (url, init) => fetch(url, init),
});
export const read = plain.getById("id", {}, { signal: AbortSignal.timeout(5) });
export const shared = new ResourceClient({
  projectKey: "demo",
  baseUrl: "https://api.example.com",
  fetch: shareReads(fetch),
  headers: new Headers({ "X-App": "sample" }),
});
