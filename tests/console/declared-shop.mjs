// Projects of two declared shapes, and one with the interface's resource, in one service.

import assert from "node:assert/strict";

import { openProject, project, serveForTests } from "./support.mjs";

/** The schema of the shop's products. */
export const product = {
  title: "Product",
  type: "object",
  required: ["title", "price"],
  properties: {
    title: { type: "string", minLength: 1, maxLength: 20, description: "The name in the shop." },
    price: { type: "number", title: "Price in euros", minimum: 0, multipleOf: 0.5 },
    status: { enum: ["draft", "active"], default: "draft" },
    sku: { type: "string", pattern: "^[A-Z]{2}-[0-9]+$", "x-unique": true },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 3 },
    channels: { type: "array", items: { enum: ["web", "store"] }, uniqueItems: true },
    size: {
      type: "object",
      required: ["width"],
      properties: { width: { type: "number", exclusiveMinimum: 0 }, height: { type: "number" } },
    },
    variants: {
      type: "array",
      items: {
        type: "object",
        required: ["color"],
        properties: { color: { type: "string" }, stock: { type: "integer", minimum: 0 } },
      },
    },
    sold: { type: "boolean" },
    supplier: { type: "string", format: "email" },
    page: { type: "string", format: "uri" },
    since: { type: "string", format: "date" },
    opens: { type: "string", format: "time" },
    at: { type: "string", format: "date-time" },
  },
};
const person = {
  type: "object",
  properties: { nick: { type: "string" }, full: { type: "string", "x-title": true }, age: { type: "integer" } },
};
const resources = { resources: { product, person }, projects: { "products-*": "product", "people-*": "person" } };

/** Serves the console for the tests of a file. Returns functions that open it. */
export function openShop() {
  const console = serveForTests(undefined, undefined, { resources });
  const openProducts = (path, bodies, options = {}) =>
    openProject(console, bodies, { path, name: `products-${project()}`, ...options });
  /** Opens a view of the lamp. */
  async function openLamp(view, options) {
    const opened = await openProducts(undefined, [LAMP], options);
    const [{ id }] = opened.made;
    await opened.to(`r/${id}${view}`);
    await opened.page.locator(".save-bar, .saved").waitFor();
    const change = async (body) => {
      const sent = await console.worker.call(`POST /${opened.name}/resource`, { body: { id, ...body } });
      assert.equal(sent.status, 200, sent.text);
    };
    return { ...opened, id, change, read: () => opened.read(id) };
  }
  return { console, openProducts, openLamp };
}

export const LAMP = {
  key: "lamp",
  title: "Lamp",
  price: 40,
  status: "active",
  tags: ["brass", "old"],
  channels: ["web"],
  size: { width: 20, height: 45 },
  variants: [{ color: "red", stock: 3 }, { color: "green" }],
  sold: false,
  supplier: "a@example.com",
};
