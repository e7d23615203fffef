// Values that only objects can have, values that only texts and bytes can have, and the results.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

import * as api from "../../../pkg/dist/node.js";

const { validate } = api;
const encoder = new TextEncoder();

/** Returns every issue as `pointer message`. */
const said = (result) => (result.valid ? [] : result.issues.map(({ pointer, message }) => `${pointer} ${message}`));
const draft = (members) => ({ objectTypeProperty: {}, ...members });
const arrays = (members) => ({ objectTypeProperty: members });
const saidOf = (members) => said(validate("resourceDraft", draft(members)));
const wrong = (field, expected, found) => [
  `/${field} Malformed field '${field}': expected ${expected}, found ${found}.`,
];
const wrongItem = (at, found) =>
  `/objectTypeProperty/arrayOfIntExample/${at} Malformed item of 'arrayOfIntExample': expected an integer, ` +
  `found ${found}.`;

test("undefined means absent in a known member and in an unknown one", () => {
  assert.deepEqual(
    saidOf({ custom: undefined, key: undefined, createdBy: { firstName: undefined }, nope: undefined }),
    [],
  );
  assert.deepEqual(said(validate("resourceDraft", { objectTypeProperty: undefined })), [
    "/objectTypeProperty The field 'objectTypeProperty' is required.",
  ]);
});

test("a value that JSON cannot express is an issue at its place", () => {
  for (const [value, found] of [
    [1n, "a bigint"],
    [Symbol("x"), "a symbol"],
    [() => {}, "a function"],
    [NaN, "NaN"],
    [-Infinity, "-Infinity"],
    [new Date(0), "a Date"],
    [new Map(), "an instance of a class"],
    [new String("x"), "an instance of a class"],
    [new Float64Array(2), "an instance of a class"],
    [new (class Note {})(), "an instance of a class"],
  ]) {
    assert.deepEqual(saidOf({ custom: value }), wrong("custom", "a string", found));
    assert.deepEqual(saidOf({ version: value }), wrong("version", "an integer", found));
    assert.deepEqual(saidOf({ nope: value }), ["/nope Unknown field 'nope'."]);
    assert.deepEqual(said(validate("resourceDraft", value)), [` Malformed value: expected an object, found ${found}.`]);
    assert.deepEqual(said(validate("resourceDraft", arrays({ arrayOfIntExample: [1, value] }))), [wrongItem(1, found)]);
  }
  assert.equal("invalidValue" in validate("resourceDraft", draft({ custom: 1n })).issues[0], false);
});

test("a hole in an array is an undefined item", () => {
  // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
  const sparse = [1, , 3];
  assert.deepEqual(said(validate("resourceDraft", arrays({ arrayOfIntExample: sparse }))), [wrongItem(1, "undefined")]);
  // Objects have no size limit, but reading must end.
  const endless = said(validate("resourceDraft", arrays({ arrayOfIntExample: new Array(2 ** 32 - 1) })));
  assert.deepEqual(endless, [" The body is too large. The limit is 1048576 bytes."]);
});

test("a getter is read, and one that throws is an issue at its place", () => {
  assert.deepEqual(
    saidOf({
      get custom() {
        return "x";
      },
    }),
    [],
  );
  const thrower = {
    get firstName() {
      throw new Error("no");
    },
    lastName: 5,
  };
  assert.deepEqual(saidOf({ createdBy: thrower }), [
    "/createdBy/firstName Malformed field 'firstName': expected a string, found a value that cannot be read.",
    "/createdBy/lastName Malformed field 'lastName': expected a string, found a number.",
  ]);
  const action = {
    get action() {
      throw new Error("no");
    },
  };
  assert.deepEqual(said(validate("resourceUpdate", { version: 1, actions: [action] })), [
    "/actions/0/action Malformed field 'action': expected a string, found a value that cannot be read.",
  ]);
});

