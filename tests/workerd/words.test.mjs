// Words of letters with marks: the service composes them with a table, and JavaScript with that of Unicode.

import assert from "node:assert/strict";
import { test } from "node:test";
import { project, startForTests } from "./support.mjs";

const worker = startForTests();

// Letters that hardly anybody types are not in the table: ancient Greek, Balinese, and those of scholars.
const LEFT_OUT =
  /[\u1f00-\u1fff]|\u030f|\u0311|\u0313|\u0314|\u0324|\u0325|\u032d|\u032e|\u0330|\u0342|\p{Script=Balinese}/u;

/** The letters of which macOS writes another form than keyboards send. */
const letters = Array.from({ length: 0xffff }, (_, at) => String.fromCharCode(at + 1)).filter(
  (letter) =>
    /\p{L}/u.test(letter) &&
    letter.normalize("NFC") === letter &&
    letter.normalize("NFD") !== letter &&
    !LEFT_OUT.test(letter + letter.normalize("NFD")) &&
    // Of the 11,172 syllables of Hangul, some with each part. A test beside the code has all.
    (!/[가-힣]/.test(letter) || letter.charCodeAt(0) % 97 === 0),
);

test("a letter is found in both of its forms by each of them", async () => {
  assert.ok(letters.length > 700, `${letters.length} letters`);
  const at = `/${project()}/resource`;
  for (const form of ["NFC", "NFD"]) {
    const texts = letters.map((letter) => letter.normalize(form));
    const body = { id: form, objectTypeProperty: { arrayOfStringExample: texts } };
    const { status, text } = await worker.call(`POST ${at}`, { body });
    assert.equal(status, 201, text);
  }
  /** @param {string[]} words @returns {Promise<string[]>} */
  const missing = async (words) => {
    const query = new URLSearchParams({ "text.en": words.join(" "), limit: "0" });
    const { json, text } = await worker.call(`GET ${at}/searchApiPattern?${query}`);
    assert.equal(typeof json.total, "number", text);
    if (json.total === 2) return [];
    if (words.length === 1) return words;
    const half = words.length >> 1;
    return [...(await missing(words.slice(0, half))), ...(await missing(words.slice(half)))];
  };
  for (const form of ["NFC", "NFD"])
    for (let from = 0; from < letters.length; from += 60) {
      const words = letters.slice(from, from + 60).map((letter) => letter.normalize(form));
      assert.deepEqual(await missing(words), [], form);
    }
});
