// Generated from the schema (src/contract/resource/schema.rs). Do not edit: run `make generate`.
//
// Functions that accept any value and return whether it is valid, and types for write.ts, which gets the issues of an
// invalid value from the WebAssembly. An undefined member is absent. So is one that is null, if the field is known and
// optional.

import { data, dateTime, isOwn, isOwnAction, name, text, unique } from "../validate/checks.js";

const { prototype }: { prototype: any } = Object;

/** The fields of an object, and which are required. `__proto__` is what it inherits from, not a member. */
export interface Shape {
  __proto__?: null;
  fields?: { readonly [name: string]: Type | null };
  required?: readonly string[];
}

/** A type of values, with the members that apply to it. `accepts` gets any value, and reads its members. */
export interface Type extends Shape {
  accepts?: (value: any) => boolean;
  standIn?: string;
  items?: Type;
  unique?: boolean;
  tag?: string;
  variants?: { readonly [value: string]: Shape | null };
}

/** Types inherit nothing: whatever a program puts on `Object.prototype` is no part of them. */
export const type = (accepts?: Type["accepts"], standIn?: string, parts?: Type): Type => ({
  __proto__: null,
  accepts,
  standIn,
  ...parts,
});

/** A type of which nothing is known. */
export const unknownType = /* @__PURE__ */ type();

function id(value: unknown) {
  return (
    name(value, 256) &&
    !value.startsWith("key=") &&
    value !== "artificially-complex" &&
    value !== "description-with-urn-links" &&
    value !== "searchApiPattern" &&
    value !== "sorted-query-parameters"
  );
}

function person(value: any): boolean {
  if (typeof value !== "object" || value === null || (value.__proto__ !== prototype && !data(value))) return false;
  for (const key in value) {
    const member = value[key];
    switch (key) {
      case "firstName":
      case "lastName":
        if (member != null && !(text(member))) return false;
        break;
      default:
        if (member !== undefined) return false;
    }
  }
  return true;
}

const textType = /* @__PURE__ */ type(text, '""');

const personFields = {
  __proto__: null,
  firstName: textType,
  lastName: textType,
};

const personType = /* @__PURE__ */ type(person, '{}', { fields: personFields, required: [] });

function arrayOfIntExample(value: any): boolean {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isSafeInteger(item))) return false;
  }
  return true;
}

const integer0Type = /* @__PURE__ */ type(Number.isSafeInteger, '0');

const arrayOfIntExampleType = /* @__PURE__ */ type(arrayOfIntExample, '[]', { items: integer0Type });

function arrayOfUniqueIntExample(value: any): boolean {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isSafeInteger(item))) return false;
  }
  return unique(value);
}

const arrayOfUniqueIntExampleType = /* @__PURE__ */ type(arrayOfUniqueIntExample, '[]', { items: integer0Type, unique: true });

function arrayOfTwonumbersExample(value: any): boolean {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isSafeInteger(item))) return false;
  }
  return value.length === 0 || value.length === 2;
}

const arrayOfTwonumbersExampleType = /* @__PURE__ */ type(arrayOfTwonumbersExample, '[]', { items: integer0Type });

function arrayOfFloatExample(value: any): boolean {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isFinite(item))) return false;
  }
  return true;
}

const numberType = /* @__PURE__ */ type(Number.isFinite, '0');

const arrayOfFloatExampleType = /* @__PURE__ */ type(arrayOfFloatExample, '[]', { items: numberType });

function arrayOfStringExample(value: any): boolean {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(text(item))) return false;
  }
  return true;
}

const arrayOfStringExampleType = /* @__PURE__ */ type(arrayOfStringExample, '[]', { items: textType });

function objectType(value: any): boolean {
  if (typeof value !== "object" || value === null || (value.__proto__ !== prototype && !data(value))) return false;
  for (const key in value) {
    const member = value[key];
    switch (key) {
      case "integerExample":
        if (member != null && !(Number.isSafeInteger(member))) return false;
        break;
      case "integerExampleInt32":
        if (member != null && !(Number.isInteger(member) && member >= -2147483648 && member <= 2147483647)) return false;
        break;
      default:
        if (member !== undefined) return false;
    }
  }
  return true;
}

const integer1Type = /* @__PURE__ */ type((value) => Number.isInteger(value) && value >= -2147483648 && value <= 2147483647, '0');

const objectTypeFields = {
  __proto__: null,
  integerExample: integer0Type,
  integerExampleInt32: integer1Type,
};

const objectTypeType = /* @__PURE__ */ type(objectType, '{}', { fields: objectTypeFields, required: [] });

function arrayOfObjectType(value: any): boolean {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(objectType(item))) return false;
  }
  return true;
}

const arrayOfObjectTypeType = /* @__PURE__ */ type(arrayOfObjectType, '[]', { items: objectTypeType });

