import { ResourceClient } from "resource-edge";
import { createService } from "resource-edge/testing";
import { userToken } from "resource-edge/token";
import type { Fault, Operation, Service, ServiceRequest } from "resource-edge/testing";

export async function tests(): Promise<void> {
  const service: Service = await createService({
    projectKey: "demo",
    scope: ["view_test", "manage_test:demo"],
    bodies: [{ key: "a", objectTypeProperty: { arrayOfIntExample: [1] } }],
    now: "2026-01-01T00:00:00Z",
    seed: 1,
    settings: { TOKEN_TTL: "60", CORS_ORIGINS: null },
  });
  const client = new ResourceClient({ ...service.clientOptions(), retry: false });
  new ResourceClient({
    projectKey: "demo",
    baseUrl: service.baseUrl,
    credentials: { ...service.credentials, scope: "view_test:demo" },
    fetch: service.fetch,
  });
  const operation: Operation = "updateById";
  const fault: Fault = {
    operation,
    status: 503,
    retryAfter: 2,
    times: Infinity,
    match: ({ variables }) => variables.id === "a",
  };
  const end = service.fail(fault);
  end();
  service.fail({ operation: ["getById", "getByKey"], delay: 5, lostResponse: true, before: () => client.exists() });
  // @ts-expect-error there is no such operation
  service.fail({ operation: "read", networkError: true });
  // @ts-expect-error the service never returns this status
  service.fail({ status: 418 });
  const last: ServiceRequest | undefined = service.requests[0];
  const status: number | undefined = last?.status;
  const token: string = await service.token({ scope: "view_test" });
  const ofUser = new ResourceClient(service.clientOptions({ user: "alice", claims: { groups: ["a"], level: 1 } }));
  const signed: { token: string; expiresIn: number } = await userToken({ secret: service.tokenSecret, user: "alice" });
  void [ofUser, signed];
  // @ts-expect-error no rule can use an object
  await userToken({ secret: "", user: "alice", claims: { role: { name: "editor" } } });
  void [status, token];
  const page = { route: () => Promise.resolve(), routeWebSocket: () => Promise.resolve() };
  await service.route(page, "https://api.example.com/*");
  await service.settle();
  await service.advance(1000);
  await service.reset();
  service.close();
  // @ts-expect-error the list is read-only
  service.requests.push();
  // @ts-expect-error there is no such option
  await createService({ port: 1 });
}
