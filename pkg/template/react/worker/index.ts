// The Worker: the service with the resources of resources.json, and tokens for the users of the page at /api/token.
import { ResourceClient } from "resource-edge";
import { setResources } from "resource-edge/worker";
import resources from "../resources.json" with { type: "json" };

export { ProjectObject } from "resource-edge/worker";

type Env = { [name: string]: string };
const service = setResources(JSON.stringify(resources));
let client: ResourceClient;

/** Returns whether a person may have a token. Replace it by your own sign-in: a session, or Cloudflare Access. */
const isUser = (request: Request, { APP_PASSWORD, DEV_CLIENT_SECRET: password = APP_PASSWORD }: Env) =>
  password !== undefined && request.headers.get("Authorization") === `Bearer ${password}`;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (new URL(request.url).pathname !== "/api/token") return service.fetch(request, env);
    if (!isUser(request, env)) return new Response("The password is wrong.", { status: 401 });
    const { DEV_CLIENT_ID = "", DEV_CLIENT_SECRET = "" } = env;
    const { CLIENT_ID: clientId = DEV_CLIENT_ID, CLIENT_SECRET: clientSecret = DEV_CLIENT_SECRET } = env;
    // The server chooses the project and the scope. The secret never reaches the page.
    client ??= new ResourceClient({
      baseUrl: "https://service",
      projectKey: "demo",
      credentials: { clientId, clientSecret, scope: "manage_test:demo" },
      fetch: (url, init) => service.fetch(new Request(url, init), env),
    });
    return Response.json(await client.token(), { headers: { "Cache-Control": "no-store" } });
  },
};
