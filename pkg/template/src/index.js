// The Worker: the service with the fields of fields.json, and a page of yours at /form. Without the page, the last
// statement is one line:
//   export default withFields(fields);
import { withFields } from "resource-edge/worker";
import fields from "../fields.json" with { type: "json" };
import form from "./form.html";

export { ProjectObject } from "resource-edge/worker";

const service = withFields(fields);
const page = form.replace('"{fields}"', () => JSON.stringify(fields));

export default {
  /** Serves the page. All other requests are the service's. */
  fetch(request, env) {
    if (new URL(request.url).pathname !== "/form") return service.fetch(request, env);
    return new Response(page, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  },
};
