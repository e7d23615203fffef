// Reads bodies of a bounded size.

/**
 * Returns the stream's bytes, or `undefined` if there are more than `limit`. What is over is discarded as it comes, up
 * to `linger` bytes in all: a caller who is still sending when the response comes may lose it with the connection.
 */
export async function bounded(stream, limit, linger) {
  const reader = stream.getReader();
  let chunks = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length <= limit) chunks.push(value);
    else chunks = [];
    if (length > linger) {
      reader.cancel().catch(() => {});
      break;
    }
  }
  if (length > limit) return undefined;
  if (chunks.length === 1) return chunks[0];
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}
