import { createOrUpdate, deleteById, getByKey, query, updateById } from "./api/fetch";
import { PROJECT, report, TOKEN } from "./program";

const options = { headers: { Authorization: `Bearer ${TOKEN}` } };

/** Returns the body, if the status is not one of an error. */
function succeeded<R extends { status: number; data: unknown }>(response: R) {
  if (response.status >= 300) throw new Error(JSON.stringify(response.data));
  return response as Extract<R, { status: 200 | 201 }>;
}

await report({
  async create(key, custom, int) {
    const body = { key, custom, objectTypeProperty: { arrayOfIntExample: [int] } };
    return succeeded(await createOrUpdate(PROJECT, body, options)).data;
  },
  async readByKey(key) {
    return succeeded(await getByKey(PROJECT, key, undefined, options)).data;
  },
  async query(where, custom) {
    const { data } = succeeded(await query(PROJECT, { where, var: { "var.custom": custom } }, options));
    return data.results.map(({ key }) => key);
  },
  async update(id, version) {
    const body = { version, actions: [{ action: "changeSomeProperty" as const, someProperty: "new" }] };
    const { status, data } = await updateById(PROJECT, id, body, options);
    return [status, "errors" in data ? data.errors[0]?.currentVersion : undefined];
  },
  async remove(id, version) {
    return succeeded(await deleteById(PROJECT, id, { version }, options)).data;
  },
});