function objectTestType(value: any): boolean {
  if (typeof value !== "object" || value === null || (value.__proto__ !== prototype && !data(value))) return false;
  for (const key in value) {
    const member = value[key];
    switch (key) {
      case "arrayOfIntExample":
        if (member != null && !(arrayOfIntExample(member))) return false;
        break;
      case "arrayOfUniqueIntExample":
        if (member != null && !(arrayOfUniqueIntExample(member))) return false;
        break;
      case "arrayOfTwonumbersExample":
        if (member != null && !(arrayOfTwonumbersExample(member))) return false;
        break;
      case "arrayOfFloatExample":
      case "arrayOfNumberNoDefaultsExample":
        if (member != null && !(arrayOfFloatExample(member))) return false;
        break;
      case "arrayOfStringExample":
        if (member != null && !(arrayOfStringExample(member))) return false;
        break;
      case "arrayOfObjectType":
        if (member != null && !(arrayOfObjectType(member))) return false;
        break;
      default:
        if (member !== undefined) return false;
    }
  }
  return true;
}

const objectTestTypeFields = {
  __proto__: null,
  arrayOfIntExample: arrayOfIntExampleType,
  arrayOfUniqueIntExample: arrayOfUniqueIntExampleType,
  arrayOfTwonumbersExample: arrayOfTwonumbersExampleType,
  arrayOfFloatExample: arrayOfFloatExampleType,
  arrayOfNumberNoDefaultsExample: arrayOfFloatExampleType,
  arrayOfStringExample: arrayOfStringExampleType,
  arrayOfObjectType: arrayOfObjectTypeType,
};

const objectTestTypeType = /* @__PURE__ */ type(objectTestType, '{}', { fields: objectTestTypeFields, required: [] });

function resourceDraft(value: any): boolean {
  if (typeof value !== "object" || value === null || (value.__proto__ !== prototype && !data(value))) return false;
  let given = 0;
  for (const key in value) {
    const member = value[key];
    switch (key) {
      case "id":
        if (member != null && !(id(member))) return false;
        break;
      case "version":
        if (member != null && !(Number.isSafeInteger(member) && member >= 0)) return false;
        break;
      case "key":
        if (member != null && !(name(member, 256))) return false;
        break;
      case "createdAt":
      case "lastModifiedAt":
        if (member != null && !(dateTime(member))) return false;
        break;
      case "createdBy":
      case "lastModifiedBy":
        if (member != null && !(person(member))) return false;
        break;
      case "objectTypeProperty":
        if (!(objectTestType(member))) return false;
        given++;
        break;
      case "someProperty":
      case "eigthProperty":
      case "ninthProperty":
      case "tenthProperty":
      case "eleventhPropery":
      case "twelthProperty":
      case "thirteenthProperty":
      case "fourteenthProperty":
      case "fifteenthProperty":
      case "custom":
        if (member != null && !(text(member))) return false;
        break;
      default:
        if (member !== undefined && !isOwn(key, member)) return false;
    }
  }
  return given === 1;
}

const idType = /* @__PURE__ */ type(id, '"0"');

const integer2Type = /* @__PURE__ */ type((value) => Number.isSafeInteger(value) && value >= 0, '0');

const keyType = /* @__PURE__ */ type((value) => name(value, 256), '"0"');

const dateTimeType = /* @__PURE__ */ type(dateTime, '"2000-01-01T00:00:00.000Z"');

const resourceDraftFields = {
  __proto__: null,
  id: idType,
  version: integer2Type,
  key: keyType,
  createdAt: dateTimeType,
  createdBy: personType,
  lastModifiedAt: dateTimeType,
  lastModifiedBy: personType,
  objectTypeProperty: objectTestTypeType,
  someProperty: textType,
  eigthProperty: textType,
  ninthProperty: textType,
  tenthProperty: textType,
  eleventhPropery: textType,
  twelthProperty: textType,
  thirteenthProperty: textType,
  fourteenthProperty: textType,
  fifteenthProperty: textType,
  custom: textType,
};

const resourceDraftType = /* @__PURE__ */ type(resourceDraft, '{"objectTypeProperty":{}}', { fields: resourceDraftFields, required: ["objectTypeProperty"] });

function resourceOverwrite(value: any): boolean {
  return resourceDraft(value) && Number.isSafeInteger(value.version) && value.version >= 0;
}

const resourceOverwriteType = /* @__PURE__ */ type(resourceOverwrite, '{"version":0,"objectTypeProperty":{}}', { fields: resourceDraftFields, required: ["version", "objectTypeProperty"] });

function doSomeThing(value: any): boolean {
  let given = 0;
  for (const key in value) {
    switch (key) {
      case "action":
        given++;
        break;
      default:
        if (value[key] !== undefined) return false;
    }
  }
  return given === 1;
}

const doSomeThingFields = {
  __proto__: null,
  action: unknownType,
};

function changeSomeProperty(value: any): boolean {
  let given = 0;
  for (const key in value) {
    switch (key) {
      case "action":
      case "someProperty":
        given++;
        break;
      default:
        if (value[key] !== undefined) return false;
    }
  }
  return given === 2 && text(value.someProperty);
}

const changeSomePropertyFields = {
  __proto__: null,
  action: unknownType,
  someProperty: textType,
};

