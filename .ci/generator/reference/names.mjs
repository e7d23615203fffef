// A plugin of TypeDoc: names each module as a program imports it, not as its file.

import { Converter } from "typedoc";

/** @param {import("typedoc").Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? [])
      module.name = module.name === "browser" ? "resource-edge" : `resource-edge/${module.name.replace("/index", "")}`;
  });
}
