// Pages that create and edit a resource.

import { toast } from "../widgets/dom.js";
import { go } from "../state/address.js";
import { editorPage } from "../forms/editor.js";
import { BodyForm, formFields } from "../forms/body-form.js";
import { draftPlace } from "../state/drafts.js";
import { overwriteBody } from "../model/merge.js";
import { resolveConflict } from "../forms/conflict.js";
import { same, valueAt, withValue } from "../model/schema.js";

// Makes a POST create only: 412 if the ID or key is in use (D20).
const ABSENT = { headers: { "If-None-Match": "*" } };

/** A page that creates a resource. */
export function createView({ client, project }) {
  const form = (changed) => new BodyForm({ kind: "resourceDraft", value: { objectTypeProperty: {} }, changed });
  return editorPage({
    title: "New resource",
    lead: "Leave out what you do not need. Without an id the service gives one.",
    place: draftPlace(project, "create"),
    form,
    action: "Create",
    back: { project },
    save: (value) => client.createOrUpdate(value, ABSENT),
    saved: (resource, shown) => done({ project, resource, shown, what: "Created" }),
    retell: (error, value) => (error.status === 412 ? [taken(value)] : undefined),
  });
}

const taken = ({ id, key }) => {
  const name = id !== undefined ? "id" : "key";
  return {
    path: [name],
    message: `A resource with the ${name} '${id ?? key}' is there already. Choose another, or open that one and edit it.`,
  };
};

/** A page that edits the given version of a resource. */
export function editView({ client, project, resource }) {
  const fields = formFields.filter(({ name }) => name !== "id" && name !== "createdBy");
  const place = draftPlace(project, `edit ${resource.id}`);
  // A draft belongs to the version on which it was begun. Newer versions are merged when it is saved.
  let seen = place.restore()?.seen ?? resource;
  const more = (value) => fixed(value, seen);
  return editorPage({
    title: resource.key ?? resource.id,
    lead: `Version ${resource.version} · ${resource.id}`,
    about: () =>
      seen.version === resource.version
        ? ""
        : ` You began on version ${seen.version}: what changed since is put together with yours when you save.`,
    place,
    form: (changed) =>
      new BodyForm({
        kind: "resourceDraft",
        value: editable(fields, seen),
        without: ["id", "createdBy"],
        more,
        changed,
      }),
    extra: () => ({ seen }),
    action: "Save",
    back: { project, id: resource.id },
    forget: () => (seen = resource),
    unchanged: (value) => same(value, editable(fields, seen)),
    async save(value, shown) {
      try {
        return await client.overwrite(overwriteBody(fields, seen, value));
      } catch (error) {
        if (error.status !== 409 && error.status !== 404) throw error;
        const send = (merged, theirs) => client.overwrite(overwriteBody(fields, theirs, merged));
        return resolveConflict({ client, fields, base: seen, mine: value, send, shown, error });
      }
    },
    saved: (saved, shown) => done({ project, resource: saved, shown, what: "Saved" }),
  });
}

/** Returns the part of a resource that a person edits. */
function editable(fields, resource) {
  return fields.reduce(
    (value, { path }) =>
      valueAt(resource, path) === undefined ? value : withValue(value, path, valueAt(resource, path)),
    {},
  );
}

/**
 * Returns the issues of members that an edit must not change. If they differ, the JSON was pasted from another resource
 * or version. A key can change but cannot be removed (D11).
 */
function fixed(value, seen) {
  const keyless =
    seen.key != null && value.key == null
      ? [
          {
            path: ["key"],
            message: `The field 'key' cannot be taken away: expected ${JSON.stringify(seen.key)}, or another key.`,
          },
        ]
      : [];
  const others = ["id", "version", "createdAt", "createdBy", "lastModifiedAt"].flatMap((name) => {
    if (value[name] === undefined || value[name] === null || same(value[name], seen[name])) return [];
    return [
      {
        path: [name],
        message: `The field '${name}' is not changed here: expected ${JSON.stringify(seen[name]) ?? "none"}, or leave it out.`,
      },
    ];
  });
  return [...keyless, ...others];
}

/** Reports the saved resource, and shows it if the person is still on the page. */
function done({ project, resource, shown, what }) {
  toast(`${what} ${resource.key ?? resource.id}, version ${resource.version}.`, "success");
  if (shown) go({ project, id: resource.id });
}
