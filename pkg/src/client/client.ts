/// <reference lib="esnext.disposable" preserve="true" />
// The client: one method for each operation, and the methods that combine calls (modify, pages, all).

import { Calls } from "./calls.js";
import { exportLines, importLines } from "./export-import.js";
import type { ComplexBody, ResourceDraft, ResourceOverwrite, ResourceUpdate } from "../generated/bodies.js";
import type {
  DeleteByIdParams,
  ExistsParams,
  GetByIdParams,
  GetByKeyParams,
  QueryParams,
  QuerySortedParams,
  SearchParams,
  UpdateByPathParams,
  UpdateWithUrnLinksParams,
} from "../generated/params.js";
import type { Arrays, Page, QueryPage, Receipt, Resource, SearchPage, Status } from "../generated/responses.js";
import { Modifier } from "./modify.js";
import type {
  AllOptions,
  AsyncWriteOptions,
  CallOptions,
  Modification,
  ClientOptions,
  ImportOptions,
  ImportResult,
  ModifyOptions,
  PagesParams,
  ProgressPage,
  ReadOptions,
  WriteOptions,
} from "./options.js";
import { pages } from "./pages.js";

/** Options of a read whose result may be `undefined`. */
type MaybeOptions = ReadOptions & ({ readonly orUndefined: true } | { readonly ifNoneMatch: string });

/**
 * A client of one project. It validates a body before it sends it, retries without writing twice, and never reads
 * anything older than what it has seen or written. Every failure is a {@link ResourceError}.
 *
 * The first call loads the WebAssembly if nothing else has. If it is loaded, the constructor throws the error of a
 * wrong option; otherwise the first call rejects with it.
 */
export class ResourceClient {
  #calls;
  #modifier;

  constructor(options: ClientOptions) {
    this.#calls = new Calls(options);
    this.#modifier = new Modifier(this.#calls);
  }

  /** Ends all calls with the kind `aborted`, and releases the client's memory. If you do not close a client, the
   * garbage collector releases it. */
  close(): void {
    this.#calls.close();
  }

  /** Calls `close`, for `using client = new ResourceClient(…)`. Engines without the symbol have no `using`. */
  declare [Symbol.dispose]: () => void;

  /** Queries resources (operation 1). Returns a page, and the arrays of its first result. */
  query(params?: QueryParams, options?: CallOptions): Promise<QueryPage> {
    return this.#calls.call("query", { params, options });
  }

  /**
   * Reads one resource by its ID (operation 2). Rejects with status 404 if there is none, unless `orUndefined` is set.
   */
  getById(id: string, params: GetByIdParams | undefined, options: MaybeOptions): Promise<Resource | undefined>;
  getById(
    id: string,
    params?: GetByIdParams,
    options?: ReadOptions & { readonly orUndefined?: false | undefined; readonly ifNoneMatch?: undefined },
  ): Promise<Resource>;
  getById(id: string, params?: GetByIdParams, options?: ReadOptions): Promise<Resource | undefined>;
  getById(id: string, params?: GetByIdParams, options?: ReadOptions): Promise<Resource | undefined> {
    return this.#calls.call("getById", { variables: [id], params, options });
  }

  /**
   * Reads one resource by its key (operation 3). Rejects with status 404 if there is none, unless `orUndefined` is set.
   */
  getByKey(key: string, params: GetByKeyParams | undefined, options: MaybeOptions): Promise<Resource | undefined>;
  getByKey(
    key: string,
    params?: GetByKeyParams,
    options?: ReadOptions & { readonly orUndefined?: false | undefined; readonly ifNoneMatch?: undefined },
  ): Promise<Resource>;
  getByKey(key: string, params?: GetByKeyParams, options?: ReadOptions): Promise<Resource | undefined>;
  getByKey(key: string, params?: GetByKeyParams, options?: ReadOptions): Promise<Resource | undefined> {
    return this.#calls.call("getByKey", { variables: [key], params, options });
  }

  /** Searches resources by their text, with filters and facets (operation 4). */
  search(params?: SearchParams, options?: CallOptions): Promise<SearchPage> {
    return this.#calls.call("search", { params, options });
  }

  /** Returns whether at least one resource matches (operation 5). */
  exists(params?: ExistsParams, options?: CallOptions): Promise<boolean> {
    return this.#calls.call("exists", { params, options });
  }

  /**
   * Creates a resource, and changes none. If another resource has the `id` or the `key`, rejects with an error whose
   * `errors` have the `path` `/id` or `/key`: with status 412, or with 400 (`DuplicateField`) if the body has an `id`
   * that no resource has. It is operation 6 with `If-None-Match: *`.
   */
  create(body: Omit<ResourceDraft, "version">, options?: WriteOptions): Promise<Resource> {
    // A creation expects no version. That of a copied resource would be compared with that of the one in the way.
    return this.createOrUpdate({ ...body, version: undefined }, { ...options, ifNoneMatch: "*" } as WriteOptions);
  }

  /**
   * Creates a resource, or replaces the arrays that the body has (operation 6). The body's `id` identifies the
   * resource, or its `key` if there is no `id`. A body without either creates one. If the body has a `version` and the
   * resource has another, the call rejects with status 409.
   */
  createOrUpdate(body: ResourceDraft, options?: WriteOptions): Promise<Resource> {
    return this.#calls.call("createOrUpdate", { options, body });
  }

