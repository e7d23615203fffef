// What comes back, as the WebAssembly reads it (`Answer::parse` in src/client/response.rs).

/** What a request came to; without a response, why there is none. */
export class Answer {
  constructor(response, content) {
    this.status = response?.status ?? 0;
    this.ok = response?.ok ?? false;
    this.headers = response?.headers;
    this.cause = undefined;
    this.data = undefined;
    if (response === undefined) this.cause = content;
    else if (content !== "") {
      try {
        this.data = JSON.parse(content);
      } catch {
        // A page of a proxy's, not the service's answer.
      }
    }
  }

  /** As `Answer::parse` in src/client/response.rs reads it. */
  text(method) {
    const { status, headers, data } = this;
    if (headers === undefined) return "0";
    const results = this.ok ? data?.results : undefined;
    if (Array.isArray(results)) {
      // A page speaks of its resources alone.
      let text = `${status}\0\0\0`;
      for (const result of results) text += seen(result);
      return text;
    }
    // A resource says its revision itself; a deleted one said that of its last change.
    const shown = this.ok && typeof data?.id === "string";
    const revision = shown && method !== "DELETE" ? "" : (headers.get("Resource-Revision") ?? "");
    const text = `${status}\0${revision}\0`;
    if (shown) return `${text}\0${seen(data)}`;
    return this.ok ? `${text}\0${headers.get("ETag") ?? ""}` : text + wait(headers.get("Retry-After"));
  }
}

function seen({ id, key = "", lastModifiedAt }) {
  return `\0${id}\0${key}\0${lastModifiedAt}`;
}

/** `Retry-After` in milliseconds; empty where it makes no sense, or names a moment that is over by this clock. */
function wait(value) {
  if (value === null) return "";
  if (/^\s*\d+\s*$/.test(value)) return Math.min(Number(value) * 1000, 1e15);
  // Dates of HTTP begin with a day's name; more than those is taken for a date by `parse`.
  const pause = /^\s*[A-Z][a-z]+,? /.test(value) ? Date.parse(value) - Date.now() : NaN;
  return pause > 0 ? Math.ceil(Math.min(pause, 1e15)) : "";
}