test("the contents of a proxy are validated, and a proxy that throws cannot be read", () => {
  assert.deepEqual(saidOf({ createdBy: new Proxy({ firstName: "Ada" }, {}) }), []);
  assert.deepEqual(saidOf({ createdBy: new Proxy({ firstName: 1 }, {}) }), [
    "/createdBy/firstName Malformed field 'firstName': expected a string, found a number.",
  ]);
  const throws = () => {
    throw new Error("no");
  };
  for (const trap of ["getPrototypeOf", "ownKeys"]) {
    const proxy = new Proxy({ firstName: 1 }, { [trap]: throws });
    assert.deepEqual(
      saidOf({ createdBy: proxy }),
      wrong("createdBy", "an object", "a value that cannot be read"),
      trap,
    );
  }
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  assert.deepEqual(said(validate("resourceDraft", proxy)), [
    " Malformed value: expected an object, found a value that cannot be read.",
  ]);
});

test("a cycle ends at the depth of the schema", () => {
  const body = draft({});
  body.self = body;
  body.objectTypeProperty.arrayOfObjectType = [body];
  assert.deepEqual(said(validate("resourceDraft", body)), [
    "/objectTypeProperty/arrayOfObjectType/0/objectTypeProperty Unknown field 'objectTypeProperty'.",
    "/objectTypeProperty/arrayOfObjectType/0/self Unknown field 'self'.",
    "/self Unknown field 'self'.",
  ]);
});

test("objects without a prototype and of other realms are plain, and inherited members are ignored", () => {
  const bare = Object.assign(Object.create(null), draft({ custom: "x" }));
  assert.equal(validate("resourceDraft", bare).valid, true);
  const foreign = runInNewContext("({ objectTypeProperty: { arrayOfIntExample: [1] } })");
  assert.equal(validate("resourceDraft", foreign).valid, true);
  foreign.nope = 1;
  assert.deepEqual(said(validate("resourceDraft", foreign)), ["/nope Unknown field 'nope'."]);
  assert.deepEqual(said(validate("resourceDraft", Object.create(draft({})))), [
    " Malformed value: expected an object, found an instance of a class.",
  ]);
});

test("members of Object.prototype are ignored", () => {
  for (const [name, value] of /** @type {[string, unknown][]} */ ([
    ["objectTypeProperty", {}],
    ["nope", 1],
    ["custom", 5],
  ])) {
    Object.prototype[name] = value;
    try {
      assert.deepEqual(
        said(validate("resourceDraft", {})),
        ["/objectTypeProperty The field 'objectTypeProperty' is required."],
        name,
      );
      assert.equal(validate("resourceDraft", draft({})).valid, true, name);
    } finally {
      delete Object.prototype[name];
    }
  }
});

test("members of Object.prototype named like a field or a part of the schema change no result", () => {
  /** @type {[keyof import("../../../pkg/dist/generated/bodies.js").Bodies, object][]} */
  const bodies = [
    ["resourceUpdate", { version: 1, actions: [{}, { action: "changeSomeProperty" }] }],
    [
      "resourceDraft",
      {
        objectTypeProperty: { arrayOfObjectType: [{ integerExample: [1] }], arrayOfStringExample: [[1], {}] },
        createdBy: [5],
        custom: {},
      },
    ],
    ["complexBody", { id: [], createdBy: { firstName: { x: 1 } }, nope: { nope: [1] } }],
  ];
  const expected = bodies.map(([kind, body]) => said(validate(kind, body)));
  const values = [() => true, "doSomeThing", {}, 1];
  for (const name of [
    "action",
    "someProperty",
    "version",
    "actions",
    "accepts",
    "items",
    "fields",
    "required",
    "variants",
    "tag",
    "standIn",
    "unique",
    "toJSON",
    "get",
    "value",
  ]) {
    for (const value of values) {
      Object.defineProperty(Object.prototype, name, {
        value,
        enumerable: name !== "get" && name !== "value",
        configurable: true,
      });
      try {
        assert.deepEqual(
          bodies.map(([kind, body]) => said(validate(kind, body))),
          expected,
          name,
        );
      } finally {
        delete Object.prototype[name];
      }
    }
  }
});

