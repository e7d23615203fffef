// Generated from the schema (src/shape/built_in.rs). Do not edit: run `make generate`.

/** Who created or changed a resource. */
export interface Person {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
}

/** An item of `arrayOfObjectType`. */
export interface ObjectType {
  /** An integer from -9007199254740991 to 9007199254740991. */
  integerExample?: number | null | undefined;
  /** An integer from -2147483648 to 2147483647. */
  integerExampleInt32?: number | null | undefined;
}

/** The seven arrays of a resource. */
export interface ObjectTestType {
  /** Integers. */
  arrayOfIntExample?: readonly number[] | null | undefined;
  /** Integers, none twice. */
  arrayOfUniqueIntExample?: readonly number[] | null | undefined;
  /** None, or exactly 2 integers. */
  arrayOfTwonumbersExample?: readonly [] | readonly [number, number] | null | undefined;
  /** Finite numbers. */
  arrayOfFloatExample?: readonly number[] | null | undefined;
  /** Finite numbers. */
  arrayOfNumberNoDefaultsExample?: readonly number[] | null | undefined;
  arrayOfStringExample?: readonly string[] | null | undefined;
  arrayOfObjectType?: readonly ObjectType[] | null | undefined;
}

/** The body that creates or updates a resource (operation 6). */
export interface ResourceDraft {
  /** An ID: 1 to 256 bytes of UTF-8, no control characters. */
  id?: string | null | undefined;
  /** The expected version. If the resource has another, the call fails with 409. */
  version?: number | null | undefined;
  /** A key: 1 to 256 bytes of UTF-8, no control characters. */
  key?: string | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ`. Its form is checked; its value is ignored. */
  createdAt?: string | null | undefined;
  /** Who creates the resource; ignored if it exists. */
  createdBy?: Person | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ`. Its form is checked; its value is ignored. */
  lastModifiedAt?: string | null | undefined;
  /** Who makes this change. A write without it removes the previous value. */
  lastModifiedBy?: Person | null | undefined;
  objectTypeProperty: ObjectTestType;
  someProperty?: string | null | undefined;
  eigthProperty?: string | null | undefined;
  ninthProperty?: string | null | undefined;
  tenthProperty?: string | null | undefined;
  eleventhPropery?: string | null | undefined;
  twelthProperty?: string | null | undefined;
  thirteenthProperty?: string | null | undefined;
  fourteenthProperty?: string | null | undefined;
  fifteenthProperty?: string | null | undefined;
  custom?: string | null | undefined;
}

/** The body that overwrites a resource (operations 7 and 8). */
export interface ResourceOverwrite {
  /** An ID: 1 to 256 bytes of UTF-8, no control characters. */
  id?: string | null | undefined;
  /** The expected version. If the resource has another, the call fails with 409. */
  version: number;
  /** A key: 1 to 256 bytes of UTF-8, no control characters. */
  key?: string | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ`. Its form is checked; its value is ignored. */
  createdAt?: string | null | undefined;
  /** Who creates the resource; ignored if it exists. */
  createdBy?: Person | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ`. Its form is checked; its value is ignored. */
  lastModifiedAt?: string | null | undefined;
  /** Who makes this change. A write without it removes the previous value. */
  lastModifiedBy?: Person | null | undefined;
  objectTypeProperty: ObjectTestType;
  someProperty?: string | null | undefined;
  eigthProperty?: string | null | undefined;
  ninthProperty?: string | null | undefined;
  tenthProperty?: string | null | undefined;
  eleventhPropery?: string | null | undefined;
  twelthProperty?: string | null | undefined;
  thirteenthProperty?: string | null | undefined;
  fourteenthProperty?: string | null | undefined;
  fifteenthProperty?: string | null | undefined;
  custom?: string | null | undefined;
}

/** Changes no field, and increments the version. */
export interface DoSomeThing {
  action: "doSomeThing";
}

/** Sets `someProperty`. */
export interface ChangeSomeProperty {
  action: "changeSomeProperty";
  someProperty: string;
}

/** One of the changes that an update makes. */
export type ExampleResourceUpdateAction = DoSomeThing | ChangeSomeProperty;

/** An expected version and the actions to perform in order (operation 10). */
export interface ResourceUpdate {
  /** The expected version. If the resource has another, the call fails with 409. */
  version: number;
  /** At most 500. */
  actions: readonly ExampleResourceUpdateAction[];
}

/** The body of the two operations with path-structured addressing (operations 9 and 13). */
export interface ComplexBody {
  /** An ID: 1 to 256 bytes of UTF-8, no control characters. */
  id?: string | null | undefined;
  /** Digits: the expected version. Any other text is ignored. */
  version?: string | null | undefined;
  /** A key: 1 to 256 bytes of UTF-8, no control characters. */
  key?: string | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ`. Its form is checked; its value is ignored. */
  createdAt?: string | null | undefined;
  /** Who creates the resource; ignored if it exists. */
  createdBy?: Person | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ`. Its form is checked; its value is ignored. */
  lastModifiedAt?: string | null | undefined;
  /** Who makes this change. A write without it removes the previous value. */
  lastModifiedBy?: Person | null | undefined;
  eigthProperty?: string | null | undefined;
  ninthProperty?: string | null | undefined;
  tenthProperty?: string | null | undefined;
  eleventhPropery?: string | null | undefined;
  twelthProperty?: string | null | undefined;
  thirteenthProperty?: string | null | undefined;
  fourteenthProperty?: string | null | undefined;
  fifteenthProperty?: string | null | undefined;
  custom?: string | null | undefined;
}

/** Creates a resource, or replaces the arrays that the body has. */
export interface CreateOrUpdateWrite {
  operation: "createOrUpdate";
  body: ResourceDraft;
}

/** Overwrites a resource that exists. */
export interface OverwriteWrite {
  operation: "overwrite";
  body: ResourceOverwrite;
}

/** Creates a resource or overwrites it. */
export interface CreateOrOverwriteWrite {
  operation: "createOrOverwrite";
  body: ResourceOverwrite;
}

/** Performs update actions on the version that the caller expects. */
export interface UpdateByIdWrite {
  operation: "updateById";
  /** An ID: 1 to 256 bytes of UTF-8, no control characters. */
  id: string;
  body: ResourceUpdate;
}

/** Deletes a resource and returns what it was. */
export interface DeleteByIdWrite {
  operation: "deleteById";
  /** An ID: 1 to 256 bytes of UTF-8, no control characters. */
  id: string;
  /** The expected version. If the resource has another, the call fails with 409. */
  version?: number | null | undefined;
}

/** One of the changes that an update makes. */
export type BatchWrite = CreateOrUpdateWrite | OverwriteWrite | CreateOrOverwriteWrite | UpdateByIdWrite | DeleteByIdWrite;

/** Several writes, all or nothing: 1 to 100, in their order. A later one sees the earlier ones. */
export interface WriteBatch {
  /** 1 to 100. */
  writes: readonly BatchWrite[];
}

/** The bodies that a client may send, by the kinds that `validate` accepts. */
export interface Bodies {
  /** The body that creates or updates a resource (operation 6). */
  resourceDraft: ResourceDraft;
  /** The body that overwrites a resource (operations 7 and 8). */
  resourceOverwrite: ResourceOverwrite;
  /** An expected version and the actions to perform in order (operation 10). */
  resourceUpdate: ResourceUpdate;
  /** The body of the two operations with path-structured addressing (operations 9 and 13). */
  complexBody: ComplexBody;
  /** Several writes, all or nothing: 1 to 100, in their order. A later one sees the earlier ones. */
  writeBatch: WriteBatch;
}
