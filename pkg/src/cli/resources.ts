// The file that says which resources a service has: resources.json, or fields.json, which only adds fields to those of
// the interface. What serves without wrangler reads it.

import { existsSync } from "node:fs";

import { CommandError } from "./command.js";

/** The options of commands that serve. */
export const RESOURCES_OPTIONS = {
  resources: { value: "FILE", about: "your resources (default: resources.json, if this folder has it)" },
  fields: { value: "FILE", about: "the table of own fields (default: fields.json, if this folder has it)" },
};

const present = (file: string) => (existsSync(file) ? file : undefined);

/** Returns the file of one of those options, or the one of this folder. There is at most one. */
export function resourcesFile(values: { resources?: string | undefined; fields?: string | undefined }) {
  const { resources = present("resources.json"), fields = present("fields.json") } = values;
  if (resources !== undefined && fields !== undefined)
    throw new CommandError(`Both ${resources} and ${fields} say which fields the service has. Keep one of them.`);
  return { resources, fields };
}
