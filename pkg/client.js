// The client: one method for each operation, and the methods that combine calls (modify, pages, all).

import { Calls } from "./calls.js";
import { Modifier } from "./modify.js";
import { pages } from "./pages.js";

/** @typedef {import("./client.js").ResourceClient} Methods */
/** @typedef {object | undefined} Params */
/** @typedef {Parameters<Calls["call"]>[3]} Options */

/** A client of one project. */
export class ResourceClient {
  #calls;
  #modifier = new Modifier(this);

  /** @param {import("./client.js").ClientOptions} options */
  constructor(options) {
    this.#calls = new Calls(options);
  }

  /** @type {Methods["query"]} */
  query(params, options) {
    return this.#calls.call("query", [], params, options);
  }

  /**
   * @param {string} id
   * @param {Params} [params]
   * @param {Options} [options]
   */
  getById(id, params, options) {
    return this.#calls.call("getById", [id], params, options);
  }

  /**
   * @param {string} key
   * @param {Params} [params]
   * @param {Options} [options]
   */
  getByKey(key, params, options) {
    return this.#calls.call("getByKey", [key], params, options);
  }

  /** @type {Methods["search"]} */
  search(params, options) {
    return this.#calls.call("search", [], params, options);
  }

  /** @type {Methods["exists"]} */
  exists(params, options) {
    return this.#calls.call("exists", [], params, options);
  }

  /** @type {Methods["createOrUpdate"]} */
  createOrUpdate(body, options) {
    return this.#calls.call("createOrUpdate", [], undefined, options, body);
  }

  /** @type {Methods["overwrite"]} */
  overwrite(body, options) {
    return this.#calls.call("overwrite", [], undefined, options, body);
  }

  /** @type {Methods["createOrOverwrite"]} */
  createOrOverwrite(body, options) {
    return this.#calls.call("createOrOverwrite", [], undefined, options, body);
  }

  /**
   * @param {string} uriParameterOne
   * @param {string} uriParameterTwo
   * @param {object} body
   * @param {Params} [params]
   * @param {Options} [options]
   */
  updateByPath(uriParameterOne, uriParameterTwo, body, params, options) {
    return this.#calls.call("updateByPath", [uriParameterOne, uriParameterTwo], params, options, body);
  }

  /** @type {Methods["updateById"]} */
  updateById(id, body, options) {
    return this.#calls.call("updateById", [id], undefined, options, body);
  }

  /** @type {Methods["deleteById"]} */
  deleteById(id, params, options) {
    return this.#calls.call("deleteById", [id], params, options);
  }

  /** @type {Methods["querySorted"]} */
  querySorted(params, options) {
    return this.#calls.call("querySorted", [], params, options);
  }

  /**
   * @param {object} body
   * @param {Params} [params]
   * @param {Options} [options]
   */
  updateWithUrnLinks(body, params, options) {
    return this.#calls.call("updateWithUrnLinks", [], params, options, body);
  }

  /** @type {Methods["modify"]} */
  modify(target, change, options) {
    return this.#modifier.modify(this.#calls.timeout, target, change, options ?? {});
  }

  /** @type {Methods["pages"]} */
  pages(params, options) {
    return pages(this, params ?? {}, options);
  }

  /** @type {Methods["all"]} */
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

/** @type {object & { [Symbol.dispose]?: () => void }} */
const prototype = ResourceClient.prototype;
if (Symbol.dispose) prototype[Symbol.dispose] = ResourceClient.prototype.close;
