// The floor of writes: a Worker that does the least that any of this kind has to do. A write is one row and one put to
// KV. It has no token, no validation, no index, no words, and no retries, and it trusts every request.
import { DurableObject } from "cloudflare:workers";

export class Collection extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    this.sql.exec("CREATE TABLE IF NOT EXISTS resource(id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID");
  }

  create(project, text) {
    const record = { id: crypto.randomUUID(), version: 1, ...JSON.parse(text) };
    const body = JSON.stringify(record);
    this.sql.exec("INSERT INTO resource VALUES(?, ?)", record.id, body);
    this.put(`r1:${project}:${record.id}`, body);
    if (record.key !== undefined) this.put(`k1:${project}:${record.key}`, record.id);
    return body;
  }

  /** Performs the actions on the version that the caller expects. */
  update(project, id, text) {
    const { version, actions } = JSON.parse(text);
    const record = JSON.parse(this.sql.exec("SELECT body FROM resource WHERE id = ?", id).one().body);
    if (record.version !== version) throw new Error(`expected version ${version}, found ${record.version}`);
    record.version += 1;
    for (const { someProperty } of actions) record.someProperty = someProperty;
    const body = JSON.stringify(record);
    this.sql.exec("UPDATE resource SET body = ? WHERE id = ?", body, id);
    this.put(`r1:${project}:${id}`, body);
    return body;
  }

  put(entry, value) {
    this.ctx.waitUntil(this.env.RESOURCES.put(entry, value));
  }
}

const HEADERS = { "Content-Type": "application/json" };

export default {
  async fetch(request, env) {
    const [, project, , id] = new URL(request.url).pathname.split("/");
    const collection = env.COLLECTIONS.getByName(project);
    const text = await request.text();
    return id === undefined
      ? new Response(await collection.create(project, text), { status: 201, headers: HEADERS })
      : new Response(await collection.update(project, id, text), { headers: HEADERS });
  },
};
