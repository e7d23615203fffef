// The selected rows of a page of resources: a box for each, and a bar with what can be done with all of them.

import type { ResourceModel } from "../../model/fields.js";
import type { Resource, ResourceClient } from "../../pkg/browser.js";
import { may } from "../../state/session.js";
import { confirmDeletion } from "../base/dialog.js";
import { button, h, hold, toast } from "../base/dom.js";
import { undoableDeletion, undoDeletion } from "./undo.js";
import { report, writeEach } from "./write-each.js";
import { addDate, downloadLines } from "../files/download.js";
import { failureOf } from "../base/failure.js";
import { plural } from "../base/format.js";
import { renew } from "../base/renew.js";

interface SelectionOptions {
  client: ResourceClient;
  model: ResourceModel;
  project: string;
  /** Edits resources, and resolves with whether it has written. */
  edit: (chosen: readonly Resource[]) => Promise<boolean>;
  /** Called after resources were written. */
  done: () => unknown;
}

/** How many names the question before a deletion lists. */
const LISTED = 5;

export class Selection {
  bar = h("div", { class: "toolbar selection", role: "group", "aria-label": "Selected resources", hidden: true });
  #options;
  #page: readonly Resource[] = [];
  /** The IDs of the chosen resources. */
  #chosen = new Set<string>();
  #all: HTMLInputElement | undefined;

  constructor(options: SelectionOptions) {
    this.#options = options;
  }

  /** Selects nothing. */
  clear() {
    this.#choose([]);
  }

  /** Keeps the selection of what the page still has. */
  update(page: readonly Resource[]) {
    this.#page = page;
    this.#chosen = new Set(this.#selected().map(({ id }) => id));
    this.#show();
  }

  /** The box of a resource. */
  box(resource: Resource): HTMLElement {
    const { id } = resource;
    return h("input", {
      type: "checkbox",
      "aria-label": `Select ${this.#options.model.nameOf(resource)}`,
      dataset: { id },
      checked: this.#chosen.has(id),
      onchange: ({ currentTarget }) => {
        this.#chosen[currentTarget.checked ? "add" : "delete"](id);
        this.#show();
      },
    });
  }

  /** The box that selects the whole page. */
  all(): HTMLElement {
    const box: HTMLInputElement = h("input", {
      type: "checkbox",
      "aria-label": "Select all resources of this page",
      onchange: () => this.#choose(box.checked ? this.#page : []),
    });
    this.#all = box;
    this.#show();
    return box;
  }

  #choose(resources: readonly Resource[]) {
    this.#chosen = new Set(resources.map(({ id }) => id));
    for (const box of this.#all?.closest("table")?.querySelectorAll<HTMLInputElement>("input[data-id]") ?? [])
      box.checked = this.#chosen.has(box.dataset.id ?? "");
    this.#show();
  }

  #selected() {
    return this.#page.filter(({ id }) => this.#chosen.has(id));
  }

  #show() {
    const { size } = this.#chosen;
    if (this.#all !== undefined) {
      this.#all.checked = size > 0 && size === this.#page.length;
      this.#all.indeterminate = size > 0 && size < this.#page.length;
    }
    const isFocused = this.bar.contains(document.activeElement);
    this.bar.hidden = size === 0;
    if (this.bar.hidden && isFocused) this.#all?.focus();
    const next = h(
      "div",
      h("p", { role: "status" }, `${plural(size, "resource")} selected`),
      button("Export selected", () => this.#export()),
      may("update") && button("Edit selected", () => this.#edit()),
      may("delete") && button("Delete selected", () => this.#confirm(), "danger-quiet"),
      button("Clear", () => this.clear()),
    );
    renew(this.bar, next, "p, button");
  }

  #export() {
    const chosen = this.#selected();
    downloadLines(
      `${addDate(this.#options.project)}-selected.ndjson`,
      chosen.map((resource) => `${JSON.stringify(resource)}\n`).join(""),
    );
    toast(`Exported ${plural(chosen.length, "resource")}.`, "success");
  }

  async #edit() {
    const { edit, done } = this.#options;
    if (await edit(this.#selected())) done();
  }

  async #confirm() {
    const chosen = this.#selected();
    const { model } = this.#options;
    const names = chosen.slice(0, LISTED).map((resource) => h("li", h("strong", model.nameOf(resource))));
    const more = chosen.length > LISTED && h("li", `and ${chosen.length - LISTED} more`);
    const agreed = await confirmDeletion(
      `Delete ${plural(chosen.length, "resource")}?`,
      h(
        "div",
        { class: "stack tight" },
        h("p", `Each is deleted if nobody has changed it since.${undoableDeletion()}`),
        h("ul", names, more),
      ),
    );
    if (agreed) await this.#delete(chosen);
  }

  async #delete(chosen: readonly Resource[]) {
    const { client, model, done } = this.#options;
    const release = hold(this.bar, this.bar);
    const failed = await writeEach(chosen, ({ id, version }) =>
      client.deleteById(id, { version }).catch((error) => {
        // Somebody else has deleted it.
        if (failureOf(error).status !== 404) throw error;
      }),
    );
    release();
    done();
    const deleted = chosen.filter((resource) => !failed.some((one) => one.resource === resource));
    await report(model, "deleted", chosen.length, failed, undoDeletion({ client, model, deleted, done }));
  }
}
