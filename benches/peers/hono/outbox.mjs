// The outbox: KV entries that still have to be updated. Rows are written with each change. Puts start from memory after
// the response, or from an alarm if the object ended before.

/** The minimum time between the starts of two puts of an entry: KV accepts one a second. */
const BETWEEN = 1_100;
/** The maximum number of concurrent puts: the platform opens no more connections. */
const PUTS = 6;
/** The maximum number of entries with values in memory. The rest is read from the table when there is room. */
const HELD = 1_000;
const ALARM = 5_000;
const RETRY = 5_000;
/** Rows of finished puts are deleted together. After a crash in between, the puts are repeated. */
const FINISHED = 32;
const FINISHED_MS = 100;

const ENQUEUE = `INSERT INTO outbox(entry, id, revision) VALUES(?, ?, ?)
  ON CONFLICT(entry) DO UPDATE SET id = excluded.id, revision = excluded.revision`;
const DONE = `DELETE FROM outbox WHERE (entry, revision) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`;
const LEFT = `SELECT outbox.entry, outbox.id, outbox.revision, resource.version, resource.key, resource.body
  FROM outbox JOIN resource USING(id) LIMIT ?`;

export class Outbox {
  constructor(ctx, kv) {
    this.ctx = ctx;
    this.kv = kv;
    this.sql = ctx.storage.sql;
    this.queue = new Map();
    this.running = new Set();
    this.began = new Map();
    this.finished = [];
    this.alarmAt = 0;
    this.overflow = false;
  }

  /** Writes the row of an entry, inside the transaction of a change. */
  enqueue(entry, id, revision) {
    this.sql.exec(ENQUEUE, entry, id, revision);
  }

  /** Arms the alarm as a fallback, unless an earlier one is set. */
  arm(now) {
    if (this.alarmAt > now) return;
    this.alarmAt = now + ALARM;
    this.ctx.storage.setAlarm(this.alarmAt);
  }

  /** Schedules the put of an entry whose change is committed. */
  add(entry, value, revision, metadata) {
    if (this.queue.size >= HELD && !this.queue.has(entry)) this.overflow = true;
    else this.queue.set(entry, { entry, value, revision, metadata });
  }

  /** Starts the puts that are due while there is room. */
  drain() {
    const now = Date.now();
    let next = Infinity;
    for (const put of this.queue.values()) {
      if (this.running.size >= PUTS) return;
      const due = (this.began.get(put.entry) ?? 0) + BETWEEN;
      if (this.running.has(put.entry)) continue;
      if (due <= now) this.ctx.waitUntil(this.put(put, now));
      else next = Math.min(next, due);
    }
    if (next !== Infinity) this.wake(next - now);
    else if (this.overflow && this.queue.size === 0 && this.running.size === 0) this.refill();
  }

  wake(milliseconds) {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.drain();
    }, milliseconds);
  }

  async put({ entry, value, revision, metadata }, now) {
    this.queue.delete(entry);
    this.running.add(entry);
    this.began.delete(entry);
    this.began.set(entry, now);
    try {
      await this.kv.put(entry, value, { metadata });
      this.finish(entry, revision);
    } catch (error) {
      console.error(JSON.stringify({ level: "error", event: "put failed", about: entry, reason: String(error) }));
      this.overflow = true;
      await scheduler.wait(RETRY);
    }
    this.running.delete(entry);
    if (this.began.size > HELD) this.trim(now);
    this.drain();
  }

  finish(entry, revision) {
    if (this.finished.length === 0) setTimeout(() => this.deleteFinished(), FINISHED_MS);
    this.finished.push([entry, revision]);
    if (this.finished.length >= FINISHED) this.deleteFinished();
  }

  deleteFinished() {
    if (this.finished.length > 0) this.sql.exec(DONE, JSON.stringify(this.finished));
    this.finished = [];
  }

  /** Removes the put times after which KV accepts the next put. */
  trim(now) {
    for (const [entry, began] of this.began) {
      if (began + BETWEEN > now) break;
      this.began.delete(entry);
    }
  }

  /** Reads entries that are not in memory. */
  refill() {
    this.deleteFinished();
    const rows = this.sql.exec(LEFT, HELD).toArray();
    this.overflow = rows.length === HELD;
    for (const { entry, id, revision, version, key, body } of rows) {
      const pointer = entry.startsWith("k1:");
      this.add(
        entry,
        pointer ? id : body,
        revision,
        pointer ? { revision, id } : { version, revision, key: key ?? undefined },
      );
    }
    if (rows.length > 0) this.drain();
  }

  /** Puts the entries that an earlier run of the object left. */
  alarm() {
    this.alarmAt = 0;
    if (this.sql.exec("SELECT 1 FROM outbox LIMIT 1").toArray().length === 0) return;
    this.arm(Date.now());
    if (this.queue.size === 0 && this.running.size === 0) this.refill();
  }
}
