// Generated from the table of endpoints (src/contract/api/endpoint/table.rs). Do not edit: run `make generate`.

import type { ObjectTestType } from "./bodies.js";

/** The value of a predicate's variable. */
export type VariableValue = string | number | boolean | Date;

/** Query parameters of `query` (operation 1). */
export interface QueryParams {
  /** An item of `arrayOfStringExample`. */
  readonly stringParameter?: string | undefined;
  /** An item of `arrayOfFloatExample`. */
  readonly floatParameter?: number | undefined;
  /** An item of `arrayOfIntExample`. A whole number from -9007199254740991 to 9007199254740991. */
  readonly integerParameter?: number | undefined;
  /** An item of `arrayOfNumberNoDefaultsExample`. */
  readonly withMarkdownDescription?: number | undefined;
  /** Arrays whose items must all occur in the arrays of the resource. */
  readonly objectParameter?: ObjectTestType | undefined;
  /** Texts that must all occur in `arrayOfStringExample`. */
  readonly arrayOfString?: string | readonly string[] | undefined;
  /** Texts of which at least one must occur in `arrayOfStringExample`. */
  readonly arrayOfStringWithDescription?: string | readonly string[] | undefined;
  /** A predicate that the results must satisfy, such as `version > 1 and key is defined`. With several, results satisfy all. */
  readonly where?: string | readonly string[] | undefined;
  /** A field and a direction, such as `lastModifiedAt desc`. With several, each next one orders results that are equal so far. */
  readonly sort?: string | readonly string[] | undefined;
  /** The maximum number of results in the page. Default: 20. A whole number from 0 to 500. */
  readonly limit?: number | undefined;
  /** How many results to skip. Default: 0. A whole number from 0 to 10000. */
  readonly offset?: number | undefined;
  /** Whether to count all matches. Default: true. */
  readonly withTotal?: boolean | undefined;
  /** A reference to expand. It is checked and has no effect, because a resource has no references. */
  readonly expand?: string | readonly string[] | undefined;
  /** The value of a variable that a predicate names. */
  readonly var?: { readonly [name: string]: VariableValue | readonly VariableValue[] | undefined } | undefined;
}

/** Query parameters of `getById` (operation 2). */
export interface GetByIdParams {
  /** Accepted. It has no effect. */
  readonly optionalQueryParameter?: string | undefined;
  /** Accepted. It has no effect. */
  readonly secondOptionalQueryParameter?: string | undefined;
  /** A reference to expand. It is checked and has no effect, because a resource has no references. */
  readonly expand?: string | readonly string[] | undefined;
}

/** Query parameters of `getByKey` (operation 3). */
export interface GetByKeyParams {
  /** A reference to expand. It is checked and has no effect, because a resource has no references. */
  readonly expand?: string | readonly string[] | undefined;
}

/** Query parameters of `search` (operation 4). */
export interface SearchParams {
  /** Whether words also match if they differ by a few letters. Default: false. */
  readonly fuzzy?: boolean | undefined;
  /** The maximum edit distance of a word, at most the default for the longest word. A whole number from 0 to 2. */
  readonly fuzzyLevel?: number | undefined;
  /** Whether the last word also matches words that begin with it, for searches while people type. Default: false. */
  readonly prefix?: boolean | undefined;
  /** Whether to search the staged projection, which is the same as the current one. */
  readonly staged?: boolean | undefined;
  /** Filters the results but not the facets, such as `key:"red","blue"` or `version:range(1 to 5)`. */
  readonly filter?: string | readonly string[] | undefined;
  /** Filters the facets of other fields, in the form of `filter`. */
  readonly "filter.facets"?: string | readonly string[] | undefined;
  /** Filters the results and the facets, in the form of `filter`, such as `key:exists`. */
  readonly "filter.query"?: string | readonly string[] | undefined;
  /** A facet to count, such as `key as keys` or `version:range(* to 10),(10 to *)`. */
  readonly facet?: string | readonly string[] | undefined;
  /** Words that must all occur in the resource's key and texts, by language, such as `text.en`. */
  readonly text?: { readonly [name: string]: string | readonly string[] | undefined } | undefined;
  /** The maximum number of results in the page. Default: 20. A whole number from 0 to 500. */
  readonly limit?: number | undefined;
  /** How many results to skip. Default: 0. A whole number from 0 to 10000. */
  readonly offset?: number | undefined;
  /** A field and a direction, such as `lastModifiedAt desc`. With several, each next one orders results that are equal so far. */
  readonly sort?: string | readonly string[] | undefined;
  /** A reference to expand. It is checked and has no effect, because a resource has no references. */
  readonly expand?: string | readonly string[] | undefined;
}

