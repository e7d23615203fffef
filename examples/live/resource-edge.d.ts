// Written by `npx resource-edge types` from pkg/template/shared/resources.json. Do not edit.

import type { DeclaredResource } from "./node_modules/resource-edge/browser.js";

export interface Product {
  title: string;
  price: number;
  status?: "draft" | "active";
  sku?: string;
  tags?: string[];
  size?: {
    width?: number;
    height?: number;
  };
  variants?: {
    color: string;
    stock?: number;
  }[];
  supplier?: string;
}
/** The resource `product`: its schemas for forms, and what `ResourceClient` needs of it. */
export declare const product: DeclaredResource<Product>;
