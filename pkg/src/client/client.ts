/// <reference lib="esnext.disposable" preserve="true" />
// The client: one method for each operation, and the methods that combine calls (modify, pages, all).

import { Calls } from "./calls.js";
import { exportLines, importLines } from "./export-import.js";
import type {
  DeleteByIdParams,
  GetByIdParams,
  GetByKeyParams,
  QuerySortedParams,
  SearchParams,
  UpdateByPathParams,
  UpdateWithUrnLinksParams,
} from "../generated/params.js";
import type { Receipt, Resource, Status } from "../generated/responses.js";
import type {
  BatchWriteOf,
  ChangedOf,
  ComplexOf,
  DraftOf,
  OverwriteOf,
  PageOf,
  QueryPageOf,
  QueryParamsOf,
  RecordOf,
  SearchPageOf,
  UpdateOf,
  WriteOf,
  WriteResultOf,
} from "../own/bodies.js";
import type { FieldName, PartOf, WithFields } from "../own/parts.js";
import { type Change, Modifier } from "./modify.js";
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
  QueryOptions,
  ReadOptions,
  WriteOptions,
} from "./options.js";
import { pages } from "./pages.js";

/** Options of a read whose result may be `undefined`. */
type MaybeOptions = ReadOptions & ({ readonly orUndefined: true } | { readonly ifNoneMatch: string });

/** Options of a read whose result is a resource. */
type SureOptions = ReadOptions & { readonly orUndefined?: false | undefined; readonly ifNoneMatch?: undefined };

/**
 * A client of one project. It validates a body before it sends it, retries without writing twice, and never reads
 * anything older than what it has seen or written. Every failure is a {@link ResourceError}.
 *
 * The first call loads the WebAssembly if nothing else has. If it is loaded, the constructor throws the error of a
 * wrong option; otherwise the first call rejects with it.
 *
 * `Content` is the type of the option `resource`. Without it, the resources are those of the interface.
 */
export class ResourceClient<Content extends object = Resource> {
  #calls;
  #modifier;

  constructor(options: ClientOptions<Content>) {
    this.#calls = new Calls(options as ClientOptions<any>);
    this.#modifier = new Modifier(this.#calls);
  }

  /** Ends all calls with the kind `aborted`, and releases the client's memory. If you do not close a client, the
   * garbage collector releases it. */
  close(): void {
    this.#calls.close();
  }

  /** Calls `close`, for `using client = new ResourceClient(…)`. Engines without the symbol have no `using`. */
  declare [Symbol.dispose]: () => void;

  /**
   * Returns the client's token and the seconds for which it is valid, for a route of your server that gives it to its
   * signed-in users: `Response.json(await client.token())`. What they may do is the `scope` of `credentials`. A page
   * passes a function that calls the route as the option `token`.
   */
  token(options?: Pick<CallOptions, "signal" | "timeout">): Promise<{ token: string; expiresIn: number | undefined }> {
    return this.#calls.token(options);
  }

  /** Queries resources (operation 1). Returns a page, and the arrays of its first result. */
  query<Name extends FieldName<Content> = never>(
    params?: WithFields<QueryParamsOf<Content>, Content, Name>,
    options?: QueryOptions,
  ): Promise<QueryPageOf<Content, Name>> {
    return this.#calls.call("query", { params, options });
  }

  /**
   * Reads one resource by its ID (operation 2). Rejects with status 404 if there is none, unless `orUndefined` is set.
   */
  getById<Name extends FieldName<Content> = never>(
    id: string,
    params: WithFields<GetByIdParams, Content, Name> | undefined,
    options: MaybeOptions,
  ): Promise<PartOf<Content, Name> | undefined>;
  getById<Name extends FieldName<Content> = never>(
    id: string,
    params?: WithFields<GetByIdParams, Content, Name>,
    options?: SureOptions,
  ): Promise<PartOf<Content, Name>>;
  getById<Name extends FieldName<Content> = never>(
    id: string,
    params?: WithFields<GetByIdParams, Content, Name>,
    options?: ReadOptions,
  ): Promise<PartOf<Content, Name> | undefined>;
  getById(id: string, params?: object, options?: ReadOptions): Promise<any> {
    return this.#calls.call("getById", { variables: [id], params, options });
  }

