import createClient from "openapi-fetch";
import type { paths } from "./api/schema";
import { PROJECT, report, SERVICE, TOKEN } from "./program";
import { toQuery } from "./to-query";

const client = createClient<paths>({
  baseUrl: SERVICE,
  headers: { Authorization: `Bearer ${TOKEN}` },
  querySerializer: toQuery,
});
const path = { projectKey: PROJECT };

function succeeded<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

await report({
  async create(key, custom, int) {
    const body = { key, custom, objectTypeProperty: { arrayOfIntExample: [int] } };
    return succeeded(await client.POST("/{projectKey}/resource", { params: { path }, body }));
  },
  async readByKey(key) {
    return succeeded(await client.GET("/{projectKey}/resource/key={key}", { params: { path: { ...path, key } } }));
  },
  async query(where, custom) {
    const params = { path, query: { where, var: { "var.custom": custom } } };
    return succeeded(await client.GET("/{projectKey}/resource", { params })).results.map(({ key }) => key);
  },
  async update(id, version) {
    const body = { version, actions: [{ action: "changeSomeProperty" as const, someProperty: "new" }] };
    const params = { path: { ...path, id } };
    const { response, error } = await client.POST("/{projectKey}/resource/{id}", { params, body });
    return [response.status, error?.errors[0]?.currentVersion];
  },
  async remove(id, version) {
    const params = { path: { ...path, id }, query: { version } };
    return succeeded(await client.DELETE("/{projectKey}/resource/{id}", { params }));
  },
});
