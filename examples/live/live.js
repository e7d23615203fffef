// Open this page twice. Any static file server serves this folder, for example `npx http-server`. See ../README.md for
// the package.
import { ResourceClient, ResourceError } from "./node_modules/resource-edge/browser.js";
import { live } from "./node_modules/resource-edge/live.js";
import { product } from "./resource-edge.js";

const { service, project, token } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const client = new ResourceClient({
  baseUrl: service ?? "http://127.0.0.1:8787",
  projectKey: project ?? "demo",
  token,
  resource: product,
});

/**
 * The element that a selector finds.
 * @param {string} selector
 * @param {ParentNode} [element]
 */
const find = (selector, element = document) => /** @type {any} */ (element.querySelector(selector));
/** The row of each item, by the item's ID. */
const rows = new Map();

/** Performs a change, and says why if the service refuses it. The list shows it when the change is performed. */
async function perform(change) {
  find("#problem").textContent = "";
  try {
    await change();
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    // Somebody else has deleted the item: the list shows that, too.
    if (error.status !== 404) find("#problem").textContent = error.message;
  }
}

/** Returns a row. Each change is made to the newest version, so another page's change of another field stays. */
function createRow(id) {
  const row = document.createElement("li");
  row.innerHTML = `
    <input type="checkbox" aria-label="Active" />
    <input name="text" aria-label="Title" />
    <button type="button">Remove</button>`;
  const active = find("[type=checkbox]", row);
  const text = find("[name=text]", row);
  active.onchange = () => perform(() => client.modify(id, () => ({ status: active.checked ? "active" : "draft" })));
  text.onchange = () => perform(() => client.modify(id, () => ({ title: text.value })));
  find("button", row).onclick = () => perform(() => client.deleteById(id));
  return row;
}

/** Shows an item in its row. What a person types meanwhile stays. */
function showItem({ id, status, title }) {
  const row = rows.get(id) ?? createRow(id);
  rows.set(id, row);
  find("[type=checkbox]", row).checked = status === "active";
  const text = find("[name=text]", row);
  if (text !== document.activeElement) text.value = title;
  return row;
}

/** Shows a list. Rows that stay are the same elements, so the focus stays, too. */
function show(list) {
  const { status, items, error } = list;
  find("#status").value = status;
  if (error) find("#problem").textContent = error.message;
  const inOrder = [...items].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  for (const id of rows.keys()) {
    if (items.some((item) => item.id === id)) continue;
    rows.get(id).remove();
    rows.delete(id);
  }
  for (const [at, item] of inOrder.entries()) {
    const row = showItem(item);
    const list = find("ul");
    if (list.children[at] !== row) list.insertBefore(row, list.children[at] ?? null);
  }
}

find("form").onsubmit = (event) => {
  event.preventDefault();
  const draft = { title: event.target.text.value, price: 0 };
  return perform(() => client.createOrUpdate(draft).then(() => event.target.reset()));
};

// The list stays current over lost connections and restarts.
live(client).subscribe(show);
