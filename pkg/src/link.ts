// The header `Link` of an export.

/** Returns the position after which the next page begins, if there is one. */
export function nextPosition(link: string | null) {
  const [, position] = /[?&]after=([^&>]+)>; rel="next"/.exec(link ?? "") ?? [];
  return position && decodeURIComponent(position);
}
