import type { Error as ServiceError } from "./api";
import { createOrUpdate, deleteById, getByKey, query, updateById } from "./api";
import { service } from "./kubb-client";
import { PROJECT, report, SERVICE, TOKEN } from "./program";

Object.assign(service, { url: SERVICE, token: TOKEN });

await report({
  create: (key, custom, int) =>
    createOrUpdate(PROJECT, { key, custom, objectTypeProperty: { arrayOfIntExample: [int] } }),
  readByKey: (key) => getByKey(PROJECT, key),
  async query(where, custom) {
    const page = await query(PROJECT, { where, var: { "var.custom": custom } });
    return page.results.map(({ key }) => key);
  },
  async update(id, version) {
    try {
      await updateById(PROJECT, id, { version, actions: [{ action: "changeSomeProperty", someProperty: "new" }] });
      return [200, undefined];
    } catch (error) {
      const { statusCode, errors } = error as ServiceError;
      return [statusCode, errors[0]?.currentVersion];
    }
  },
  remove: (id, version) => deleteById(PROJECT, id, { version }),
});
