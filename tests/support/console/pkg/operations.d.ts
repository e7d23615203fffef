export * from "resource-edge/operations";
