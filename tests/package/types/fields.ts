// Reads of some fields: what may be named, and the types of the results. Compiled, never run.
import type { FieldName, PartOf, RecordOf, Resource, ResourceClient } from "resource-edge";
import { live } from "resource-edge/live";
import { useList, useLive } from "resource-edge/react";

interface Product {
  title: string;
  price?: number;
  tags?: string[];
  size: { width?: number; height: number; inner?: { depth: number } };
  parts?: { color: string; stock?: number }[];
}

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;

declare const client: ResourceClient<Product>;
declare const interfaces: ResourceClient;
// biome-ignore lint/suspicious/noExplicitAny: a resource without a type must work
declare const loose: ResourceClient<any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
declare const open: ResourceClient<{ [name: string]: any }>;

export async function reads() {
  const one = await client.getById("a", { fields: ["title", "size.width"] });
  const [id, version, title, width]: [string, number, string, number | undefined] = [
    one.id,
    one.version,
    one.title,
    one.size.width,
  ];
  // @ts-expect-error: not named
  one.price;
  // @ts-expect-error: not named inside
  one.size.height;
  const { price } = await client.getByKey("a", { fields: "price" });
  price satisfies number | undefined;
  const maybe = await client.getById("a", { fields: ["tags"] }, { orUndefined: true });
  maybe?.tags satisfies string[] | undefined;
  // @ts-expect-error: it may be undefined
  maybe.tags;
  // @ts-expect-error: no such field
  await client.getById("a", { fields: ["titel"] });
  // @ts-expect-error: nor inside
  await client.query({ fields: ["size.color"] });
  const page = await client.query({ fields: ["parts.stock", "size.inner.depth", "createdBy"], limit: 5 });
  page.total satisfies number | undefined;
  page.results.map(({ parts, size, createdBy }) => [parts?.map(({ stock }) => stock), size.inner?.depth, createdBy]);
  // @ts-expect-error: not named
  page.results[0]?.parts?.[0]?.color;
  (await client.querySorted({ fields: ["size"], sort: "price" })).results[0]?.size.height satisfies number | undefined;
  const found = await client.search({ fields: ["title"], text: { en: "lamp" } });
  found.facets.title;
  // @ts-expect-error: not named
  found.results[0]?.tags;
  for await (const { title } of client.all({ fields: ["title"] }, { onPage: ({ results }) => results[0]?.title }))
    title satisfies string;
  // @ts-expect-error: it returns no fields
  await client.exists({ fields: ["title"] });
  const whole: RecordOf<Product> = await client.getById("a", {});
  const none: RecordOf<Product> = await client.getById("a", { fields: [] });
  return [id, version, title, width, whole, none];
}

export async function ofTheInterface() {
  const { objectTypeProperty, custom } = await interfaces.getById("a", {
    fields: ["custom", "arrayOfIntExample", "objectTypeProperty.arrayOfObjectType.integerExample"],
  });
  const [integers, objects]: [number[], { integerExample?: number | null | undefined }[]] = [
    objectTypeProperty.arrayOfIntExample,
    objectTypeProperty.arrayOfObjectType,
  ];
  // @ts-expect-error: not named
  objectTypeProperty.arrayOfStringExample;
  const page = await interfaces.query({ fields: ["custom"] });
  page.arrayOfIntExample satisfies number[] | undefined;
  const whole: Resource = await interfaces.getById("a");
  const any: string[] = ["a"];
  (await loose.getById("a", { fields: any })).id satisfies string;
  (await open.getById("a", { fields: ["anything.deep"] })).anything.deep;
  return [integers, objects, custom, whole];
}

export function Views() {
  live(client, { where: "price > 3", fields: ["title"] }).getSnapshot().items[0]?.title satisfies string | undefined;
  // @ts-expect-error: not named
  live(client, { search: { fields: ["title"] } }).getSnapshot().items[0]?.price;
  useLive(client, { search: { fields: ["price"] } }).items[0]?.price satisfies number | undefined;
  const list = useList(client, { fields: ["title", "price"], facet: "tags" });
  const [first] = list.items;
  if (first) list.change(first, { price: 5 });
  // @ts-expect-error: not named
  first?.size;
}

export const parts: [
  Same<PartOf<Product>, RecordOf<Product>>,
  Same<PartOf<Product, "size.height">["size"], { height: number }>,
  Same<PartOf<Product, "parts">["parts"], Product["parts"]>,
  Same<FieldName<{ a: { b?: string }[] }>, FieldName<Record<never, never>> | "a" | "a.b">,
] = [true, true, true, true];
