export { operations } from "./generated/operations.js";