test("symbols and members that are not enumerable are ignored, as in JSON", () => {
  const body = draft({ [Symbol("x")]: 1 });
  Object.defineProperty(body, "nope", { value: 1, enumerable: false });
  assert.equal(validate("resourceDraft", body).valid, true);
});

test("negative zero equals zero", () => {
  assert.equal(validate("resourceDraft", arrays({ arrayOfIntExample: [-0], arrayOfFloatExample: [-0] })).valid, true);
  assert.deepEqual(said(validate("resourceDraft", arrays({ arrayOfUniqueIntExample: [0, 7, -0] }))), [
    "/objectTypeProperty/arrayOfUniqueIntExample/2 Malformed item of 'arrayOfUniqueIntExample': expected an " +
      "item that does not occur earlier, found 0 again.",
  ]);
});

test("a text may have duplicate names, white space, and other spellings of numbers", () => {
  assert.deepEqual(said(validate("resourceDraft", '{"objectTypeProperty":{},"custom":"a","custom":"b"}')), [
    "/custom Duplicate field 'custom'.",
  ]);
  assert.deepEqual(validate("resourceUpdate", ' {"version": 1.0, "actions": [ ] } ').value, {
    version: 1,
    actions: [],
  });
});

test("a lone surrogate in a text is validated as if it were escaped", () => {
  const raw = `{"objectTypeProperty":{},"custom":"\ud800"}`;
  const expected = ["/custom Malformed field 'custom': expected a string without lone surrogates, found \"\\ud800\"."];
  assert.deepEqual(said(validate("resourceDraft", raw)), expected);
  assert.deepEqual(said(validate("resourceDraft", JSON.parse(raw))), expected);
  assert.equal(validate("resourceDraft", '{"objectTypeProperty":{},"custom":"\ud83d\ude00"}').value.custom, "😀");
});

test("a text or bytes of more than 1 MiB are too large", () => {
  const text = JSON.stringify(draft({ custom: "x".repeat(2 ** 20) }));
  const grown = JSON.stringify(draft({ custom: "é".repeat(2 ** 19) }));
  for (const body of [text, encoder.encode(text), grown, new Uint8Array(2 ** 30 / 4)]) {
    const { issues } = validate("resourceDraft", body);
    assert.deepEqual(issues, [
      {
        path: [],
        pointer: "",
        code: "ContentTooLarge",
        message: "The body is too large. The limit is 1048576 bytes.",
        reason: "size",
        maximum: 1048576,
      },
    ]);
  }
  const fits = JSON.stringify(draft({ custom: "x".repeat(2 ** 20 - JSON.stringify(draft({ custom: "" })).length) }));
  assert.equal(validate("resourceDraft", fits).valid, true);
});

test("only the bytes of the view are validated, and only a Uint8Array counts as bytes", () => {
  const text = encoder.encode('x{"objectTypeProperty":{}}x');
  assert.equal(validate("resourceDraft", text.subarray(1, -1)).valid, true);
  assert.equal(validate("resourceDraft", Buffer.from(text.subarray(1, -1))).valid, true);
  const shared = new Uint8Array(new SharedArrayBuffer(text.length - 2));
  shared.set(text.subarray(1, -1));
  assert.deepEqual(validate("resourceDraft", shared).value, draft({}));
  assert.equal(
    validate("resourceDraft", runInNewContext("new Uint8Array([123, 125])")).issues[0].code,
    "RequiredField",
  );
  assert.equal(validate("resourceDraft", new Uint16Array(2)).valid, false);
});

test("the size of an object is not limited", () => {
  const last = arrays({ arrayOfIntExample: [...new Array(1_000_000).fill(1), "x"] });
  assert.deepEqual(said(validate("resourceDraft", last)), [wrongItem(1_000_000, "a string")]);
  const many = validate(
    "resourceDraft",
    arrays({ arrayOfStringExample: new Array(300_000).fill(1), arrayOfObjectType: [{ integerExample: "x" }] }),
  );
  assert.deepEqual([many.issues.length, many.more], [100, 299_901]);
  assert.deepEqual(
    said(validate("complexBody", { custom: "x".repeat(2 ** 20), id: 5 })),
    wrong("id", "a string", "a number"),
  );
});

