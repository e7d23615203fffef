// `resource-edge rewrite`: changes the stored resources of a project after their schema has changed.

import type { ResourceClient } from "../../client/client.js";
import type { ResourceError } from "../../client/errors.js";
import { type Command, CommandError, EXIT, type Input, type Output, plural } from "../command.js";
import { Connection, CONNECTION } from "../connection.js";
import { edit, type Edits, editsOf } from "../edits.js";
import { fieldOf, misfitOf, nameOf, SHAPE_OPTION, type Shape, shapeOf, type StoredResource } from "../shape.js";
import { ofProject } from "../stored.js";

/** How many resources are changed at the same time. */
const PARALLEL = 8;
/** How often a change begins again if others change the resource in between. */
const TRIES = 10;

/** Why a resource is not changed. */
export interface Problem {
  readonly pointer: string;
  readonly message: string;
}

/** What a write would change: the fields that it sets, or removes by null, and all that it removes. */
interface Plan {
  readonly set: { readonly [field: string]: unknown };
  readonly remove: readonly string[];
  readonly problems: readonly Problem[];
}

/** Returns the write that a resource needs; `undefined` if it needs none. */
function planOf(shape: Shape, edits: Edits, resource: StoredResource): Plan | undefined {
  const { declared, name, schema } = shape;
  const next = structuredClone(resource) as StoredResource & { [field: string]: unknown };
  const taken = edit(next, edits);
  const names = [...new Set([...Object.keys(resource), ...Object.keys(next)])];
  const changed = names.filter((field) => JSON.stringify(resource[field]) !== JSON.stringify(next[field]));
  if (changed.length + taken.length === 0) return undefined;
  const known = changed.filter((field) => Object.hasOwn(schema.properties, field));
  const set = Object.fromEntries(known.map((field) => [field, next[field] ?? null]));
  // The version makes it a change (D38): what the body lacks stays as it is.
  const result = declared.validate("draft", { id: resource.id, version: resource.version, ...set });
  const issues = result.valid ? [] : result.issues;
  const old = taken.map(({ from }) => from.join("."));
  const lost = misfitOf(shape, next).removed.filter(({ path }) => !old.includes(fieldOf(path)));
  const removals = lost.map(({ pointer }) => ({
    pointer,
    message: `'${name}' does not have this field, so the write would remove it too. Add it to --rename or --drop.`,
  }));
  const others = taken.map(({ to }) => ({
    pointer: `/${to.join("/")}`,
    message: "This field has another value already. Choose one of the two: --drop removes the old field.",
  }));
  const removed = misfitOf(shape, resource).removed.map(({ path }) => fieldOf(path));
  const remove = [...new Set([...removed, ...known.filter((field) => next[field] === undefined)])];
  return { set, remove, problems: [...issues, ...removals, ...others] };
}

/** Returns why the service refused a write. Throws other errors. `file` declares the resource, if a file does. */
export function refusalOf(error: ResourceError, file: string | undefined): readonly Problem[] {
  const { kind, status, errors = [], message } = error;
  if (file !== undefined && errors.some(({ reason }) => reason === "unknownField")) throw notDeployed(file, message);
  if (kind !== "invalid" && status !== 400 && status !== 409 && status !== 413) throw error;
  if (errors.length === 0) return [{ pointer: "", message }];
  return errors.map(({ path = "", message }) => ({ pointer: path, message }));
}

const notDeployed = (file: string, message: string) =>
  new CommandError(`The service has another schema than ${file}. Deploy it first. ${message}`);

/** Writes the plan of a resource. Returns whether it was changed, or why not. */
async function write(client: ResourceClient, shape: Shape, edits: Edits, id: string, signal: AbortSignal) {
  let plan: Plan | undefined;
  const change = (current: StoredResource) => {
    plan = planOf(shape, edits, current);
    // Whoever wrote it last remains.
    return plan?.problems.length === 0 ? { ...plan.set, lastModifiedBy: current.lastModifiedBy } : undefined;
  };
  try {
    const after = await client.modify(id, change as any, { tries: TRIES, signal });
    const isChanged = plan?.problems.length === 0;
    const [left] = isChanged ? misfitOf(shape, after as StoredResource).removed : [];
    if (left !== undefined) throw notDeployed(shape.file, `It still has the field '${fieldOf(left.path)}'.`);
    return { isChanged, problems: plan?.problems ?? [] };
  } catch (error) {
    // It was deleted meanwhile.
    if ((error as ResourceError).status === 404) return { isChanged: false, problems: [] };
    return { isChanged: false, problems: refusalOf(error as ResourceError, shape.file) };
  }
}

