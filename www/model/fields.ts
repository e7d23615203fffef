// The resource of a project: its fields, derived from a JSON Schema, and the validation of its bodies. Forms, columns,
// facets, and predicates offer the fields.

import { resource, validate, type DeclaredResource, type Issue, type Resource } from "../pkg/browser.js";
import { columnsOf, type Columns } from "../pkg/items/columns.js";
import { resourceDraft, resourceUpdate, type JsonSchema } from "../pkg/json-schema.js";
import { describe, innermost, isList, leaves, valueAt, type Field, type Kind, type Schema } from "./schema.js";

/** A resource that a deployment declares: its name, its JSON Schema, and the names of its rules for users. */
export interface Declaration {
  name: string;
  schema: object;
  rules?: readonly string[];
}

/** The values of declared fields. */
type Content = { [name: string]: unknown };

/** The kinds of bodies. */
export type BodyKind = "draft" | "overwrite" | "update" | "complex";

/** The result of a validation. */
export type Verdict = { valid: true; value: unknown } | { valid: false; issues: readonly Issue[] };

/** The fields that the service sets in every resource (D1). */
const SET_BY_SERVICE = ["version", "createdAt", "lastModifiedAt"];
const IDENTITY = ["id", "version", "key"];
const SYSTEM = [...IDENTITY, "createdAt", "createdBy", "lastModifiedAt", "lastModifiedBy"];
const INTERFACE_BODIES = {
  draft: "resourceDraft",
  overwrite: "resourceOverwrite",
  update: "resourceUpdate",
  complex: "complexBody",
} as const;

const schemaOf = (body: JsonSchema<unknown>) => body["~standard"].jsonSchema.input({ target: "draft-2020-12" });
const isSystem = ({ name }: Field) => SYSTEM.includes(name);
const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const isIdentity = ({ name }: Field) => IDENTITY.includes(name);

/** The resource of a project. */
export class ResourceModel {
  /** The name of a declared resource; `resource` for that of the interface. */
  readonly name: string;
  /** Its name as a heading. */
  readonly label: string;
  /** The names of the rules that it has for users. */
  readonly rules: readonly string[];
  /** The resource as the package's client needs it; `undefined` for that of the interface. */
  readonly declared: DeclaredResource<Content> | undefined;
  /** Every field in the order of presentation. An object is one field, except the group of the interface's arrays. */
  readonly fields: readonly Field[];
  /** The fields that a team has declared, without those of the system; all others of the interface's resource. */
  readonly content: readonly Field[];
  /** The fields that a person fills in. */
  readonly editableFields: readonly Field[];
  /** The fields of a resource's page in its order: what names the resource, the content, and the key. */
  readonly page: readonly Field[];
  /** The single values and the lists, also those inside of objects, in the order of presentation. */
  readonly innermost: readonly Field[];
  /** The text that names a resource for people: the one with `x-title`, or the first one. The interface has none. */
  readonly title: Field | undefined;
  /** The member of an update action that has its name. */
  readonly tag: string;
  /** The update actions by their names, each with its other fields. */
  readonly actions: { readonly [name: string]: readonly Field[] };
  /** The names of the fields whose values a facet can count. */
  readonly termFacets: readonly string[];
  /** The names of the fields whose numbers a facet can divide into ranges. */
  readonly rangeFacets: readonly string[];
  /** The smallest body, to which fields are added. */
  readonly emptyBody: { readonly [name: string]: unknown };

  /** The columns that a CSV file may have. */
  readonly columns: Columns;

  /** Throws a `TypeError` if the schema of a declared resource is wrong. Without one, it is that of the interface. */
  constructor(declaration?: Declaration) {
    const known = describe(schemaOf(resourceDraft)).map(withoutRules);
    this.rules = declaration?.rules ?? [];
    if (declaration === undefined) {
      this.name = "resource";
      this.label = "Resource";
      this.fields = arranged(leaves(known));
      this.content = this.fields.filter((field) => !isSystem(field));
      this.emptyBody = { objectTypeProperty: {} };
    } else {
      const { name, schema } = declaration;
      this.name = name;
      this.label = (schema as Schema).title ?? titled(name);
      this.declared = resource<Content>({ resources: { [name]: schema } }, name);
      this.content = describe(schema);
      this.fields = arranged([...this.content, ...known.filter(isSystem)]);
      this.emptyBody = {};
      const texts = this.content.filter(({ kind }) => kind === "text");
      this.title = texts.find((field) => field.schema["x-title"]) ?? texts[0];
    }
    ({ tag: this.tag, actions: this.actions } = this.declared ? actionsOf(this.content) : interfaceActions());
    this.columns = columnsOf(declaration?.schema, (name) => SYSTEM.includes(name));
    this.editableFields = this.fields.filter(({ name }) => !SET_BY_SERVICE.includes(name));
    const key = this.fields.filter(({ name }) => name === "key");
    this.page = [...new Set([...(this.title ? [this.title] : key), ...this.content, ...key])];
    this.innermost = innermost(this.fields);
    const counted = innermost(this.content).flatMap((field) => (field.kind === "objects" ? inItems(field) : [field]));
    const names = (...kinds: Kind["kind"][]) =>
      (this.declared ? counted : this.content).filter(({ kind }) => kinds.includes(kind)).map(this.queryName);
    const others = names("numbers", "number", "booleans", "boolean", "dates", "date");
    this.termFacets = [...names("texts"), ...names("text"), ...others];
    this.rangeFacets = [...names("numbers", "number"), "version"];
  }

