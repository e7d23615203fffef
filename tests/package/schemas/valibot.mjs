// Resources that a team writes with valibot, and what `@valibot/to-json-schema` prints of them.

import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";

const Text = v.pipe(v.string(), v.minLength(1), v.maxLength(60));
const Address = v.object({
  street: Text,
  city: Text,
  zip: v.optional(v.pipe(v.string(), v.digits(), v.length(5))),
});

export const Contact = v.object({
  name: v.pipe(v.object({ first: Text, last: Text }), v.title("Name")),
  email: v.pipe(v.string(), v.email(), v.metadata({ "x-unique": true })),
  phones: v.optional(
    v.array(v.object({ kind: v.picklist(["home", "work"]), number: v.pipe(v.string(), v.regex(/^\+[0-9]{6,14}$/)) })),
  ),
  address: v.optional(Address),
  born: v.optional(v.pipe(v.string(), v.isoDate())),
  rating: v.optional(v.union([v.literal(1), v.literal(2), v.literal(3)])),
  newsletter: v.optional(v.boolean(), false),
});

export const Event = v.object({
  title: v.pipe(Text, v.description("What the calendar shows.")),
  begin: v.pipe(v.string(), v.isoTimestamp()),
  end: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  seats: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(500)),
  place: v.object({ name: Text, online: v.boolean(), link: v.optional(v.pipe(v.string(), v.url())) }),
  speakers: v.optional(v.pipe(v.array(v.object({ name: Text, topics: v.array(Text) })), v.maxLength(3))),
  color: v.optional(v.pipe(v.string(), v.hexColor())),
  visibility: v.optional(v.picklist(["public", "members"]), "public"),
});

export const Article = v.object({
  slug: v.pipe(v.string(), v.slug(), v.metadata({ "x-unique": true })),
  title: Text,
  body: v.pipe(v.string(), v.metadata({ "x-index": false })),
  author: v.object({ name: Text, profile: v.optional(v.object({ site: v.pipe(v.string(), v.url()) })) }),
  words: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  score: v.optional(v.pipe(v.number(), v.gtValue(0), v.ltValue(1))),
  tags: v.optional(v.pipe(v.array(v.picklist(["news", "howto", "opinion"])), v.nonEmpty())),
  comments: v.optional(v.array(v.object({ by: Text, text: Text, likes: v.optional(v.pipe(v.number(), v.integer())) }))),
});

export const printed = { contact: toJsonSchema(Contact), event: toJsonSchema(Event), article: toJsonSchema(Article) };
