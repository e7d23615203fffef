// Written by `npx resource-edge types` from pkg/template/shared/resources.json. Do not edit.

import { resource as $resource } from "resource-edge";

export const product = /* @__PURE__ */ $resource({ format: 1, plain: { "product": {"properties":{"title":{"type":"string","minLength":1,"maxLength":80},"price":{"type":"number","minimum":0},"status":{"type":"string","enum":["draft","active"],"default":"draft"},"sku":{"type":"string","pattern":"^[A-Z]{2}-[0-9]+$"},"tags":{"type":"array","items":{"type":"string"},"maxItems":20,"uniqueItems":true},"size":{"type":"object","properties":{"width":{"type":"number"},"height":{"type":"number"}},"required":[]},"variants":{"type":"array","items":{"type":"object","properties":{"color":{"type":"string"},"stock":{"type":"integer","minimum":0,"maximum":9007199254740991}},"required":["color"]}},"supplier":{"type":"string","format":"email"}},"required":["title","price"]} } }, "product");
