// The Worker: the service, and a page of yours at /form. The service alone is one line:
//   export { default, ProjectObject } from "resource-edge/worker";
import service from "resource-edge/worker";
import form from "./form.html";

export { ProjectObject } from "resource-edge/worker";

export default {
  /** Serves the page. All other requests are the service's. */
  fetch(request, env) {
    if (new URL(request.url).pathname !== "/form") return service.fetch(request, env);
    return new Response(form, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  },
};