test("a backslash before a lone surrogate is malformed JSON", () => {
  for (const text of ['{"custom":"\\\ude00"}', '{"custom":"\\\\\\\ud83d"}', '{"custom":"x"}\ude00']) {
    assert.throws(() => JSON.parse(text), SyntaxError);
    assert.equal(validate("complexBody", text).issues?.[0].code, "InvalidJsonInput", JSON.stringify(text));
  }
  // Two backslashes mean one, and an escaped high surrogate before a raw low one is a pair.
  assert.equal(validate("complexBody", '{"custom":"\\\\\ude00"}').issues[0].pointer, "/custom");
  assert.deepEqual(validate("complexBody", '{"custom":"\\ud83d\ude00"}').value, { custom: "😀" });
});

test("bytes that change after validation do not change the result", () => {
  const valid = encoder.encode('{"custom":"abc"}');
  const wrong = encoder.encode('{"custom":1}');
  const results = [validate("complexBody", valid), validate("complexBody", wrong)];
  for (const bytes of [valid, wrong]) bytes.fill(0);
  validate("complexBody", "{}");
  assert.deepEqual(results[0], { valid: true, value: { custom: "abc" } });
  assert.equal(results[1].issues[0].invalidValue, 1);
});

test("bytes whose buffer was transferred cannot be read", () => {
  const bytes = encoder.encode("{}");
  structuredClone(bytes, { transfer: [bytes.buffer] });
  assert.deepEqual(said(validate("complexBody", bytes)), [
    " Malformed value: expected an object, found a value that cannot be read.",
  ]);
});

test("a copy of a result has the members of the result", () => {
  const texts = ['{"custom":"x"}', '{"custom":1}', JSON.stringify({ ...Array.from({ length: 130 }, () => 1) })];
  for (const body of [
    ...texts,
    ...texts.map((text) => encoder.encode(text)),
    ...texts.map((text) => JSON.parse(text)),
  ]) {
    const expected = validate("complexBody", body);
    assert.equal(expected.issues?.length === 100, expected.more === 30);
    for (const copy of [(result) => ({ ...result }), structuredClone, (result) => JSON.parse(JSON.stringify(result))]) {
      assert.deepEqual(copy(validate("complexBody", body)), expected);
    }
    assert.deepEqual(Object.keys(expected), [
      "valid",
      expected.valid ? "value" : "issues",
      ...(expected.more ? ["more"] : []),
    ]);
  }
});

test("a hundred issues are listed, and the others are counted", () => {
  const items = Array.from({ length: 130 }, () => "x");
  for (const body of [arrays({ arrayOfIntExample: items }), JSON.stringify(arrays({ arrayOfIntExample: items }))]) {
    const result = validate("resourceDraft", body);
    assert.deepEqual([result.issues.length, result.more], [100, 30]);
  }
  assert.equal(validate("resourceDraft", "{}").more, undefined);
});

test("a result is printed and serialized with its members", () => {
  const text = '{"objectTypeProperty":{}}';
  assert.equal(JSON.stringify(validate("resourceDraft", text)), `{"valid":true,"value":${text}}`);
  const issue =
    '{"path":["objectTypeProperty"],"pointer":"/objectTypeProperty","code":"RequiredField",' +
    '"message":"The field \'objectTypeProperty\' is required.","reason":"required","field":"objectTypeProperty"}';
  assert.equal(JSON.stringify(validate("resourceDraft", "{}")), `{"valid":false,"issues":[${issue}]}`);
  const { valid, issues } = validate("resourceDraft", "{}");
  assert.deepEqual([valid, issues[0].path], [false, ["objectTypeProperty"]]);
});

test("an unknown kind is a TypeError", () => {
  // @ts-expect-error: types refuse it already.
  assert.throws(() => validate("draft", {}), /Unknown kind of body 'draft': expected one of resourceDraft/);
  // @ts-expect-error: the same.
  assert.throws(() => validate("__proto__", {}), TypeError);
});

