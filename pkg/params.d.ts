// Written by tests/client from the operation table (src/contract/operation.rs). Do not edit: UPDATE=1 cargo test --test client

import type { ObjectTestType } from "./bodies.js";

/** The value of a predicate's variable. */
export type VariableValue = string | number | boolean | Date;

/** Query parameters of `query`: interface.md, Endpoints 1; D21, D22, D23 */
export interface QueryParams {
  /** An item of `arrayOfStringExample`. */
  readonly stringParameter?: string | undefined;
  /** An item of `arrayOfFloatExample`. */
  readonly floatParameter?: number | undefined;
  /** An item of `arrayOfIntExample`. A whole number from -9007199254740991 to 9007199254740991. */
  readonly integerParameter?: number | undefined;
  /** An item of `arrayOfNumberNoDefaultsExample`. */
  readonly withMarkdownDescription?: number | undefined;
  /** Arrays whose items must all occur in the resource's. */
  readonly objectParameter?: ObjectTestType | undefined;
  /** Texts that must all occur in `arrayOfStringExample`. */
  readonly arrayOfString?: string | readonly string[] | undefined;
  /** Texts of which at least one must occur in `arrayOfStringExample`. */
  readonly arrayOfStringWithDescription?: string | readonly string[] | undefined;
  /** A predicate that the results must satisfy. */
  readonly where?: string | readonly string[] | undefined;
  /** A field and a direction: `path [asc|desc]`. */
  readonly sort?: string | readonly string[] | undefined;
  /** The most results in the page; 20 where it is absent. A whole number from 0 to 500. */
  readonly limit?: number | undefined;
  /** How many results to pass over; 0 where it is absent. A whole number from 0 to 10000. */
  readonly offset?: number | undefined;
  /** Whether to count all matches; true where it is absent. */
  readonly withTotal?: boolean | undefined;
  /** A reference to expand; checked, and without effect: a resource holds none. */
  readonly expand?: string | readonly string[] | undefined;
  /** The value of a variable that a predicate names. */
  readonly var?: { readonly [name: string]: VariableValue | readonly VariableValue[] | undefined } | undefined;
}

/** Query parameters of `getById`: interface.md, Endpoints 2; D19 */
export interface GetByIdParams {
  /** Accepted, and without effect. */
  readonly optionalQueryParameter?: string | undefined;
  /** Accepted, and without effect. */
  readonly secondOptionalQueryParameter?: string | undefined;
  /** A reference to expand; checked, and without effect: a resource holds none. */
  readonly expand?: string | readonly string[] | undefined;
}

/** Query parameters of `getByKey`: interface.md, Endpoints 3; D19 */
export interface GetByKeyParams {
  /** A reference to expand; checked, and without effect: a resource holds none. */
  readonly expand?: string | readonly string[] | undefined;
}

/** Query parameters of `search`: interface.md, Endpoints 4; contract, section 6 */
export interface SearchParams {
  /** Whether words match within a distance. */
  readonly fuzzy?: boolean | undefined;
  /** The distance, no more than the default for the longest word. A whole number from 0 to 2. */
  readonly fuzzyLevel?: number | undefined;
  /** Whether to query the staged projection, which is the same. */
  readonly staged?: boolean | undefined;
  /** Narrows the results. */
  readonly filter?: string | readonly string[] | undefined;
  /** Narrows the facets on other fields. */
  readonly "filter.facets"?: string | readonly string[] | undefined;
  /** Narrows the results and the facets. */
  readonly "filter.query"?: string | readonly string[] | undefined;
  /** A facet to count. */
  readonly facet?: string | readonly string[] | undefined;
  /** Words that must all occur in the resource's texts. */
  readonly text?: { readonly [name: string]: string | readonly string[] | undefined } | undefined;
  /** The most results in the page; 20 where it is absent. A whole number from 0 to 500. */
  readonly limit?: number | undefined;
  /** How many results to pass over; 0 where it is absent. A whole number from 0 to 10000. */
  readonly offset?: number | undefined;
  /** A field and a direction: `path [asc|desc]`. */
  readonly sort?: string | readonly string[] | undefined;
  /** A reference to expand; checked, and without effect: a resource holds none. */
  readonly expand?: string | readonly string[] | undefined;
}

