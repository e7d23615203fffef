// The random values of the service: the platform's, or a repeatable sequence from a seed.

/** Returns the `crypto` object of the Worker. Its bytes are repeatable if there is a seed. */
export function randomness(seed: number | undefined) {
  if (seed === undefined) return crypto;
  const next = sfc32(seed);
  return {
    subtle: crypto.subtle,
    getRandomValues(bytes: Uint8Array) {
      for (let at = 0; at < bytes.length; at++) bytes[at] = next();
      return bytes;
    },
  };
}

/** The "small fast counting" generator by Chris Doty-Humphrey, 32 bits at a time. */
export function sfc32(seed: number) {
  let [a, b, c, counter] = [0, seed | 0, Math.floor(seed / 2 ** 32) | 0, 1];
  const next = () => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}
