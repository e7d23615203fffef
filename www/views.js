// The views of a project, by the last part of their addresses. `show` gives the element, or its promise, from
// `{ address, client, project, onLeave }`; a view with a `tab` stands in the navigation.

import { h } from "./dom.js";

export const views = {
  collection: {
    tab: "Resources",
    title: ({ project }) => project,
    show: async ({ client, project }) => {
      const { total } = await client.query({ limit: 0 });
      return h("div", { class: "stack" }, h("h1", {}, project), h("p", {}, `${total} resources`));
    },
  },
};
