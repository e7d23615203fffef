// The bodies, records, and pages of a resource that a deployment declares, derived from the type of its content. The
// type `Resource` means the resource of the interface, which has its own ones.

import type {
  ComplexBody,
  ExampleResourceUpdateAction,
  ResourceDraft,
  ResourceOverwrite,
  ResourceUpdate,
} from "../generated/bodies.js";
import type { QueryParams, QuerySortedParams } from "../generated/params.js";
import type { Arrays, Page, QueryPage, Resource, SearchPage } from "../generated/responses.js";
import type { Either, PartOf, RecordOf, SystemFields } from "./parts.js";

export type { RecordOf, SystemFields } from "./parts.js";

/** A value in a body: its arrays may be read-only, and its optional fields may be `null`. */
type BodyValue<Value> = Value extends readonly (infer Item)[]
  ? readonly BodyValue<Item>[]
  : Value extends object
    ? BodyFields<Value>
    : Value;
type BodyFields<Fields> = { [Name in keyof Fields]: BodyValue<Fields[Name]> | Nothing<Fields, Name> };

/** What else an optional field may be. */
type Nothing<Fields, Name extends keyof Fields> =
  Partial<Pick<Fields, Name>> extends Pick<Fields, Name> ? null | undefined : never;

/** The whole body of a resource, which creates it or replaces its content. Optional fields may be `null`. */
export type DraftOf<Content extends object = Resource> = Either<
  Content,
  ResourceDraft,
  Pick<ResourceDraft, keyof SystemFields> & BodyFields<Content>
>;

/** The body of `overwrite`: a whole one with the expected version. */
export type OverwriteOf<Content extends object = Resource> = Either<
  Content,
  ResourceOverwrite,
  Pick<ResourceOverwrite, keyof SystemFields> & BodyFields<Content>
>;

/** Fields with their new values. What is absent stays, and `null` removes the value of an optional field. */
export type ChangesOf<Content extends object = Resource> = Either<
  Content,
  Partial<ResourceDraft>,
  Pick<ResourceDraft, keyof SystemFields> & { [Name in keyof Content]?: BodyFields<Content>[Name] | undefined }
>;

/** The body of `updateByPath` and `updateWithUrnLinks`: the fields to change. */
export type ComplexOf<Content extends object = Resource> = Either<Content, ComplexBody, ChangesOf<Content>>;

/** The body of `createOrUpdate`: a whole one, or changes with the version that they expect. */
export type WriteOf<Content extends object = Resource> = Either<
  Content,
  ResourceDraft,
  DraftOf<Content> | (ChangesOf<Content> & { version: number })
>;

type NameIn<Content> = keyof Content & string;

/** The names of the arrays of single values. */
type Lists<Content> = {
  [Of in NameIn<Content>]-?: NonNullable<Content[Of]> extends readonly (infer Item)[]
    ? Item extends object
      ? never
      : Of
    : never;
}[NameIn<Content>];

/**
 * An update action: it sets a field, or removes its value, or adds values to an array or removes them from it.
 */
export type ActionOf<Content extends object = Resource> = Either<
  Content,
  ExampleResourceUpdateAction,
  | { [Of in NameIn<Content>]-?: { action: `set${Capitalize<Of>}` } & Pick<BodyFields<Content>, Of> }[NameIn<Content>]
  | {
      [Of in Lists<Content>]-?: { action: `${"add" | "remove"}${Capitalize<Of>}` } & {
        [Same in Of]: NonNullable<BodyFields<Content>[Same]>;
      };
    }[Lists<Content>]
>;

/** The body of `updateById`: an expected version, and the actions to perform in order. */
export type UpdateOf<Content extends object = Resource> = Either<
  Content,
  ResourceUpdate,
  Pick<ResourceUpdate, "version"> & {
    /** At most 500. */
    actions: readonly ActionOf<Content>[];
  }
>;

/** A write of a batch: the name of an operation, and what it sends. */
export type BatchWriteOf<Content extends object = Resource> =
  | { readonly operation: "createOrUpdate"; readonly body: WriteOf<Content> }
  | { readonly operation: "overwrite" | "createOrOverwrite"; readonly body: OverwriteOf<Content> }
  | { readonly operation: "updateById"; readonly id: string; readonly body: UpdateOf<Content> }
  | { readonly operation: "deleteById"; readonly id: string; readonly version?: number | null | undefined };

/** What a write of a batch returns: the status and the body of its response. */
export interface WriteResultOf<Content extends object = Resource> {
  /** 201 if the write has created the resource, else 200. */
  status: 200 | 201;
  /** The resource after the write; of a deletion, before it. */
  resource: RecordOf<Content>;
}

/** The result of a change by path: the resource. Of the interface's, the seven arrays. */
export type ChangedOf<Content extends object = Resource> = Either<Content, Arrays, RecordOf<Content>>;

/** A page of results. `Name`: the fields that they have; `never` for all. */
export type PageOf<Content extends object = Resource, Name extends string = never> = PageOfItems<Content, Page, Name>;

/** The result of `query`. That of the interface also has the arrays of its first result. */
export type QueryPageOf<Content extends object = Resource, Name extends string = never> = Either<
  Content,
  [Name] extends [never] ? QueryPage : PageOf<Content, Name> & Partial<Arrays>,
  PageOf<Content, Name>
>;

/** The result of `search`: a page, and the requested facets. */
export type SearchPageOf<Content extends object = Resource, Name extends string = never> = PageOfItems<
  Content,
  SearchPage,
  Name
>;

type PageOfItems<Content extends object, Of extends Page, Name extends string> = Either<
  Content,
  [Name] extends [never] ? Of : PageWith<Of, PartOf<Content, Name>>,
  PageWith<Of, PartOf<Content, Name>>
>;

type PageWith<Of extends Page, Item> = Omit<Of, "results"> & {
  /** The resources, in the requested order. */
  results: Item[];
};

/** The parameters of `query` and `exists`. Those of the interface also name its arrays. */
export type QueryParamsOf<Content extends object = Resource> = Either<Content, QueryParams, QuerySortedParams>;

/** The bodies of a declared resource, by the kinds that its `validate` accepts. */
export interface BodiesOf<Content extends object> {
  /** The body of `createOrUpdate`. */
  draft: DraftOf<Content>;
  /** The body of `overwrite` and `createOrOverwrite`. */
  overwrite: OverwriteOf<Content>;
  /** The body of `updateById`. */
  update: UpdateOf<Content>;
  /** The body of `updateByPath` and `updateWithUrnLinks`. */
  complex: ComplexOf<Content>;
  /** The body of `batch`. */
  batch: { readonly writes: readonly BatchWriteOf<Content>[] };
}