test("a Standard Schema returns the value, or the issues with their paths", () => {
  for (const kind of ["resourceDraft", "resourceOverwrite", "resourceUpdate", "complexBody", "writeBatch"]) {
    const { version, vendor, validate: run } = api[kind]["~standard"];
    assert.deepEqual([version, vendor], [1, "resource-edge"]);
    const [issue] = run({ custom: 1, version: false }).issues;
    assert.equal(typeof issue.message, "string");
    assert.deepEqual(issue.path, ["custom"]);
  }
  const body = draft({});
  assert.deepEqual(api.resourceDraft["~standard"].validate(body), { value: body });
  assert.equal(/** @type {any} */ (api.resourceDraft["~standard"].validate("{}")).issues.length, 1);
});

test("before the package is ready, the error of a synchronous function names init", () => {
  const program = `
    import { fieldSchema, validate } from "./pkg/dist/browser.js";
    const key = fieldSchema("resourceDraft", "key");
    for (const use of [() => validate("resourceDraft", {}), () => key.validate("a")]) {
      try { use(); } catch (error) { console.log(error.message); }
    }`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  assert.equal(stdout.match(/is not ready. Call `await init\(\)` once/g)?.length, 2, stdout);
});

test("before the package is ready, a Standard Schema loads it and returns a promise, and then it is synchronous", () => {
  const program = `
    import { fieldSchema, resourceDraft } from "./pkg/dist/browser.js";
    import * as json from "./pkg/dist/json-schema.js";
    for (const schema of [resourceDraft, json.resourceDraft]) {
      const { validate } = schema["~standard"];
      const early = [validate({ objectTypeProperty: {} }), validate({ kye: 1, objectTypeProperty: {} })];
      const [good, bad] = await Promise.all(early);
      console.log(early[0] instanceof Promise, good.value !== undefined, bad.issues[0].suggestion);
    }
    const late = fieldSchema("resourceDraft", "key")["~standard"].validate("..");
    console.log(late.issues.length);`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  assert.equal(stdout, "true true key\nfalse true key\n1\n");
});

test("a Standard Schema whose entry point has no init rejects with what to import", () => {
  const program = `
    import { resourceDraft } from "./pkg/dist/json-schema.js";
    await resourceDraft["~standard"].validate({}).catch((error) => console.log(error.message));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  assert.match(
    stdout,
    /^resource-edge is not ready\. Call `await init\(\)` once before the first use: import \{ init \}/,
  );
});

test("the client sends exactly what it validated", async () => {
  const sent = [];
  const fetch = async (_, /** @type {RequestInit} */ { body }) => {
    sent.push(body);
    return Response.json({ id: "a", version: 1 });
  };
  const client = new api.ResourceClient({
    baseUrl: "http://h",
    projectKey: "demo",
    token: () => new Promise((done) => setTimeout(done, 5, "t")),
    fetch,
  });
  const write = (body) =>
    client.createOrUpdate(body).then(
      () => sent.pop(),
      ({ kind, issues }) => [kind, issues[0].pointer],
    );

  // The members are validated, so they are sent, whatever `toJSON` returns.
  const hidden = (object) => Object.defineProperty(object, "toJSON", { value: () => ({ wrong: 1 }) });
  assert.equal(await write(hidden(draft({ custom: "own" }))), JSON.stringify(draft({ custom: "own" })));
  const items = arrays({ arrayOfIntExample: hidden([1]) });
  assert.equal(await write(items), '{"objectTypeProperty":{"arrayOfIntExample":[1]}}');
  // No matter how often a getter is read.
  for (const times of [0, 1, 2, 3]) {
    let reads = 0;
    const turning = {
      objectTypeProperty: {},
      get custom() {
        return reads++ < times ? "x" : 5;
      },
    };
    const result = await write(turning);
    if (typeof result === "string") assert.equal(result, JSON.stringify(draft({ custom: "x" })));
    else assert.deepEqual(result, ["invalid", "/custom"]);
  }
  assert.deepEqual(await write(draft({ custom: "é".repeat(2 ** 19) })), ["invalid", ""]);
});
