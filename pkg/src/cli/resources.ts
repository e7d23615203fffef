// resources.json, which says which resources a service has. What serves without wrangler reads it.

import { existsSync } from "node:fs";

export const RESOURCES = "resources.json";

/** The option of commands that serve. */
export const RESOURCES_OPTION = {
  resources: { value: "FILE", about: `your resources (default: ${RESOURCES}, if this folder has it)` },
};

/** Returns the file of the option, or the one of this folder. */
export const resourcesFile = ({ resources }: { resources?: string | undefined }) =>
  resources ?? (existsSync(RESOURCES) ? RESOURCES : undefined);
