export { default, ProjectObject } from "resource-edge/worker";
