// Written by tests/validate from the errors (src/contract/error.rs, src/contract/reason.rs). Do not edit: UPDATE=1 cargo test --test validate

/** Which rule is broken. A later version of the service may have more reasons. */
export type Reason =
  /** The value has another type. `expected` has the type. */
  | "type"
  /** The number is outside `minimum` to `maximum`. */
  | "range"
  /** The text is shorter than `minLength` or longer than `maxLength`, in bytes of UTF-8. */
  | "length"
  /** There are fewer than `minItems` or more than `maxItems`. */
  | "count"
  /** The value does not have the format. `expected` has the format. */
  | "format"
  /** The text has characters that it must not have. */
  | "characters"
  /** The text has a meaning of its own there, so it cannot be a name. */
  | "reserved"
  /** The value is none of `allowedValues`; `suggestion` has the one that was probably meant. */
  | "enum"
  /** What is required is absent or null. */
  | "required"
  /** There is no such field; `suggestion` has the one that was probably meant. */
  | "unknownField"
  /** There is no such parameter; `suggestion` has the one that was probably meant. */
  | "unknownParameter"
  /** The field does not support the operator. `expected` has those that it supports. */
  | "operator"
  /** A name that may occur once occurs again. */
  | "duplicate"
  /** The item repeats an earlier one. */
  | "notUnique"
  /** The text does not follow its grammar. `expected` has what could follow at the place. */
  | "syntax"
  /** The bytes are not UTF-8, or the percent-encoding is malformed. */
  | "encoding"
  /** The nesting is deeper than `maximum`. */
  | "depth"
  /** It has more than `maximum` bytes, or is larger than can be processed. */
  | "size"
  /** It takes more work than one call may. */
  | "work";

/** One of the things that are wrong. */
export interface ErrorItem {
  /** Such as `InvalidField`, `ResourceNotFound` or `ConcurrentModification`. */
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
  /** The values that would do. */
  readonly allowedValues?: readonly string[];
  /** The value that is taken. */
  readonly duplicateValue?: string;
  /** The version that the resource has. */
  readonly currentVersion?: number;
  /** What is wrong with the JSON, and where. */
  readonly detailedErrorMessage?: string;
  /** Which rule is broken, for programs; a later version may have more reasons. */
  readonly reason?: Reason;
  /** What was probably meant. */
  readonly suggestion?: string;
  /** The smallest value. */
  readonly minimum?: number;
  /** The largest value; of a nesting the deepest, of a body the most bytes. */
  readonly maximum?: number;
  /** The least bytes of UTF-8 of a text. */
  readonly minLength?: number;
  /** The most bytes of UTF-8 of a text. */
  readonly maxLength?: number;
  /** The least items; none at all may do as well. */
  readonly minItems?: number;
  /** The most items. */
  readonly maxItems?: number;
  /** What would be right: types, formats, operators, or what could follow in a text, where `<…>` is a kind of part. */
  readonly expected?: readonly string[];
  /** The line of the text where it is wrong, from 1. */
  readonly line?: number;
  /** The character in the line, or in a text without lines, from 1. */
  readonly column?: number;
  /** How many characters are wrong; 0 where something is missing. */
  readonly length?: number;
  /** The variable of a predicate. */
  readonly variable?: string;
  /** The scopes of which one is missing. */
  readonly scopes?: readonly string[];
}
