// UTF-8 for engines without TextEncoder and TextDecoder: Jest's jsdom. Only the CommonJS build contains this file
// (.ci/pkg).

class Encoder {
  encode(text = "") {
    // Like TextEncoder: a lone surrogate becomes U+FFFD.
    const escaped = encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
    return Uint8Array.from(escaped.match(/%..|[^%]/g) ?? [], (part) =>
      part.length === 1 ? part.charCodeAt(0) : Number(`0x${part.slice(1)}`),
    );
  }

  encodeInto(text: string, target: Uint8Array) {
    const bytes = this.encode(text);
    target.set(bytes);
    return { read: text.length, written: bytes.length };
  }
}

class Decoder {
  /** Decodes UTF-8. The input is always valid: text from Rust, and bodies that Rust validated. */
  decode(bytes: Iterable<number> = []) {
    let escaped = "";
    for (const byte of bytes) escaped += `%${byte.toString(16).padStart(2, "0")}`;
    return decodeURIComponent(escaped);
  }
}

export const TextEncoder = globalThis.TextEncoder ?? Encoder;
export const TextDecoder = globalThis.TextDecoder ?? Decoder;
