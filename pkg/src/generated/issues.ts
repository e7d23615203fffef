// Generated from the errors (src/contract/error.rs, src/contract/error/reason.rs). Do not edit: run `make generate`.

/** The broken rule. A later version of the service may have more reasons. */
export type Reason =
  /** The value has another type. `expected` has the type. */
  | "type"
  /** The number is outside its bounds. */
  | "range"
  /**
   * The text is shorter than `minLength` or longer than `maxLength`: in bytes of UTF-8 for an ID or a key, else in
   * characters.
   */
  | "length"
  /** There are fewer than `minItems` or more than `maxItems`. */
  | "count"
  /** The value does not have the format. `expected` has the format. */
  | "format"
  /** The text does not match `pattern`. */
  | "pattern"
  /** The number is not a multiple of `multipleOf`. */
  | "multipleOf"
  /** The text has characters that are not allowed. */
  | "characters"
  /** The text has a special meaning there, so it cannot be a name. */
  | "reserved"
  /** The value is not one of `allowedValues`; `suggestion` has the one that was probably meant. */
  | "enum"
  /** A required value is absent or null. */
  | "required"
  /** There is no such field. `allowedValues` has the fields there, and `suggestion` the one that was probably meant. */
  | "unknownField"
  /** There is no such parameter; `suggestion` has the one that was probably meant. */
  | "unknownParameter"
  /** The field does not support the operator. `expected` has those that it supports. */
  | "operator"
  /** A name occurs twice, but may occur once. */
  | "duplicate"
  /** The item repeats an earlier one. */
  | "notUnique"
  /** The text does not follow its grammar. `expected` has what is valid at the place. */
  | "syntax"
  /** The bytes are not UTF-8, or the percent-encoding is malformed. */
  | "encoding"
  /** The nesting is deeper than `maximum`. */
  | "depth"
  /** It has more than `maximum` bytes, or is larger than can be processed. */
  | "size"
  /** The request needs more work than one call may use. */
  | "work";

/** A problem of a request. */
export interface ErrorItem {
  /** The kind of error, such as `InvalidField`, `ResourceNotFound`, or `ConcurrentModification`. */
  readonly code: string;
  /** A sentence for people. */
  readonly message: string;
  /** A JSON Pointer into the body. */
  readonly path?: string;
  /** A query parameter or a path variable. */
  readonly parameter?: string;
  /** A request header. */
  readonly header?: string;
  /** The field's name. */
  readonly field?: string;
  /** The value, as JSON. */
  readonly invalidValue?: unknown;
  /** The allowed values. */
  readonly allowedValues?: readonly string[];
  /** The value that is in use. */
  readonly duplicateValue?: string;
  /** The version that the resource has. */
  readonly currentVersion?: number;
  /** The error in the JSON, and its place. */
  readonly detailedErrorMessage?: string;
  /** The broken rule, for programs. A later version may have more reasons. */
  readonly reason?: Reason;
  /** The text that was probably meant. */
  readonly suggestion?: string;
  /** The minimum of a value. */
  readonly minimum?: number;
  /** The maximum: of a value, of the depth of nesting, or of a body in bytes. */
  readonly maximum?: number;
  /** The number that a value must exceed. */
  readonly exclusiveMinimum?: number;
  /** The number that a value must be below. */
  readonly exclusiveMaximum?: number;
  /** The number of which a value must be a multiple. */
  readonly multipleOf?: number;
  /** The regular expression that a text must match. */
  readonly pattern?: string;
  /** The minimum length of a text: of an ID or a key in bytes of UTF-8, else in characters. */
  readonly minLength?: number;
  /** The maximum length of a text: of an ID or a key in bytes of UTF-8, else in characters. */
  readonly maxLength?: number;
  /** The minimum number of items. An empty array may be valid too. */
  readonly minItems?: number;
  /** The maximum number of items. */
  readonly maxItems?: number;
  /** The valid alternatives: types, formats, operators, or the next parts of a text. `<…>` is a kind of part. */
  readonly expected?: readonly string[];
  /** The line of the error in the text or the import, from 1. */
  readonly line?: number;
  /** The character of the error in the line, from 1. */
  readonly column?: number;
  /** How many characters are wrong; 0 if something is missing. */
  readonly length?: number;
  /** The variable of a predicate. */
  readonly variable?: string;
  /** Scopes; the token needs at least one of them. */
  readonly scopes?: readonly string[];
  /** The present position of the project. */
  readonly position?: string;
  /** The write of a batch that failed, from 0. */
  readonly index?: number;
  /** The rule of the project that does not permit the write. */
  readonly rule?: string;
}
