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
declare module "*/pkg/operations.js" {
  export * from "resource-edge/operations";
}
declare module "*/pkg/backup.js" {
  export * from "resource-edge/backup";
}
declare module "*/pkg/project-calls.js" {
  export * from "resource-edge/project-calls";
}
