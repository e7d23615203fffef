// A resource that a deployment declares: validation, forms, predicates, and their check. `declared-client.test.mjs` has
// its clients.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { fieldSchema, resource, validate } from "../../pkg/dist/node.js";
import { and, not, variable } from "../../pkg/dist/predicate.js";
import { loadSyntax } from "../../pkg/dist/syntax.js";
import { PRODUCT, RESOURCES } from "./resources.mjs";

const product = resource(RESOURCES, "product");
const supplier = resource(RESOURCES, "supplier");
const whole = { title: "Lamp", price: 5 };
const variants = [{ color: "red", stock: 1, codes: ["a"] }];
const all = { ...whole, status: "active", sku: "AB-1", tags: ["a"], open: true, size: { height: 1 }, variants };

/** The reasons and the places of what is wrong. */
const wrong = (/** @type {any} */ result) => result.issues?.map(({ pointer, reason }) => `${pointer} ${reason}`);

test("objects, texts, and bytes have the same verdict and issues by the rules of the schema", () => {
  for (const [kind, body, expected] of /** @type {[any, any, string[] | undefined][]} */ ([
    ["draft", all, undefined],
    ["draft", {}, ["/title required", "/price required"]],
    ["draft", { ...whole, title: "", price: -1 }, ["/title length", "/price range"]],
    ["draft", { ...whole, status: "gone", sku: "a" }, ["/status enum", "/sku pattern"]],
    ["draft", { ...whole, supplier: "nobody", tags: ["a", "a"] }, ["/supplier format", "/tags/1 notUnique"]],
    ["draft", { ...whole, size: { width: 1 } }, ["/size/height required"]],
    ["draft", { ...whole, variants: [{ color: 5 }] }, ["/variants/0/color type"]],
    ["draft", { ...whole, objectTypeProperty: {} }, ["/objectTypeProperty unknownField"]],
    ["draft", { version: 1, price: 6 }, undefined],
    ["draft", { version: 1, price: null }, ["/price required"]],
    ["draft", { version: 1, status: null }, undefined],
    ["overwrite", { version: 1, price: 6 }, ["/title required"]],
    ["overwrite", { version: 1, ...all }, undefined],
    ["complex", { price: 6, tags: null }, undefined],
    ["complex", { price: "6" }, ["/price type"]],
    ["update", { version: 1, actions: [{ action: "setTitle", title: "b" }, { action: "setStatus" }] }, undefined],
    ["update", { version: 1, actions: [{ action: "addTags", tags: ["b"] }] }, undefined],
    ["update", { version: 1, actions: [{ action: "setPrice", price: -1 }] }, ["/actions/0/price range"]],
    ["update", { version: 1, actions: [{ action: "doSomeThing" }] }, ["/actions/0/action enum"]],
  ])) {
    const text = JSON.stringify(body);
    const result = product.validate(kind, body);
    assert.deepEqual(wrong(result), expected, text);
    for (const same of [text, new TextEncoder().encode(text)]) assert.deepEqual(product.validate(kind, same), result);
  }
  // @ts-expect-error: types refuse it already.
  assert.throws(() => product.validate("resourceDraft", {}), /Unknown kind of body 'resourceDraft': expected one of /);
});

test("for every type of field, a body has one verdict, whatever its form and kind", () => {
  const scalars = ["string", "integer", "number", "boolean"].map((type) => ({ type }));
  const schemas = [...scalars, { type: "string", format: "date-time" }, { enum: ["x", "y"] }];
  const lists = schemas.map((items) => ({ type: "array", items }));
  const properties = Object.fromEntries([...schemas, ...lists].map((schema, at) => [`f${at}`, schema]));
  const all = resource({ resources: { all: { type: "object", properties } } }, "all");
  const values = ["x", "", "\0", "\ud800", 1, 0, -1.5, 1e300, 2 ** 53, true, false, "2026-01-31T00:00:00.000Z", null];
  const foreign = [Number.NaN, new Date(0), 1n, [undefined], new Array(1), () => {}];
  const tried = [...values, ...values.map((value) => [value]), [], [1, "x"], [[1]], {}, { a: 1 }, ...foreign];
  for (const [name, schema] of Object.entries(properties)) {
    const verdicts = tried.map((value) => {
      const bodies = {
        draft: { [name]: value },
        overwrite: { version: 1, [name]: value },
        complex: { [name]: value },
        update: { version: 1, actions: [{ action: `setF${name.slice(1)}`, [name]: value }] },
      };
      const found = Object.entries(bodies).map(([kind, body]) => {
        const result = all.validate(/** @type {keyof typeof bodies} */ (kind), body);
        // JSON cannot represent the others.
        if (!foreign.includes(/** @type {any} */ (value)))
          assert.deepEqual(wrong(all.validate(/** @type {any} */ (kind), JSON.stringify(body))), wrong(result));
        return result.valid;
      });
      assert.equal(new Set(found).size, 1, `${JSON.stringify(schema)} ${String(value)}`);
      return found[0];
    });
    assert.ok(verdicts.includes(true) && !verdicts.slice(-foreign.length).includes(true), JSON.stringify(schema));
  }
});

