// Generated from the schema and the predicate language (src/predicate). Do not edit: run `make generate`.

import type { Circles, Compares, Contains, Defines, Empties, Items, Matches } from "../expressions/operators.js";

/** The fields of a resource. */
export interface ResourceFields {
  readonly id: Compares<string> & Defines & Matches;
  readonly version: Compares<number | bigint> & Defines;
  readonly key: Compares<string> & Defines & Matches;
  readonly createdAt: Compares<Date | string> & Defines;
  readonly createdBy: Defines & PersonFields;
  readonly lastModifiedAt: Compares<Date | string> & Defines;
  readonly lastModifiedBy: Defines & PersonFields;
  readonly objectTypeProperty: Defines & ObjectTestTypeFields;
  readonly someProperty: Compares<string> & Defines & Matches;
  readonly eigthProperty: Compares<string> & Defines & Matches;
  readonly ninthProperty: Compares<string> & Defines & Matches;
  readonly tenthProperty: Compares<string> & Defines & Matches;
  readonly eleventhPropery: Compares<string> & Defines & Matches;
  readonly twelthProperty: Compares<string> & Defines & Matches;
  readonly thirteenthProperty: Compares<string> & Defines & Matches;
  readonly fourteenthProperty: Compares<string> & Defines & Matches;
  readonly fifteenthProperty: Compares<string> & Defines & Matches;
  readonly custom: Compares<string> & Defines & Matches;
  readonly arrayOfIntExample: Compares<number | bigint> & Contains<number | bigint> & Empties & Defines;
  readonly arrayOfUniqueIntExample: Compares<number | bigint> & Contains<number | bigint> & Empties & Defines;
  readonly arrayOfTwonumbersExample: Compares<number | bigint> & Contains<number | bigint> & Empties & Defines & Circles;
  readonly arrayOfFloatExample: Compares<number | bigint> & Contains<number | bigint> & Empties & Defines;
  readonly arrayOfNumberNoDefaultsExample: Compares<number | bigint> & Contains<number | bigint> & Empties & Defines;
  readonly arrayOfStringExample: Compares<string> & Contains<string> & Empties & Defines & Matches;
  readonly arrayOfObjectType: Empties & Defines & Items<ObjectTypeFields> & ObjectTypeFields;
}

/** Fields: An item of `arrayOfObjectType`. */
export interface ObjectTypeFields {
  readonly integerExample: Compares<number | bigint> & Defines;
  readonly integerExampleInt32: Compares<number | bigint> & Defines;
}

/** Fields: The seven arrays of a resource. */
export interface ObjectTestTypeFields {
  readonly arrayOfIntExample: Compares<number | bigint> & Contains<number | bigint> & Empties & Defines;
  readonly arrayOfUniqueIntExample: Compares<number | bigint> & Contains<number | bigint> & Empties & Defines;
  readonly arrayOfTwonumbersExample: Compares<number | bigint> & Contains<number | bigint> & Empties & Defines & Circles;
  readonly arrayOfFloatExample: Compares<number | bigint> & Contains<number | bigint> & Empties & Defines;
  readonly arrayOfNumberNoDefaultsExample: Compares<number | bigint> & Contains<number | bigint> & Empties & Defines;
  readonly arrayOfStringExample: Compares<string> & Contains<string> & Empties & Defines & Matches;
  readonly arrayOfObjectType: Empties & Defines & Items<ObjectTypeFields> & ObjectTypeFields;
}

/** Fields: Who created or changed a resource. */
export interface PersonFields {
  readonly firstName: Compares<string> & Defines & Matches;
  readonly lastName: Compares<string> & Defines & Matches;
}
