// Writes and reads resources by the client. Run it beside `npm run dev`:
//   TOKEN=$(npx resource-edge token) node first.mjs
import { ResourceClient, ResourceError } from "resource-edge";

const baseUrl = process.env.SERVICE ?? "http://127.0.0.1:8787";
const client = new ResourceClient({ baseUrl, projectKey: "demo", token: process.env.TOKEN });
try {
  const created = await client.createOrUpdate({ key: "first", objectTypeProperty: { arrayOfIntExample: [1, 2, 3] } });
  await client.modify(created.id, () => ({ custom: "new" }));
  for await (const { key, version } of client.all({ where: "key is defined" })) console.log(key, version);
} catch (error) {
  if (!(error instanceof ResourceError)) throw error;
  console.error(error.kind, error.status, error.message);
  process.exitCode = 1;
}
