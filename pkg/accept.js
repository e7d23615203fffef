// Written by tests/validate from the schema (src/contract/schema.rs). Do not edit: UPDATE=1 cargo test --test validate
//
// Each function takes any value and returns whether it is valid; what is wrong with another, the WebAssembly says. A
// member that is undefined is as good as absent, one that is null too where the field is known.

import { dateTime, name, plain, text, unique } from "./value.js";

const own = Object.hasOwn;

function person(value) {
  if (!plain(value)) return false;
  for (const key in value) {
    if (!own(value, key)) continue;
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

function arrayOfIntExample(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isSafeInteger(item))) return false;
  }
  return true;
}

function arrayOfUniqueIntExample(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isSafeInteger(item))) return false;
  }
  return unique(value);
}

function arrayOfTwonumbersExample(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isSafeInteger(item))) return false;
  }
  return value.length === 0 || value.length === 2;
}

function arrayOfFloatExample(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isFinite(item))) return false;
  }
  return true;
}

function arrayOfNumberNoDefaultsExample(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(Number.isFinite(item))) return false;
  }
  return true;
}

function arrayOfStringExample(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(text(item))) return false;
  }
  return true;
}

function objectType(value) {
  if (!plain(value)) return false;
  for (const key in value) {
    if (!own(value, key)) continue;
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

function arrayOfObjectType(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(objectType(item))) return false;
  }
  return true;
}

function objectTestType(value) {
  if (!plain(value)) return false;
  for (const key in value) {
    if (!own(value, key)) continue;
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

function resourceDraft(value) {
  if (!plain(value)) return false;
  let given = 0;
  for (const key in value) {
    if (!own(value, key)) continue;
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

function resourceOverwrite(value) {
  if (!plain(value)) return false;
  let given = 0;
  for (const key in value) {
    if (!own(value, key)) continue;
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

function doSomeThing(value) {
  if (!plain(value)) return false;
  let given = 0;
  for (const key in value) {
    if (!own(value, key)) continue;
    const member = value[key];
    switch (key) {
      case "action":
        if (!(text(member))) return false;
        given++;
        break;
      default:
        if (member !== undefined) return false;
    }
  }
  return given === 1;
}

function changeSomeProperty(value) {
  if (!plain(value)) return false;
  let given = 0;
  for (const key in value) {
    if (!own(value, key)) continue;
    const member = value[key];
    switch (key) {
      case "action":
      case "someProperty":
        if (!(text(member))) return false;
        given++;
        break;
      default:
        if (member !== undefined) return false;
    }
  }
  return given === 2;
}

function exampleResourceUpdateAction(value) {
  if (!plain(value) || !own(value, "action")) return false;
  switch (value.action) {
    case "doSomeThing":
      return doSomeThing(value);
    case "changeSomeProperty":
      return changeSomeProperty(value);
    default:
      return false;
  }
}

function actions(value) {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    if (!(exampleResourceUpdateAction(item))) return false;
  }
  return value.length <= 500;
}

function resourceUpdate(value) {
  if (!plain(value)) return false;
  let given = 0;
  for (const key in value) {
    if (!own(value, key)) continue;
    const member = value[key];
    switch (key) {
      case "version":
        if (!(Number.isSafeInteger(member) && member >= 0)) return false;
        given++;
        break;
      case "actions":
        if (!(actions(member))) return false;
        given++;
        break;
      default:
        if (member !== undefined) return false;
    }
  }
  return given === 2;
}

function complexBody(value) {
  if (!plain(value)) return false;
  for (const key in value) {
    if (!own(value, key)) continue;
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

/** The kinds of bodies, by the numbers that they have in the WebAssembly. */
export const kinds = ["resourceDraft", "resourceOverwrite", "resourceUpdate", "complexBody"];

/** Whether an object is valid, by the same numbers. */
export const accepts = [resourceDraft, resourceOverwrite, resourceUpdate, complexBody];

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