  /**
   * Reads one resource by its key (operation 3). Rejects with status 404 if there is none, unless `orUndefined` is set.
   */
  getByKey<Name extends FieldName<Content> = never>(
    key: string,
    params: WithFields<GetByKeyParams, Content, Name> | undefined,
    options: MaybeOptions,
  ): Promise<PartOf<Content, Name> | undefined>;
  getByKey<Name extends FieldName<Content> = never>(
    key: string,
    params?: WithFields<GetByKeyParams, Content, Name>,
    options?: SureOptions,
  ): Promise<PartOf<Content, Name>>;
  getByKey<Name extends FieldName<Content> = never>(
    key: string,
    params?: WithFields<GetByKeyParams, Content, Name>,
    options?: ReadOptions,
  ): Promise<PartOf<Content, Name> | undefined>;
  getByKey(key: string, params?: object, options?: ReadOptions): Promise<any> {
    return this.#calls.call("getByKey", { variables: [key], params, options });
  }

  /** Searches resources by their text, with filters and facets (operation 4). */
  search<Name extends FieldName<Content> = never>(
    params?: WithFields<SearchParams, Content, Name>,
    options?: QueryOptions,
  ): Promise<SearchPageOf<Content, Name>> {
    return this.#calls.call("search", { params, options });
  }

  /** Returns whether at least one resource matches (operation 5). */
  exists(params?: QueryParamsOf<Content>, options?: QueryOptions): Promise<boolean> {
    return this.#calls.call("exists", { params, options });
  }

  /**
   * Creates a resource, and changes none. If another resource has the `id` or the `key`, rejects with an error whose
   * `errors` have the `path` `/id` or `/key`: with status 412, or with 400 (`DuplicateField`) if the body has an `id`
   * that no resource has. It is operation 6 with `If-None-Match: *`.
   */
  create(body: Omit<DraftOf<Content>, "version">, options?: WriteOptions): Promise<RecordOf<Content>> {
    // A creation expects no version. That of a copied resource would be compared with that of the one in the way.
    const draft = { ...body, version: undefined } as unknown as DraftOf<Content>;
    return this.createOrUpdate(draft as WriteOf<Content>, { ...options, ifNoneMatch: "*" } as WriteOptions);
  }

  /**
   * Creates a resource, or replaces the arrays that the body has (operation 6). The body's `id` identifies the
   * resource, or its `key` if there is no `id`. A body without either creates one. If the body has a `version` and the
   * resource has another, the call rejects with status 409.
   */
  createOrUpdate(body: WriteOf<Content>, options?: WriteOptions): Promise<RecordOf<Content>> {
    return this.#calls.call("createOrUpdate", { options, body });
  }

  /**
   * Overwrites a resource (operation 7). Rejects with status 404 if there is none, and with 409 if it has another
   * version.
   */
  overwrite(body: OverwriteOf<Content>, options?: WriteOptions): Promise<RecordOf<Content>> {
    return this.#calls.call("overwrite", { options, body });
  }

  /** Creates or overwrites a resource (operation 8). Rejects with status 409 if the resource has another version. */
  createOrOverwrite(body: OverwriteOf<Content>, options?: WriteOptions): Promise<RecordOf<Content>> {
    return this.#calls.call("createOrOverwrite", { options, body });
  }

  /**
   * Creates a resource, or merges the fields that the body has (operation 9). The body identifies the resource. The two
   * path variables are checked and have no other effect.
   */
  updateByPath(
    uriParameterOne: string,
    uriParameterTwo: string,
    body: ComplexOf<Content>,
    params: UpdateByPathParams | undefined,
    options: AsyncWriteOptions & { readonly respondAsync: true },
  ): Promise<Receipt>;
  updateByPath(
    uriParameterOne: string,
    uriParameterTwo: string,
    body: ComplexOf<Content>,
    params?: UpdateByPathParams,
    options?: WriteOptions & { readonly respondAsync?: false | undefined },
  ): Promise<ChangedOf<Content>>;
  updateByPath(
    one: string,
    two: string,
    body: ComplexOf<Content>,
    params?: object,
    options?: WriteOptions,
  ): Promise<any> {
    return this.#calls.call("updateByPath", { variables: [one, two], params, options, body });
  }

  /**
   * Performs update actions on the expected version (operation 10). Rejects with status 409 if the resource has
   * another version.
   */
  updateById(id: string, body: UpdateOf<Content>, options?: WriteOptions): Promise<RecordOf<Content>> {
    return this.#calls.call("updateById", { variables: [id], options, body });
  }

