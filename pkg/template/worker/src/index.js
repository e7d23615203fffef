// The Worker: the service with the resources of resources.json, and a page of yours at /form. Without the page, the
// last statement is one line:
//   export default setResources(JSON.stringify(resources));
import { setResources } from "resource-edge/worker";
import product from "../.wrangler/resource-edge.txt";
import resources from "../resources.json" with { type: "json" };
import form from "./form.html";

export { ProjectObject } from "resource-edge/worker";

const service = setResources(JSON.stringify(resources));
const files = {
  "/form": [form, "text/html"],
  "/resource-edge.js": [product, "text/javascript"],
};

export default {
  /** Serves the page, and the module that it imports. All other requests are the service's. */
  fetch(request, env) {
    const [text, type] = files[new URL(request.url).pathname] ?? [];
    if (text === undefined) return service.fetch(request, env);
    return new Response(text, { headers: { "Content-Type": `${type}; charset=utf-8` } });
  },
};