/** Query parameters of `exists`: interface.md, Endpoints 5; D24 */
export interface ExistsParams {
  /** An item of `arrayOfStringExample`. */
  readonly stringParameter?: string | undefined;
  /** An item of `arrayOfFloatExample`. */
  readonly floatParameter?: number | undefined;
  /** An item of `arrayOfIntExample`. A whole number from -9007199254740991 to 9007199254740991. */
  readonly integerParameter?: number | undefined;
  /** An item of `arrayOfNumberNoDefaultsExample`. */
  readonly withMarkdownDescription?: number | undefined;
  /** Arrays whose items must all occur in the resource's. */
  readonly objectParameter?: ObjectTestType | undefined;
  /** Texts that must all occur in `arrayOfStringExample`. */
  readonly arrayOfString?: string | readonly string[] | undefined;
  /** Texts of which at least one must occur in `arrayOfStringExample`. */
  readonly arrayOfStringWithDescription?: string | readonly string[] | undefined;
  /** A predicate that the results must satisfy. */
  readonly where?: string | readonly string[] | undefined;
  /** A field and a direction: `path [asc|desc]`. */
  readonly sort?: string | readonly string[] | undefined;
  /** The most results in the page; 20 where it is absent. A whole number from 0 to 500. */
  readonly limit?: number | undefined;
  /** How many results to pass over; 0 where it is absent. A whole number from 0 to 10000. */
  readonly offset?: number | undefined;
  /** Whether to count all matches; true where it is absent. */
  readonly withTotal?: boolean | undefined;
  /** A reference to expand; checked, and without effect: a resource holds none. */
  readonly expand?: string | readonly string[] | undefined;
  /** The value of a variable that a predicate names. */
  readonly var?: { readonly [name: string]: VariableValue | readonly VariableValue[] | undefined } | undefined;
}

/** Query parameters of `updateByPath`: interface.md, Endpoints 9; D14, D15 */
export interface UpdateByPathParams {
  /** Checked, and without further effect. */
  readonly queryParameterOne?: number | undefined;
  /** Checked, and without further effect. */
  readonly queryParameterTwo?: string | undefined;
}

/** Query parameters of `deleteById`: interface.md, Endpoints 11; contract, section 3 */
export interface DeleteByIdParams {
  /** The version that the resource must have. A whole number from 0 to 9007199254740991. */
  readonly version?: number | undefined;
}

/** Query parameters of `querySorted`: interface.md, Endpoints 12; D21, D22 */
export interface QuerySortedParams {
  /** A predicate that the results must satisfy. */
  readonly where?: string | readonly string[] | undefined;
  /** A field and a direction: `path [asc|desc]`. */
  readonly sort?: string | readonly string[] | undefined;
  /** The most results in the page; 20 where it is absent. A whole number from 0 to 500. */
  readonly limit?: number | undefined;
  /** How many results to pass over; 0 where it is absent. A whole number from 0 to 10000. */
  readonly offset?: number | undefined;
  /** Whether to count all matches; true where it is absent. */
  readonly withTotal?: boolean | undefined;
  /** A reference to expand; checked, and without effect: a resource holds none. */
  readonly expand?: string | readonly string[] | undefined;
  /** The value of a variable that a predicate names. */
  readonly var?: { readonly [name: string]: VariableValue | readonly VariableValue[] | undefined } | undefined;
}

/** Query parameters of `updateWithUrnLinks`: interface.md, Endpoints 13; D14, D15 */
export interface UpdateWithUrnLinksParams {
  /** Checked, and without further effect. */
  readonly queryParameterOne?: number | undefined;
  /** Checked, and without further effect. */
  readonly queryParameterTwo?: string | undefined;
}