  /**
   * Overwrites a resource (operation 7). Rejects with status 404 if there is none, and with 409 if it has another
   * version.
   */
  overwrite(body: ResourceOverwrite, options?: WriteOptions): Promise<Resource> {
    return this.#calls.call("overwrite", { options, body });
  }

  /** Creates or overwrites a resource (operation 8). Rejects with status 409 if the resource has another version. */
  createOrOverwrite(body: ResourceOverwrite, options?: WriteOptions): Promise<Resource> {
    return this.#calls.call("createOrOverwrite", { options, body });
  }

  /**
   * Creates a resource, or merges the fields that the body has (operation 9). The body identifies the resource. The two
   * path variables are checked and have no other effect.
   */
  updateByPath(
    uriParameterOne: string,
    uriParameterTwo: string,
    body: ComplexBody,
    params: UpdateByPathParams | undefined,
    options: AsyncWriteOptions & { readonly respondAsync: true },
  ): Promise<Receipt>;
  updateByPath(
    uriParameterOne: string,
    uriParameterTwo: string,
    body: ComplexBody,
    params?: UpdateByPathParams,
    options?: WriteOptions & { readonly respondAsync?: false | undefined },
  ): Promise<Arrays>;
  updateByPath(one: string, two: string, body: ComplexBody, params?: object, options?: WriteOptions): Promise<any> {
    return this.#calls.call("updateByPath", { variables: [one, two], params, options, body });
  }

  /**
   * Performs update actions on the expected version (operation 10). Rejects with status 409 if the resource has
   * another version.
   */
  updateById(id: string, body: ResourceUpdate, options?: WriteOptions): Promise<Resource> {
    return this.#calls.call("updateById", { variables: [id], options, body });
  }

  /** Deletes a resource and returns its last state (operation 11). */
  deleteById(id: string, params?: DeleteByIdParams, options?: WriteOptions): Promise<Resource> {
    return this.#calls.call("deleteById", { variables: [id], params, options });
  }

  /** Queries resources (operation 12): like `query`, but without the parameters and arrays that only `query` has. */
  querySorted(params?: QuerySortedParams, options?: CallOptions): Promise<Page> {
    return this.#calls.call("querySorted", { params, options });
  }

  /** Creates a resource, or merges the fields that the body has (operation 13). The body identifies the resource. */
  updateWithUrnLinks(
    body: ComplexBody,
    params: UpdateWithUrnLinksParams | undefined,
    options: AsyncWriteOptions & { readonly respondAsync: true },
  ): Promise<Receipt>;
  updateWithUrnLinks(
    body: ComplexBody,
    params?: UpdateWithUrnLinksParams,
    options?: WriteOptions & { readonly respondAsync?: false | undefined },
  ): Promise<Arrays>;
  updateWithUrnLinks(body: ComplexBody, params?: object, options?: WriteOptions): Promise<any> {
    return this.#calls.call("updateWithUrnLinks", { params, options, body });
  }

  /**
   * Reads a resource from the source of truth, by ID or key, and writes what `change` returns: update actions, or
   * fields with their new values, such as `{ custom: "blue" }`. Other fields, and other arrays of `objectTypeProperty`,
   * stay. If another caller changed the resource in between, starts again, at most `tries` times. If `change` returns
   * nothing, an empty list, or an empty object, it writes nothing.
   * Returns the resource after the change. Rejects with the error that `change` throws. To repeat a call that failed,
   * pass the error's `idempotencyKey`.
   */
  modify(
    target: string | { readonly key: string },
    change: (current: Resource) => Modification | PromiseLike<Modification>,
    options?: ModifyOptions,
  ): Promise<Resource> {
    return this.#modifier.modify(target, change, options ?? {});
  }

  /** @internal The calls, for `resource-edge/live`. */
  get calls(): Calls {
    return this.#calls;
  }

  /** Yields every resource that matches, page by page. Default: 100 in a page. */
  pages(params?: PagesParams, options?: CallOptions): AsyncGenerator<ProgressPage, void, undefined> {
    return pages((params) => this.query(params, options), params ?? {});
  }

  /** Yields every resource that matches, one by one. */
  async *all(params?: PagesParams, options?: AllOptions): AsyncGenerator<Resource, void, undefined> {
    for await (const page of this.pages(params, options)) {
      options?.onPage?.(page);
      yield* page.results;
    }
  }

  /** Returns the state of the project for operators, such as its size. Needs `manage_test`. */
  status(options?: CallOptions): Promise<Status> {
    return this.#calls.call("status", { options });
  }

  /**
   * Yields the lines of an export: a line of JSON for each resource and each deleted ID, then the end, which has the
   * position that the export has reached. `after` is such a position: then the export has only what was written since.
   * Needs `manage_test`. Each page is a separate call.
   */
  exportLines(params?: { readonly after?: string }, options?: CallOptions): AsyncGenerator<string, void, undefined> {
    return exportLines(this.#calls, params?.after, options);
  }

  /**
   * Imports the lines of an export exactly, into a project that is empty or has only imported lines. The service skips
   * lines that the project has, so a call that failed may be repeated. Needs `manage_test`. Each request, with at most
   * 500 lines, is a separate call. An error's `errors` have the number of the line.
   */
  importLines(lines: Iterable<string> | AsyncIterable<string>, options?: ImportOptions): Promise<ImportResult> {
    return importLines(this.#calls, lines, options ?? {});
  }
}

const { prototype } = ResourceClient;
if (Symbol.dispose) prototype[Symbol.dispose] = prototype.close;