function exampleResourceUpdateAction(value: any): boolean {
  if (typeof value !== "object" || value === null || (value.__proto__ !== prototype && !data(value))) return false;
  switch (value.action) {
    case "doSomeThing":
      return doSomeThing(value);
    case "changeSomeProperty":
      return changeSomeProperty(value);
    default:
      return isOwnAction(value);
  }
}

const exampleResourceUpdateActionType = /* @__PURE__ */ type(exampleResourceUpdateAction, '{"action":"doSomeThing"}', { tag: "action", variants: { __proto__: null, doSomeThing: { fields: doSomeThingFields, required: ["action"] }, changeSomeProperty: { fields: changeSomePropertyFields, required: ["action", "someProperty"] }, } });

function actions(value: any): boolean {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(exampleResourceUpdateAction(item))) return false;
  }
  return value.length <= 500;
}

const actionsType = /* @__PURE__ */ type(actions, '[]', { items: exampleResourceUpdateActionType });

function resourceUpdate(value: any): boolean {
  if (typeof value !== "object" || value === null || (value.__proto__ !== prototype && !data(value))) return false;
  let given = 0;
  for (const key in value) {
    switch (key) {
      case "version":
      case "actions":
        given++;
        break;
      default:
        if (value[key] !== undefined) return false;
    }
  }
  return given === 2 && Number.isSafeInteger(value.version) && value.version >= 0 && actions(value.actions);
}

const resourceUpdateFields = {
  __proto__: null,
  version: integer2Type,
  actions: actionsType,
};

const resourceUpdateType = /* @__PURE__ */ type(resourceUpdate, '{"version":0,"actions":[]}', { fields: resourceUpdateFields, required: ["version", "actions"] });

function complexBody(value: any): boolean {
  if (typeof value !== "object" || value === null || (value.__proto__ !== prototype && !data(value))) return false;
  for (const key in value) {
    const member = value[key];
    switch (key) {
      case "id":
        if (member != null && !(id(member))) return false;
        break;
      case "version":
      case "eigthProperty":
      case "ninthProperty":
      case "tenthProperty":
      case "eleventhPropery":
      case "twelthProperty":
      case "thirteenthProperty":
      case "fourteenthProperty":
      case "fifteenthProperty":
      case "custom":
        if (member != null && !(text(member))) return false;
        break;
      case "key":
        if (member != null && !(name(member, 256))) return false;
        break;
      case "createdAt":
      case "lastModifiedAt":
        if (member != null && !(dateTime(member))) return false;
        break;
      case "createdBy":
      case "lastModifiedBy":
        if (member != null && !(person(member))) return false;
        break;
      default:
        if (member !== undefined && !isOwn(key, member)) return false;
    }
  }
  return true;
}

const complexBodyFields = {
  __proto__: null,
  id: idType,
  version: textType,
  key: keyType,
  createdAt: dateTimeType,
  createdBy: personType,
  lastModifiedAt: dateTimeType,
  lastModifiedBy: personType,
  eigthProperty: textType,
  ninthProperty: textType,
  tenthProperty: textType,
  eleventhPropery: textType,
  twelthProperty: textType,
  thirteenthProperty: textType,
  fourteenthProperty: textType,
  fifteenthProperty: textType,
  custom: textType,
};

const complexBodyType = /* @__PURE__ */ type(complexBody, '{}', { fields: complexBodyFields, required: [] });

/** Whether nothing that is required is inherited by every object. */
export function clean() {
  return prototype.action === undefined && prototype.actions === undefined && prototype.objectTypeProperty === undefined && prototype.someProperty === undefined && prototype.version === undefined;
}

/** The kinds of bodies, by the numbers that they have in the WebAssembly. */
export const kinds = ["resourceDraft", "resourceOverwrite", "resourceUpdate", "complexBody"];

/** The number of a kind; −1 if there is no such kind. */
export function numberOf(kind: unknown) {
  switch (kind) {
    case "resourceDraft":
      return 0;
    case "resourceOverwrite":
      return 1;
    case "resourceUpdate":
      return 2;
    case "complexBody":
      return 3;
    default:
      return -1;
  }
}

/** Whether an object is valid, by the same numbers. */
export const accepts = [resourceDraft, resourceOverwrite, resourceUpdate, complexBody];

/** The type of a body, by the same numbers. */
export const types = [resourceDraftType, resourceOverwriteType, resourceUpdateType, complexBodyType];

/** The largest body, in bytes (D10). */
export const BODY_BYTES = 1048576;

/** The deepest array or object that a body may have; what is deeper is never looked into. */
export const DEPTH = 4;

/** The characters that replace what JSON cannot write. */
export const foreign: { readonly [kind: string]: string } = {
  "undefined": "\x0e",
  "NaN": "\x0f",
  "Infinity": "\x10",
  "-Infinity": "\x11",
  "a bigint": "\x12",
  "a symbol": "\x13",
  "a function": "\x14",
  "a Date": "\x15",
  "an instance of a class": "\x16",
  "a value that cannot be read": "\x17",
};
