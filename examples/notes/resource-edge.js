// Written by `npx resource-edge types` from examples/notes/resources.json. Do not edit.

import { resource as $resource } from "resource-edge";

export const note = /* @__PURE__ */ $resource({ format: 1, plain: { "note": {"properties":{"text":{"type":"string","minLength":1,"maxLength":500},"owner":{"type":"string"}},"required":["text","owner"]} } }, "note");
