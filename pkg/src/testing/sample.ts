// Sample resources: random bodies that the schema of a resource allows, the same for the same seed.

import { resolved } from "../items/references.js";
import { textsOf } from "./pattern.js";
import { sfc32 } from "./random.js";

interface SampledSchema {
  readonly [keyword: string]: any;
}

/** How often a value is made again if it is not allowed: because of its pattern, or because another one is equal. */
const TRIES = 200;
/** How many items a list has at most, unless it needs more. */
const ITEMS = 3;
const WORDS = (
  "amber ash birch blue bold brass bright calm cedar clay cloud cool copper coral cotton dune early " +
  "elm fern fine fir frost glass gold grand green grey hazel iron ivory lake large light lime linen " +
  "low maple marble mint moss north oak olive opal pearl pine plain quiet red rose round sand silk " +
  "silver slate slim small soft solid south steel stone tall teal warm white wide wild willow wool"
).split(" ");

/** Yields bodies without an end. Throws a `TypeError` if the schema requires a value that this cannot make. */
export function* sampleBodies(schema: SampledSchema, seed: number): Generator<object, never> {
  const next = sfc32(seed);
  const random = (below: number) => (next() >>> 0) % below;
  const sampler = new Sampler(schema, random);
  for (;;) yield sampler.object(schema, "");
}

class Sampler {
  #root;
  #random;
  /** The values that a unique field or the items of a list have, by its place. */
  #used = new Map<string, Set<string>>();

  constructor(root: SampledSchema, random: (below: number) => number) {
    this.#root = root;
    this.#random = random;
  }

  object({ properties = {}, required = [] }: SampledSchema, place: string): { [name: string]: unknown } {
    const entries = Object.entries<SampledSchema>(properties).flatMap(([name, part]) => {
      const isRequired = required.includes(name);
      // A fifth of the optional values is missing.
      if (!isRequired && this.#random(5) === 0) return [];
      const value = this.#value(part, `${place}/${name}`);
      if (value === undefined && isRequired)
        throw new TypeError(`sample: no text for the pattern of '${place}/${name}' was found. Pass bodies instead.`);
      return value === undefined ? [] : [[name, value]];
    });
    return Object.fromEntries(entries);
  }

  /** Returns a value that the schema allows and that is unique, if it has to be; `undefined` if none was found. */
  #value(part: SampledSchema, place: string): unknown {
    const schema = resolved(part, this.#root);
    for (let tries = 0; tries < TRIES; tries++) {
      const value = this.#make(schema, place);
      if (value === undefined || !schema["x-unique"]) return value;
      if (this.#isNew(place, value)) return value;
    }
    return undefined;
  }

  #isNew(place: string, value: unknown) {
    const used = this.#used.get(place) ?? new Set();
    this.#used.set(place, used);
    const text = JSON.stringify(value);
    return !used.has(text) && used.add(text) !== undefined;
  }

  #make(schema: SampledSchema, place: string): unknown {
    if (schema.const !== undefined) return schema.const;
    const listed = schema.enum?.filter((value: unknown) => value !== null) ?? schema.examples;
    if (listed?.length > 0) return this.#pick(listed);
    const type = [schema.type].flat().find((name) => name !== "null");
    if (type === "object") return this.object(schema, place);
    if (type === "array") return this.#list(schema, place);
    if (type === "boolean") return this.#random(2) === 1;
    return type === "string" ? this.#text(schema) : this.#number(schema, type === "integer");
  }

  #list({ items = {}, minItems = 0, maxItems = minItems + ITEMS, uniqueItems }: SampledSchema, place: string) {
    const length = minItems + this.#random(Math.min(ITEMS, maxItems - minItems) + 1);
    const list = Array.from({ length }, () => this.#value(items, `${place}/`)).filter((item) => item !== undefined);
    return uniqueItems ? [...new Map(list.map((item) => [JSON.stringify(item), item])).values()] : list;
  }

  #number({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: SampledSchema, isWhole: boolean) {
    const step = multipleOf ?? (isWhole ? 1 : 0.01);
    const least = minimum ?? exclusiveMinimum ?? Math.min(0, (maximum ?? exclusiveMaximum ?? 0) - 1000);
    const most = maximum ?? exclusiveMaximum ?? least + 1000;
    const first = Math.ceil(least / step) + (least === exclusiveMinimum ? 1 : 0);
    const last = Math.min(Math.floor(most / step) - (most === exclusiveMaximum ? 1 : 0), first + 100_000);
    const value = (first + this.#random(Math.max(1, last - first + 1))) * step;
    return Number(value.toFixed(6));
  }

  #text({ pattern, format, minLength = 0, maxLength = 60 }: SampledSchema): string | undefined {
    if (pattern !== undefined) {
      const make = textsOf(pattern, this.#random);
      for (let tries = 0; make !== undefined && tries < TRIES; tries++) {
        const text = make();
        if (text.length >= minLength && text.length <= maxLength && new RegExp(pattern, "u").test(text)) return text;
      }
      return undefined;
    }
    if (format !== undefined) return this.#formatted(format);
    let text = this.#words(2 + this.#random(2)).join(" ");
    while (text.length < minLength) text += ` ${this.#pick(WORDS)}`;
    const cut = text.slice(0, maxLength).trim().padEnd(minLength, "a");
    return cut.charAt(0).toUpperCase() + cut.slice(1);
  }

  #formatted(format: string): string {
    const time = new Date(Date.UTC(2025, 0, 1) + this.#random(365 * 86_400) * 1000).toISOString();
    const name = this.#words(2).join("-");
    const hex = (length: number) => Array.from({ length }, () => this.#random(16).toString(16)).join("");
    const formats: { [format: string]: string } = {
      "date-time": time,
      date: time.slice(0, 10),
      time: time.slice(11, 19) + "Z",
      email: `${name}@example.org`,
      uri: `https://example.org/${name}`,
      hostname: `${name}.example.org`,
      uuid: `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
      ipv4: `192.0.2.${this.#random(256)}`,
      ipv6: `2001:db8::${hex(4)}`,
    };
    return formats[format] ?? name;
  }

  #words = (length: number) => Array.from({ length }, () => this.#pick(WORDS));

  #pick = <Item>(items: readonly Item[]) => items[this.#random(items.length)] as Item;
}
