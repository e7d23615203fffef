// The feed of changes as a stream of server-sent events (D36).

import type { NextPage, ProjectStub } from "../types.js";

/** The most milliseconds that a stream waits without a line, so that no proxy closes it. */
const QUIET_MS = 20_000;

/** Keeps the connection open. */
const COMMENT = ":\n\n";

/** Returns a page as an event. Its ID is the position after the page. A line of JSON has no line breaks. */
function eventOf(page: string) {
  const lines = page.trimEnd().split("\n");
  return `id: ${JSON.parse(lines[0]).to}\n${lines.map((line) => `data: ${line}\n`).join("")}\n`;
}

const isEmpty = (page: string) => page.indexOf("\n") === page.length - 1;

/** The first page: the head and the body of its reply. */
type FirstPage = [head: Uint8Array, body: string];

async function* eventsOf(object: ProjectStub, message: Uint8Array, first: FirstPage, end: number, nextPage: NextPage) {
  let head = first[0];
  yield eventOf(first[1]);
  for (;;) {
    const wait = Math.min(QUIET_MS, end - Date.now());
    const next = wait > 0 ? nextPage(message, head, wait) : undefined;
    if (next === undefined) return;
    let body: unknown;
    try {
      [head, body] = await object.perform(next);
    } catch {
      // The object has restarted.
      return;
    }
    // What comes too late may come after the end of the token.
    if (typeof body !== "string" || Date.now() > end) return;
    yield isEmpty(body) ? COMMENT : eventOf(body);
    message = next;
  }
}

/**
 * Returns a stream with the page that the message requested, and each page that follows until `end`. It ends early if a
 * page cannot be read: the reader connects again, with the ID of its last event, and gets the error.
 */
export function eventStream(
  object: ProjectStub,
  message: Uint8Array,
  first: FirstPage,
  end: number,
  nextPage: NextPage,
) {
  const encoder = new TextEncoder();
  const events = eventsOf(object, message, first, end, nextPage);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await events.return();
    },
  });
}
