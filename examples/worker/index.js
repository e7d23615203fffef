// A Worker that returns a resource by its key: GET /first. It calls the service through a service binding, without the
// network.
import { ResourceClient, ResourceError } from "resource-edge";

/** One client for all requests. It keeps the token and the session. */
let client;

export default {
  async fetch(request, env) {
    client ??= new ResourceClient({
      baseUrl: "https://resources",
      projectKey: "demo",
      credentials: { clientId: env.CLIENT_ID, clientSecret: env.CLIENT_SECRET, scope: "view_test:demo" },
      fetch: (url, init) => env.RESOURCES.fetch(url, init),
    });
    const key = new URL(request.url).pathname.slice(1);
    try {
      const resource = await client.getByKey(key, {}, { orUndefined: true });
      return resource === undefined ? new Response("Not Found", { status: 404 }) : Response.json(resource);
    } catch (error) {
      if (error instanceof ResourceError) return Response.json({ message: error.message }, { status: 502 });
      throw error;
    }
  },
};
