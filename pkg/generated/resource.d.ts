// Generated from the schema (src/contract/schema.rs). Do not edit: run `make generate`.

import type { ObjectType, Person } from "./bodies.js";

/** The seven arrays in a response. Each is present, and empty by default. */
export interface Arrays {
  arrayOfIntExample: number[];
  arrayOfUniqueIntExample: number[];
  arrayOfTwonumbersExample: [] | [number, number];
  arrayOfFloatExample: number[];
  arrayOfNumberNoDefaultsExample: number[];
  arrayOfStringExample: string[];
  arrayOfObjectType: ObjectType[];
}

/** A resource in a response. You can send it back as the body of an overwrite. */
export interface Resource {
  /** 1 to 256 bytes of UTF-8. The service generates one if the body has none. */
  id: string;
  /** Rises by one with each write. An update names the version that it expects. */
  version: number;
  /** The unique name that you chose, of 1 to 256 bytes of UTF-8. */
  key?: string;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ`, in UTC. */
  createdAt: string;
  createdBy?: Person;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ`, in UTC. Each write of the project has a later time than the one before. */
  lastModifiedAt: string;
  lastModifiedBy?: Person;
  objectTypeProperty: Arrays;
  someProperty?: string;
  eigthProperty?: string;
  ninthProperty?: string;
  tenthProperty?: string;
  eleventhPropery?: string;
  twelthProperty?: string;
  thirteenthProperty?: string;
  fourteenthProperty?: string;
  fifteenthProperty?: string;
  custom?: string;
}
