import type { Bodies, ComplexBody, ResourceDraft, ResourceOverwrite, ResourceUpdate } from "./generated/bodies.js";
import type { ErrorItem, Reason } from "./generated/issues.js";

/** The members from which a program reads what is wrong and what is valid. */
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

/** A problem at one place in a body. The server sends the same in its `errors`, with `pointer` as `path`. */
export interface Issue extends Bounds {
  /** The members and indexes that lead to the place; empty for the whole body. */
  readonly path: readonly (string | number)[];
  /** `path` as a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** The code of the service's error. */
  readonly code: "InvalidField" | "RequiredField" | "InvalidJsonInput" | "ContentTooLarge";
  /** The broken rule, for programs. */
  readonly reason: Reason;
  /** A sentence for people. Programs read the other members. */
  readonly message: string;
  /** The value at the place, unless it is an array or an object. Of a long value, the beginning of its JSON. */
  readonly invalidValue?: string | number | boolean | null;
}

/** The result for a valid body. */
export interface Valid<Body> {
  readonly valid: true;
  /** The object itself. For text and bytes, the result of `JSON.parse`. */
  readonly value: Body;
}

/** The result for a body that is not valid. */
export interface Invalid {
  readonly valid: false;
  /** All issues in the order of the body, at most 100. */
  readonly issues: readonly Issue[];
  /** The number of further issues. */
  readonly more?: number;
}

/** The result of a validation: check `valid` first. */
export type Validation<Body> = Valid<Body> | Invalid;

/**
 * Validates a body by the server's rules, and finds all issues. The body is an object, a JSON text, or its bytes as a
 * `Uint8Array`.
 *
 * An object must be plain. A member that is `undefined` is absent, as in JSON. A value that JSON cannot represent (a
 * bigint, a symbol, a function, `NaN`, an instance of `Date` or another class, a hole in an array) is an issue. The
 * result is plain data: copies of it (spread, `structuredClone`, `postMessage`) have all of it, and bytes that change
 * later do not change it.
 *
 * Throws an `Error` if the WebAssembly is needed and not yet loaded: await `init()` or `ready` first.
 */
export function validate<Kind extends keyof Bodies>(kind: Kind, input: unknown): Validation<Bodies[Kind]>;

/**
 * A Standard Schema v1 (https://standardschema.dev), which form and router libraries accept. It validates objects only.
 */
export interface Schema<Body> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "resource-edge";
    readonly validate: (
      value: unknown,
    ) => { readonly value: Body; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
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
