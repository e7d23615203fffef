// The views of a project, by the last part of their addresses. `show` gives the element, or its promise, from
// `{ address, client, project, onLeave }`; a view with a `tab` stands in the navigation.

import { collectionView } from "./collection.js";
import { resourceView } from "./resource.js";
import { searchView } from "./search.js";

export const views = {
  collection: { tab: "Resources", title: ({ project }) => project, show: collectionView },
  search: { tab: "Search", title: ({ project }) => `Search · ${project}`, show: searchView },
  resource: { title: ({ id }) => id, show: resourceView },
};
