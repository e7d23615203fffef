// Written by `npx resource-edge types` from fields.json. Do not edit.
import "resource-edge";

declare module "resource-edge" {
  interface OwnFields {
    title: "text";
    price: "number";
  }
}
