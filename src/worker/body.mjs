// Reads bodies up to a size limit.

/**
 * Returns the stream's bytes, or `undefined` if there are more than `limit`. Discards the excess as it arrives, up to
 * `linger` bytes in all: if the response arrives while the caller is still sending, the caller may lose it with the
 * connection.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {number} limit
 * @param {number} linger
 * @returns {Promise<Uint8Array<ArrayBufferLike> | undefined>}
 */
export async function readBody(stream, limit, linger) {
  const reader = stream.getReader();
  /** @type {Uint8Array[]} */
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
