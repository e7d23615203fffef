import { createClient } from "./api/client";
import { createOrUpdate, deleteById, getByKey, query, updateById } from "./api/sdk.gen";
import { PROJECT, report, SERVICE, TOKEN } from "./program";

const client = createClient({ baseUrl: SERVICE, auth: TOKEN, throwOnError: true });
const path = { projectKey: PROJECT };

await report({
  async create(key, custom, int) {
    const body = { key, custom, objectTypeProperty: { arrayOfIntExample: [int] } };
    return (await createOrUpdate({ client, path, body, throwOnError: true })).data;
  },
  async readByKey(key) {
    return (await getByKey({ client, path: { ...path, key }, throwOnError: true })).data;
  },
  async query(where, custom) {
    const { data } = await query({ client, path, query: { where, var: { "var.custom": custom } }, throwOnError: true });
    return data.results.map(({ key }) => key);
  },
  async update(id, version) {
    const body = { version, actions: [{ action: "changeSomeProperty" as const, someProperty: "new" }] };
    const { response, error } = await updateById({ client, path: { ...path, id }, body, throwOnError: false });
    return [response?.status ?? 0, error?.errors[0]?.currentVersion];
  },
  async remove(id, version) {
    return (await deleteById({ client, path: { ...path, id }, query: { version }, throwOnError: true })).data;
  },
});
