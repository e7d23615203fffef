// What KV has yet to be told: written with each change, drained after the answer, and by an alarm where that failed.

/** Between the beginnings of two puts of one key: KV takes one a second. */
const BETWEEN = 1_100;
/** How many puts run at once: the platform opens no more connections. */
const PUTS = 6;
const ALARM = 5_000;
const RETRY = 5_000;

export class Outbox {
  constructor(ctx, kv) {
    this.ctx = ctx;
    this.kv = kv;
    this.sql = ctx.storage.sql;
    this.running = new Set();
    this.began = new Map();
    this.alarmAt = Infinity;
  }

  /** Notes, inside the transaction of a write, that KV must be told. */
  note(project, id, revision, now) {
    const due = Math.max(now, (this.began.get(id) ?? 0) + BETWEEN);
    this.sql.exec(
      `INSERT INTO outbox(id, entry, revision, due) VALUES(?, ?, ?, ?)
       ON CONFLICT(id) DO UPDATE SET revision = excluded.revision, due = excluded.due`,
      id, `r1:${project}:${id}`, revision, due,
    );
    this.arm(now + ALARM, now);
  }

  /** Arms the alarm, unless it rings before. */
  arm(at, now) {
    if (this.alarmAt > now && this.alarmAt <= at) return;
    this.alarmAt = at;
    this.ctx.storage.setAlarm(at);
  }

  /** Begins what is due and has room. */
  drain() {
    if (this.running.size >= PUTS) return;
    const now = Date.now();
    const due = this.sql.exec(
      `SELECT outbox.id, entry, outbox.revision, resource.version, resource.key, resource.body
       FROM outbox JOIN resource USING(id) WHERE due <= ? ORDER BY due LIMIT ?`,
      now, PUTS,
    );
    for (const row of due) {
      if (this.running.size >= PUTS) break;
      if (!this.running.has(row.id)) this.ctx.waitUntil(this.put(row, now));
    }
    this.wake(now);
  }

  /** Comes back when the next put is due. */
  wake(now) {
    if (this.timer !== undefined || this.running.size > 0) return;
    const [next] = this.sql.exec("SELECT due FROM outbox ORDER BY due LIMIT 1");
    if (next === undefined) return this.began.clear();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.drain();
    }, Math.max(1, next.due - now));
  }

  async put({ id, entry, revision, version, key, body }, now) {
    this.running.add(id);
    this.began.set(id, now);
    try {
      await this.kv.put(entry, body, { metadata: { version, revision, key: key ?? undefined } });
      this.sql.exec("DELETE FROM outbox WHERE id = ? AND revision = ?", id, revision);
    } catch (error) {
      console.error(JSON.stringify({ level: "error", event: "put failed", about: id, reason: String(error) }));
      this.sql.exec("UPDATE outbox SET due = ? WHERE id = ?", now + RETRY, id);
    }
    this.running.delete(id);
    this.drain();
  }

  /** Drains what a crash left. */
  async alarm() {
    const now = Date.now();
    this.alarmAt = Infinity;
    const [left] = this.sql.exec("SELECT 1 FROM outbox LIMIT 1");
    if (left === undefined) return;
    this.arm(now + ALARM, now);
    this.drain();
  }
}
