// Any static file server serves this folder, for example `npx http-server`. See ../README.md for the package.
import { ready, ResourceClient, ResourceError } from "./node_modules/resource-edge/browser.js";
import { product } from "./resource-edge.js";

const { service, project, token } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const client = new ResourceClient({
  baseUrl: service ?? "http://127.0.0.1:8787",
  projectKey: project ?? "demo",
  token,
  resource: product,
});

const form = document.querySelector("form");
/** @type {HTMLOutputElement} */
const result = document.querySelector("#result");

/** Returns the body from the form. An invalid number remains text, so that the issue names it. */
function body() {
  const { key, title, price, tags } = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
  const parts = tags.split(",").map((part) => part.trim());
  const number = Number.isNaN(Number(price)) ? /** @type {any} */ (price) : Number(price);
  return {
    key: key || undefined,
    title,
    price: price.trim() === "" ? undefined : number,
    tags: parts.filter((part) => part !== ""),
  };
}

/** Shows each issue at its field. */
function show(issues) {
  for (const output of /** @type {NodeListOf<HTMLOutputElement>} */ (form.querySelectorAll("[data-pointer]"))) {
    const own = issues.filter(({ pointer }) => `${pointer}/`.startsWith(`${output.dataset.pointer}/`));
    output.value = own.map(({ message }) => message).join(" ");
  }
}

await ready;
form.addEventListener("input", () => {
  const checked = product.validate("draft", body());
  show(checked.valid ? [] : checked.issues);
});
/**
 * A body whose last save may have been performed, as a text, and the key of that save. Saving the same body with the
 * same key does not perform it twice.
 * @type {{ text?: string, idempotencyKey?: string }}
 */
let unsure = {};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const draft = body();
  const text = JSON.stringify(draft);
  const idempotencyKey = unsure.text === text ? unsure.idempotencyKey : undefined;
  unsure = {};
  try {
    const resource = await client.createOrUpdate(draft, { idempotencyKey });
    show([]);
    result.value = `Saved ${resource.title}, version ${resource.version}.`;
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    if (error.outcome === "unknown") unsure = { text, idempotencyKey: error.idempotencyKey };
    show(error.issues ?? []);
    result.value = error.message;
  }
});