test("what is deep in an object is validated, and what JSON cannot represent is an issue there", () => {
  const deep = resource(RESOURCES, "deep");
  const nest = (value) => ({ a: { a: { a: { a: { a: { a: { a: { a: value } } } } } } } });
  const place = `/a${"/a".repeat(7)}`;
  for (const [value, expected] of /** @type {[unknown, string[] | undefined][]} */ ([
    ["x", undefined],
    [5, [`${place} type`]],
    [1n, [`${place} type`]],
    [new Date(0), [`${place} type`]],
  ])) {
    assert.deepEqual(wrong(deep.validate("draft", nest(value))), expected);
    const update = { version: 1, actions: [{ action: "setA", ...nest(value) }] };
    assert.deepEqual(
      wrong(deep.validate("update", update)),
      expected?.map((issue) => `/actions/0${issue}`),
    );
  }
  const cycle = {};
  cycle.a = cycle;
  assert.deepEqual(wrong(deep.validate("draft", cycle)), [`${place} type`]);
});

test("each resource has its own rules, beside those of the interface", () => {
  assert.deepEqual(wrong(supplier.validate("draft", whole)), [
    "/title unknownField",
    "/price unknownField",
    "/name required",
  ]);
  assert.equal(supplier.validate("draft", { name: "Ada" }).valid, true);
  assert.equal(validate("resourceDraft", { objectTypeProperty: {}, custom: "x" }).valid, true);
  assert.deepEqual(wrong(validate("resourceDraft", { ...whole, objectTypeProperty: {} })), [
    "/title unknownField",
    "/price unknownField",
  ]);
  /** @type {any} */
  const [one, same, other] = [product, resource(structuredClone(RESOURCES), "product"), supplier];
  assert.equal(one.number, same.number);
  assert.notEqual(one.number, other.number);
});

test("a form validates by the schemas of bodies, and of their parts", async () => {
  const { vendor, validate: check } = product.draft["~standard"];
  assert.equal(vendor, "resource-edge");
  assert.deepEqual(await check(whole), { value: whole });
  const { issues } = await product.overwrite["~standard"].validate({ version: 1, title: "Lamp" });
  assert.deepEqual(
    issues?.map(({ path, message }) => [path, message]),
    [[["price"], "The field 'price' is required."]],
  );
  for (const [kind, path, value, expected] of /** @type {[any, any, any, string[] | undefined][]} */ ([
    ["draft", "price", 5, undefined],
    ["draft", "price", undefined, [" required"]],
    ["draft", "size.width", "5", [" type"]],
    ["draft", "variants[0].color", "red", undefined],
    ["update", "actions.0", { action: "setTitle", title: "" }, ["/title length"]],
  ])) {
    const part = product.fieldSchema(kind, path);
    assert.deepEqual(wrong(part.validate(value)), expected, path);
    assert.equal((await part["~standard"].validate(value)).issues === undefined, expected === undefined);
  }
  assert.throws(() => product.fieldSchema("draft", "size.depth"), /^TypeError: No field 'size\.depth' in 'draft'\./);
  // @ts-expect-error: types refuse it already.
  assert.throws(() => fieldSchema("resourceDraft", "price"), TypeError);
});

