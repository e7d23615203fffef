// The client: one method for each operation, and the methods that combine calls (modify, pages, all).

import { Calls } from "./calls.js";
import { modify } from "./modify.js";
import { pages } from "./pages.js";

/** A client of one project. */
export class ResourceClient {
  #calls;

  constructor(options) {
    this.#calls = new Calls(options);
  }

  query(params, options) {
    return this.#calls.call("query", [], params, options);
  }

  getById(id, params, options) {
    return this.#calls.call("getById", [id], params, options);
  }

  getByKey(key, params, options) {
    return this.#calls.call("getByKey", [key], params, options);
  }

  search(params, options) {
    return this.#calls.call("search", [], params, options);
  }

  exists(params, options) {
    return this.#calls.call("exists", [], params, options);
  }

  createOrUpdate(body, options) {
    return this.#calls.call("createOrUpdate", [], undefined, options, body);
  }

  overwrite(body, options) {
    return this.#calls.call("overwrite", [], undefined, options, body);
  }

  createOrOverwrite(body, options) {
    return this.#calls.call("createOrOverwrite", [], undefined, options, body);
  }

  updateByPath(uriParameterOne, uriParameterTwo, body, params, options) {
    return this.#calls.call("updateByPath", [uriParameterOne, uriParameterTwo], params, options, body);
  }

  updateById(id, body, options) {
    return this.#calls.call("updateById", [id], undefined, options, body);
  }

  deleteById(id, params, options) {
    return this.#calls.call("deleteById", [id], params, options);
  }

  querySorted(params, options) {
    return this.#calls.call("querySorted", [], params, options);
  }

  updateWithUrnLinks(body, params, options) {
    return this.#calls.call("updateWithUrnLinks", [], params, options, body);
  }

  modify(target, change, options) {
    return modify(this, this.#calls.timeout, target, change, options ?? {});
  }

  pages(params, options) {
    return pages(this, params ?? {}, options);
  }

  async *all(params, options) {
    for await (const page of this.pages(params, options)) {
      options?.onPage?.(page);
      yield* page.results;
    }
  }

  close() {
    this.#calls.close();
  }
}

if (Symbol.dispose) ResourceClient.prototype[Symbol.dispose] = ResourceClient.prototype.close;
