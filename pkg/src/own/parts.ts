// The parameter `fields`: the names of fields, and resources that have only those.

import type { Arrays, Resource } from "../generated/responses.js";

/** The fields of the system. */
type System = "id" | "version" | "key" | "createdAt" | "createdBy" | "lastModifiedAt" | "lastModifiedBy";

/** What every record has. */
export type SystemFields = Pick<Resource, System>;

/** The type of the resource of the interface, or that of a declared one. */
export type Either<Content, BuiltIn, Declared> = [Content] extends [Resource] ? BuiltIn : Declared;

/** A resource in a response: the fields of the system, and its content. */
export type RecordOf<Content extends object = Resource> = Either<Content, Resource, SystemFields & Content>;

/** A path inside a value: through a list, it is about each item. */
type InnerName<Value> = Value extends readonly (infer Item)[]
  ? InnerName<NonNullable<Item>>
  : Value extends object
    ? NameOf<Value>
    : never;

// Only `any` has `unknown` in it.
type NameOf<Value> = unknown extends Value
  ? string
  : { [Name in keyof Value & string]-?: Name | `${Name}.${InnerName<NonNullable<Value[Name]>>}` }[keyof Value & string];

/** The path of a field of a resource: `title`, `size.width`. */
export type FieldName<Content extends object = Resource> = unknown extends Content
  ? string
  : [Content] extends [Resource]
    ? NameOf<Resource> | NameOf<Arrays>
    : NameOf<SystemFields> | NameOf<Content>;

/** Parameters of a read, with the fields that its results have. */
export type WithFields<Params, Content extends object, Name extends FieldName<Content>> = Params & {
  /**
   * The only fields that resources have in the response, besides those of the system: names, and paths into objects and
   * lists. Default: all.
   */
  readonly fields?: Name | readonly Name[] | undefined;
};

type Outer<Name extends string> = Name extends `${infer First}.${string}` ? First : Name;

type Inner<Name extends string, Of extends string> = Name extends `${Of}.${infer Rest}` ? Rest : never;

type Part<Value, Name extends string> = Value extends readonly (infer Item)[]
  ? Part<Item, Name>[]
  : Value extends object
    ? {
        [Of in keyof Value as string extends Of ? Of : Of extends Outer<Name> ? Of : never]: Of extends Name
          ? Value[Of]
          : Part<Value[Of], Inner<Name, Of & string>>;
      }
    : Value;

/** The fields of the interface's arrays may be named without their object. */
type Whole<Name extends string> = Name extends keyof Arrays | `${keyof Arrays}.${string}`
  ? `objectTypeProperty.${Name}`
  : Name;

/**
 * A resource with the fields of the system and those that are named. Without names (`never`), it has all: `RecordOf`.
 */
export type PartOf<Content extends object = Resource, Name extends string = never> = [Name] extends [never]
  ? RecordOf<Content>
  : SystemFields &
      ([Content] extends [Resource] ? Part<Omit<Resource, keyof SystemFields>, Whole<Name>> : Part<Content, Name>);
