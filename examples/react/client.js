import { ResourceClient } from "resource-edge";
import { product } from "./resource-edge.js";

// A real application gets its token from its own server: token: async () => (await fetch("/api/token")).json()
const { service, project, token } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

export const client = new ResourceClient({
  baseUrl: service ?? "http://127.0.0.1:8787",
  projectKey: project ?? "demo",
  token,
  resource: product,
});
