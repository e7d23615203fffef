import type { Bodies, ComplexBody, ResourceDraft, ResourceOverwrite, ResourceUpdate } from "./bodies.js";
import type { ErrorItem, Reason } from "./issues.js";

/** The members by which a program tells what is wrong, and offers what would be right. */
type Bounds = Pick<
  ErrorItem,
  | "field"
  | "allowedValues"
  | "suggestion"
  | "minimum"
  | "maximum"
  | "minLength"
  | "maxLength"
  | "minItems"
  | "maxItems"
  | "expected"
  | "line"
  | "column"
  | "length"
>;

/** What is wrong with a body, at one place of it. The server sends the same in its `errors`, with `pointer` as `path`. */
export interface Issue extends Bounds {
  /** The members and indexes that lead to the place; empty for the whole body. */
  readonly path: readonly (string | number)[];
  /** The same as a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly code: "InvalidField" | "RequiredField" | "InvalidJsonInput" | "ContentTooLarge";
  /** Which rule is broken, for programs. */
  readonly reason: Reason;
  /** A sentence for people. Programs read the other members. */
  readonly message: string;
  /** The value that stood there, where it is neither array nor object; of a long one its beginning, as JSON. */
  readonly invalidValue?: string | number | boolean | null;
}

/** The result for a valid body. */
export interface Valid<Body> {
  readonly valid: true;
  /** The object that was given; of a text or its bytes, what `JSON.parse` makes of it, made when it is first asked for. */
  readonly value: Body;
}

/** The result for a body that is not valid. */
export interface Invalid {
  readonly valid: false;
  /** All that is wrong, in the order of the body, a hundred at most. Of a text or its bytes, found when first asked for. */
  readonly issues: readonly Issue[];
  /** How many issues there are beyond those. */
  readonly more?: number;
}

export type Validation<Body> = Valid<Body> | Invalid;

/**
 * Judges a body by the rules that the server has for it, all at once: an object, a JSON text, or the bytes of one.
 *
 * An object must be plain. In it a member that is `undefined` is as good as absent, as in JSON; a value that JSON cannot
 * write (a bigint, a symbol, a function, `NaN`, a `Date` or another class's instance, a hole in an array) is an issue.
 * Bytes are not copied: `value` and `issues` are those of the bytes that were validated, and reading them throws if the
 * bytes have changed since and that is no longer possible. Copies of the result (spread, `structuredClone`, `postMessage`) have
 * all of it.
 */
export function validate<Kind extends keyof Bodies>(kind: Kind, input: unknown): Validation<Bodies[Kind]>;

/** A Standard Schema v1 (https://standardschema.dev), as form and router libraries take them. */
export interface Schema<Body> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "resource-edge";
    readonly validate: (value: unknown) => { readonly value: Body; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
    readonly types?: { readonly input: Body; readonly output: Body } | undefined;
  };
}

/** The body that creates or updates a resource. */
export const resourceDraft: Schema<ResourceDraft>;
/** The body that overwrites a resource. */
export const resourceOverwrite: Schema<ResourceOverwrite>;
/** The body that updates a resource by actions. */
export const resourceUpdate: Schema<ResourceUpdate>;
/** The body of the two operations with path-structured addressing. */
export const complexBody: Schema<ComplexBody>;