/** What was done with a resource. Without a plan it stays as it is. */
interface Done {
  readonly resource: StoredResource;
  readonly plan: Plan | undefined;
  readonly problems: readonly Problem[];
}

/** Writes why a resource is not changed, or what would change. */
function report({ resource, plan, problems }: Done, isDry: boolean, output: Output) {
  const { id, key } = resource;
  const name = nameOf(resource);
  for (const { pointer, message } of problems)
    output.result({ type: "refused", id, key, pointer, message }, `${name}  ${pointer}  ${message}`);
  if (!isDry || plan === undefined || problems.length > 0) return;
  const { set, remove } = plan;
  const removes = remove.length > 0 ? `  removes ${remove.join(", ")}` : "";
  output.result({ type: "change", id, key, set, remove }, `${name}  sets ${JSON.stringify(set)}${removes}`);
}

async function runRewrite(input: Input) {
  const { values, output, signal } = input;
  const isDry = values["dry-run"] === true;
  const connection = new Connection(input, isDry ? "view_test" : "manage_test");
  const shape = await shapeOf(values.resources, connection.project);
  const edits = editsOf(shape, values);
  const client = await connection.client(shape.declared);
  const perform = async (resource: StoredResource): Promise<Done> => {
    const plan = planOf(shape, edits, resource);
    const problems = plan?.problems ?? [];
    if (plan === undefined || problems.length > 0 || isDry) return { resource, plan, problems };
    const written = await write(client, shape, edits, resource.id, signal);
    return { resource, plan: written.isChanged ? plan : undefined, problems: written.problems };
  };
  const counts = { resources: 0, changed: 0, refused: 0 };
  try {
    for await (const group of ofProject(client, input)) {
      for (let at = 0; at < group.length; at += PARALLEL) {
        for (const done of await Promise.all(group.slice(at, at + PARALLEL).map(perform))) {
          report(done, isDry, output);
          counts.resources += 1;
          counts.refused += Number(done.problems.length > 0);
          counts.changed += Number(done.plan !== undefined && done.problems.length === 0);
        }
      }
    }
  } catch (error) {
    if (!isDry) output.note(`Changed ${plural(counts.changed, "resource")} so far. Run it again: it continues.`);
    throw error;
  }
  const { resources, changed, refused } = counts;
  const rest = refused > 0 ? ` ${plural(refused, "resource")} stayed as listed.` : "";
  output.result(
    { type: "summary", dryRun: isDry, ...counts },
    `${isDry ? "Would change" : "Changed"} ${changed.toLocaleString("en")} of ${plural(resources, "resource")}.${rest}`,
  );
  return refused > 0 ? EXIT.failed : 0;
}

export const rewrite: Command = {
  about: "change the stored resources after their schema in resources.json has changed",
  options: {
    ...CONNECTION,
    ...SHAPE_OPTION,
    rename: { value: "OLD=NEW", isList: true, about: "move the value of a field to another one; repeatable" },
    default: {
      value: "FIELD=VALUE",
      isList: true,
      about: "set a field that has no value, such as price=0; repeatable",
    },
    drop: { value: "FIELD", isList: true, about: "remove the value of a field; repeatable" },
    "dry-run": { about: "print what would change, and change nothing" },
  },
  more: `Deploy resources.json before. It renames first, then sets, then drops. A field may be inside others:
size.width, or variants.stock for each object of a list. A value is JSON, or else a text.

Each write expects the version that was read, and begins again if another caller wrote first. A resource is listed, and
stays as it is, if a rule refuses a value, if the new field has another value already, or if the write would remove a
field that no option names. The exit code is 1 then. If the command is interrupted, run it again: it continues, and once
everything is changed it changes nothing.`,
  run: runRewrite,
};
