// Writes, changes, and finds a resource by the client. Run it beside `npm run dev`:
//   TOKEN=$(npx resource-edge token) node first.mjs
import { ResourceClient, ResourceError, setFields } from "resource-edge";
import fields from "./fields.json" with { type: "json" };

setFields(fields);
const baseUrl = process.env.RESOURCE_EDGE_URL ?? "http://127.0.0.1:8787";
const client = new ResourceClient({ baseUrl, projectKey: "demo", token: process.env.TOKEN || undefined });
try {
  const desk = await client.createOrUpdate({ key: "desk", title: "Desk", price: 240, objectTypeProperty: {} });
  await client.modify(desk.id, (now) => ({ price: now.price - 40 }));
  for await (const { title, price } of client.all({ where: "price < 1000" })) console.log(title, price);
} catch (error) {
  if (!(error instanceof ResourceError)) throw error;
  console.error(`${error.kind}: ${error.message}`);
  process.exitCode = 1;
}
