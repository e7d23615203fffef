// `resource-edge watch`: prints the changes of a project as they happen.

import type { Command, Input } from "../command.js";
import { Connection, CONNECTION } from "../connection.js";

async function runWatch(input: Input) {
  const { values, output, signal } = input;
  const client = await new Connection(input, "view_test").client();
  const { watch: changesOf } = await import("../../live.js");
  for await (const change of changesOf(client, { where: values.where, after: values.after, signal })) {
    output.write(JSON.stringify(change));
    if (values.once && change.type === "ready") break;
  }
  signal.throwIfAborted();
}

export const watch: Command = {
  about: "print the changes of a project as they happen, each as a line of JSON",
  options: {
    ...CONNECTION,
    where: { value: "PREDICATE", isList: true, about: "a condition; several must all hold" },
    after: {
      value: "POSITION",
      about: "the position of an earlier change, or now (default: begin with the present state)",
    },
    once: { about: "end with the first line of the type ready, when everything so far is printed" },
  },
  more: `Store the last \`position\`, and pass it as --after, to continue after any time. A line of the type reset
means that the project was restored or deleted: discard your copy.`,
  run: runWatch,
};
