// The npm package, as far as the console uses it: `.ci/site` puts it into `pkg` beside the console's files.

declare module "*/pkg/browser.js" {
  export * from "resource-edge";
}
declare module "*/pkg/json-schema.js" {
  export * from "resource-edge/json-schema";
}
declare module "*/pkg/live.js" {
  export * from "resource-edge/live";
}
declare module "*/pkg/syntax.js" {
  export * from "resource-edge/syntax";
}
declare module "*/pkg/operations.js" {
  export * from "resource-edge/operations";
}
declare module "*/pkg/backup/backup.js" {
  export * from "resource-edge/backup/backup";
}
declare module "*/pkg/backup/file-lines.js" {
  export * from "resource-edge/backup/file-lines";
}
declare module "*/pkg/items/columns.js" {
  export * from "resource-edge/items/columns";
}
declare module "*/pkg/items/csv.js" {
  export * from "resource-edge/items/csv";
}
declare module "*/pkg/items/items.js" {
  export * from "resource-edge/items/items";
}
declare module "*/pkg/items/json.js" {
  export * from "resource-edge/items/json";
}
declare module "*/pkg/items/references.js" {
  export * from "resource-edge/items/references";
}
declare module "*/pkg/items/words.js" {
  export * from "resource-edge/items/words";
}
declare module "*/pkg/client/project-calls.js" {
  export * from "resource-edge/client/project-calls";
}
