// Listeners with the same message, which share what the object evaluates (D36).

/** Decodes each byte as another character, for the keys of messages of any length. */
const BYTES = new TextDecoder("latin1");

export interface Group<Member> {
  key: string;
  message: Uint8Array;
  /** The revision that all of them have. */
  from: number;
  members: Set<Member>;
}

export class Groups<Member> {
  #groups = new Map<string, Group<Member>>();

  /** Returns those with something else than the newest revision. */
  before(newest: number) {
    return [...this.#groups.values()].filter(({ from }) => from !== newest);
  }

  /** Returns the group of a message. A new one has the newest revision. */
  of(message: Uint8Array, newest: () => number) {
    const key = BYTES.decode(message);
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { key, message, from: newest(), members: new Set() };
      this.#groups.set(key, group);
    }
    return group;
  }

  /** Removes a member from its group, and the group if that is empty. */
  leave(member: Member, group: Group<Member>) {
    group.members.delete(member);
    if (group.members.size === 0) this.remove(group);
  }

  remove(group: Group<Member>) {
    if (this.#groups.get(group.key) === group) this.#groups.delete(group.key);
  }
}
