import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { ResourceClient } from "resource-edge";
import { createService } from "resource-edge/testing";
import { afterAll, beforeEach, expect, test } from "vitest";
import { product } from "../resource-edge.js";
import resources from "../resources.json";
import { Products } from "./App";

// The service itself, in memory.
const service = await createService({
  resources,
  bodies: [{ key: "lamp", title: "Lamp", price: 40, status: "active" }],
});
const connect = () => new ResourceClient({ ...service.clientOptions(), resource: product });

beforeEach(async () => {
  cleanup();
  await service.reset();
  render(<Products client={connect()} />);
  await screen.findByDisplayValue("Lamp");
});
afterAll(() => service.close());

const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test("a product is created, and found while a person types", async () => {
  type(/^Title/, "Desk");
  type(/^Price/, "cheap");
  await screen.findByText(/expected a number/);
  type(/^Price/, "240");
  fireEvent.click(screen.getByText("Save"));
  await screen.findByText("2 products");
  type(/^Search/, "la");
  await screen.findByText("1 products");
  expect(screen.queryByDisplayValue("Desk")).toBeNull();
});

test("somebody else's change is merged, and a conflict is for a person to decide", async () => {
  fireEvent.click(screen.getByDisplayValue("Lamp"));
  await screen.findByRole("heading", { name: "Lamp" });
  type(/^Price/, "41");
  await connect().modify({ key: "lamp" }, () => ({ price: 42, tags: ["oak"] }));
  fireEvent.click(screen.getByText("Save"));
  fireEvent.click(await screen.findByText("Mine: 41"));
  fireEvent.click(screen.getByText("Save"));
  await screen.findByRole("heading", { name: "New product" });
  expect(await connect().getByKey("lamp")).toMatchObject({ price: 41, tags: ["oak"], version: 3 });
});
