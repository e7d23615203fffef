// Validation. The WebAssembly validates text and bytes in one pass. An object is written as text first (serialize.ts).

import { BODY_BYTES, DECLARED_DEPTH, DEPTH, kinds } from "../generated/kinds.js";
import { bytes, core, put, ready, reserve, result } from "../core/instance.js";
import { decoder } from "../core/encoders.js";
import type {
  Bodies,
  ComplexBody,
  ResourceDraft,
  ResourceOverwrite,
  ResourceUpdate,
  WriteBatch,
} from "../generated/bodies.js";
import type { ErrorItem, Reason } from "../generated/issues.js";
import { isBytes, whole } from "./checks.js";
import { UNREADABLE, write } from "./serialize.js";

// An escape, or a lone surrogate.
const ESCAPE_OR_HALF = /\\[^]|\p{Surrogate}/gu;

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
export function validate<Kind extends keyof Bodies>(kind: Kind, input: unknown): Validation<Bodies[Kind]> {
  const number = numberOf(kind);
  if (number < 0) throw new TypeError(`Unknown kind of body '${String(kind)}': expected one of ${kinds.join(", ")}.`);
  return validateBy(BUILT_IN, number, input);
}

/** @internal The number of the shape of the interface in the WebAssembly. */
export const BUILT_IN = 0;

/**
 * @internal Validates a body, its text, or its bytes by a kind of body of a shape: both by their numbers in the
 * WebAssembly.
 */
export function validateBy(shape: number, kind: number, input: unknown): Validation<any> {
  if (typeof input === "string") return invalidText(shape, kind, input) ?? validText(() => input);
  return isBytes(input) ? validateBytes(shape, kind, input) : validateObject(shape, kind, input);
}

/** The result of a Standard Schema: the value, or the issues. */
type StandardResult<Body> =
  | { readonly value: Body; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/**
 * A Standard Schema v1 (https://standardschema.dev), which form and router libraries accept. It validates objects only.
 */
export interface Schema<Body> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "resource-edge";
    /** Returns a promise only until the WebAssembly is loaded. The first call loads it. */
    readonly validate: (value: unknown) => StandardResult<Body> | Promise<StandardResult<Body>>;
    readonly types?: { readonly input: Body; readonly output: Body } | undefined;
  };
}

/** @internal Returns a Standard Schema (https://standardschema.dev) of a validation function. */
export function standard<Value>(run: (value: unknown) => Validation<Value>): Schema<Value> {
  return {
    "~standard": {
      version: 1,
      vendor: "resource-edge",
      validate(value: unknown) {
        const check = (): StandardResult<Value> => {
          const result = run(value);
          return result.valid ? { value: result.value } : { issues: result.issues };
        };
        return ready()?.then(check) ?? check();
      },
    },
  };
}

/** Returns the schema of a kind of body. It accepts objects. */
const schema = (kind: keyof Bodies) => standard<any>((value) => validateObject(BUILT_IN, numberOf(kind), value));

/** The body that creates or updates a resource. */
export const resourceDraft: Schema<ResourceDraft> = /* @__PURE__ */ schema("resourceDraft");
/** The body that overwrites a resource. */
export const resourceOverwrite: Schema<ResourceOverwrite> = /* @__PURE__ */ schema("resourceOverwrite");
/** The body that updates a resource by actions. */
export const resourceUpdate: Schema<ResourceUpdate> = /* @__PURE__ */ schema("resourceUpdate");
/** The body of the two operations with path-structured addressing. */
export const complexBody: Schema<ComplexBody> = /* @__PURE__ */ schema("complexBody");
/** Several writes, all or nothing. */
export const writeBatch: Schema<WriteBatch> = /* @__PURE__ */ schema("writeBatch");

/** @internal Returns the number that a kind of body has in the WebAssembly; −1 if there is no such kind. */
export const numberOf = (kind: keyof Bodies) => kinds.indexOf(kind);

/** @internal Returns the depth of the deepest array or object in the bodies of a shape. */
export const depthOf = (shape: number) => (shape === BUILT_IN ? DEPTH : DECLARED_DEPTH);

/** @internal Validates a body that is no text and no bytes. */
export function validateObject(shape: number, kind: number, value: unknown): Validation<any> {
  // Throws if the WebAssembly has not started, whatever the object is.
  core();
  const text = write(value, depthOf(shape));
  if (text === undefined) return tooLarge();
  return invalidBody(shape, kind, put(text), true) ?? { valid: true, value };
}

/** @internal Returns the JSON of a valid object; else its issues, of which one may be that the JSON is too large. */
export function serializeValid(shape: number, kind: number, value: unknown): string | Invalid {
  core();
  const text = write(value, depthOf(shape));
  if (text === undefined) return tooLarge();
  const length = put(text);
  return invalidBody(shape, kind, length, true) ?? (length > BODY_BYTES ? tooLarge() : text);
}

function validateBytes(shape: number, kind: number, body: Uint8Array): Validation<any> {
  const { length } = body;
  if (length > BODY_BYTES) return tooLarge();
  const address = reserve(length);
  try {
    bytes().set(body, address);
  } catch {
    // The buffer of the bytes was transferred.
    return validateObject(shape, kind, UNREADABLE);
  }
  const wrong = invalidBody(shape, kind, length, false);
  if (wrong !== undefined) return wrong;
  const copy = bytes().slice(address, address + length);
  return validText(() => decoder.decode(copy));
}

/** Returns the result for valid JSON. The value is read when it is used first: many programs need only the verdict. */
function validText(text: () => string): Validation<any> {
  let value: any;
  let isRead = false;
  return {
    valid: true,
    get value() {
      if (!isRead) value = JSON.parse(text());
      isRead = true;
      return value;
    },
  };
}

/** Returns the result for a JSON text; undefined if it is valid. */
function invalidText(shape: number, kind: number, text: string) {
  if (text.length > BODY_BYTES) return tooLarge();
  let length = put(text);
  if (length !== text.length && !whole(text)) length = put(escapeHalves(text));
  return length > BODY_BYTES ? tooLarge() : invalidBody(shape, kind, length, false);
}

/** Escapes the lone surrogates of a JSON text, because they have no UTF-8 encoding. The meaning is the same. */
function escapeHalves(text: string) {
  return text.replace(ESCAPE_OR_HALF, (part) => (part.length > 1 ? part : `\\u${part.charCodeAt(0).toString(16)}`));
}

/** @internal Returns the result for a body that is too large. */
export const tooLarge = (): Invalid => result(core().too_large());

/** Returns the result for the body in the buffer; undefined if it is valid. */
const invalidBody = (shape: number, kind: number, length: number, isObject: boolean): Invalid | undefined =>
  result(core().invalid(shape, kind, length, isObject));
