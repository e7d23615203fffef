// Written by tests/validate from the schema (src/contract/schema.rs). Do not edit: UPDATE=1 cargo test --test validate
//
// Functions that take any value and return whether it is valid, and types for write.js, which has the WebAssembly say
// what is wrong with another. A member that is undefined is as good as absent, one that is null too where the field is
// known and optional.

import { data, dateTime, name, text, unique } from "./value.js";

const { prototype } = Object;

function person(value) {
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

const personType = { accepts: person, standIn: "{}", fields: {
  __proto__: null,
  firstName: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  lastName: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
} };

function arrayOfIntExample(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isSafeInteger(item))) return false;
  }
  return true;
}

const arrayOfIntExampleType = { accepts: arrayOfIntExample, standIn: "[]", items: { accepts: (value) => Number.isSafeInteger(value), standIn: "0" } };

function arrayOfUniqueIntExample(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isSafeInteger(item))) return false;
  }
  return unique(value);
}

const arrayOfUniqueIntExampleType = { accepts: arrayOfUniqueIntExample, standIn: "[]", items: {} };

function arrayOfTwonumbersExample(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isSafeInteger(item))) return false;
  }
  return value.length === 0 || value.length === 2;
}

const arrayOfTwonumbersExampleType = { accepts: arrayOfTwonumbersExample, standIn: "[]", items: { accepts: (value) => Number.isSafeInteger(value), standIn: "0" } };

function arrayOfFloatExample(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isFinite(item))) return false;
  }
  return true;
}

const arrayOfFloatExampleType = { accepts: arrayOfFloatExample, standIn: "[]", items: { accepts: (value) => Number.isFinite(value), standIn: "0" } };

function arrayOfNumberNoDefaultsExample(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isFinite(item))) return false;
  }
  return true;
}

const arrayOfNumberNoDefaultsExampleType = { accepts: arrayOfNumberNoDefaultsExample, standIn: "[]", items: { accepts: (value) => Number.isFinite(value), standIn: "0" } };

function arrayOfStringExample(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(text(item))) return false;
  }
  return true;
}

const arrayOfStringExampleType = { accepts: arrayOfStringExample, standIn: "[]", items: { accepts: (value) => text(value), standIn: "\"\"" } };

function objectType(value) {
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

const objectTypeType = { accepts: objectType, standIn: "{}", fields: {
  __proto__: null,
  integerExample: { required: false, type: { accepts: (value) => Number.isSafeInteger(value), standIn: "0" } },
  integerExampleInt32: { required: false, type: { accepts: (value) => Number.isInteger(value) && value >= -2147483648 && value <= 2147483647, standIn: "0" } },
} };

function arrayOfObjectType(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(objectType(item))) return false;
  }
  return true;
}

const arrayOfObjectTypeType = { accepts: arrayOfObjectType, standIn: "[]", items: objectTypeType };

function objectTestType(value) {
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
        if (member != null && !(arrayOfFloatExample(member))) return false;
        break;
      case "arrayOfNumberNoDefaultsExample":
        if (member != null && !(arrayOfNumberNoDefaultsExample(member))) return false;
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

const objectTestTypeType = { accepts: objectTestType, standIn: "{}", fields: {
  __proto__: null,
  arrayOfIntExample: { required: false, type: arrayOfIntExampleType },
  arrayOfUniqueIntExample: { required: false, type: arrayOfUniqueIntExampleType },
  arrayOfTwonumbersExample: { required: false, type: arrayOfTwonumbersExampleType },
  arrayOfFloatExample: { required: false, type: arrayOfFloatExampleType },
  arrayOfNumberNoDefaultsExample: { required: false, type: arrayOfNumberNoDefaultsExampleType },
  arrayOfStringExample: { required: false, type: arrayOfStringExampleType },
  arrayOfObjectType: { required: false, type: arrayOfObjectTypeType },
} };

function resourceDraft(value) {
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
        if (member !== undefined) return false;
    }
  }
  return given === 1;
}

const resourceDraftType = { accepts: resourceDraft, standIn: "{\"objectTypeProperty\":{}}", fields: {
  __proto__: null,
  id: { required: false, type: { accepts: (value) => id(value), standIn: "\"0\"" } },
  version: { required: false, type: { accepts: (value) => Number.isSafeInteger(value) && value >= 0, standIn: "0" } },
  key: { required: false, type: { accepts: (value) => name(value, 256), standIn: "\"0\"" } },
  createdAt: { required: false, type: { accepts: (value) => dateTime(value), standIn: "\"2000-01-01T00:00:00.000Z\"" } },
  createdBy: { required: false, type: personType },
  lastModifiedAt: { required: false, type: { accepts: (value) => dateTime(value), standIn: "\"2000-01-01T00:00:00.000Z\"" } },
  lastModifiedBy: { required: false, type: personType },
  objectTypeProperty: { required: true, type: objectTestTypeType },
  someProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  eigthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  ninthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  tenthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  eleventhPropery: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  twelthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  thirteenthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  fourteenthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  fifteenthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  custom: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
} };

