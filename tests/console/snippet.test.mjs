import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curl, literal, quote } from "../../build/console/model/snippet.js";

const NASTY = ["", "it's", "''", '$TOKEN `id` \\ "x" !', "a\nb", "-n", "*?[a]{b,c}~", "ü😀\t", "@file", "a;b&c|d>e#f"];

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

test("a curl command has the method of its request, if curl would send another", () => {
  const command = (method, requestBody) => curl({ method, url: "http://x/?a={b}", requestBody });
  assert.equal(command("GET"), "curl --globoff 'http://x/?a={b}'");
  assert.match(command("HEAD"), /--head/);
  assert.match(command("POST", "{}"), /^curl --globoff 'http/);
  for (const method of ["PATCH", "DELETE"]) assert.match(command(method), new RegExp(`-X ${method}`));
  assert.match(command("POST"), /-X POST/);
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
