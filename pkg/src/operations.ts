export { type Operation, type OperationInfo, operations } from "./generated/operations.js";
