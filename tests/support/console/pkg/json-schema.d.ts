export * from "resource-edge/json-schema";