  get isDeclared() {
    return this.declared !== undefined;
  }

  /** Returns fields of some kinds, without those that the service sets. */
  fieldsOf(...kinds: Kind["kind"][]) {
    return this.editableFields.filter(({ kind }) => kinds.includes(kind));
  }

  /**
   * Returns a field's name in predicates, sort orders, and facets, such as `size.width`. A list of the interface is
   * named without the group around it.
   */
  readonly queryName = (field: Pick<Field, "name" | "kind" | "path">) =>
    !this.isDeclared && isList(field) ? field.name : field.path.join(".");

  /** Returns the field with a name in predicates, also one inside of objects or of the items of a list. */
  find(name: string): Field | undefined {
    const inside = (fields: readonly Field[]): Field[] =>
      fields.flatMap((field) => ("fields" in field ? [field, ...inside(field.fields)] : [field]));
    return inside(this.fields).find((field) => this.queryName(field) === name);
  }

  /** Returns whether a field contains only whole numbers. */
  isWhole(name: string) {
    const field = this.find(name);
    return field !== undefined && "whole" in field && field.whole;
  }

  /** Returns the name of a resource for people: its title, its key, or its ID. */
  nameOf(of: Resource) {
    const title = this.title && valueAt(of, this.title.path);
    return typeof title === "string" && title !== "" ? title : (of.key ?? of.id);
  }

  /** Returns a body with the defaults of its fields, to be filled in. */
  draft(): { [name: string]: unknown } {
    const body: { [name: string]: unknown } = { ...this.emptyBody };
    for (const { name, required, schema } of this.content) {
      const value = schema.default ?? (required ? schema.const : undefined);
      if (value !== undefined) body[name] = value;
    }
    return body;
  }

  /** Validates a body: an object, or a JSON text. */
  validate(kind: BodyKind, input: unknown): Verdict {
    return this.declared === undefined ? validate(INTERFACE_BODIES[kind], input) : this.declared.validate(kind, input);
  }
}

/** Returns a field without the rules that hints show: sentences of the console explain the fields of the interface. */
function withoutRules(field: Field): Field {
  const plain = { ...field, schema: {} };
  if (plain.kind === "group" || plain.kind === "objects") plain.fields = plain.fields.map(withoutRules);
  return plain;
}

/** Puts the fields that identify a resource first. */
function arranged(all: readonly Field[]) {
  return [
    ...IDENTITY.flatMap((name) => all.find((field) => field.name === name) ?? []),
    ...all.filter((field) => !isIdentity(field)),
  ];
}

/** Returns the single values inside of the items of a list of objects. */
const inItems = (field: Field): Field[] =>
  "fields" in field ? innermost(field.fields).flatMap((inner) => ("fields" in inner ? inItems(inner) : [inner])) : [];

/** Returns the update actions of the interface's resource. */
function interfaceActions() {
  const list = describe(schemaOf(resourceUpdate)).find((field) => field.kind === "actions");
  if (list === undefined) throw new Error("The schema of an update has no actions.");
  const actions = Object.entries(list.actions).map(([name, fields]) => [name, fields.map(withoutRules)]);
  return { ...list, actions: Object.fromEntries(actions) };
}

/**
 * Returns the update actions of declared fields: one that sets each, and for a list of single values those that add
 * items and remove them.
 */
function actionsOf(content: readonly Field[]) {
  const actions: { [name: string]: readonly Field[] } = {};
  for (const field of content) actions[`set${titled(field.name)}`] = [field];
  for (const field of content) {
    if (!isList(field) || field.kind === "objects") continue;
    // The rules of an item hold, and not the numbers of the list.
    const { minItems, maxItems, ...schema } = field.schema;
    const listed: Field = { ...field, required: true, schema };
    for (const verb of ["add", "remove"]) actions[`${verb}${titled(field.name)}`] = [listed];
  }
  return { tag: "action", actions };
}
