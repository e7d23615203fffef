// `resource-edge check`: lists what of a project does not fit the schema in resources.json.

import { type Command, EXIT, type Input, type Output, plural } from "../command.js";
import { Connection, CONNECTION } from "../connection.js";
import type { ValueSchema } from "../declarations.js";
import { valuesAt } from "./query.js";
import { fieldOf, misfitOf, nameOf, SHAPE_OPTION, type Shape, shapeOf, type StoredResource } from "../shape.js";
import { ofFile, ofProject } from "../stored.js";

/** A field whose values no two resources have. The service compares texts of the format `date-time` as instants. */
type UniqueField = { path: string[]; isInstant: boolean };

const uniqueFields = ({ properties = {} }: ValueSchema): UniqueField[] =>
  Object.entries<ValueSchema>(properties).flatMap(([name, property]) => {
    const inner = uniqueFields(property.items ?? property);
    const fields = inner.map(({ path, ...rest }) => ({ path: [name, ...path], ...rest }));
    const isInstant = property.format === "date-time";
    return property["x-unique"] === true ? [{ path: [name], isInstant }, ...fields] : fields;
  });

type Named = Pick<StoredResource, "id" | "key">;

/** The unique values so far, and who has them. */
class Uniques {
  readonly #fields;

  constructor({ schema }: Shape) {
    this.#fields = uniqueFields(schema).map((field) => ({ ...field, holders: new Map<string | number, Named>() }));
  }

  /** Adds a resource. Returns its values that another one has. */
  add(resource: StoredResource) {
    const { id, key } = resource;
    return this.#fields.flatMap(({ path, isInstant, holders }) =>
      [...new Set(valuesAt(resource, path))].flatMap((value) => {
        const instant = isInstant ? Date.parse(String(value)) : Number.NaN;
        const compared = Number.isNaN(instant) ? JSON.stringify(value) : instant;
        const of = holders.get(compared);
        if (of === undefined) holders.set(compared, key === undefined ? { id } : { id, key });
        return of === undefined || of.id === id ? [] : [{ field: path.join("."), value, of }];
      }),
    );
  }
}

/** Writes what is wrong: as JSON with `--json`, otherwise as text. Counts it. */
class Report {
  readonly counts = { resources: 0, misfits: 0, issues: 0, duplicates: 0 };
  /** How many resources have a field that the shape does not have. */
  readonly removed = new Map<string, number>();
  readonly #output;

  constructor(output: Output) {
    this.#output = output;
  }

  add(
    resource: StoredResource,
    { issues, more, removed }: ReturnType<typeof misfitOf>,
    shared: ReturnType<Uniques["add"]>,
  ) {
    const { id, key } = resource;
    const name = nameOf(resource);
    const write = (type: string, value: object, text: string) =>
      this.#output.result({ type, id, key, ...value }, `${name}  ${text}`);
    for (const issue of issues) write("issue", issue, `${issue.pointer}  ${issue.message}`);
    if (more > 0) write("more", { count: more }, `has ${plural(more, "further issue")}.`);
    for (const { field, value, of } of shared)
      write("duplicate", { field, value, of }, `${field}  ${nameOf(of)} has the same value: ${JSON.stringify(value)}.`);
    if (this.#output.isJson) for (const { pointer } of removed) write("removed", { pointer }, "");
    for (const field of new Set(removed.map(({ path }) => fieldOf(path))))
      this.removed.set(field, (this.removed.get(field) ?? 0) + 1);
    const { counts } = this;
    counts.resources += 1;
    counts.misfits += Number(issues.length + shared.length + removed.length > 0);
    counts.issues += issues.length + more;
    counts.duplicates += shared.length;
  }

  /** Writes the end. Returns whether everything fits. */
  end({ name }: Shape) {
    const { resources, misfits, issues, duplicates } = this.counts;
    const removed = [...this.removed].sort(([, one], [, other]) => other - one);
    if (!this.#output.isJson)
      for (const [field, count] of removed)
        this.#output.write(
          `${field}  ${plural(count, "resource has", "resources have")} this field, which '${name}' does not have. ` +
            "The next write removes it.",
        );
    const parts = [
      plural(issues, "issue"),
      plural(duplicates, "duplicate value"),
      `${plural(removed.length, "field")} that '${name}' does not have`,
    ];
    const all = plural(resources, "resource");
    const some = `${misfits.toLocaleString("en")} of ${all} ${misfits === 1 ? "does" : "do"} not fit`;
    this.#output.result(
      { type: "summary", resource: name, ...this.counts, removed: Object.fromEntries(removed) },
      misfits === 0
        ? `${resources === 1 ? `${all} fits` : `All of ${all} fit`} '${name}'.`
        : `${some} '${name}': ${parts.join(", ")}.`,
    );
    return misfits === 0;
  }
}

async function runCheck(input: Input) {
  const { values, output } = input;
  const connection = new Connection(input, "view_test");
  const shape = await shapeOf(values.resources, connection.project);
  const found = values.file === undefined ? ofProject(await connection.client(), input) : ofFile(values.file, input);
  const uniques = new Uniques(shape);
  const report = new Report(output);
  for await (const group of found)
    for (const resource of group) report.add(resource, misfitOf(shape, resource), uniques.add(resource));
  return report.end(shape) ? 0 : EXIT.failed;
}

export const check: Command = {
  about: "list the stored resources that do not fit their schema in resources.json",
  options: {
    ...CONNECTION,
    ...SHAPE_OPTION,
    file: { value: "FILE", about: "check a file of `export` instead, or - for standard input, without a service" },
  },
  more: `It changes nothing. A line names a resource, the place, and what is wrong there. Fields that the schema does
not have, which the next write of their resource removes, are counted. With --json, each finding is a line of JSON with
its \`type\`: issue, more, duplicate, or removed; the last line is the summary. The exit code is 1 if anything does not
fit.

Before a deploy, it says what the new file would mean for the resources that are stored. If others write meanwhile, a
value that moves to another resource may be listed as a duplicate: run the command again.`,
  run: runCheck,
};