  /** Deletes a resource and returns its last state (operation 11). */
  deleteById(id: string, params?: DeleteByIdParams, options?: WriteOptions): Promise<RecordOf<Content>> {
    return this.#calls.call("deleteById", { variables: [id], params, options });
  }

  /** Queries resources (operation 12): like `query`, but without the parameters and arrays that only `query` has. */
  querySorted<Name extends FieldName<Content> = never>(
    params?: WithFields<QuerySortedParams, Content, Name>,
    options?: QueryOptions,
  ): Promise<PageOf<Content, Name>> {
    return this.#calls.call("querySorted", { params, options });
  }

  /** Creates a resource, or merges the fields that the body has (operation 13). The body identifies the resource. */
  updateWithUrnLinks(
    body: ComplexOf<Content>,
    params: UpdateWithUrnLinksParams | undefined,
    options: AsyncWriteOptions & { readonly respondAsync: true },
  ): Promise<Receipt>;
  updateWithUrnLinks(
    body: ComplexOf<Content>,
    params?: UpdateWithUrnLinksParams,
    options?: WriteOptions & { readonly respondAsync?: false | undefined },
  ): Promise<ChangedOf<Content>>;
  updateWithUrnLinks(body: ComplexOf<Content>, params?: object, options?: WriteOptions): Promise<any> {
    return this.#calls.call("updateWithUrnLinks", { params, options, body });
  }

  /**
   * Performs 1 to 100 writes, all or nothing, in their order: a later one sees the earlier ones. Returns what each
   * returns, in the same order. If one fails, nothing is changed, and `errors` of the error have its `index`.
   *
   * ```js
   * const [order, item] = await client.batch([
   *   { operation: "createOrUpdate", body: { key: "order-1", objectTypeProperty: {} } },
   *   { operation: "updateById", id, body: { version, actions: [{ action: "doSomeThing" }] } },
   * ]);
   * ```
   */
  async batch<const Writes extends readonly BatchWriteOf<Content>[]>(
    writes: Writes,
    options?: WriteOptions,
  ): Promise<{ -readonly [At in keyof Writes]: WriteResultOf<Content> }> {
    return (await this.#calls.call("batch", { options, body: { writes } })).results;
  }

  /**
   * Reads a resource from the source of truth, by ID or key, and writes what `change` returns: update actions, or
   * fields with their new values, such as `{ custom: "blue" }`. Other fields, and other arrays of `objectTypeProperty`,
   * stay. Null removes the value of an optional field of `resources.json`; of other fields it is an error. If another
   * caller changed the resource in between, starts again, at most `tries` times. If `change` returns nothing, an empty
   * list, or an empty object, it writes nothing.
   * Returns the resource after the change. Rejects with the error that `change` throws. To repeat a call that failed,
   * pass the error's `idempotencyKey`.
   */
  modify(
    target: string | { readonly key: string },
    change: (current: RecordOf<Content>) => Modification<Content> | PromiseLike<Modification<Content>>,
    options?: ModifyOptions,
  ): Promise<RecordOf<Content>> {
    return this.#modifier.modify(target, change as Change, options ?? {}) as Promise<any>;
  }

  /** @internal The calls, for `resource-edge/live`. */
  get calls(): Calls {
    return this.#calls;
  }

  /** Yields every resource that matches, page by page. Default: 100 in a page. */
  pages<Name extends FieldName<Content> = never>(
    params?: WithFields<PagesParams<Content>, Content, Name>,
    options?: QueryOptions,
  ): AsyncGenerator<ProgressPage<Content, Name>, void, undefined> {
    const query = (params: object): Promise<any> => this.query(params as QueryParamsOf<Content>, options);
    return pages(query, params ?? {}) as AsyncGenerator<any, void, undefined>;
  }

  /** Yields every resource that matches, one by one. */
  async *all<Name extends FieldName<Content> = never>(
    params?: WithFields<PagesParams<Content>, Content, Name>,
    options?: AllOptions<Content, Name>,
  ): AsyncGenerator<PartOf<Content, Name>, void, undefined> {
    for await (const page of this.pages(params, options)) {
      options?.onPage?.(page);
      yield* page.results as PartOf<Content, Name>[];
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
