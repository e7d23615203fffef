// Groups of resources that callers contend for. No operation touches two groups, so that the checker can check each
// group's history separately. A group is in use for some dozens of operations, because checking is exponential in the
// worst case.

const IDS = 2;
const KEYS = 2;
const ACTIVE = 20;
const OPERATIONS = 48;
const UNKNOWN = 5;

const RAW = {
  post: 18,
  postKey: 9,
  put: 8,
  patch: 6,
  update: 20,
  delete: 8,
  freshId: 8,
  freshKey: 6,
  plainId: 6,
  plainKey: 4,
  minId: 4,
  query: 3,
  batch: 6,
};
const SESSION = {
  post: 12,
  postKey: 8,
  put: 5,
  patch: 4,
  update: 14,
  delete: 6,
  freshId: 4,
  freshKey: 3,
  plainId: 24,
  plainKey: 16,
  query: 4,
  batch: 5,
};
/** The writes of a batch. */
const WRITES = { post: 5, postKey: 2, put: 1, patch: 1, update: 4 };

class Group {
  operations = 0;
  unknown = 0;
  inFlight = 0;
  /** The newest state of each ID that a response contained. */
  seen = new Map();

  constructor(project, name) {
    this.project = project;
    this.name = name;
    this.ids = Array.from({ length: IDS }, (_, index) => `${name}-${index}`);
    this.keys = Array.from({ length: KEYS }, (_, index) => `${name}-k${index}`);
  }

  get isFull() {
    return this.operations >= OPERATIONS || this.unknown >= UNKNOWN;
  }

  /** Adds the states of a response. */
  learn(outcome) {
    for (const { id, version, revision } of outcome.records ?? (outcome.record ? [outcome.record] : [])) {
      if (this.ids.length < 6 && !this.ids.includes(id)) this.ids.push(id);
      if ((this.seen.get(id)?.version ?? 0) < version) this.seen.set(id, { version, revision });
    }
  }
}

/** The groups of a project that are in use. */
export class Groups {
  #active = [];
  #retired = [];
  #random;
  #prefix;
  #count = 0;
  #operation = 0;

  constructor(project, prefix, random) {
    this.project = project;
    this.#prefix = prefix;
    this.#random = random;
    while (this.#active.length < ACTIVE) this.#active.push(this.#create());
  }

  #create() {
    this.#count += 1;
    return new Group(this.project, `${this.#prefix}g${this.#count}`);
  }

  get active() {
    return this.#active;
  }

  /** Returns groups that are full and idle, and drops them. */
  takeRetired() {
    const ready = this.#retired.filter((group) => group.inFlight === 0);
    this.#retired = this.#retired.filter((group) => group.inFlight > 0);
    return ready;
  }

  /**
   * Returns the next operation. Prefers the first groups, so that some resources are hot and others live through kills.
   */
  next(session) {
    const random = this.#random;
    const place = Math.floor(ACTIVE * random.next() ** 3);
    const group = this.#active[place];
    const name = random.weighted(session ? SESSION : RAW);
    return { group, op: this.operation(group, name) };
  }

  /** Returns an operation on the group. */
  operation(group, name) {
    const random = this.#random;
    if (name === "batch") return this.#batch(group);
    this.#operation += 1;
    const [, mode, subject] = /^(fresh|plain|min)?(.*)$/.exec(name);
    const kind = mode === undefined ? name : `read${subject}`;
    const id = kind === "postKey" || kind === "readKey" || kind === "query" ? null : random.pick(group.ids);
    const seen = group.seen.get(id) ?? { version: 0, revision: 0 };
    let version = null;
    if (["put", "patch", "update"].includes(kind) || (["post", "delete"].includes(kind) && random.chance(0.4))) {
      version = Math.max(0, seen.version - (random.chance(0.08) ? 1 : 0));
    }
    return {
      project: this.project,
      group: group.name,
      kind,
      id,
      key: kind === "postKey" || kind === "readKey" ? random.pick(group.keys) : null,
      set: ["post", "put", "patch"].includes(kind) && random.chance(0.35) ? random.pick(group.keys) : null,
      version,
      mode: kind === "query" ? "fresh" : (mode ?? null),
      floor: mode === "min" ? seen.revision : null,
      // The letter keeps round 1, operation 15 apart from round 11, operation 5.
      value: `${this.#prefix}v${this.#operation}`,
      data: this.#operation,
    };
  }

  /** Returns a batch of writes, which know the versions that those before them leave. */
  #batch(group) {
    const random = this.#random;
    const writes = Array.from({ length: random.chance(0.5) ? 2 : 3 }, () =>
      this.operation(group, random.weighted(WRITES)),
    );
    for (const [at, write] of writes.entries())
      if (write.version !== null) write.version += writes.slice(0, at).filter(({ id }) => id === write.id).length;
    return { ...writes[0], kind: "batch", writes };
  }

  /** Counts a finished operation, and replaces a full group. */
  finished(group, outcome) {
    group.learn(outcome);
    if (outcome.is === "unknown") group.unknown += 1;
    if (!group.isFull) return;
    const place = this.#active.indexOf(group);
    if (place < 0) return;
    this.#retired.push(group);
    this.#active[place] = this.#create();
  }
}
