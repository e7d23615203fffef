import axios, { isAxiosError } from "axios";
import type { Error as ServiceError } from "./api/axios";
import { createOrUpdate, deleteById, getByKey, query, updateById } from "./api/axios";
import { PROJECT, report, SERVICE, TOKEN } from "./program";
import { toQuery } from "./to-query";

axios.defaults.baseURL = SERVICE;
axios.defaults.headers.common.Authorization = `Bearer ${TOKEN}`;
axios.defaults.paramsSerializer = toQuery;

await report({
  async create(key, custom, int) {
    const body = { key, custom, objectTypeProperty: { arrayOfIntExample: [int] } };
    return (await createOrUpdate(PROJECT, body)).data;
  },
  async readByKey(key) {
    return (await getByKey(PROJECT, key)).data;
  },
  async query(where, custom) {
    const { data } = await query(PROJECT, { where, var: { "var.custom": custom } });
    return data.results.map(({ key }) => key);
  },
  async update(id, version) {
    const body = { version, actions: [{ action: "changeSomeProperty" as const, someProperty: "new" }] };
    try {
      return [(await updateById(PROJECT, id, body)).status, undefined];
    } catch (error) {
      if (!isAxiosError<ServiceError>(error) || error.response === undefined) throw error;
      return [error.response.status, error.response.data.errors[0]?.currentVersion];
    }
  },
  async remove(id, version) {
    return (await deleteById(PROJECT, id, { version })).data;
  },
});
