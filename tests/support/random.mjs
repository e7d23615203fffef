// Random numbers from a seed, the same in each run. Each part of a run has a separate stream, so that one part does not
// shift another.

/** Returns a 32-bit hash of the text. */
function hash(text) {
  let hash = 2_166_136_261;
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0), 16_777_619);
  return hash >>> 0;
}

export class Random {
  #state;

  constructor(seed, stream = "") {
    this.#state = hash(`${seed} ${stream}`);
  }

  /** Returns a number from 0 to 1 (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability) {
    return this.next() < probability;
  }

  /** Returns a number from `low` to `high`. */
  between(low, high) {
    return low + this.next() * (high - low);
  }

  /** Returns a whole number below `bound`. */
  below(bound) {
    return Math.floor(this.next() * bound);
  }

  pick(items) {
    return items[this.below(items.length)];
  }

  /** Returns one of the names with a probability in proportion to its weight. */
  weighted(weights) {
    const entries = Object.entries(weights);
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return entries[0][0];
  }
}
