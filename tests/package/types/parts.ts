// Schemas of parts, limits, JSON Schemas, and the builder of predicates. Compiled, never run.
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import {
  fieldSchema,
  limits,
  predicate,
  type ExampleResourceUpdateAction,
  type FieldPath,
  type Person,
  type ResourceClient,
  type ResourceDraft,
} from "resource-edge";
import * as jsonSchema from "resource-edge/json-schema";
import { watch, type FeedChange, type WatchOptions } from "resource-edge/live";
import { operations, type Operation } from "resource-edge/operations";
import {
  and,
  not,
  or,
  predicate as tag,
  variable,
  where,
  type Condition,
  type ResourceFields,
} from "resource-edge/predicate";
import { loadSyntax, type SyntaxIssue } from "resource-edge/syntax";
import worker, { ProjectObject } from "resource-edge/worker";

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
type Output<Schema extends StandardSchemaV1> = StandardSchemaV1.InferOutput<Schema>;

const key = fieldSchema("resourceDraft", "key");
const action = fieldSchema("resourceUpdate", "actions.0");
const text = fieldSchema("resourceUpdate", "actions[0].someProperty");
const items = fieldSchema("resourceDraft", "objectTypeProperty.arrayOfIntExample");
const item = fieldSchema("resourceDraft", "objectTypeProperty.arrayOfIntExample[3]");
const nested = fieldSchema("resourceOverwrite", "objectTypeProperty.arrayOfObjectType.0.integerExample");
const pair = fieldSchema("resourceDraft", "objectTypeProperty.arrayOfTwonumbersExample.1");
const person = fieldSchema("complexBody", "createdBy");
export const same: [
  Same<Output<typeof key>, string | null | undefined>,
  Same<Output<typeof action>, ExampleResourceUpdateAction>,
  Same<Output<typeof text>, string>,
  Same<Output<typeof items>, readonly number[] | null | undefined>,
  Same<Output<typeof item>, number>,
  Same<Output<typeof nested>, number | null | undefined>,
  Same<Output<typeof pair>, number>,
  Same<Output<typeof person>, Person | null | undefined>,
] = [true, true, true, true, true, true, true, true];
// @ts-expect-error: no such field
fieldSchema("resourceDraft", "nope");
// @ts-expect-error: the name of an item is a number
fieldSchema("resourceDraft", "objectTypeProperty.arrayOfIntExample.first");
// @ts-expect-error: a text has no fields
fieldSchema("resourceDraft", "key.length");
// @ts-expect-error: a field of another kind
fieldSchema("complexBody", "objectTypeProperty");
const path: FieldPath<ResourceDraft> = "createdBy.firstName";
const checked = key.validate("x");
if (!checked.valid) checked.issues.map(({ message }) => message);

const max: number = limits.actions;
// @ts-expect-error: limits are constants
limits.actions = 5;
// @ts-expect-error: no such limit
limits.nope;

export const schemas: (StandardSchemaV1 & StandardJSONSchemaV1)[] = [
  jsonSchema.resourceDraft,
  jsonSchema.resourceOverwrite,
  jsonSchema.resourceUpdate,
  jsonSchema.complexBody,
];
export const input: Same<StandardJSONSchemaV1.InferInput<typeof jsonSchema.resourceDraft>, ResourceDraft> = true;
const written: Record<string, unknown> = jsonSchema.complexBody["~standard"].jsonSchema.input({ target: "draft-07" });

const built: string = where((resource) =>
  and(
    resource.key.in(["a", "b"]).or(resource.key.eq(variable("key"))),
    not(resource.createdAt.lt(new Date())),
    resource.arrayOfIntExample.containsAny(new Set([1, 2n])),
    resource.arrayOfTwonumbersExample.withinCircle(13, 52, 500),
    resource.arrayOfObjectType.some((part) => part.integerExample.gt(3).and(part.integerExampleInt32.isDefined())),
    resource.arrayOfObjectType.integerExample.eq(3),
    resource.createdBy.firstName.matchesIgnoreCase("ada"),
    resource.objectTypeProperty.arrayOfStringExample.isNotEmpty(),
  ),
);
// @ts-expect-error: a text is not an array
where((resource) => resource.key.containsAny(["a"]));
// @ts-expect-error: a number is not a text
where((resource) => resource.version.matchesIgnoreCase("a"));
// @ts-expect-error: it compares with numbers
where((resource) => resource.version.eq("1"));
// @ts-expect-error: only one field contains two numbers
where((resource) => resource.arrayOfIntExample.withinCircle(1, 2, 3));
// @ts-expect-error: no such field
where((resource) => resource.nope.eq("x"));
// @ts-expect-error: a field is not a condition
where((resource) => resource.key);
// @ts-expect-error: at least one condition
or();
const conditions = (resource: ResourceFields): Condition => resource.id.eq("a");

const syntax = await loadSyntax();
const issue: SyntaxIssue | undefined = syntax.where("key = 1");
const place: readonly number[] = issue === undefined ? [] : [issue.line, issue.column, issue.length];
// @ts-expect-error: no such language
syntax.expand("a");

const names = Object.keys(operations) as Operation[];
const bodies: readonly (
  | "resourceDraft"
  | "resourceOverwrite"
  | "resourceUpdate"
  | "complexBody"
  | "writeBatch"
  | undefined
)[] = names.map((name) => operations[name].body);
// @ts-expect-error: no such operation
operations.read;

export { follow, bodies, place, built, conditions, max, path, predicate, tag, written };

// A Worker of a project may do something before the service.
const own: { fetch(request: { url: string; method: string }, env: object): unknown } = {
  fetch: (request, env) => (request.method === "TRACE" ? undefined : worker.fetch(request, env)),
};
class OwnObject extends ProjectObject {}
// @ts-expect-error: the Worker gets its bindings
worker.fetch({ url: "https://api.test/health" });
void [own, OwnObject];

const follow = async (client: ResourceClient, options: WatchOptions) => {
  for await (const change of watch(client, options)) {
    const position: string | undefined = change.position;
    if (change.type === "set") change.resource.objectTypeProperty.arrayOfIntExample satisfies readonly number[];
    // @ts-expect-error: only some changes are about a resource
    change.id;
    changes.push(position === undefined ? { type: "reset", position } : change);
  }
};
const changes: FeedChange[] = [];
