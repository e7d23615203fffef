import { ResourceClient, shareReads } from "resource-edge";

// The page's own `fetch`, and one around it, are what a client takes; so are its signals.
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
