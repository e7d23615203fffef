/** Returns a UUIDv7 of the instant. Later instants have greater IDs. */
export function uuidv7(millis) {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  bytes[0] = (bytes[0] & 0x0f) | 0x70;
  bytes[2] = (bytes[2] & 0x3f) | 0x80;
  const hex =
    millis.toString(16).padStart(12, "0") + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
