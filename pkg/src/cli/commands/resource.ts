// `resource-edge get`, `put`, and `delete`: one resource.

import type { ResourceClient } from "../../client/client.js";
import { type Command, type Input, UsageError, wholeNumber } from "../command.js";
import { Connection, CONNECTION, FIELDS } from "../connection.js";
import { fileOf, parseJson, placeOf, readText } from "../files.js";
import { RESOURCES_OPTION, resourcesFile } from "../resources.js";
import { nameOf, shapeOf, type StoredResource } from "../shape.js";

const ONE = {
  parameters: [{ name: "ID", about: "its ID, unless --key names it", isOptional: true }],
  options: { ...CONNECTION, key: { value: "KEY", about: "its key, instead of the ID" } },
};

/** Checks that the arguments name one resource. */
function checkName({ values: { key }, parameters: [id] }: Input) {
  if ((id === undefined) === (key === undefined)) throw new UsageError("Expected either an ID or --key KEY.");
}

/** Reads the resource that the arguments name, from the source of truth. */
function read(client: ResourceClient<any>, { values: { key, fields }, parameters: [id = ""], signal }: Input) {
  const options = { fresh: true, signal };
  return key === undefined ? client.getById(id, { fields }, options) : client.getByKey(key, { fields }, options);
}

export const get: Command = {
  about: "print one resource",
  ...ONE,
  options: { ...ONE.options, fields: FIELDS },
  async run(input) {
    checkName(input);
    const found = await read(await new Connection(input, "view_test").client(), input);
    input.output.result(found, JSON.stringify(found, undefined, 2));
  },
};

/** Parses the file that the parameter names, and then connects. Returns the content, and a client that sends it. */
export async function openBodies<Content>(input: Input, parse: (text: string, place: string) => Content) {
  const [name = "-"] = input.parameters;
  const connection = new Connection(input, "manage_test");
  const file = resourcesFile(input.values);
  const shape = file === undefined ? undefined : await shapeOf(file, connection.project);
  const content = parse(readText(await fileOf(name, input.signal)), placeOf(name));
  return { content, client: await connection.client(shape?.declared) };
}

export const put: Command = {
  about: "create or update one resource",
  parameters: [{ name: "FILE", about: "its body as JSON, or - for standard input" }],
  options: { ...CONNECTION, ...RESOURCES_OPTION },
  more: `The id in the body names the resource, or the key if there is no id; without either, it is created. If the body
has a version, it has to be the newest one, and the body may leave out fields, which keep their values.`,
  async run(input) {
    const { output, signal } = input;
    const { content: body, client } = await openBodies(input, parseJson);
    let verb = "Updated";
    const onResponse = ({ status }: { status: number }) => {
      if (status === 201) verb = "Created";
    };
    const written = await client.createOrUpdate(body, { signal, onResponse });
    output.result(written, `${verb} ${nameOf(written as StoredResource)}. It has the version ${written.version}.`);
  },
};

export const remove: Command = {
  about: "delete one resource",
  ...ONE,
  options: {
    ...ONE.options,
    version: { value: "N", about: "delete it only if this is its newest version" },
    force: { about: "delete it whatever its version is" },
  },
  async run(input) {
    checkName(input);
    const { values, parameters, output, signal } = input;
    if ((values.version === undefined) !== (values.force === true))
      throw new UsageError("Expected either --version N, the version that you have read, or --force.");
    const params = values.force ? undefined : { version: wholeNumber("version", values.version) };
    const client = await new Connection(input, "manage_test").client();
    const id = parameters[0] ?? (await read(client, input)).id;
    const deleted = await client.deleteById(id, params, { signal });
    output.result(deleted, `Deleted ${nameOf(deleted as StoredResource)}. It had the version ${deleted.version}.`);
  },
};
