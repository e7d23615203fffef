// The counts of facets beside a condition: each is the total of a query. Only fields with few values have them.

import type { ResourceModel } from "../../model/fields.js";
import { filterConditions, type Filter } from "../../model/query/filters.js";
import { choicesOf } from "../../model/schema.js";
import type { ResourceClient } from "../../pkg/browser.js";
import { h } from "../base/dom.js";
import { count } from "../base/format.js";

/** How many values are counted, which is the number of queries. */
const COUNTED = 24;

export class ChoiceCounts {
  #model;
  #client;
  #conditions;
  #places = new Map<Filter, HTMLElement>();

  /** `conditions(field)` are those of the list without the filters of a field. */
  constructor(model: ResourceModel, client: ResourceClient, conditions: (field: string) => readonly string[]) {
    this.#model = model;
    this.#client = client;
    this.#conditions = conditions;
  }

  /** Returns the place of a value's count. */
  place(filter: Filter) {
    const place = h("span", { class: "numeric muted" });
    const field = this.#model.find(filter.field);
    const isShort = field?.kind.startsWith("boolean") || choicesOf(field?.schema.items ?? field?.schema ?? {});
    if (isShort && this.#places.size < COUNTED) this.#places.set(filter, place);
    return place;
  }

  /** Reads and shows the counts, a field at a time. Without an answer, their places remain empty. */
  async read(signal: AbortSignal) {
    const fields = new Set([...this.#places.keys()].map(({ field }) => field));
    for (const field of fields) {
      const mine = [...this.#places].filter(([filter]) => filter.field === field);
      const counts = mine.map(([filter, place]) => this.#count(filter, place, signal));
      if ((await Promise.allSettled(counts)).some(({ status }) => status === "rejected")) return;
    }
  }

  async #count(filter: Filter, place: HTMLElement, signal: AbortSignal) {
    const where = [...this.#conditions(filter.field), ...filterConditions([filter], this.#model)];
    const { total = 0 } = await this.#client.query({ where, limit: 1 }, { signal });
    place.textContent = count(total);
  }
}
