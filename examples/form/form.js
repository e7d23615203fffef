// Any static file server serves this folder, for example `npx http-server`. See ../README.md for the package.
import { ready, ResourceClient, ResourceError, validate } from "./node_modules/resource-edge/browser.js";

const { service, project, token } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const client = new ResourceClient({
  baseUrl: service ?? "http://127.0.0.1:8787",
  projectKey: project ?? "demo",
  token,
});

const form = document.querySelector("form");
/** @type {HTMLOutputElement} */
const result = document.querySelector("#result");

/** Returns the body from the form. An invalid number remains text, so that the issue names it. */
function body() {
  const { key, integers } = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
  const parts = integers.split(",").map((part) => part.trim());
  const number = (part) => (part === "" || Number.isNaN(Number(part)) ? part : Number(part));
  return {
    key: key === "" ? undefined : key,
    objectTypeProperty: { arrayOfIntExample: integers.trim() === "" ? [] : parts.map(number) },
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
  const checked = validate("resourceDraft", body());
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
    result.value = `Saved ${resource.key ?? resource.id}, version ${resource.version}.`;
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    if (error.outcome === "unknown") unsure = { text, idempotencyKey: error.idempotencyKey };
    show(error.issues ?? []);
    result.value = error.message;
  }
});
