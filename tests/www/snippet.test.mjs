import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curl, literal, quote } from "../../build/site/model/snippet.js";

const NASTY = [
  "",
  "plain",
  "it's",
  "'",
  "''",
  '$TOKEN `id` \\ "x" !',
  "a\nb",
  "-n",
  "*?[a]{b,c}~",
  "ü😀",
  "tab\t",
  "@file",
  "a;b&c|d>e#f",
];

test("a quoted text is one word of a shell, whatever its characters", () => {
  for (const shell of ["sh", "bash"]) {
    for (const text of NASTY) {
      const said = execFileSync(shell, ["-c", `set -- ${quote(text)}; printf '%s %s' "$#" "$1"`], {
        encoding: "utf8",
      });
      assert.equal(said, `1 ${text}`, `${shell}: ${text}`);
    }
  }
});

test("a curl command has the parts of its request, and names the token only as $TOKEN", () => {
  const command = curl({
    method: "PATCH",
    url: "http://127.0.0.1:8787/demo/resource?where=a%20%3D%20'b'",
    requestHeaders: {
      Authorization: "Bearer secret.secret",
      "Content-Type": "application/json",
      "Idempotency-Key": "once",
      "If-Match": '"x"',
    },
    requestBody: '{"custom":"it\'s"}',
  });
  assert.equal(
    command,
    [
      "curl --globoff -X PATCH 'http://127.0.0.1:8787/demo/resource?where=a%20%3D%20'\\''b'\\'''",
      '-H "Authorization: Bearer $TOKEN"',
      "-H 'Content-Type: application/json'",
      "-H 'If-Match: \"x\"'",
      "--data-raw '{\"custom\":\"it'\\''s\"}'",
    ].join(" \\\n  "),
  );
  assert.match(curl({ method: "GET", url: "http://x/" }), /^curl --globoff http:\/\/x\/$/);
  assert.match(curl({ method: "HEAD", url: "http://x/" }), /--head/);
  assert.match(curl({ method: "POST", url: "http://x/", requestBody: "{}" }), /^curl --globoff http/);
  assert.match(curl({ method: "POST", url: "http://x/" }), /-X POST/);
});

test("literals have the values of the JSON", () => {
  const values = [
    null,
    1,
    'it\'s "x"\u2028</script>',
    [],
    {},
    [[1], { a: [] }],
    { "a-b": 1, a: { b: "c".repeat(80) } },
    Array.from({ length: 40 }, (_, at) => at),
    JSON.parse('{"__proto__":1}'),
  ];
  for (const value of values) {
    const back = new Function(`return (${literal(value)})`)();
    assert.equal(JSON.stringify(back), JSON.stringify(value));
  }
});
