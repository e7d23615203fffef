// Reads streams up to a size limit.

/**
 * Returns the stream's bytes, or `undefined` if there are more than `limit`. Discards the excess as it arrives, up to
 * `discard` bytes in all: if the response arrives while the caller is still sending, the caller may lose it with the
 * connection.
 */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  discard: number,
): Promise<Uint8Array<ArrayBufferLike> | undefined> {
  const reader = stream.getReader();
  let chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length <= limit) chunks.push(value);
    else chunks = [];
    if (length > discard) {
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
