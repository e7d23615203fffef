// Writes, changes, and finds a product by the client. Run it beside `npm run dev`:
//   TOKEN=$(npx resource-edge token) node first.mjs
import { ResourceClient, ResourceError } from "resource-edge";
import { product } from "./resource-edge.js";

const baseUrl = process.env.RESOURCE_EDGE_URL ?? "http://127.0.0.1:8787";
const token = process.env.TOKEN || undefined;
const client = new ResourceClient({ baseUrl, projectKey: "demo", token, resource: product });
try {
  const desk = await client.createOrUpdate({ key: "desk", title: "Desk", price: 240, tags: ["oak"] });
  await client.modify(desk.id, (now) => ({ price: now.price - 40 }));
  const where = product.where(({ price }) => price.lt(1000));
  for await (const { title, price } of client.all({ where })) console.log(title, price);
} catch (error) {
  if (!(error instanceof ResourceError)) throw error;
  console.error(`${error.kind}: ${error.message}`);
  process.exitCode = 1;
}
