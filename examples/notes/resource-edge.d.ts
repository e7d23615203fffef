// Written by `npx resource-edge types` from examples/notes/resources.json. Do not edit.

import type { DeclaredResource } from "resource-edge";

export interface Note {
  text: string;
  owner: string;
}
/** The resource `note`: its schemas for forms, and what `ResourceClient` needs of it. */
export declare const note: DeclaredResource<Note>;
