// The converters of UTF-8. In environments without them the import fails, and says what to do: Jest's jsdom. The
// CommonJS build has its own (utf8.ts).

function missing(name: string): never {
  throw new Error(
    `resource-edge needs ${name}, which is missing here. In Jest, use jest-fixed-jsdom instead of jsdom.`,
  );
}

export const encoder =
  typeof TextEncoder === "undefined" ? /* @__PURE__ */ missing("TextEncoder") : /* @__PURE__ */ new TextEncoder();
export const decoder =
  typeof TextDecoder === "undefined"
    ? /* @__PURE__ */ missing("TextDecoder")
    : /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
