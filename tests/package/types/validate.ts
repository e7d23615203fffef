// Valid and invalid uses in programs. Compiled, never run.
import {
  complexBody,
  init,
  resourceDraft,
  resourceOverwrite,
  resourceUpdate,
  validate,
  type Bodies,
  type ExampleResourceUpdateAction,
  type Issue,
  type ResourceDraft,
  type ResourceUpdate,
  type Validation,
} from "resource-edge";
import { init as initInline, validate as validateInline } from "resource-edge/inline";

const ready: Promise<void> = init();
await ready;
await init("/resource_edge_bg.wasm");
await init(new ArrayBuffer(8));
await init(new Uint8Array(8));
await initInline();
// @ts-expect-error: a number is not a source
await init(5);

const draft: ResourceDraft = {
  key: "a",
  custom: undefined,
  createdBy: { firstName: "Ada", lastName: null },
  objectTypeProperty: {
    arrayOfIntExample: [1],
    arrayOfTwonumbersExample: [1, 2],
    arrayOfObjectType: [{}, { integerExample: 1 }],
  },
};
// @ts-expect-error: the arrays are required
const empty: ResourceDraft = {};
// @ts-expect-error: it is spelled eleventhPropery
const misspelled: ResourceDraft = { objectTypeProperty: {}, eleventhProperty: "x" };
// @ts-expect-error: two or none
const one: ResourceDraft = { objectTypeProperty: { arrayOfTwonumbersExample: [1] } };

const actions: ExampleResourceUpdateAction[] = [
  { action: "doSomeThing" },
  { action: "changeSomeProperty", someProperty: "x" },
];
const update: ResourceUpdate = { version: 1, actions };
// @ts-expect-error: no such action
const unknown: ExampleResourceUpdateAction = { action: "doNothing" };
// @ts-expect-error: this action requires the new text
const incomplete: ExampleResourceUpdateAction = { action: "changeSomeProperty" };

function newText(action: ExampleResourceUpdateAction): string {
  switch (action.action) {
    case "doSomeThing":
      // @ts-expect-error: this action does not have it
      return action.someProperty;
    case "changeSomeProperty":
      return action.someProperty;
  }
}

const result = validate("resourceUpdate", update);
if (result.valid) {
  const version: number = result.value.version;
  void version;
  // @ts-expect-error: a valid result has no issues
  result.issues;
} else {
  const [issue] = result.issues;
  const path: readonly (string | number)[] = issue?.path ?? [];
  const more: number | undefined = result.more;
  // @ts-expect-error: an invalid result has no value
  result.value;
  // @ts-expect-error: no such code
  if (issue?.code === "Invalid") path.at(more);
}
// @ts-expect-error: no such kind
validate("draft", draft);

const kinds: (keyof Bodies)[] = ["resourceDraft", "resourceOverwrite", "resourceUpdate", "complexBody"];
for (const kind of kinds) {
  const any: Validation<Bodies[typeof kind]> = validateInline(kind, "{}");
  const issues: readonly Issue[] = any.valid ? [] : any.issues;
  issues.map(({ message }) => message);
}

export {
  complexBody,
  empty,
  incomplete,
  misspelled,
  newText,
  one,
  resourceDraft,
  resourceOverwrite,
  resourceUpdate,
  unknown,
};
