// Generated from the schema and the responses (src/contract). Do not edit: run `make generate`.

import type { ObjectType, Person } from "./bodies.js";

/** The seven arrays in a response. Each is present, and empty by default. */
export interface Arrays {
  /** Integers. */
  arrayOfIntExample: number[];
  /** Integers, none twice. */
  arrayOfUniqueIntExample: number[];
  /** None, or exactly 2 integers. */
  arrayOfTwonumbersExample: [] | [number, number];
  /** Finite numbers. */
  arrayOfFloatExample: number[];
  /** Finite numbers. */
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

/** A page of results. */
export interface Page {
  /** The maximum number of results in the page. */
  limit: number;
  /** How many results were skipped. */
  offset: number;
  /** How many results are in this page. */
  count: number;
  /** How many resources match; absent if `withTotal` is false. */
  total?: number;
  /** The resources, in the requested order. */
  results: Resource[];
}

/** The result of `query`: a page, and the seven arrays of its first result. The arrays are empty if the page is. */
export interface QueryPage extends Page, Arrays {}

/** A facet that counts the values of a field. */
export interface TermsFacet {
  /** The kind of facet. */
  type: "terms";
  /** The type of the values. */
  dataType: "text" | "number" | "datetime" | "boolean";
  /** How many resources have no value. */
  missing: number;
  /** The sum of the counts of all terms. */
  total: number;
  /** The part of `total` that belongs to terms that are not listed. */
  other: number;
  /** The most frequent values. */
  terms: {
    /** The value as a text. */
    term: string;
    /** How many resources have the value. */
    count: number;
    /** Equal to `count`; present if the facet counts products. */
    productCount?: number;
  }[];
}

/** A facet that counts the values in ranges. */
export interface RangeFacet {
  /** The kind of facet. */
  type: "range";
  /** The ranges in the order of the request. */
  ranges: {
    /** The lower end; 0 if the range is open. */
    from: number;
    /** The lower end as a text; empty if the range is open. */
    fromStr: string;
    /** The upper end; 0 if the range is open. */
    to: number;
    /** The upper end as a text; empty if the range is open. */
    toStr: string;
    /** How many resources have a value in the range. */
    count: number;
    /** Equal to `count`; present if the facet counts products. */
    productCount?: number;
    /** The sum of the values in the range. */
    total: number;
    /** The smallest value; 0 if there is none. */
    min: number;
    /** The largest value; 0 if there is none. */
    max: number;
    /** The mean of the values; 0 if there is none. */
    mean: number;
  }[];
}

/** A facet that counts the resources that have one of its values. */
export interface FilteredFacet {
  /** The kind of facet. */
  type: "filter";
  /** How many resources have one of the values. */
  count: number;
  /** Equal to `count`; present if the facet counts products. */
  productCount?: number;
}

/** A facet of a search. */
export type Facet = TermsFacet | RangeFacet | FilteredFacet;

/** The result of `search`: a page, and the requested facets. */
export interface SearchPage extends Page {
  /** Each facet under its alias, or its path. */
  facets: { [name: string]: Facet };
}

/**
 * The result of a write that requests a receipt: the time of acceptance, in UTC, in six formats. The change is durable
 * by then.
 */
export interface Receipt {
  /** `YYYY-MM-DD` */
  dateOnlyExample: string;
  /** `hh:mm:ss` */
  timeOnlyExample: string;
  /** A date-time without zone designator. */
  dateTimeOnlyExample: string;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ` */
  dateTimeExample: string;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ` */
  dateTimeExampleDefaultFormat: string;
  /** As in HTTP headers: `Tue, 29 Feb 2000 12:34:56 GMT`. */
  dateTimeExampleRfc: string;
}

/** The state of a project, for operators. */
export interface Status {
  /** How many resources the project has. */
  resources: number;
  /** The size of the database in bytes. */
  databaseBytes: number;
  /** Its share of the largest size in percent, rounded down. */
  databasePercent: number;
  /** `nearlyFull` from 80 percent on; `full` from 95 percent on: then only deletions are performed. */
  databaseState: "ok" | "nearlyFull" | "full";
  /** The revision of its last write; 0 before the first. */
  newestRevision: number;
  /** All writes up to this revision are in KV, or are queued for another attempt. */
  replicatedRevision: number;
  /** How many KV entries still have to be updated. */
  backlog: number;
  /** The age of the oldest pending write in milliseconds; absent if `backlog` is 0. */
  backlogAgeMs?: number;
  /** How many sockets are open to the changes, and how many requests wait for them. */
  listeners: number;
  /** The version of the tables. */
  tablesVersion: number;
  /** The version of the index. */
  indexVersion: number;
  /** False while the index is rebuilt. */
  isIndexed: boolean;
  /** The format of messages between the Worker and the object. */
  messageFormat: number;
  /** The end of the last complete sweep; absent before the first. */
  lastSweepAt?: string;
  /** The time of the next step of the sweep; absent before the first write. */
  nextSweepAt?: string;
}

/** The result of an import. */
export interface Imported {
  /** How many lines were imported. */
  imported: number;
  /** How many lines the project had already. */
  skipped: number;
  /** How many lines of the request, from its beginning and with empty ones, were imported or skipped. */
  taken: number;
  /** Whether these are all lines. If not, send the rest, or repeat the request: known lines are skipped. */
  isDone: boolean;
  /** Whether the last line is the end of an export, and the project has everything that the source has there. */
  isComplete: boolean;
  /** The project's newest revision, which is that of the last imported line. */
  newestRevision: number;
}

/**
 * Lines of JSON. The first is `{"from","to"}`: the positions before and after the page. A line for each changed
 * resource follows, which is `Resource`, and for each deleted ID, which is `{"deletedAt","id","version"}`, in the order
 * of their revisions. With `where`, the last line may be `{"outside"}`: the IDs of changed resources that do not match.
 * `Link` names the next page, if more changes follow.
 */
export type Changes = string;

/** The result of a request to delete a project. */
export interface Cleared {
  /** How many resources it deleted. */
  deleted: number;
  /** How many resources the project still has. */
  remaining: number;
  /** Whether the project has neither resources nor stored responses. */
  isDone: boolean;
  /** The project's newest revision. */
  newestRevision: number;
}

/** The result of a request to restore a project. */
export interface Restored {
  /** The bookmark of the moment before. A restore to it undoes this one. */
  undo: string;
}

/** The responses to the writes of a batch, in their order. */
export interface BatchResults {
  /** What each write returns. */
  results: {
    /** The status of its response: 200, or 201 if it created the resource. */
    status: number;
    /** The resource after the write; of a deletion, before it. */
    resource: Resource;
  }[];
}