/** Query parameters of `exists` (operation 5). */
export interface ExistsParams {
  /** An item of `arrayOfStringExample`. */
  readonly stringParameter?: string | undefined;
  /** An item of `arrayOfFloatExample`. */
  readonly floatParameter?: number | undefined;
  /** An item of `arrayOfIntExample`. A whole number from -9007199254740991 to 9007199254740991. */
  readonly integerParameter?: number | undefined;
  /** An item of `arrayOfNumberNoDefaultsExample`. */
  readonly withMarkdownDescription?: number | undefined;
  /** Arrays whose items must all occur in the arrays of the resource. */
  readonly objectParameter?: ObjectTestType | undefined;
  /** Texts that must all occur in `arrayOfStringExample`. */
  readonly arrayOfString?: string | readonly string[] | undefined;
  /** Texts of which at least one must occur in `arrayOfStringExample`. */
  readonly arrayOfStringWithDescription?: string | readonly string[] | undefined;
  /** A predicate that the results must satisfy, such as `version > 1 and key is defined`. With several, results satisfy all. */
  readonly where?: string | readonly string[] | undefined;
  /** A field and a direction, such as `lastModifiedAt desc`. With several, each next one orders results that are equal so far. */
  readonly sort?: string | readonly string[] | undefined;
  /** The maximum number of results in the page. Default: 20. A whole number from 0 to 500. */
  readonly limit?: number | undefined;
  /** How many results to skip. Default: 0. A whole number from 0 to 10000. */
  readonly offset?: number | undefined;
  /** Whether to count all matches. Default: true. */
  readonly withTotal?: boolean | undefined;
  /** A reference to expand. It is checked and has no effect, because a resource has no references. */
  readonly expand?: string | readonly string[] | undefined;
  /** The value of a variable that a predicate names. */
  readonly var?: { readonly [name: string]: VariableValue | readonly VariableValue[] | undefined } | undefined;
}

/** Query parameters of `updateByPath` (operation 9). */
export interface UpdateByPathParams {
  /** It is checked and has no other effect. */
  readonly queryParameterOne?: number | undefined;
  /** It is checked and has no other effect. */
  readonly queryParameterTwo?: string | undefined;
}

/** Query parameters of `deleteById` (operation 11). */
export interface DeleteByIdParams {
  /** The version that the resource must have. A whole number from 0 to 9007199254740991. */
  readonly version?: number | undefined;
}

/** Query parameters of `querySorted` (operation 12). */
export interface QuerySortedParams {
  /** A predicate that the results must satisfy, such as `version > 1 and key is defined`. With several, results satisfy all. */
  readonly where?: string | readonly string[] | undefined;
  /** A field and a direction, such as `lastModifiedAt desc`. With several, each next one orders results that are equal so far. */
  readonly sort?: string | readonly string[] | undefined;
  /** The maximum number of results in the page. Default: 20. A whole number from 0 to 500. */
  readonly limit?: number | undefined;
  /** How many results to skip. Default: 0. A whole number from 0 to 10000. */
  readonly offset?: number | undefined;
  /** Whether to count all matches. Default: true. */
  readonly withTotal?: boolean | undefined;
  /** A reference to expand. It is checked and has no effect, because a resource has no references. */
  readonly expand?: string | readonly string[] | undefined;
  /** The value of a variable that a predicate names. */
  readonly var?: { readonly [name: string]: VariableValue | readonly VariableValue[] | undefined } | undefined;
}

/** Query parameters of `updateWithUrnLinks` (operation 13). */
export interface UpdateWithUrnLinksParams {
  /** It is checked and has no other effect. */
  readonly queryParameterOne?: number | undefined;
  /** It is checked and has no other effect. */
  readonly queryParameterTwo?: string | undefined;
}
