// Unique random names.

/**
 * Returns a number of random bytes in hexadecimal.
 * @param {number} bytes
 */
export function randomHex(bytes) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}
