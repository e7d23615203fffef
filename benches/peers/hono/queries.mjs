// Queries over a collection: pages by condition, by order, or by words.
import { PATHS } from "./entries.mjs";

const BODIES = "CROSS JOIN resource ON resource.seq = page.seq";
const MATCHING = "FROM term WHERE path = ? AND value IN (SELECT value FROM json_each(?))";

const EXISTS = `SELECT EXISTS(SELECT 1 ${MATCHING}) AS found`;
const ANY_COUNT = `SELECT count(DISTINCT resource) AS total ${MATCHING}`;
const ANY = `SELECT body FROM (SELECT DISTINCT resource AS seq ${MATCHING} ORDER BY resource LIMIT ? OFFSET ?) AS page
  ${BODIES} ORDER BY page.seq`;
const ALL = "SELECT body FROM resource ORDER BY seq LIMIT ? OFFSET ?";
const SORTED = (direction) => `SELECT body FROM
  (SELECT resource AS seq, value FROM term WHERE path = ?
    ORDER BY value ${direction}, resource LIMIT ? OFFSET ?) AS page
  ${BODIES} ORDER BY page.value ${direction}, page.seq`;
const ASCENDING = SORTED("ASC");
const DESCENDING = SORTED("DESC");
const PRESENT = "SELECT count(*) AS total FROM term WHERE path = ?";
const ABSENT = `SELECT body FROM resource WHERE seq NOT IN (SELECT resource FROM term WHERE path = ?)
  ORDER BY seq LIMIT ? OFFSET ?`;
const WORDS = `SELECT body FROM
  (SELECT rowid AS seq, rank AS score FROM text WHERE text MATCH ? ORDER BY rank, rowid LIMIT ? OFFSET ?) AS page
  ${BODIES} ORDER BY page.score, page.seq`;
const WORDS_COUNT = "SELECT count(*) AS total FROM text WHERE text MATCH ?";

/** Returns whether a resource matches the condition. */
export const exists = (sql, { path, values }) => sql.exec(EXISTS, PATHS[path], values).one().found === 1;

/** Returns the page as JSON with the members that its operation adds, or an error. */
export function page(sql, count, query, max) {
  const { limit, offset, withTotal, operation } = query;
  const { bodies, total } = select(sql, count, query);
  const list = bodies.join(",");
  if (list.length > max) return { error: "the page would be larger than 4 MiB; pass a lower limit" };
  const counted = withTotal ? `,"total":${total()}` : "";
  const start = `{"limit":${limit},"offset":${offset},"count":${bodies.length}${counted},"results":[${list}]`;
  if (operation === "search") return { body: `${start},"facets":{}}` };
  return { body: operation === "query" ? `${start},${firstArrays(bodies)}}` : `${start}}` };
}

const bodiesOf = (cursor) => cursor.toArray().map(({ body }) => body);

/** Returns the bodies of a page, and the number of all matches. */
function select(sql, count, { condition, sort, words, limit, offset }) {
  if (words !== undefined) {
    const bodies = bodiesOf(sql.exec(WORDS, words, limit, offset));
    return { bodies, total: totalOf(bodies, limit, offset, () => sql.exec(WORDS_COUNT, words).one().total) };
  }
  if (condition !== undefined) {
    const { path, values } = condition;
    const bodies = bodiesOf(sql.exec(ANY, PATHS[path], values, limit, offset));
    return {
      bodies,
      total: totalOf(bodies, limit, offset, () => sql.exec(ANY_COUNT, PATHS[path], values).one().total),
    };
  }
  const bodies = sort === undefined ? bodiesOf(sql.exec(ALL, limit, offset)) : selectSorted(sql, sort, limit, offset);
  return { bodies, total: () => count };
}

/** Returns the number of matches. If the page is not full, no count is necessary. */
function totalOf({ length }, limit, offset, counted) {
  return () => (length < limit && (length > 0 || offset === 0) ? offset + length : counted());
}

/** Returns the bodies in the order of a text field. Resources without the field are last. */
function selectSorted(sql, { path, descending }, limit, offset) {
  const number = PATHS[path];
  const bodies = bodiesOf(sql.exec(descending ? DESCENDING : ASCENDING, number, limit, offset));
  if (bodies.length === limit) return bodies;
  const present = sql.exec(PRESENT, number).one().total;
  return bodies.concat(bodiesOf(sql.exec(ABSENT, number, limit - bodies.length, Math.max(0, offset - present))));
}

const NO_ARRAYS = {
  arrayOfIntExample: [],
  arrayOfUniqueIntExample: [],
  arrayOfTwonumbersExample: [],
  arrayOfFloatExample: [],
  arrayOfNumberNoDefaultsExample: [],
  arrayOfStringExample: [],
  arrayOfObjectType: [],
};

/** Returns the seven arrays of the first result, as members of the page. */
function firstArrays([first]) {
  const arrays = first === undefined ? NO_ARRAYS : JSON.parse(first).objectTypeProperty;
  return JSON.stringify(arrays).slice(1, -1);
}
