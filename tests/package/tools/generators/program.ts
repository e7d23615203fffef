// The script that runs through each generated client: create, read, query, a stale update, delete.

/** What the script needs of a generated client. */
export interface Client {
  create(key: string, custom: string, int: number): Promise<{ id: string; version: number }>;
  readByKey(key: string): Promise<{ id: string }>;
  /** Returns the keys of the resources that satisfy all predicates, in which `:custom` is a variable. */
  query(where: string[], custom: string): Promise<unknown[]>;
  /** Returns the status, and the current version if there is a conflict. */
  update(id: string, version: number): Promise<[status: number, currentVersion: number | undefined]>;
  remove(id: string, version: number): Promise<{ id: string }>;
}

export const { SERVICE = "", TOKEN = "", PROJECT = "" } = process.env;

/** Prints what each call returned. */
export async function report(client: Client) {
  const { id, version } = await client.create("first", "red & blue", 7);
  await client.create("second", "green", 7);
  await client.create("third", "red & blue", 8);
  const read = await client.readByKey("first");
  const keys = await client.query(["arrayOfIntExample contains any (7)", "custom = :custom"], "red & blue");
  const updated = await client.update(id, version);
  const stale = await client.update(id, version);
  const removed = await client.remove(id, version + 1);
  const result = { version, isFound: read.id === id, keys, updated, stale, isRemoved: removed.id === id };
  console.log(`REPORT ${JSON.stringify(result)}`);
}