test("the check of queries accepts what `where` builds, for the fields of the resource", async () => {
  const check = await loadSyntax(product);
  for (const [build, text] of /** @type {[any, string][]} */ ([
    [(p) => p.price.gt(3).and(p.size.width.lte(2.5)), "price > 3 and size.width <= 2.5"],
    [(p) => and(p.status.in(["draft"]), not(p.open.eq(true))), 'status in ("draft") and not open = true'],
    [(p) => p.tags.containsAny(variable("tags")).or(p.tags.isEmpty()), "tags contains any :tags or tags is empty"],
    [
      (p) => p.variants.some((one) => one.color.eq("red").and(one.stock.gt(0))),
      'variants (color = "red" and stock > 0)',
    ],
    [(p) => p.variants.codes.containsAll(["a"]), 'variants.codes contains all ("a")'],
    [(p) => p.title.matchesIgnoreCase("lamp").or(p.size.isNotDefined()), null],
    [(p) => p.grades.gt(1n).and(p.flags.eq(true), p.flags.containsAny([true]), p.createdBy.firstName.ne("x")), null],
    [(p) => p.lastModifiedAt.lt(new Date(0)).and(p.key.isDefined(), p.version.eq(1)), null],
  ])) {
    const written = product.where(build);
    if (text !== null) assert.equal(written, text);
    assert.equal(check.where(written), undefined, written);
  }
  assert.equal(check.where('custom = "a"')?.reason, "unknownField");
  assert.equal(check.where("pricee > 3")?.suggestion, "price");
  assert.deepEqual([check.sort("price desc"), check.filter("price:range(1 to 5)")], [undefined, undefined]);
  const [others, usual] = [await loadSyntax(supplier), await loadSyntax()];
  assert.equal(others.where("price > 3")?.reason, "unknownField");
  assert.deepEqual([others.where('name = "a"'), usual.where('custom = "a"')], [undefined, undefined]);
  assert.equal(check.where("price > 3"), undefined);
});

/** @type {[any, string, string | RegExp][]} */
const REFUSED = [
  [undefined, "product", /^The resources are invalid: expected \{ "resources": /],
  [{ product: PRODUCT }, "product", /^The resources are invalid: expected /],
  [RESOURCES, "offer", "There is no resource 'offer'. Expected product, supplier, deep."],
  [RESOURCES, "toString", /^There is no resource 'toString'\./],
  [
    { resources: { a: { type: "object", properties: { b: { oneOf: [] } } } } },
    "a",
    /^The resources are invalid at \/resources\/a\/properties\/b\/oneOf: The keyword "oneOf" is not supported\. /,
  ],
  [{ resources: { a: { type: "string" } } }, "a", /^The resources are invalid at \/resources\/a: A resource is an /],
];

test("a wrong schema is refused with its place", () => {
  for (const [resources, name, message] of REFUSED)
    assert.throws(() => resource(resources, name), { name: "TypeError", message });
  assert.equal(product.validate("draft", whole).valid, true);
});

test("before the WebAssembly is loaded, a resource waits for it, and a wrong one makes `init` reject", () => {
  const run = (program) => {
    const entry = new URL("../../pkg/dist/inline.js", import.meta.url);
    const text = `import { init, resource } from "${entry}";
      const resources = ${JSON.stringify({ resources: { ...RESOURCES.resources, wrong: { type: "string" } } })};
      ${program}`;
    return execFileSync(process.execPath, ["--input-type=module", "--eval", text], { encoding: "utf8" });
  };
  const good = run(`
    const [product, supplier] = ["product", "supplier"].map((name) => resource(resources, name));
    try { product.validate("draft", {}); } catch ({ message }) { console.log(message.slice(0, 26)); }
    const part = supplier.fieldSchema("draft", "name");
    console.log((await product.draft["~standard"].validate({})).issues.length);
    console.log(supplier.validate("draft", { name: "a" }).valid, part.validate("a").valid);`);
  assert.equal(good, "resource-edge is not ready\n2\ntrue true\n");
  const bad = run(`
    resource(resources, "product");
    resource(resources, "wrong");
    for (let attempt = 0; attempt < 2; attempt++) await init().catch((error) => console.log(String(error)));`);
  const message = "TypeError: The resources are invalid at /resources/wrong: A resource is an object: ";
  assert.deepEqual(
    bad
      .trim()
      .split("\n")
      .map((line) => line.slice(0, message.length)),
    [message, message],
  );
});