function resourceOverwrite(value) {
  if (typeof value !== "object" || value === null || (value.__proto__ !== prototype && !data(value))) return false;
  let given = 0;
  for (const key in value) {
    const member = value[key];
    switch (key) {
      case "id":
        if (member != null && !(id(member))) return false;
        break;
      case "version":
        if (!(Number.isSafeInteger(member) && member >= 0)) return false;
        given++;
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
        if (member !== undefined) return false;
    }
  }
  return given === 2;
}

const resourceOverwriteType = { accepts: resourceOverwrite, standIn: "{\"version\":0,\"objectTypeProperty\":{}}", fields: {
  __proto__: null,
  id: { required: false, type: { accepts: (value) => id(value), standIn: "\"0\"" } },
  version: { required: true, type: { accepts: (value) => Number.isSafeInteger(value) && value >= 0, standIn: "0" } },
  key: { required: false, type: { accepts: (value) => name(value, 256), standIn: "\"0\"" } },
  createdAt: { required: false, type: { accepts: (value) => dateTime(value), standIn: "\"2000-01-01T00:00:00.000Z\"" } },
  createdBy: { required: false, type: personType },
  lastModifiedAt: { required: false, type: { accepts: (value) => dateTime(value), standIn: "\"2000-01-01T00:00:00.000Z\"" } },
  lastModifiedBy: { required: false, type: personType },
  objectTypeProperty: { required: true, type: objectTestTypeType },
  someProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  eigthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  ninthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  tenthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  eleventhPropery: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  twelthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  thirteenthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  fourteenthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  fifteenthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  custom: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
} };

function doSomeThing(value) {
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

function changeSomeProperty(value) {
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

function exampleResourceUpdateAction(value) {
  if (typeof value !== "object" || value === null || (value.__proto__ !== prototype && !data(value))) return false;
  switch (value.action) {
    case "doSomeThing":
      return doSomeThing(value);
    case "changeSomeProperty":
      return changeSomeProperty(value);
    default:
      return false;
  }
}

const exampleResourceUpdateActionType = { accepts: exampleResourceUpdateAction, standIn: "{\"action\":\"doSomeThing\"}", tag: "action", variants: { __proto__: null, doSomeThing: {
  __proto__: null,
  action: { required: true, type: {} },
}, changeSomeProperty: {
  __proto__: null,
  action: { required: true, type: {} },
  someProperty: { required: true, type: { accepts: (value) => text(value), standIn: "\"\"" } },
}, } };

function actions(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(exampleResourceUpdateAction(item))) return false;
  }
  return value.length <= 500;
}

const actionsType = { accepts: actions, standIn: "[]", items: exampleResourceUpdateActionType };

function resourceUpdate(value) {
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

const resourceUpdateType = { accepts: resourceUpdate, standIn: "{\"version\":0,\"actions\":[]}", fields: {
  __proto__: null,
  version: { required: true, type: { accepts: (value) => Number.isSafeInteger(value) && value >= 0, standIn: "0" } },
  actions: { required: true, type: actionsType },
} };

function complexBody(value) {
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
        if (member !== undefined) return false;
    }
  }
  return true;
}

const complexBodyType = { accepts: complexBody, standIn: "{}", fields: {
  __proto__: null,
  id: { required: false, type: { accepts: (value) => id(value), standIn: "\"0\"" } },
  version: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  key: { required: false, type: { accepts: (value) => name(value, 256), standIn: "\"0\"" } },
  createdAt: { required: false, type: { accepts: (value) => dateTime(value), standIn: "\"2000-01-01T00:00:00.000Z\"" } },
  createdBy: { required: false, type: personType },
  lastModifiedAt: { required: false, type: { accepts: (value) => dateTime(value), standIn: "\"2000-01-01T00:00:00.000Z\"" } },
  lastModifiedBy: { required: false, type: personType },
  eigthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  ninthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  tenthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  eleventhPropery: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  twelthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  thirteenthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  fourteenthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  fifteenthProperty: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
  custom: { required: false, type: { accepts: (value) => text(value), standIn: "\"\"" } },
} };

function id(value) {
  return (
    name(value, 256) &&
    !value.startsWith("key=") &&
    value !== "artificially-complex" &&
    value !== "description-with-urn-links" &&
    value !== "searchApiPattern" &&
    value !== "sorted-query-parameters"
  );
}

/** Whether nothing that is required is inherited by every object. */
export function clean() {
  return prototype.action === undefined && prototype.actions === undefined && prototype.objectTypeProperty === undefined && prototype.someProperty === undefined && prototype.version === undefined;
}

/** The kinds of bodies, by the numbers that they have in the WebAssembly. */
export const kinds = ["resourceDraft", "resourceOverwrite", "resourceUpdate", "complexBody"];

/** The number of a kind; −1 where there is no such kind. */
export function numberOf(kind) {
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

/** The characters that stand for what JSON cannot write. */
export const foreign = {
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
