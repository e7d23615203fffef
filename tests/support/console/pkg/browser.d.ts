export * from "resource-edge";
