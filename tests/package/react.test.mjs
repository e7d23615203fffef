// `resource-edge/react` on a server, where a component is rendered once.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createElement, StrictMode } from "react";
import { renderToString } from "react-dom/server";

import { useLive } from "../../pkg/dist/react.js";
import { clientWith } from "./clients.mjs";

test("a component is rendered on a server as loading, and opens nothing", () => {
  const { client, sent } = clientWith(() => new Promise(() => {}));
  function Lamps() {
    const { status, items } = useLive(client, { where: "custom = :c", var: { c: "red" } });
    return createElement("p", null, `${status} ${items.length}`);
  }
  const html = renderToString(createElement(StrictMode, null, createElement(Lamps)));
  assert.equal(html, "<p>loading 0</p>");
  assert.equal(sent.length, 0);
  function Wrong() {
    // @ts-expect-error: the types refuse it, too
    return useLive(client, { where: "a = 1", search: {} }).status;
  }
  assert.throws(() => renderToString(createElement(Wrong)), { kind: "invalid" });
});
