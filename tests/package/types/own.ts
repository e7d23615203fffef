// The own fields that `npx resource-edge types` declares, in a program. It is compiled alone, because the declaration
// applies to every file.
import { type Resource, type ResourceClient, type ResourceDraft, setFields } from "resource-edge";
import { where } from "resource-edge/predicate";

declare module "resource-edge" {
  interface OwnFields {
    title: "text";
    price: "number";
    open: "boolean";
    since: "datetime";
    tags: "text[]";
    sizes: "integer[]";
  }
}

setFields({ fields: [{ name: "title", type: "text" }] });
const draft: ResourceDraft = { title: "a", price: null, tags: ["b"] as const, objectTypeProperty: {} };
// @ts-expect-error: a title is a text
const wrong: ResourceDraft = { title: 1, objectTypeProperty: {} };
// @ts-expect-error: no such field
const unknown: ResourceDraft = { titel: "a", objectTypeProperty: {} };

export async function run(client: ResourceClient) {
  const made: Resource = await client.createOrUpdate(draft);
  const title: string | undefined = made.title;
  const sizes: number[] | undefined = made.sizes;
  // @ts-expect-error: a title is a text
  const number: number | undefined = made.title;
  await client.updateById(made.id, {
    version: made.version,
    actions: [{ action: "setTitle", title: "c" }, { action: "setPrice" }, { action: "doSomeThing" }],
  });
  // @ts-expect-error: the action of another field
  await client.updateById(made.id, { version: 1, actions: [{ action: "setTitle", price: 1 }] });
  // @ts-expect-error: no such action
  await client.updateById(made.id, { version: 1, actions: [{ action: "setTitel" }] });
  await client.query({
    where: where((resource) =>
      resource.title.eq("a").and(resource.price.gt(1), resource.open.eq(true), resource.tags.containsAny(["b"])),
    ),
  });
  // @ts-expect-error: a boolean has no order
  where((resource) => resource.open.gt(true));
  return { title, sizes, number, wrong, unknown, since: where((resource) => resource.since.lt(new Date())) };
}
